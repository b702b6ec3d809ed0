#include "CurvaturePaths/Paths/PathTurning.h"

#include "CurvaturePaths/Paths/PathMoves.h"
#include "CurvaturePaths/Scheme/FieldSample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace isochrone::curvature {

namespace {

constexpr double pi = std::numbers::pi;

// Lengths are in units of the smaller grid step.

constexpr double spacing = 0.25, minSpacing = 1. / 16; ///< of the vertices

/// Share of the allowed turning rates that the moves aim at. The margin covers measuring on chords: a circle
/// through points of the polyline between its vertices comes out up to 1.6 % narrower.
constexpr double aim = 0.994;

constexpr int smoothings = 8; ///< of the guide, before its turns are measured
constexpr int maxRounds = 30;
constexpr int maxIdleRounds = 5; ///< rounds in which the largest turning rate does not decrease by `gain`
constexpr double gain = 0.01;
constexpr double furthest = 1;     ///< maximum move of a vertex per round
constexpr double maxSlope = 0.4;   ///< maximum tilt of a chord per round
constexpr double evenness = 0.3;   ///< price of turning-rate differences between vertices
constexpr double clearance = 0.02; ///< between a moved vertex and a wall
constexpr double noRoom = 1e-9;    ///< bound of moves that are blocked
constexpr int maxNarrowings = 6;   ///< reductions of the room beside walls, per round
constexpr double narrowing = 0.3;  ///< share of a move that is left after a reduction

struct Point {
  double x = 0, y = 0;
};
Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double f, const Point& a) { return {f * a.x, f * a.y}; }
double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
double cross(const Point& a, const Point& b) { return a.x * b.y - a.y * b.x; }
double norm(const Point& a) { return std::hypot(a.x, a.y); }
Point left(const Point& a) { return {-a.y, a.x}; }
Point direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Returns the point at share t from b to c on a smooth curve through a, b, c and d (Catmull-Rom).
Point onCurve(const Point& a, const Point& b, const Point& c, const Point& d, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * b + ((t3 - 2 * t2 + t) / 2) * (c - a) + (3 * t2 - 2 * t3) * c +
         ((t3 - t2) / 2) * (d - b);
}

/// Moves the vertices of a line in rounds until the line keeps the turning radius. Each round linearises the
/// turning rates and computes the smallest moves that bring them within bounds (PathMoves.h).
class Bender {
public:
  Bender(const DescentFlow& f, const std::vector<Sample>& guide, const FixedHeadings& fixedHeadings)
      : flow(f), problem(f.input()), grid(f.grid()), unit(std::min(grid.hx, grid.hy)), fixed(fixedHeadings),
        firstHeading(guide.front().k * grid.headingStep()),
        lastHeading(guide.back().k * grid.headingStep()), size{double(grid.nx - 1) * grid.hx / unit,
                                                               double(grid.ny - 1) * grid.hy / unit} {
    double fastest = 0;
    for (const Sample& s : guide) {
      line.push_back({s.x * grid.hx / unit, s.y * grid.hy / unit});
      const Rates rates = ratesAt(line.back(), s.k * grid.headingStep());
      fastest = std::max({fastest, std::abs(rates.low), std::abs(rates.high)});
    }
    // Headings of neighbouring vertices differ by no more than a heading step.
    step = std::clamp(grid.headingStep() / fastest, minSpacing, spacing);
  }

  /// Returns the bent line, or an empty path if the rounds make no progress.
  std::vector<Sample> run() {
    if (!resample([&](std::size_t n, double t) { return line[n] + t * (line[n + 1] - line[n]); })) return {};
    for (int n = 0; n < smoothings; ++n) smooth();
    double slowest = std::numeric_limits<double>::infinity();
    for (int round = 0, idle = 0; round < maxRounds && idle < maxIdleRounds; ++round, ++idle) {
      measure();
      if (fastestTurn <= 1 && isFree()) return result();
      if (fastestTurn < (1 - gain) * slowest) slowest = fastestTurn, idle = 0;
      if (!moveVertices() || (isUneven() && !resampleSmoothly())) return {};
    }
    return {};
  }

private:
  struct Rates {
    double low, high;
  };

  struct Vertex {
    Point normal;
    double turn = 0, run = 0; ///< angle, and the length along which it turns
    double heading = 0;
    double middle = 0, reach = 0; ///< allowed turning rates: middle - reach to middle + reach
  };

  Sample toSample(const Point& p, double heading) const {
    return {p.x * unit / grid.hx, p.y * unit / grid.hy, heading / grid.headingStep()};
  }

  /// Returns the turning rates that the model allows.
  Rates ratesAt(const Point& p, double heading) const {
    const Sample s = toSample(p, heading);
    const auto at = [&](const Field& field) {
      return sampleField(problem, flow.walls(), field, s.x, s.y, s.k);
    };
    const double xi = at(problem.turningRadius) / unit, phi = at(problem.curvatureShift) * unit;
    return {phi - 1 / xi, phi + 1 / xi};
  }

