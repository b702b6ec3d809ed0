// MeshTravelTimeChecks.h - expected properties of mesh travel times.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTimeCases.h"
#include "Reference/MeshReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iomanip>
#include <string>

namespace isochrone::mesh {

inline Options onHost(int threads = 1, Method method = Method::Automatic) {
  Options o;
  o.backend = Backend::Host, o.threads = threads, o.method = method;
  return o;
}

inline Result solve(const MeshCase& c, const Options& options) {
  return solveMeshTravelTime(c.problem, options, {});
}

inline std::vector<Tip> everyVertex(const MeshCase& c) {
  std::vector<Tip> tips;
  for (std::int64_t v = 0; v < c.vertexCount(); ++v) tips.push_back({v});
  return tips;
}

/// Reports the first value that differs, and the number of such values.
template <class Times, class Expected, class Agree>
void expectEach(const MeshCase& c, const std::string& what, const Times& got, const Expected& expected,
                const Agree& agree) {
  ASSERT_EQ(got.size(), expected.size()) << c.name << ", " << what << ": values";
  std::size_t wrong = 0, first = 0;
  for (std::size_t v = 0; v < got.size(); ++v)
    if (!agree(double(got[v]), double(expected[v])) && !wrong++) first = v;
  if (wrong)
    ADD_FAILURE() << std::setprecision(10) << c.name << ", " << what << ": " << wrong << " of " << got.size()
                  << " vertices are wrong; the first, number " << first << ", has " << got[first]
                  << " instead of " << expected[first];
}

inline bool equal(double a, double b) { return a == b; }
inline auto within(double absolute) {
  return [=](double a, double b) { return a == b || std::abs(a - b) <= absolute; };
}

/// Returns the latest finite time, relative to the origin.
template <class Times>
double latest(const Times& times, double origin) {
  double last = 0;
  for (const double t : times)
    if (t < std::numeric_limits<double>::infinity()) last = std::max(last, t - origin);
  return last;
}

/// Expects agreement within 5e-7 of the latest time, plus 6e-8 of the time itself for single precision.
inline void expectReference(const MeshCase& c, const Result& result) {
  const std::vector<double> expected = reference::meshTravelTimes(c.problem);
  const double span = latest(expected, c.problem.timeOrigin);
  expectEach(c, "reference", result.travelTime, expected,
             within(5e-7 * span + 6e-8 * std::abs(c.problem.timeOrigin)));
}

/// Returns the times by the solver's local update with the simplest order of work: one vertex at a time, and
/// each vertex that decreases puts all its neighbours into the queue. Any other order must reach the same
/// bits.
inline std::vector<float> plainFixedPoint(const Problem& problem) {
  execution::RoundPool caller(1);
  const VertexStars stars = makeVertexStars(problem, caller);
  std::vector<float> times(std::size_t(stars.vertexCount) + 1, unreached);
  std::vector<bool> waiting(times.size());
  std::deque<std::int32_t> queue;
  const auto lower = [&](std::int32_t v, float time) {
    if (!(time < times[std::size_t(v)])) return;
    times[std::size_t(v)] = time;
    for (const Corner corner : stars.star(v))
      for (const std::int32_t w : stars.tetrahedra[corner / 4].vertex)
        if (w < stars.vertexCount && w != v && !waiting[std::size_t(w)])
          waiting[std::size_t(w)] = true, queue.push_back(w);
  };
  for (const Seed& seed : problem.seeds) {
    if (seed.vertex >= 0) {
      const std::int32_t v = stars.number[seed.vertex];
      if (!stars.star(v).empty()) lower(v, float((seed.startTime - problem.timeOrigin) / stars.unit));
      continue;
    }
    const auto metric = reference::metricOf(problem, seed.cell);
    for (int k = 0; metric && k < 4; ++k)
      if (const std::int64_t v = problem.cells[std::size_t(4 * seed.cell + k)]; v >= 0) {
        std::array<double, 3> e;
        for (int a = 0; a < 3; ++a) e[a] = problem.points[std::size_t(3 * v + a)] - seed.at[a];
        const double time = seed.startTime + reference::timeAlong(*metric, e);
        lower(stars.number[v], float((time - problem.timeOrigin) / stars.unit));
      }
  }
  while (!queue.empty()) {
    const std::int32_t v = queue.front();
    queue.pop_front();
    waiting[std::size_t(v)] = false;
    double minimum = unreached;
    for (const Corner corner : stars.star(v))
      minimum =
          std::min(minimum, update(opposite(stars.tetrahedra[corner / 4], int(corner % 4), times.data()),
                                   double(unreached)));
    lower(v, float(minimum));
  }
  std::vector<float> result;
  for (std::int64_t v = 0; v < stars.vertexCount; ++v) {
    const float time = times[std::size_t(stars.number[v])];
    result.push_back(time < unreached ? float(problem.timeOrigin + time * stars.unit)
                                      : std::numeric_limits<float>::infinity());
  }
  return result;
}

} // namespace isochrone::mesh
