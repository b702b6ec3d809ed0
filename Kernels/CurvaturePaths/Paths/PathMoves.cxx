// PathMoves.cxx - an interior-point method for a convex quadratic programme with a band.
//
// With y(n) the multiplier of the rate at n, the rates may exceed their bounds by r(n) = y(n) / stiffness.
// Each round is one Newton step towards complementarity mu, which decreases from round to round. Eliminating
// multipliers and r leaves a symmetric positive definite system for the moves, three entries to either side.
#include "CurvaturePaths/Paths/PathMoves.h"

#include "CurvaturePaths/Paths/BandedSystem.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

constexpr double stiffness = 1e5;   ///< price of exceeding a bound of the rates
constexpr double firstGap = 1e-2;   ///< complementarity at the start
constexpr double lastGap = 1e-5;    ///< complementarity at the end
constexpr double shrinking = 0.15;  ///< factor on the complementarity per round
constexpr double toBoundary = 0.95; ///< maximum share of the distance to the nearest bound per round
constexpr double lastResidual = 1e-4;
constexpr int maxRounds = 40;
constexpr double fixed = 1e15; ///< diagonal entry of a vertex that does not move

/// A number between two bounds: its distances from them and their multipliers.
struct Bounds {
  double below = 1, above = 1, lower = 0, upper = 0;

  void start(double value, double minimum, double maximum) {
    below = value - minimum, above = maximum - value;
    lower = firstGap / below, upper = firstGap / above;
  }
  double force() const { return upper - lower; }
  double weight() const { return lower / below + upper / above; }
  double pull(double mu) const { return mu / above - mu / below; }
  double gap() const { return below * lower + above * upper; }

  double lowerChange(double by, double mu) const { return (mu - lower * (below + by)) / below; }
  double upperChange(double by, double mu) const { return (mu - upper * (above - by)) / above; }

  /// Returns the share of a step by which all four stay positive.
  double share(double by, double mu) const {
    double result = 1;
    const auto limit = [&](double now, double change) {
      if (change < 0) result = std::min(result, -toBoundary * now / change);
    };
    limit(below, by), limit(above, -by), limit(lower, lowerChange(by, mu)), limit(upper, upperChange(by, mu));
    return result;
  }
  void advance(double by, double mu, double share) {
    const double l = lowerChange(by, mu), u = upperChange(by, mu);
    below += share * by, above -= share * by, lower += share * l, upper += share * u;
  }
};

class InteriorPoint {
public:
  explicit InteriorPoint(const MoveProblem& p)
      : problem(p), count(p.rate.size()), move(count, 0), excess(count, 0), moveBounds(count),
        rateBounds(count) {
    for (std::size_t n = 0; n < count; ++n) {
      excess[n] = p.rate[n] - std::clamp(p.rate[n], -0.9, 0.9);
      rateBounds[n].start(p.rate[n] - excess[n], -1, 1);
      if (moves(n)) moveBounds[n].start(0, p.minimum[n], p.maximum[n]);
    }
  }

  std::vector<double> run() {
    for (int round = 0; round < maxRounds; ++round) {
      double gap = 0;
      for (std::size_t n = 0; n < count; ++n)
        gap += rateBounds[n].gap() + (moves(n) ? moveBounds[n].gap() : 0);
      const double mu = gap / double(4 * count);
      if (mu < lastGap && residual < lastResidual) break;
      step(shrinking * mu);
    }
    return move;
  }

private:
  bool moves(std::size_t n) const { return n > 0 && n + 1 < count; }

  /// Returns the change of the rate at n by moves e, to first order.
  double change(std::size_t n, const std::vector<double>& e) const {
    const std::array<double, 3>& row = problem.row[n];
    return row[1] * e[n] + (n > 0 ? row[0] * e[n - 1] : 0) + (n + 1 < count ? row[2] * e[n + 1] : 0);
  }

  /// Adds weight / 2 (row e)^2 + force (row e); entry a of the row belongs to vertex n - 1 + a.
  template <std::size_t size>
  void addRow(BandedSystem<3>& system, std::size_t n, const std::array<double, size>& row, double weight,
              double force) const {
    const auto exists = [&](std::size_t a) { return n + a >= 1 && n + a <= count; };
    for (std::size_t a = 0; a < size; ++a) {
      if (!exists(a)) continue;
      system.right(n + a - 1) -= force * row[a];
      for (std::size_t b = 0; b <= a; ++b)
        if (exists(b)) system.add(n + a - 1, n + b - 1, weight * row[a] * row[b]);
    }
  }

  void addEvenness(BandedSystem<3>& system, std::size_t n) const {
    const auto &a = problem.row[n], &b = problem.row[n + 1];
    const double difference = problem.rate[n + 1] - problem.rate[n] + change(n + 1, move) - change(n, move);
    addRow(system, n, std::array{-a[0], b[0] - a[1], b[1] - a[2], b[2]}, problem.evenness[n],
           problem.evenness[n] * difference);
  }

  /// Takes one Newton step. The multiplier y(n) of a rate changes by weight(n) times the change of the rate,
  /// plus a constant.
  void step(double mu) {
    BandedSystem<3> system(count);
    std::vector<double> weight(count), constant(count), by;
    for (std::size_t n = 0; n < count; ++n) {
      const double w = rateBounds[n].weight(), y = rateBounds[n].force();
      weight[n] = w / (1 + w / stiffness);
      constant[n] = (rateBounds[n].pull(mu) - y + w * (excess[n] - y / stiffness)) / (1 + w / stiffness);
      addRow(system, n, problem.row[n], weight[n], y + constant[n]);
      system.add(n, n, moves(n) ? 1 + moveBounds[n].weight() : fixed);
      if (!moves(n)) continue;
      system.right(n) -= move[n] + moveBounds[n].pull(mu);
      if (moves(n + 1)) addEvenness(system, n);
    }
    system.solve(by);
    by.front() = by.back() = 0;
    advance(by, weight, constant, mu);
  }

  void advance(const std::vector<double>& by, const std::vector<double>& weight,
               const std::vector<double>& constant, double mu) {
    std::vector<double> rateBy(count), excessBy(count);
    double share = 1;
    for (std::size_t n = 0; n < count; ++n) {
      const double forceBy = constant[n] + weight[n] * change(n, by);
      excessBy[n] = (rateBounds[n].force() + forceBy) / stiffness - excess[n];
      rateBy[n] = change(n, by) - excessBy[n];
      share = std::min(share, rateBounds[n].share(rateBy[n], mu));
      if (moves(n)) share = std::min(share, moveBounds[n].share(by[n], mu));
    }
    for (std::size_t n = 0; n < count; ++n) {
      rateBounds[n].advance(rateBy[n], mu, share);
      excess[n] += share * excessBy[n];
      move[n] += share * by[n];
      if (moves(n)) moveBounds[n].advance(by[n], mu, share);
    }
    residual *= 1 - share;
  }

  const MoveProblem& problem;
  const std::size_t count;
  std::vector<double> move, excess; ///< excess: amount by which the rates may exceed their bounds
  std::vector<Bounds> moveBounds, rateBounds;
  double residual = 1; ///< of the linear equations, relative to the start
};

} // namespace

std::vector<double> smallestMoves(const MoveProblem& problem) { return InteriorPoint(problem).run(); }

} // namespace isochrone::curvature
