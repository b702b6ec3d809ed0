#include "RayTracing/Validation.h"

#include "Error.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/MinMax.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Scheme/WholeImage.h"
#include "RayTracing/Seeds/EndpointEdges.h"
#include "RayTracing/Seeds/Starts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace isochrone::rays {

namespace {

using isochrone::text;

std::string text(const Position& p) {
  return std::string("(") + text(p[0]) + ", " + text(p[1]) + ", " + text(p[2]) + ")";
}

/// Returns "point (3, 4, 0)" or "cell (3, 4, 0)", or the caller's name of the point.
std::string nameOfElement(const Problem& problem, WeightRule rule, std::int64_t element) {
  const bool cells = rule == WeightRule::Cells;
  const GridIndex i = elementsOf(problem.grid, rule).indices(element);
  if (!cells && problem.pointName) return problem.pointName(i[0], i[1], i[2]);
  return (cells ? "cell (" : "point (") + std::to_string(i[0]) + ", " + std::to_string(i[1]) + ", " +
         std::to_string(i[2]) + ")";
}

void validateGrid(const Grid& g) {
  for (const auto& [n, h, axis] : {std::tuple{g.nx, g.hx, 'x'}, {g.ny, g.hy, 'y'}, {g.nz, g.hz, 'z'}}) {
    if (n < 1) fail("the image must have points, got ", n, " along ", axis);
    if (n > std::numeric_limits<std::int32_t>::max() / 2)
      fail("an axis may have at most 1073741823 points, got ", n, " along ", axis, ": use a coarser image");
    if (!(h > 0) || std::isinf(h))
      fail("the spacing must be positive and finite, got ", text(h), " along ", axis);
  }
  if (g.points() < 2) fail("the image must have more than one point");
}

/// Checks the parameters of a tilted medium. Returns bounds of the slowness in any direction, as multiples of
/// the one along the axis: 1 in isotropic media.
template <class Real>
std::pair<double, double> validateTilt(const Problem& problem, const Options& options,
                                       execution::RoundPool& pool) {
  if (!problem.tilted) return {1, 1};
  const auto slowness = slownessOf<Real>(problem);
  const auto count = std::int64_t(slowness.size());
  problem.thomsen.requireLengths(problem.grid, count);
  struct Range {
    std::int64_t bad = 0, firstBad, firstMissing;
    double slowest = 1, fastest = 1; // squared speeds
  };
  const Range none{0, count, count};
  const auto rangeIn = [&](std::int64_t begin, std::int64_t end, int) {
    Range range = none;
    for (std::int64_t n = begin; n < end; ++n) {
      if (std::isinf(slowness[std::size_t(n)])) continue;
      if (problem.thomsen.isBarrier(problem.grid, n)) {
        range.firstMissing = std::min(range.firstMissing, n);
        continue;
      }
      if (!problem.thomsen.isValid(problem.grid, n)) {
        if (range.bad++ == 0) range.firstBad = n;
        continue;
      }
      const auto [slow, fast] = problem.thomsen.at(problem.grid, n, 1).squaredSpeeds();
      range.slowest = std::min(range.slowest, slow), range.fastest = std::max(range.fastest, fast);
    }
    return range;
  };
  const Range range = pool.reduce(count, none, rangeIn, [](Range& all, const Range& part) {
    all.bad += part.bad, all.firstBad = std::min(all.firstBad, part.firstBad);
    all.firstMissing = std::min(all.firstMissing, part.firstMissing);
    all.slowest = std::min(all.slowest, part.slowest), all.fastest = std::max(all.fastest, part.fastest);
  });
  if (range.firstMissing < count)
    fail("epsilon, delta, Vs / Vp and the symmetry axis must be numbers, got one that is not at ",
         nameOfElement(problem, options.rule, range.firstMissing),
         ": correct it, or blank it (slowness +infinity)");
  if (range.bad > 0)
    problem.thomsen.reject(range.bad, range.firstBad, nameOfElement(problem, options.rule, range.firstBad));
  std::array<double, 2> extremes{range.slowest, -range.fastest};
  problem.part.allMin(extremes);
  return {1 / std::sqrt(-extremes[1]), 1 / std::sqrt(extremes[0])};
}

/// Checks that slowness is positive or +infinity, and that the time of every edge is in the range of Real.
template <class Real>
SlownessRange validateSlowness(const Problem& problem, const Options& options, execution::RoundPool& pool) {
  const auto slowness = slownessOf<Real>(problem);
  const std::int64_t count = elementsOf(problem.grid, options.rule).points();
  const char* const elements = options.rule == WeightRule::Cells ? "cells" : "points";
  const char* const precision = options.doublePrecision ? "double" : "single";
  if (std::int64_t(slowness.size()) != count)
    fail("slowness must have a value for each of ", count, " ", elements, ", got ", slowness.size(), " in ",
         precision, " precision");
  auto range = extremesOf<Real>(slowness, pool);
  if (!range.positive) {
    const auto bad = std::ranges::find_if_not(slowness, [](Real s) { return s > 0; });
    fail("slowness must be positive (+infinity: blanked), got ", text(*bad), " at ",
         nameOfElement(problem, options.rule, bad - slowness.begin()));
  }
  std::array<double, 3> minima{double(range.minimum), -double(range.maximum), range.infinite ? -1. : 0.};
  problem.part.allMin(minima);
  range = {Real(minima[0]), Real(-minima[1]), minima[2] < 0, true};
  if (range.maximum == 0)
    fail("all ", elements, " are blanked: no wave passes; give some of them a velocity");
  const auto [least, most] = validateTilt<Real>(problem, options, pool);
  const auto edges = edgeTerms(problem.grid, options.rule,
                               makeForwardStar(problem.grid, options.neighbours, options.radius));
  constexpr double minimum = 1e6 * double(std::numeric_limits<Real>::min()), // terms are shorter than edges
      maximum = 1e-9 * double(std::numeric_limits<Real>::max());             // paths are longer
  if (edges.front().length < minimum || edges.back().length > maximum)
    fail("edges are ", text(edges.front().length), " to ", text(edges.back().length), " long, more than ",
         precision, " precision can hold: use other units of length");
  const double shortest = edges.front().length * least * double(range.minimum),
               longest = edges.back().length * most * double(range.maximum);
  if (shortest < minimum || longest > maximum)
    fail("edges take times from ", text(shortest), " to ", text(longest), ", more than ", precision,
         " precision can hold: use other units of length or time");
  return {least * double(range.minimum), range.infinite, shortest};
}

/// Checks what solves in parts support.
void validatePart(const Problem& problem, const Options& options) {
  if (!problem.part.isDivided()) return;
  if (options.method == Method::PlainRelaxation)
    fail("plain relaxation cannot be solved in parts: choose ordered tiles, or give every process the whole "
         "image");
  if (problem.part.own.empty()) return;
  const int reach = reachOf(makeForwardStar(problem.grid, options.neighbours, options.radius));
  for (int a = 0; a < 3; ++a) {
    const std::int64_t below = problem.part.own.low[a],
                       above = problem.grid.sizes()[a] - problem.part.own.high[a];
    const std::int64_t before = problem.part.first[a],
                       behind = problem.part.whole[a] - before - problem.grid.sizes()[a];
    if ((below < reach && before > 0) || (above < reach && behind > 0))
      fail("the margin of a part must have at least ", reach, " points");
  }
}

/// Checks what solves of periodic axes support. Whether their sources are closed is checked in parts.
void validatePeriodic(const Problem& problem, const Options& options) {
  if (!isPeriodic(problem)) return;
  if (problem.part.isDivided())
    fail("an image with periodic axes cannot be divided: give every process the whole image");
  if (options.method == Method::PlainRelaxation)
    fail("plain relaxation is not possible with periodic axes: choose ordered tiles");
  for (int a = 0; a < 3; ++a)
    if (problem.periodic[a] && options.rule == WeightRule::Cells && problem.grid.sizes()[a] == 2)
      fail("a periodic axis needs at least 2 cells, got 1 along ", "xyz"[a], ": make it not periodic");
}

void validateSources(const Problem& problem, const Options& options) {
  if (problem.sources.empty() && problem.startTimes.empty() && problem.preciseStartTimes.empty())
    fail("there is no source: give at least one");
  std::vector<double> isClosed; // per source, 0 on the process that has an open point beside it
  const std::size_t distinct =
      problem.distinctSources > 0 ? std::size_t(problem.distinctSources) : problem.sources.size();
  for (const Source& source : std::span(problem.sources).first(distinct)) {
    const auto steps = stepsTo(problem, source.at);
    const bool here = steps && ownsNearest(problem, *steps);
    isClosed.push_back(isPeriodic(problem)                                             ? 0
                       : !here || endpointEdges(problem, options.rule, *steps).empty() ? 1
                                                                                       : 0);
  }
  problem.part.allMin(isClosed);
  for (std::size_t s = 0; s < distinct; ++s) {
    const Source& source = problem.sources[s];
    const std::string name = "source " + std::to_string(s) + " at " + nameOfPlace(problem, source.at);
    if (!std::isfinite(source.startTime))
      fail("the start time of ", name, " must be finite, got ", text(source.startTime));
    if (!options.doublePrecision && std::isinf(float(source.startTime)))
      fail("single precision cannot hold the start time of ", name, ", ", text(source.startTime),
           ": request double precision, or use another unit of time");
    const auto steps = stepsTo(problem, source.at);
    if (!steps) fail(name, " lies outside the image: move it inside");
    if (isClosed[s] == 1)
      fail(name, " lies in or beside a blanked ", options.rule == WeightRule::Cells ? "cell" : "point",
           ": no wave leaves it; move it to where the velocity is positive");
  }
}

/// Checks that every source has a field, and every field a source.
void validateFields(const Problem& problem, const Options& options) {
  const std::vector<std::int32_t>& field = options.fieldOfSource;
  if (!options.separateSources || field.empty()) return;
  const std::size_t sources =
      problem.distinctSources > 0 ? std::size_t(problem.distinctSources) : problem.sources.size();
  if (field.size() != sources)
    fail("a field must be given for each of ", sources, " sources, got ", field.size());
  std::vector<std::int32_t> sorted = field;
  std::ranges::sort(sorted);
  std::int32_t next = 0; // of the numbers without gaps
  for (const std::int32_t number : sorted) {
    if (number == next) ++next;
    if (number < 0 || number != next - 1)
      fail("fields of sources must have the numbers 0, 1, ... without gaps, got ", number);
  }
}

template <class Real>
void validateStartTimes(const Problem& problem) {
  const auto times = startTimesOf<Real>(problem);
  if (times.empty() && !(problem.startTimes.empty() && problem.preciseStartTimes.empty()))
    fail("start times must have the precision of the run");
  if (!times.empty() && std::int64_t(times.size()) != problem.grid.points())
    fail("start times must be given for each of ", problem.grid.points(), " points, got ", times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(times[i] > -std::numeric_limits<Real>::infinity()))
      fail("start times must be finite (+infinity: none), got ", text(times[i]), " at ",
           nameOfElement(problem, WeightRule::Accurate, std::int64_t(i)));
}

} // namespace

