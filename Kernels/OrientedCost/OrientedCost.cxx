#include "OrientedCost/OrientedCost.h"

#include "Backend.h"
#include "Error.h"
#include "OrientedCost/TubeStrength.h"
#include "OrientedCost/Validation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

namespace isochrone::oriented {

namespace {

/// Returns the marks of the given points outside; empty if all are inside.
std::vector<std::uint8_t> pointsOutside(const Problem& p) {
  std::vector<std::uint8_t> outside(p.intensity.size());
  bool any = false;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    outside[i] = (!p.outside.empty() && p.outside[i]) || !std::isfinite(p.intensity[i]);
    any = any || outside[i];
  }
  if (!any) outside.clear();
  return outside;
}

/// Returns the intensities scaled to -1 ... 1, so that neither their unit nor an added constant matters. All
/// are 0 in a constant image.
std::vector<float> scaled(std::span<const float> intensity, std::span<const std::uint8_t> outside,
                          double middle, double halfRange) {
  std::vector<float> out(intensity.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if ((outside.empty() || !outside[i]) && halfRange > 0)
      out[i] = float((double(intensity[i]) - middle) / halfRange);
  return out;
}

/// Returns the problem with lengths in a unit near the spacing, so that their squares fit into single
/// precision. The unit is a power of two, which changes no digit.
Problem inUnitOfGrid(Problem p) {
  const int exponent = -std::ilogb(std::max(p.hx, p.hy));
  for (double* length : {&p.hx, &p.hy, &p.length}) *length = std::ldexp(*length, exponent);
  for (double& width : p.widths) width = std::ldexp(width, exponent);
  return p;
}

constexpr std::int64_t bandRows = 16;

/// Minimum typical strength, as a share of the half range of the intensities. An image without tubes, such as
/// a ramp, has responses of 1e-6 by rounding.
constexpr double minTypicalStrength = 1e-3;

/// Writes the strength of the strongest response per point to `minCost` and its heading to `heading`.
void strongest(const Problem& p, Result& result, Work& work, double share) {
  const Box own = p.own();
  work.rows(own.ny(), bandRows, share, [&](std::int64_t begin, std::int64_t end, int) {
    const std::int64_t first = begin * own.nx(), last = end * own.nx();
    for (std::int64_t i = first; i < last; ++i) result.minCost[i] = result.cost[i], result.heading[i] = 0;
    for (int k = 1; k < responses(p); ++k) {
      const float* strength = result.cost.data() + k * own.points();
      for (std::int64_t i = first; i < last; ++i) {
        if (!(strength[i] > result.minCost[i])) continue;
        result.minCost[i] = strength[i];
        result.heading[i] = float(2 * std::numbers::pi * k / p.headings);
      }
    }
  });
}

/// Returns the typical strength: the mean of the strongest responses, weighted by themselves.
double typical(const StrengthSums& sums) {
  const double sum = sums.strengths.value();
  return std::max(sum > 0 ? sums.squares.value() / sum : 0, minTypicalStrength);
}

/// Replaces strengths by costs.
void costOfStrength(const Problem& p, double typicalStrength, Result& result, Work& work, double share) {
  constexpr double maxScale = 1e30; // keeps the scale finite: infinity times a strength of 0 is NaN
  const float scale = float(std::min(1 / (p.halfStrength * typicalStrength), maxScale)),
              exponent = float(p.exponent);
  const float floor = float(p.floor), above = float(p.ceiling - p.floor);
  const auto cost = [=](float strength) {
    return floor + above / (1 + std::pow(strength * scale, exponent));
  };
  const Box own = p.own();
  work.rows(own.ny() * responses(p), bandRows, share, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin * own.nx(); i < end * own.nx(); ++i) {
      result.cost[i] = cost(result.cost[i]);
      if (responses(p) < p.headings) result.cost[i + responses(p) * own.points()] = result.cost[i];
    }
  });
  for (float& strength : result.minCost) strength = cost(strength);
}

/// Checks a problem first.
Problem validated(const Problem& problem) {
  validate(problem);
  return inUnitOfGrid(problem);
}

} // namespace

struct PartSolver::State {
  const Problem problem; ///< in the unit of the grid
  const Monitor& monitor;
  Work work;
  const std::vector<std::uint8_t> outside;
  double halfRange = 0;              ///< of the intensities of the image, the unit of the strengths
  Result result;                     ///< before step 4 cost and minCost hold strengths
  static constexpr double time = 20; ///< ns for a state

  State(const Problem& p, int threads, const Monitor& m)
      : problem(validated(p)), monitor(m),
        work(chooseThreads(threads, time * double(problem.points()) * problem.headings), m),
        outside(pointsOutside(problem)) {}
};

PartSolver::PartSolver(const Problem& problem, int threads, const Monitor& monitor)
    : state(std::make_unique<State>(problem, threads, monitor)) {}

PartSolver::~PartSolver() = default;

bool PartSolver::stopped() const { return state->work.stopped(); }

IntensityRange PartSolver::range() const {
  IntensityRange range;
  const std::span<const float> intensity = state->problem.intensity;
  for (std::size_t i = 0; i < intensity.size(); ++i)
    if (state->outside.empty() || !state->outside[i]) range.add({intensity[i], intensity[i]});
  return range;
}

void PartSolver::computeStrengths(const IntensityRange& ofImage) {
  if (ofImage.empty())
    fail("no point of the image lies inside the mask and has a finite intensity: choose another mask or "
         "intensity array");
  const Problem& p = state->problem;
  Result& result = state->result;
  const double middle = ofImage.minimum / 2 + ofImage.maximum / 2;
  state->halfRange = ofImage.maximum / 2 - ofImage.minimum / 2;
  const std::vector<float> intensity = scaled(p.intensity, state->outside, middle, state->halfRange);
  result.cost.resize(p.own().points() * p.headings);
  result.minCost.resize(p.own().points());
  result.heading.resize(p.own().points());
  tubeStrength(p, intensity, state->outside, result.cost.data(), state->work, 0.9);
  strongest(p, result, state->work, 0.03);
}

StrengthSums PartSolver::sums(std::span<const Box> counted) const {
  StrengthSums sums;
  if (stopped()) return sums;
  const Box own = state->problem.own();
  std::vector<Box> here;
  std::ranges::copy_if(counted, std::back_inserter(here), [&](const Box& b) { return b.overlaps(own); });
  for (std::int64_t j = own.j0; j < own.j1; ++j)
    for (std::int64_t i = own.i0; i < own.i1; ++i) {
      if (std::ranges::any_of(here, [&](const Box& b) { return b.overlaps({i, i + 1, j, j + 1}); })) continue;
      const double strength = state->result.minCost[own.index(i, j)];
      sums.strengths.add(strength), sums.squares.add(strength * strength);
    }
  return sums;
}

Result PartSolver::costs(const StrengthSums& ofImage) {
  Result& result = state->result;
  const double typicalStrength = typical(ofImage);
  if (!stopped()) costOfStrength(state->problem, typicalStrength, result, state->work, 0.07);
  if (stopped()) {
    result = {};
    result.aborted = true;
  } else {
    result.typicalStrength = typicalStrength * state->halfRange;
    state->monitor.report(1);
  }
  return std::move(result);
}

Margin marginOf(const Problem& problem) {
  validateSettings(problem);
  return marginOfFilters(problem);
}

Result makeOrientedCost(const Problem& problem, int threads, const Monitor& monitor) {
  PartSolver solver(problem, threads, monitor);
  solver.computeStrengths(solver.range());
  return solver.costs(solver.sums({}));
}

} // namespace isochrone::oriented
