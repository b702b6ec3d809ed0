// Dubins' six words, after Dubins, On curves of minimal length with a constraint on average curvature, 1957.
#include "CurvaturePaths/FieldSample.h"
#include "CurvaturePaths/SeedBalls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::curvature {

namespace {

constexpr double pi = std::numbers::pi;

constexpr double ballSteps = 12;  ///< radius of the ball in grid steps
constexpr double ballRadii = 1.5; ///< and at most so many turning radii: no loops

/// Words longer than this many times their chord, plus half a grid step, are left to the scheme: few stay in
/// the ball, and none of those leads on.
constexpr double mostDetour = 1.2;

constexpr double sampleSteps = 0.25; ///< distance of the points where a word is priced, in grid steps

/// Position and heading; lengths in turning radii.
struct Pose {
  double x = 0, y = 0, heading = 0;
};

/// Three arcs: +1 left, -1 right, 0 straight.
struct Word {
  std::array<int, 3> turn{};
  std::array<double, 3> length{};
  double total() const { return length[0] + length[1] + length[2]; }
};

/// In [0, 2 pi); what rounding puts just below a whole turn is none.
double turnOf(double angle) {
  angle -= 2 * pi * std::floor(angle / (2 * pi));
  return angle > 2 * pi - 1e-9 ? 0 : angle;
}

Pose along(const Word& word, double length) {
  Pose p;
  for (int a = 0; a < 3; ++a) {
    const double part = std::clamp(length, 0., word.length[a]);
    length -= part;
    // The chord of an arc has the mean of the headings at its ends.
    const double half = word.turn[a] * part / 2, chord = half == 0 ? part : part * std::sin(half) / half;
    p.x += chord * std::cos(p.heading + half);
    p.y += chord * std::sin(p.heading + half);
    p.heading += 2 * half;
  }
  return p;
}

/// The words that begin to the left: left-straight-left and left-straight-right. Where three arcs without a
/// straight part are the shortest, the middle one is more than half a circle: too long for a ball.
template <class Offer>
void leftWords(const Pose& goal, Offer&& offer) {
  const double s = std::sin(goal.heading), c = std::cos(goal.heading);
  // From the centre of the left circle at the start, (0, 1), to those of the left and right circle at the
  // goal.
  const double lx = goal.x - s, ly = goal.y + c - 1, rx = goal.x + s, ry = goal.y - c - 1;
  const double straight = std::hypot(lx, ly), first = straight > 1e-9 ? std::atan2(ly, lx) : 0;
  offer(Word{{1, 0, 1}, {turnOf(first), straight, turnOf(goal.heading - first)}});
  const double tangent = rx * rx + ry * ry - 4;
  if (tangent < 0) return;
  const double heading = std::atan2(ry, rx) + std::atan2(2, std::sqrt(tangent));
  offer(Word{{1, 0, -1}, {turnOf(heading), std::sqrt(tangent), turnOf(heading - goal.heading)}});
}

Word shortestWord(const Pose& goal) {
  Word best{{}, {std::numeric_limits<double>::infinity(), 0, 0}};
  for (const int side : {1, -1})
    leftWords({goal.x, side * goal.y, side * goal.heading}, [&](const Word& w) {
      if (w.total() < best.total()) best = {{side * w.turn[0], side * w.turn[1], side * w.turn[2]}, w.length};
    });
  return best;
}

/// Travel time along a word from a seed, turning radius `radius`; +infinity where it leaves the ball or meets
/// a wall.
double priceOf(const Problem& problem, const Walls& walls, const State& seed, const Word& word, double radius,
               double reach) {
  const StateGrid& g = problem.grid;
  const double length = word.total() * radius, c = std::cos(seed.heading), s = std::sin(seed.heading);
  const int samples = std::max(1, int(std::ceil(length / (sampleSteps * std::min(g.hx, g.hy)))));
  const auto at = [&](double share) {
    const Pose p = along(word, share * word.total());
    return Pose{seed.x + radius * (c * p.x - s * p.y), seed.y + radius * (s * p.x + c * p.y),
                seed.heading + p.heading};
  };
  double sum = 0;
  Pose last = at(0);
  for (int n = 0; n < samples; ++n) {
    const Pose middle = at((n + 0.5) / samples), next = at((n + 1.) / samples);
    if (std::hypot(next.x - seed.x, next.y - seed.y) > reach * (1 + 1e-9) ||
        isBlocked(problem, walls, middle.x / g.hx, middle.y / g.hy) ||
        !walls.freeSegment(last.x / g.hx, last.y / g.hy, next.x / g.hx, next.y / g.hy))
      return std::numeric_limits<double>::infinity();
    sum += sampleField(problem, walls, problem.cost, middle.x / g.hx, middle.y / g.hy,
                       middle.heading / g.headingStep());
    last = next;
  }
  return sum * length / samples;
}

} // namespace

std::vector<StartState> dubinsBall(const Problem& problem, std::int32_t seedIndex, double radius) {
  const StateGrid& g = problem.grid;
  const State seed = clampedToGrid(g, problem.seeds[seedIndex].state);
  const Walls walls(g.nx, g.ny, problem.walls);
  const double step = std::min(g.hx, g.hy), reach = std::min(ballSteps * step, ballRadii * radius);
  const double c = std::cos(seed.heading), s = std::sin(seed.heading);
  const auto first = [](double centre, double r, double h) {
    return std::max<std::int64_t>(0, std::int64_t(std::ceil((centre - r) / h)));
  };
  const auto last = [](double centre, double r, double h, std::int64_t n) {
    return std::min<std::int64_t>(n - 1, std::int64_t(std::floor((centre + r) / h)));
  };
  std::vector<StartState> ball;
  for (std::int64_t j = first(seed.y, reach, g.hy); j <= last(seed.y, reach, g.hy, g.ny); ++j)
    for (std::int64_t i = first(seed.x, reach, g.hx); i <= last(seed.x, reach, g.hx, g.nx); ++i) {
      const double dx = i * g.hx - seed.x, dy = j * g.hy - seed.y, chord = std::hypot(dx, dy);
      const double most = mostDetour * chord + 0.5 * step; // length of the words that are kept
      if (chord > reach * (1 + 1e-9) || walls.isWall(i, j)) continue;
      // So short a path turns by at most this angle, and ends at most so far to the side.
      const double turn = most / radius;
      Pose goal{(c * dx + s * dy) / radius, (c * dy - s * dx) / radius, 0};
      if (goal.x < -1e-9 || (turn < pi && std::abs(goal.y) > 1 - std::cos(turn))) continue;
      for (int k = 0; k < g.headings; ++k) {
        goal.heading = std::remainder(k * g.headingStep() - seed.heading, 2 * pi);
        if (std::abs(goal.heading) > turn) continue;
        const Word word = shortestWord(goal);
        if (word.total() * radius > most) continue;
        const double time = priceOf(problem, walls, seed, word, radius, reach);
        if (std::isfinite(time))
          ball.push_back({g.index(i, j, k), seedIndex, problem.seeds[seedIndex].startValue + time});
      }
    }
  return ball;
}

} // namespace isochrone::curvature
