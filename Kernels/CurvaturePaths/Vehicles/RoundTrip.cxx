// RoundTrip.cxx - paths through a point and back (DESIGN.md, "Round trips").
//
// A path to a seed, driven backwards in time, is a path from it, with headings turned by pi and the opposite
// sign of the curvature. So it pays the cost at the opposite heading and has the shift -phi there.
#include "CurvaturePaths/Paths/RoundTripTimes.h"

#include "CurvaturePaths/Scheme/OppositeHeadings.h"
#include "CurvaturePaths/Validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::curvature {

namespace {

constexpr double pi = std::numbers::pi;

/// Values at opposite headings that differ by less, relatively, are treated as equal. Functions of a heading
/// rounded to float differ by 1e-7 from theta to theta + pi; the solver's own rounding is larger.
constexpr double sameCost = 1e-6;

/// Returns whether the reversed problem equals the problem.
bool isReversible(const Problem& p) {
  const bool plainSeeds = std::all_of(p.seeds.begin(), p.seeds.end(), [](const Seed& seed) {
    return seed.state.anyHeading && seed.startValue == 0;
  });
  return plainSeeds && isZero(p, p.curvatureShift) && isEven(p, p.cost, sameCost) &&
         isEven(p, p.turningRadius, sameCost);
}

/// Returns the field at opposite headings, times `sign`.
/// @param memory  receives the values if they differ from the field's
Field turned(const Field& field, const StateGrid& g, float sign, std::vector<float>& memory) {
  if (field.values.empty()) return {sign * field.constant, {}};
  if (!field.isPerState(g) && sign == 1) return field;
  const std::size_t n = field.values.size(), shift = field.isPerState(g) ? n / 2 : 0;
  memory.resize(n);
  for (std::size_t state = 0; state < n; ++state) memory[(state + shift) % n] = sign * field.values[state];
  return {field.constant, memory};
}

ReversedProblem reverse(const Problem& p) {
  ReversedProblem r;
  r.problem = p;
  r.problem.cost = turned(p.cost, p.grid, 1, r.cost);
  r.problem.turningRadius = turned(p.turningRadius, p.grid, 1, r.turningRadius);
  r.problem.curvatureShift = turned(p.curvatureShift, p.grid, -1, r.curvatureShift);
  for (Seed& seed : r.problem.seeds) {
    seed.startValue = 0;
    seed.state.heading += pi;
  }
  return r;
}

/// Returns the ends of the outward legs whose values make the trips through `vias` final. A via with any
/// heading needs all headings: the sum of both legs may have its minimum where neither leg does.
std::vector<State> outwardEnds(const StateGrid& g, const std::vector<State>& vias) {
  std::vector<State> ends;
  for (const State& via : vias)
    if (via.anyHeading)
      for (int k = 0; k < g.headings; ++k) ends.push_back({via.x, via.y, k * g.headingStep(), false});
    else
      ends.push_back(via);
  return ends;
}

/// Returns the ends of the return legs, which start at the seed too, for ends of outward legs.
std::vector<State> opposite(std::vector<State> ends) {
  for (State& end : ends) end.heading += pi;
  return ends;
}

/// Returns the states where both legs of the trips through `vias` end. A via with any heading takes the
/// heading with the minimum total.
std::vector<State> turningPoints(const Problem& problem, const RoundTripTimes& times,
                                 std::span<const State> vias) {
  std::vector<State> points(vias.begin(), vias.end());
  for (State& via : points) {
    const Placement at = place(problem, via);
    if (at.status == Placement::Status::Inside && via.anyHeading)
      via.heading = times.bestHeading(at.i, at.j) * problem.grid.headingStep();
    via.anyHeading = false;
  }
  return points;
}

/// Appends the return leg, as extracted from seed to via, in driving direction.
void append(Path& outward, const Path& back) {
  const std::size_t last = back.size() - 1;
  const double end = outward.travelTime.back() + back.travelTime.back();
  const double turns = std::round((outward.heading.back() - (back.heading.back() - pi)) /
                                  (2 * pi)); // keeps headings unwrapped
  for (std::size_t n = last; n-- > 0;) {
    outward.x.push_back(back.x[n]);
    outward.y.push_back(back.y[n]);
    outward.heading.push_back(back.heading[n] - pi + turns * 2 * pi);
    outward.curvature.push_back(-back.curvature[n]);
    if (!back.gear.empty()) outward.gear.push_back(back.gear[n]); // motion and heading both reverse
    outward.travelTime.push_back(end - back.travelTime[n]);
  }
  outward.energy += back.energy;
  outward.length += back.length;
}

/// Returns the status of a trip: the reason for a missing leg, else the worse status of both legs.
PathStatus statusOf(const Path& outward, const Path& back) {
  const auto has = [&](PathStatus status) { return outward.status == status || back.status == status; };
  if (outward.size() == 0) return outward.status;
  if (back.size() == 0) return back.status;
  if (has(PathStatus::TurnsTooTightly)) return PathStatus::TurnsTooTightly;
  return has(PathStatus::ExceedsTravelTime) ? PathStatus::ExceedsTravelTime : PathStatus::Complete;
}

/// Returns a trip as one path. A trip that misses a leg has no points.
Path joined(Path outward, const Path& back) {
  const PathStatus status = statusOf(outward, back);
  if (outward.size() > 0 && back.size() > 0)
    append(outward, back);
  else
    outward = {};
  outward.status = status;
  return outward;
}

} // namespace

RoundTrip solveRoundTrip(const Problem& problem, const Options& options, const Monitor& monitor) {
  validate(problem);
  requireAllStates(problem, "round trips");
  const StateGrid& g = problem.grid;
  if (g.headings % 2)
    fail("a round trip returns along the opposite headings, which requires an even number of headings, "
         "got ",
         g.headings, ": use ", g.headings + 1);
  const bool oneSolve = isReversible(problem);

  RoundTrip trip;
  Options legOptions = options;
  legOptions.stopAt = outwardEnds(g, options.stopAt);
  const std::vector<State> endsBack = opposite(legOptions.stopAt);
  if (oneSolve) legOptions.stopAt.insert(legOptions.stopAt.end(), endsBack.begin(), endsBack.end());
  trip.out = solveCurvaturePaths(problem, legOptions, monitor.part(0, oneSolve ? 1 : 0.5));
  trip.aborted = trip.out.aborted;
  if (oneSolve || trip.aborted) return trip;
  trip.reversed = reverse(problem);
  legOptions.stopAt = endsBack;
  trip.back = solveCurvaturePaths(trip.reversed.problem, legOptions, monitor.part(0.5, 0.5));
  trip.aborted = trip.back.aborted;
  return trip;
}

std::vector<Path> extractPaths(const Problem& problem, const RoundTrip& trip, std::span<const State> vias,
                               int threads, const Monitor& monitor) {
  const std::vector<State> ends = turningPoints(problem, RoundTripTimes(problem, trip), vias);
  std::vector<Path> paths = extractPaths(problem, trip.out, ends, threads, monitor.part(0, 0.5));
  if (paths.size() < ends.size()) return {};
  const std::vector<Path> back = extractPaths(trip.problemBack(problem), trip.solutionBack(), opposite(ends),
                                              threads, monitor.part(0.5, 0.5));
  if (back.size() < ends.size()) return {};
  for (std::size_t n = 0; n < paths.size(); ++n) paths[n] = joined(std::move(paths[n]), back[n]);
  return paths;
}

} // namespace isochrone::curvature
