#include "CurvaturePaths/PathTurning.h"

#include "CurvaturePaths/FieldSample.h"
#include "CurvaturePaths/PathMoves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace isochrone::curvature {

namespace {

constexpr double pi = std::numbers::pi;

// Lengths are in grid steps (the smaller one of x and y) unless they say otherwise.

constexpr double spacing = 0.25;  ///< of the vertices
constexpr double aimedAt = 0.994; ///< share of the allowed turning rate that is aimed at
constexpr double accepted = 1.004;
constexpr int mostRounds = 60, mostLooks = 15;
constexpr double furthest = 1;       ///< that a vertex moves in a round
constexpr double mostSlope = 0.4;    ///< a round tilts no chord by more
constexpr double clearance = 0.02;   ///< that is kept from walls where there is room
constexpr double stiffness = 1e7;    ///< of the bounds, against 1 for staying where it is
constexpr double wallStiffness = 1e4;

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

class Bender {
public:
  Bender(const Flow& f, const PathEnds& e)
      : flow(f), problem(f.input()), unit(std::min(f.grid().hx, f.grid().hy)), ends(e) {}

  std::optional<std::vector<Sample>> bend(const std::vector<Sample>& guide) {
    for (const Sample& s : guide) line.push_back(toPoint(s));
    line.front() = toPoint(ends.first), line.back() = toPoint(ends.last);
    tightest(guide);
    if (!resample(false)) return {};
    for (int n = 0; n < smoothings; ++n) smooth();
    for (int round = 0; round < mostRounds; ++round) {
      measure();
      if (getenv("ROUNDS")) { std::size_t at=0; double w=0; for (std::size_t n=0;n<line.size();++n) { double r=std::abs(turn[n]/run[n]-(low[n]+high[n])/2)/((high[n]-low[n])/2); if(r>w) w=r, at=n;} printf("round %d worst %g at %zu of %zu  %d\n", round, worst, at, line.size(), int(freeAll())); }
      if (worst <= accepted && freeAll()) return result();
      if (!improve()) return {};
      if (uneven() && !resample(true)) return {};
    }
    return {};
  }
  static constexpr int smoothings = 8;

private:
  Point toPoint(const Sample& s) const { return {s.x * flow.grid().hx / unit, s.y * flow.grid().hy / unit}; }
  Sample toSample(const Point& p, double heading) const {
    return {p.x * unit / flow.grid().hx, p.y * unit / flow.grid().hy, heading / flow.grid().headingStep()};
  }

  /// Vertices so near that neighbouring headings are within a heading step of each other.
  void tightest(const std::vector<Sample>& guide) {
    double rate = 0;
    for (const Sample& s : guide) {
      const auto [low, high] = ratesAt(toPoint(s), s.k * flow.grid().headingStep());
      rate = std::max({rate, std::abs(low), std::abs(high)});
    }
    step = std::min(spacing, flow.grid().headingStep() / rate);
  }

  struct Rates {
    double low, high;
  };
  Rates ratesAt(const Point& p, double heading) const {
    const Sample s = toSample(p, heading);
    const double xi = sampleField(problem, flow.walls(), problem.turningRadius, s.x, s.y, s.k) / unit,
                 phi = sampleField(problem, flow.walls(), problem.curvatureShift, s.x, s.y, s.k) * unit;
    return {phi - 1 / xi, phi + 1 / xi};
  }

