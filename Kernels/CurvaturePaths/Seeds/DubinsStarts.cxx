// Dubins' six words, after Dubins, On curves of minimal length with a constraint on average curvature, 1957.
#include "CurvaturePaths/Scheme/FieldSample.h"
#include "CurvaturePaths/Seeds/NearSeedStarts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::curvature {

namespace {

constexpr double pi = std::numbers::pi;

constexpr double maxSteps = 12;  ///< maximum distance from the seed, in grid steps
constexpr double maxRadii = 1.5; ///< maximum distance in turning radii: excludes loops

/// Words longer than this many times their chord, plus half a grid step, are left to the scheme: few stay
/// near the seed, and no shortest path continues from them.
constexpr double maxDetour = 1.2;

constexpr double sampleSteps = 0.25; ///< distance between the points where a word is priced, in grid steps

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

/// Returns the angle in [0, 2 pi). A value that rounding puts just below a whole turn becomes 0.
double turnOf(double angle) {
  angle -= 2 * pi * std::floor(angle / (2 * pi));
  return angle > 2 * pi - 1e-9 ? 0 : angle;
}

Pose along(const Word& word, double length) {
  Pose p;
  for (int a = 0; a < 3; ++a) {
    const double part = std::clamp(length, 0., word.length[a]);
    length -= part;
    // The chord of an arc has the mean heading of its ends.
    const double half = word.turn[a] * part / 2, chord = half == 0 ? part : part * std::sin(half) / half;
    p.x += chord * std::cos(p.heading + half);
    p.y += chord * std::sin(p.heading + half);
    p.heading += 2 * half;
  }
  return p;
}

/// Offers the words that begin to the left: left-straight-left and left-straight-right. Where three arcs
/// without a straight part are the shortest word, the middle arc exceeds half a circle: too long to stay near
/// the seed.
template <class Offer>
void leftWords(const Pose& goal, Offer&& offer) {
  const double s = std::sin(goal.heading), c = std::cos(goal.heading);
  // From the centre of the left circle at the start, (0, 1), to the centres of both circles at the goal.
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

/// Returns a state relative to the seed, in turning radii.
Pose goalOf(const StateGrid& g, const State& seed, double radius, std::int64_t i, std::int64_t j, int k) {
  const double dx = i * g.hx - seed.x, dy = j * g.hy - seed.y;
  const double c = std::cos(seed.heading), s = std::sin(seed.heading);
  return {(c * dx + s * dy) / radius, (c * dy - s * dx) / radius,
          std::remainder(k * g.headingStep() - seed.heading, 2 * pi)};
}

/// A word in world coordinates, divided into the pieces that are priced.
struct WordPath {
  const State& seed;
  Word word;
  double radius;
  int pieces;
  double cosine = std::cos(seed.heading), sine = std::sin(seed.heading);

  WordPath(const StateGrid& g, const State& from, const Word& w, double r)
      : seed(from), word(w), radius(r),
        pieces(std::max(1, int(std::ceil(w.total() * r / (sampleSteps * std::min(g.hx, g.hy)))))) {}

  double pieceLength() const { return word.total() * radius / pieces; }

  /// Returns the pose after n pieces.
  Pose at(double n) const {
    const Pose p = along(word, n / pieces * word.total());
    return {seed.x + radius * (cosine * p.x - sine * p.y), seed.y + radius * (sine * p.x + cosine * p.y),
            seed.heading + p.heading};
  }
};

double costAt(const Problem& problem, const Walls& walls, const Pose& at) {
  const StateGrid& g = problem.grid;
  return sampleField(problem, walls, problem.cost, at.x / g.hx, at.y / g.hy, at.heading / g.headingStep());
}

/// Returns the travel time along a word; +infinity farther than `reach` from the seed and where it meets a
/// wall.
double priceOf(const Problem& problem, const Walls& walls, const WordPath& path, double reach) {
  const StateGrid& g = problem.grid;
  double sum = 0;
  Pose last = path.at(0);
  for (int n = 0; n < path.pieces; ++n) {
    const Pose middle = path.at(n + 0.5), next = path.at(n + 1);
    if (std::hypot(next.x - path.seed.x, next.y - path.seed.y) > reach * (1 + 1e-9) ||
        isBlocked(problem, walls, middle.x / g.hx, middle.y / g.hy) ||
        !walls.freeSegment(last.x / g.hx, last.y / g.hy, next.x / g.hx, next.y / g.hy))
      return std::numeric_limits<double>::infinity();
    sum += costAt(problem, walls, middle);
    last = next;
  }
  return sum * path.pieceLength();
}

/// Returns the derivative by the turning radius of the travel time along the word to a goal. A goal on the
/// tightest circle can be reached with a larger radius only by a loop. There the one-sided derivative towards
/// smaller radii is returned.
double slopeByRadius(const Problem& problem, const Walls& walls, const WordPath& path, std::int64_t i,
                     std::int64_t j, int k) {
  const double step = 1e-6 * path.radius; // the price is smooth, and double throughout
  double radii[2], prices[2];
  for (const int side : {0, 1}) {
    const double radius = path.radius + (2 * side - 1) * step;
    const Word word = shortestWord(goalOf(problem.grid, path.seed, radius, i, j, k));
    const bool loops = word.total() > path.word.total() + 1;
    WordPath moved(problem.grid, path.seed, loops ? path.word : word, loops ? path.radius : radius);
    moved.pieces = path.pieces;
    double sum = 0;
    for (int n = 0; n < moved.pieces; ++n) sum += costAt(problem, walls, moved.at(n + 0.5));
    radii[side] = moved.radius;
    prices[side] = sum * moved.pieceLength();
  }
  return radii[1] > radii[0] ? (prices[1] - prices[0]) / (radii[1] - radii[0]) : 0;
}

/// Returns the derivative of a word's length by its turning radius at a heading off its straight part by
/// `angle`, per radian of the turn.
double lengthening(double angle) { return 1 - std::cos(angle); }

/// Distributes `slope` over the turns of a word. A shift to the left widens turns to the right. The radius r
/// of a turn changes by r^2 times the change of its curvature.
void spreadTurns(const Problem& problem, const Walls& walls, const WordPath& path, double slope,
                 Sensitivities& sum) {
  const StateGrid& g = problem.grid;
  const double straight = path.word.turn[0] * path.word.length[0], // heading relative to the seed
      ends[2] = {path.word.length[0], path.word.length[0] + path.word.length[1]};
  const auto visit = [&](auto&& at) {
    for (int n = 0; n < path.pieces; ++n) {
      const double length = (n + 0.5) / path.pieces * path.word.total();
      const int side = path.word.turn[length < ends[0] ? 0 : length < ends[1] ? 1 : 2];
      const Pose p = path.at(n + 0.5);
      if (side != 0) at(p, side, lengthening(p.heading - path.seed.heading - straight));
    }
  };
  double total = 0;
  visit([&](const Pose&, int, double share) { total += share; });
  if (total == 0) return;
  visit([&](const Pose& p, int side, double share) {
    const double x = p.x / g.hx, y = p.y / g.hy, k = p.heading / g.headingStep(),
                 part = slope * share / total;
    spreadSample(problem, walls, x, y, k, part, sum.turningRadius);
    spreadSample(problem, walls, x, y, k, -side * path.radius * path.radius * part, sum.curvatureShift);
  });
}

} // namespace

std::vector<StartState> dubinsStarts(const Problem& problem, const Walls& walls, std::int32_t seedIndex,
                                     double radius) {
  const StateGrid& g = problem.grid;
  const State seed = clampedToGrid(g, problem.seeds[seedIndex].state);
  const double step = std::min(g.hx, g.hy), reach = std::min(maxSteps * step, maxRadii * radius);
  const auto [i0, i1] = pointsWithin(reach, seed.x, g.hx, g.nx);
  const auto [j0, j1] = pointsWithin(reach, seed.y, g.hy, g.ny);
  std::vector<StartState> starts;
  for (std::int64_t j = j0; j <= j1; ++j)
    for (std::int64_t i = i0; i <= i1; ++i) {
      const double dx = i * g.hx - seed.x, dy = j * g.hy - seed.y, chord = std::hypot(dx, dy);
      const double maximum = maxDetour * chord + 0.5 * step; // maximum length of the words that are kept
      if (chord > reach * (1 + 1e-9) || walls.isWall(i, j)) continue;
      // Bounds of the turn and of the sideways displacement of a path this short.
      const double turn = maximum / radius;
      Pose goal = goalOf(g, seed, radius, i, j, 0);
      if (goal.x < -1e-9 || (turn < pi && std::abs(goal.y) > 1 - std::cos(turn))) continue;
      for (int k = 0; k < g.headings; ++k) {
        goal.heading = std::remainder(k * g.headingStep() - seed.heading, 2 * pi);
        if (std::abs(goal.heading) > turn) continue;
        const Word word = shortestWord(goal);
        if (word.total() * radius > maximum) continue;
        const double time = priceOf(problem, walls, {g, seed, word, radius}, reach);
        if (std::isfinite(time))
          starts.push_back({g.index(i, j, k), seedIndex, problem.seeds[seedIndex].startValue + time});
      }
    }
  return starts;
}

double differentiateDubinsStarts(const Problem& problem, const Walls& walls, std::int32_t seedIndex,
                                 double radius, std::span<const NearSeedMass> masses, Sensitivities& sum) {
  const StateGrid& g = problem.grid;
  const State seed = clampedToGrid(g, problem.seeds[seedIndex].state);
  double objective = 0;
  for (const NearSeedMass& start : masses) {
    const std::int64_t point = start.state % g.planePoints(), i = point % g.nx, j = point / g.nx;
    const int k = int(start.state / g.planePoints());
    const WordPath path(g, seed, shortestWord(goalOf(g, seed, radius, i, j, k)), radius);
    const double perPiece = start.mass * path.pieceLength();
    for (int n = 0; n < path.pieces; ++n) {
      const Pose p = path.at(n + 0.5);
      spreadSample(problem, walls, p.x / g.hx, p.y / g.hy, p.heading / g.headingStep(), perPiece, sum.cost);
      objective += perPiece * costAt(problem, walls, p);
    }
    if (!sum.turningRadius.empty())
      spreadTurns(problem, walls, path, start.mass * slopeByRadius(problem, walls, path, i, j, k), sum);
  }
  return objective;
}

} // namespace isochrone::curvature