  Point inside(const Point& p) const { return {std::clamp(p.x, 0., size.x), std::clamp(p.y, 0., size.y)}; }

  bool isFree(const Point& a, const Point& b) const {
    const Sample s = toSample(a, 0), t = toSample(b, 0);
    return flow.walls().freeSegment(s.x, s.y, t.x, t.y);
  }

  bool isFree() const {
    for (std::size_t n = 1; n < line.size(); ++n)
      if (!isFree(line[n - 1], line[n])) return false;
    return true;
  }

  /// Replaces the vertices by vertices at equal distances along the line.
  /// @param between  the point at share t from vertex n to the next one
  template <class Between>
  bool resample(Between&& between) {
    std::vector<double> along{0};
    for (std::size_t n = 1; n < line.size(); ++n) along.push_back(along.back() + norm(line[n] - line[n - 1]));
    const double length = along.back();
    if (!(length > 0) || !std::isfinite(length)) return false;
    const std::size_t count = std::max<std::size_t>(2, std::size_t(std::ceil(length / step)));
    std::vector<Point> even{line.front()};
    for (std::size_t m = 1, n = 0; m < count; ++m) {
      const double at = length * double(m) / double(count);
      while (n + 2 < line.size() && along[n + 1] < at) ++n;
      even.push_back(inside(between(n, (at - along[n]) / (along[n + 1] - along[n]))));
    }
    even.push_back(line.back());
    line = std::move(even);
    return true;
  }

  bool resampleSmoothly() {
    return resample([&](std::size_t n, double t) {
      const Point &b = line[n], &c = line[n + 1];
      const Point a = n > 0 ? line[n - 1] : 2 * b - c, d = n + 2 < line.size() ? line[n + 2] : 2 * c - b;
      return onCurve(a, b, c, d, t);
    });
  }

  bool isUneven() const {
    for (std::size_t n = 1; n < line.size(); ++n)
      if (const double l = norm(line[n] - line[n - 1]); l > 1.3 * step || l < 0.6 * step) return true;
    return false;
  }

  void smooth() {
    for (std::size_t parity = 1; parity <= 2; ++parity)
      for (std::size_t n = parity; n + 1 < line.size(); n += 2) {
        const Point p = 0.5 * line[n] + 0.25 * (line[n - 1] + line[n + 1]);
        if (isFree(line[n - 1], p) && isFree(p, line[n + 1])) line[n] = p;
      }
  }

  /// Measures chords and vertices, and compares the turning rates with their bounds.
  void measure() {
    const std::size_t m = line.size() - 1;
    chord.resize(m), length.resize(m), vertex.resize(m + 1);
    for (std::size_t n = 0; n < m; ++n) {
      length[n] = norm(line[n + 1] - line[n]);
      chord[n] = (1 / length[n]) * (line[n + 1] - line[n]);
    }
    fastestTurn = 0;
    for (std::size_t n = 0; n <= m; ++n) {
      vertex[n] = vertexAt(n);
      const Vertex& v = vertex[n];
      fastestTurn = std::max(fastestTurn, std::abs(v.turn / v.run - v.middle) / v.reach);
    }
  }

  /// At an end with a fixed heading, the line turns between that heading and its chord within half the
  /// chord's length.
  Vertex vertexAt(std::size_t n) const {
    const std::size_t m = line.size() - 1;
    const Point before = n > 0 ? chord[n - 1] : fixed.first ? direction(firstHeading) : chord[0];
    const Point after = n < m ? chord[n] : fixed.last ? direction(lastHeading) : chord[m - 1];
    Vertex v;
    v.turn = std::atan2(cross(before, after), dot(before, after));
    v.run = ((n > 0 ? length[n - 1] : 0) + (n < m ? length[n] : 0)) / 2;
    v.heading = std::atan2(before.y, before.x) + (n == 0 ? 0 : n == m ? v.turn : v.turn / 2);
    v.normal = left(direction(v.heading));
    const Rates rates = ratesAt(line[n], v.heading);
    v.middle = (rates.high + rates.low) / 2, v.reach = (rates.high - rates.low) / 2;
    return v;
  }

  /// Returns how far a vertex may move in a direction without meeting a wall or the border.
  double roomAlong(const Point& from, const Point& along) const {
    double room = furthest;
    const auto limit = [&](double at, double speed, double end) {
      if (speed != 0) room = std::min(room, std::max(0., ((speed > 0 ? end : 0) - at) / speed));
    };
    limit(from.x, along.x, size.x), limit(from.y, along.y, size.y);
    if (isFree(from, from + (room + clearance) * along)) return std::max(noRoom, room);
    double free = 0, blocked = room + clearance; // bisection
    for (int n = 0; n < 8; ++n) {
      const double middle = (free + blocked) / 2;
      (isFree(from, from + middle * along) ? free : blocked) = middle;
    }
    return std::max(noRoom, free - clearance);
  }

