// RoundTripSensitivity.cxx - derivatives of round trips: the sum of both legs. The return leg pays the cost
// at the opposite heading and has the opposite shift.
#include "CurvaturePaths/Paths/RoundTripTimes.h"

#include <cmath>
#include <utility>

namespace isochrone::curvature {

namespace {

/// Returns both legs to a via point as separate tips. Sets its heading.
std::pair<WeightedTip, WeightedTip> tipsOf(const StateGrid& g, Placement& via, int heading, double weight) {
  via.heading = heading;
  const State outward{double(via.i) * g.hx, double(via.j) * g.hy, heading * g.headingStep(), false};
  State back = outward;
  back.heading = (heading + g.headings / 2) * g.headingStep();
  return {{outward, weight}, {back, weight}};
}

/// Adds the derivatives of the return leg, which refer to the opposite heading.
void addOpposite(Values<double>& sum, const Values<double>& back, double sign) {
  const std::size_t n = sum.size();
  for (std::size_t state = 0; state < n; ++state) sum[state] += sign * back[(state + n / 2) % n];
}

} // namespace

Sensitivities differentiate(const Problem& problem, const RoundTrip& trip, std::span<const WeightedTip> vias,
                            const SensitivityOptions& options, const Monitor& monitor) {
  const RoundTripTimes times(problem, trip);
  std::vector<WeightedTip> outward, homeward;
  std::vector<Placement> places;
  for (const WeightedTip& via : vias) {
    places.push_back(place(problem, via.tip));
    Placement& at = places.back();
    if (at.status == Placement::Status::Inside) {
      const int heading = at.heading >= 0 ? at.heading : times.bestHeading(at.i, at.j);
      if (std::isfinite(times.at(at.i, at.j, heading))) {
        const auto [out, back] = tipsOf(problem.grid, at, heading, via.weight);
        outward.push_back(out), homeward.push_back(back);
        continue;
      }
    }
    at.heading = -1;
    outward.push_back({{-1e300, 0, 0, true}, via.weight}); // keeps the tip numbers in errors
    homeward.push_back(outward.back());
  }

  Sensitivities sum = differentiate(problem, trip.out, outward, options, monitor.part(0, 0.5));
  if (sum.aborted) return sum;
  const Sensitivities back = differentiate(trip.problemBack(problem), trip.solutionBack(), homeward, options,
                                           monitor.part(0.5, 0.5));
  if (back.aborted) return back;
  sum.tips = places;
  sum.objective += back.objective;
  sum.lostWeight += back.lostWeight;
  addOpposite(sum.cost, back.cost, 1);
  if (options.radiusAndShift) {
    addOpposite(sum.turningRadius, back.turningRadius, 1);
    addOpposite(sum.curvatureShift, back.curvatureShift, -1);
    addOpposite(sum.balancedRadius, back.balancedRadius, 1);
  }
  return sum; // start values apply to the outward leg only
}

} // namespace isochrone::curvature