SlownessRange validate(const Problem& problem, const Options& options, execution::RoundPool& pool) {
  validateGrid(problem.grid);
  validatePart(problem, options);
  validatePeriodic(problem, options);
  const SlownessRange range = options.doublePrecision ? validateSlowness<double>(problem, options, pool)
                                                      : validateSlowness<float>(problem, options, pool);
  options.doublePrecision ? validateStartTimes<double>(problem) : validateStartTimes<float>(problem);
  validateSources(problem, options);
  validateFields(problem, options);
  if (options.separateSources && (!problem.startTimes.empty() || !problem.preciseStartTimes.empty()))
    fail("start times of points belong to one run: solve for sources together, or without start times");
  return range;
}

void requireSources(const Problem& problem, std::span<const std::int32_t> sources) {
  for (const std::int32_t s : sources)
    if (s < 0 || std::size_t(s) >= problem.sources.size())
      fail("rays come from sources 0 to ", problem.sources.size(), " - 1, got ", s);
}

std::string nameOfPlace(const Problem& problem, const Position& place) {
  return problem.placeName ? problem.placeName(place) : text(place);
}

std::string nameOf(const Problem& problem, const Options& options) {
  const Grid& g = problem.grid;
  std::string name = "the travel times of " + std::to_string(g.nx) + " x " + std::to_string(g.ny) + " x " +
                     std::to_string(g.nz) + " points";
  if (options.separateSources)
    name += " from " + std::to_string(runsOf(problem, options).size()) + " sources";
  return name;
}

std::size_t resultBytes(const Problem& problem, const Options& options) {
  const std::size_t perPoint =
      (options.doublePrecision ? 8 : 4) + (options.predecessors ? 2 : 0) + (options.sourceIds ? 4 : 0);
  return perPoint * runsOf(problem, options).size() * std::size_t(problem.grid.points());
}

} // namespace isochrone::rays