  /// Returns the derivatives of the turning rate at vertex n by the moves of the vertices n - 1, n and n + 1.
  std::array<double, 3> rowOf(std::size_t n) const {
    std::array<double, 3> row{};
    const Vertex& v = vertex[n];
    const auto addChord = [&](std::size_t c, double sign) {
      for (const std::size_t end : {c, c + 1}) {
        const Point by = (end == c ? -1. : 1.) * vertex[end].normal;
        const double turned = dot(left(chord[c]), by) / length[c], longer = dot(chord[c], by);
        row[end + 1 - n] += (sign * turned - v.turn / v.run * longer / 2) / v.run;
      }
    };
    if (n > 0) addChord(n - 1, -1);
    if (n + 1 < line.size()) addChord(n, 1);
    return row;
  }

  MoveProblem moveProblem() const {
    const std::size_t count = line.size();
    MoveProblem p;
    p.rate.resize(count), p.row.resize(count), p.evenness.resize(count);
    p.minimum.assign(count, -noRoom), p.maximum.assign(count, noRoom);
    for (std::size_t n = 0; n < count; ++n) {
      const Vertex& v = vertex[n];
      const double reach = aim * v.reach;
      p.rate[n] = (v.turn / v.run - v.middle) / reach;
      p.row[n] = rowOf(n);
      for (double& r : p.row[n]) r /= reach;
      p.evenness[n] = evenness * reach * reach;
      if (n == 0 || n + 1 == count) continue;
      p.maximum[n] = roomAlong(line[n], v.normal);
      p.minimum[n] = -roomAlong(line[n], -1 * v.normal);
    }
    return p;
  }

  /// Moves the vertices once. A move that takes a chord through a wall is retried with less room there.
  /// Returns whether they moved.
  bool moveVertices() {
    MoveProblem moves = moveProblem();
    for (int attempt = 0; attempt < maxNarrowings; ++attempt) {
      std::vector<Point> moved = movedBy(smallestMoves(moves));
      if (moved.empty()) return false;
      if (narrow(moved, moves)) continue;
      line = std::move(moved);
      return true;
    }
    return false;
  }

  /// Returns the line after the moves, scaled down so that no chord tilts by more than maxSlope; empty if
  /// they are not finite.
  std::vector<Point> movedBy(const std::vector<double>& move) const {
    double share = 1;
    for (std::size_t n = 1; n < move.size(); ++n) {
      const double slope = std::abs(move[n] - move[n - 1]) / length[n - 1];
      if (!std::isfinite(slope)) return {};
      if (slope > maxSlope) share = std::min(share, maxSlope / slope);
    }
    std::vector<Point> moved = line;
    for (std::size_t n = 1; n + 1 < move.size(); ++n)
      moved[n] = inside(line[n] + share * move[n] * vertex[n].normal);
    return moved;
  }

  /// Reduces the room of the vertices around chords that meet a wall. Returns whether there are any.
  bool narrow(const std::vector<Point>& moved, MoveProblem& moves) const {
    bool any = false;
    for (std::size_t n = 1; n < moved.size(); ++n) {
      if (isFree(moved[n - 1], moved[n])) continue;
      any = true;
      for (std::size_t v = n < 3 ? 1 : n - 2; v < std::min(n + 2, moved.size() - 1); ++v) {
        const double bound = narrowing * dot(moved[v] - line[v], vertex[v].normal);
        moves.maximum[v] = std::max(noRoom, std::min(moves.maximum[v], bound));
        moves.minimum[v] = std::min(-noRoom, std::max(moves.minimum[v], bound));
      }
    }
    return any;
  }

  std::vector<Sample> result() const {
    std::vector<Sample> path;
    double heading = vertex[0].heading;
    heading += 2 * pi * std::round((firstHeading - heading) / (2 * pi));
    for (std::size_t n = 0; n < line.size(); ++n) {
      heading += std::remainder(vertex[n].heading - heading, 2 * pi);
      path.push_back(toSample(line[n], heading));
    }
    return path;
  }

  const DescentFlow& flow;
  const Problem& problem;
  const StateGrid& grid;
  const double unit; ///< world units
  const FixedHeadings fixed;
  const double firstHeading, lastHeading;
  const Point size;
  double step = spacing, fastestTurn = 0; ///< fastestTurn: maximum turning rate over the allowed one
  std::vector<Point> line, chord;
  std::vector<double> length;
  std::vector<Vertex> vertex;
};

} // namespace

std::vector<Sample> keepTurningRadius(const DescentFlow& flow, const std::vector<Sample>& guide,
                                      const FixedHeadings& fixed) {
  std::vector<Sample> path = Bender(flow, guide, fixed).run();
  if (path.empty()) return path;
  path.front().x = guide.front().x, path.front().y = guide.front().y; // without rounding
  path.back().x = guide.back().x, path.back().y = guide.back().y;
  return path;
}

} // namespace isochrone::curvature