  bool resample(bool cubic) {
    std::vector<double> at{0};
    for (std::size_t n = 1; n < line.size(); ++n) at.push_back(at.back() + norm(line[n] - line[n - 1]));
    const double length = at.back();
    if (!(length > 2 * step) || !(length < 1e6)) return false;
    const std::size_t count = std::size_t(std::ceil(length / step));
    std::vector<Point> even{line.front()};
    std::size_t n = 0;
    for (std::size_t m = 1; m < count; ++m) {
      const double where = length * double(m) / double(count);
      while (n + 2 < line.size() && at[n + 1] < where) ++n;
      const double t = (where - at[n]) / (at[n + 1] - at[n]);
      const Point &a = line[n], &b = line[n + 1];
      Point p = a + t * (b - a);
      if (cubic) { // Catmull-Rom
        const Point before = n > 0 ? line[n - 1] : a - (b - a), after = n + 2 < line.size() ? line[n + 2] : b + (b - a);
        const Point da = 0.5 * (b - before), db = 0.5 * (after - a);
        const double t2 = t * t, t3 = t2 * t;
        p = (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * da + (3 * t2 - 2 * t3) * b + (t3 - t2) * db;
      }
      even.push_back(p);
    }
    even.push_back(line.back());
    line = std::move(even);
    clampAll();
    return true;
  }

  void clampAll() {
    const Point most{double(flow.grid().nx - 1) * flow.grid().hx / unit, double(flow.grid().ny - 1) * flow.grid().hy / unit};
    for (Point& p : line) p = {std::clamp(p.x, 0., most.x), std::clamp(p.y, 0., most.y)};
  }

  bool uneven() const {
    for (std::size_t n = 1; n < line.size(); ++n) {
      const double l = norm(line[n] - line[n - 1]);
      if (l > 1.3 * step || l < 0.6 * step) return true;
    }
    return false;
  }

  bool free(const Point& a, const Point& b) const {
    const Sample s = toSample(a, 0), t = toSample(b, 0);
    return flow.walls().freeSegment(s.x, s.y, t.x, t.y);
  }
  bool freeAll() const {
    for (std::size_t n = 1; n < line.size(); ++n)
      if (!free(line[n - 1], line[n])) return false;
    return true;
  }

  void smooth() {
    for (std::size_t parity = 1; parity <= 2; ++parity)
      for (std::size_t n = parity; n + 1 < line.size(); n += 2) {
        const Point p = 0.5 * line[n] + 0.25 * (line[n - 1] + line[n + 1]);
        if (free(line[n - 1], p) && free(p, line[n + 1])) line[n] = p;
      }
  }

  /// Chords, turns, bounds.
  void measure() {
    const std::size_t m = line.size() - 1; // chords
    chord.resize(m), length.resize(m), normal.assign(m + 1, {}), turn.assign(m + 1, 0), run.assign(m + 1, 0);
    low.assign(m + 1, 0), high.assign(m + 1, 0), heading.assign(m + 1, 0);
    for (std::size_t n = 0; n < m; ++n) {
      const Point c = line[n + 1] - line[n];
      length[n] = norm(c);
      chord[n] = (1 / length[n]) * c;
    }
    worst = 0;
    for (std::size_t n = 0; n <= m; ++n) {
      const bool atFirst = n == 0, atLast = n == m;
      const Point in = atFirst ? ends.firstHeading ? direction(ends.first.k * flow.grid().headingStep()) : chord[0] : chord[n - 1];
      const Point out = atLast ? ends.lastHeading ? direction(ends.last.k * flow.grid().headingStep()) : chord[m - 1] : chord[n];
      turn[n] = std::atan2(cross(in, out), dot(in, out));
      run[n] = ((atFirst ? 0 : length[n - 1]) + (atLast ? 0 : length[n])) / 2;
      heading[n] = std::atan2(in.y, in.x) + (atFirst ? 0 : atLast ? turn[n] : turn[n] / 2);
      const Point middle = in + out;
      normal[n] = norm(middle) > 1e-9 ? (1 / norm(middle)) * left(middle) : left(out);
      const auto [l, h] = ratesAt(line[n], heading[n]);
      const double wide = (1 - aimedAt) * (h - l) / 2;
      low[n] = l + wide, high[n] = h - wide;
      const double rate = turn[n] / run[n], middleRate = (l + h) / 2;
      worst = std::max(worst, std::abs(rate - middleRate) / ((h - l) / 2));
    }
  }

  /// How far a vertex may go along its normal without meeting a wall or the border.
  double roomAlong(const Point& from, const Point& way) const {
    const double most = std::min(furthest, 1.);
    const Point size{double(flow.grid().nx - 1) * flow.grid().hx / unit, double(flow.grid().ny - 1) * flow.grid().hy / unit};
    double room = most;
    if (way.x > 0) room = std::min(room, (size.x - from.x) / way.x);
    if (way.x < 0) room = std::min(room, -from.x / way.x);
    if (way.y > 0) room = std::min(room, (size.y - from.y) / way.y);
    if (way.y < 0) room = std::min(room, -from.y / way.y);
    room = std::max(0., room);
    if (!flow.walls().any() || free(from, from + (room + clearance) * way)) return room;
    double open = 0, shut = room + clearance;
    for (int n = 0; n < 8; ++n) {
      const double mid = (open + shut) / 2;
      (free(from, from + mid * way) ? open : shut) = mid;
    }
    return std::max(0., open - clearance);
  }

  bool improve() {
    const std::size_t m = line.size() - 1;
    // Row n: how the rate of turning at vertex n depends on the moves of n - 1, n and n + 1.
    std::vector<std::array<double, 3>> row(m + 1, {0, 0, 0});
    for (std::size_t n = 0; n <= m; ++n) {
      const auto chordPart = [&](std::size_t c, double sign, std::size_t v) { // of chord c at vertex v
        const double end = v == c + 1 ? 1 : -1;
        const double angle = end * dot(left(chord[c]), normal[v]) / length[c], longer = end * dot(chord[c], normal[v]);
        row[n][v + 1 - n] += (sign * angle - turn[n] / run[n] * longer / 2) / run[n];
      };
      if (n > 0) chordPart(n - 1, -1, n - 1), chordPart(n - 1, -1, n);
      if (n < m) chordPart(n, 1, n), chordPart(n, 1, n + 1);
    }
    MoveProblem moves;
    moves.rate.resize(m + 1), moves.row = row, moves.least.assign(m + 1, 0), moves.most.assign(m + 1, 0);
    moves.unevenness.resize(m + 1);
    for (std::size_t n = 0; n <= m; ++n) {
      const double middle = (low[n] + high[n]) / 2, half = (high[n] - low[n]) / 2;
      moves.rate[n] = (turn[n] / run[n] - middle) / half;
      for (double& r : moves.row[n]) r /= half;
      moves.unevenness[n] = evenness * half * half;
      if (n == 0 || n == m) continue;
      moves.most[n] = std::max(1e-9, roomAlong(line[n], normal[n]));
      moves.least[n] = -std::max(1e-9, roomAlong(line[n], -1 * normal[n]));
    }
    std::vector<double> move = smallestMoves(moves);
    return apply(move, moves.least, moves.most);
  }
  static constexpr double evenness = 0.3;

  bool apply(std::vector<double>& move, const std::vector<double>& inwards, const std::vector<double>& outwards) {
    double share = 1;
    for (std::size_t n = 1; n < move.size(); ++n) {
      if (!std::isfinite(move[n])) return false;
      if (n + 1 < move.size()) move[n] = std::clamp(move[n], inwards[n], outwards[n]);
      const double slope = std::abs(move[n] - move[n - 1]) / length[n - 1];
      if (slope > mostSlope) share = std::min(share, mostSlope / slope);
    }
    for (std::size_t n = 1; n + 1 < move.size(); ++n) line[n] = line[n] + share * move[n] * normal[n];
    clampAll();
    return true;
  }

  std::vector<Sample> result() const {
    std::vector<Sample> path;
    double angle = heading[0];
    for (std::size_t n = 0; n < line.size(); ++n) {
      if (n > 0) angle += std::remainder(heading[n] - angle, 2 * pi);
      path.push_back(toSample(line[n], angle));
    }
    path.front().x = ends.first.x, path.front().y = ends.first.y;
    path.back().x = ends.last.x, path.back().y = ends.last.y;
    return path;
  }

  const Flow& flow;
  const Problem& problem;
  const double unit;
  const PathEnds ends;
  double step = spacing, worst = 0;
  std::vector<Point> line, chord, normal;
  std::vector<double> length, turn, run, low, high, heading;
};

} // namespace

std::optional<std::vector<Sample>> keepTurningRadius(const Flow& flow, const std::vector<Sample>& guide,
                                                     const PathEnds& ends) {
  if (guide.size() < 2) return {};
  return Bender(flow, ends).bend(guide);
}

} // namespace isochrone::curvature
