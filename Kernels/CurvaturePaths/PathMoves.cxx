#include "CurvaturePaths/PathMoves.h"

#include "CurvaturePaths/BandedSystem.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

namespace {

constexpr double stiffness = 1e5;  ///< of the bounds of the rates
constexpr double centring = 0.15;  ///< the complementarity of a round over that of the one before
constexpr double toBoundary = 0.95;
constexpr double enough = 1e-5; ///< complementarity
constexpr int mostRounds = 40;

/// low < value < high with multipliers.
struct Bounds {
  double toLow = 1, toHigh = 1, low = 0, high = 0; ///< slacks, multipliers
  double weight() const { return low / toLow + high / toHigh; }
  double force() const { return high - low; }
  double pull(double mu) const { return mu / toHigh - mu / toLow; }
  double gap() const { return toLow * low + toHigh * high; }

  void start(double value, double least, double most, double mu) {
    toLow = value - least, toHigh = most - value;
    low = mu / toLow, high = mu / toHigh;
  }
  /// The multipliers' changes when the value changes by `by`, towards complementarity mu.
  double lowChange(double by, double mu) const { return (mu - low * (toLow + by)) / toLow; }
  double highChange(double by, double mu) const { return (mu - high * (toHigh - by)) / toHigh; }
  /// The largest share of a step that keeps slacks and multipliers positive.
  double longest(double by, double mu) const {
    double share = 1;
    const auto limit = [&](double now, double change) {
      if (change < 0) share = std::min(share, -toBoundary * now / change);
    };
    limit(toLow, by), limit(toHigh, -by), limit(low, lowChange(by, mu)), limit(high, highChange(by, mu));
    return share;
  }
  void go(double by, double mu, double share) {
    const double l = lowChange(by, mu), h = highChange(by, mu);
    toLow += share * by, toHigh -= share * by, low += share * l, high += share * h;
  }
};

class Method {
public:
  explicit Method(const MoveProblem& p) : problem(p), count(p.rate.size()) {
    move.assign(count, 0), excess.assign(count, 0), moveBounds.resize(count), rateBounds.resize(count);
    constexpr double mu = 1e-2;
    for (std::size_t n = 0; n < count; ++n) {
      excess[n] = problem.rate[n] - std::clamp(problem.rate[n], -0.9, 0.9);
      rateBounds[n].start(problem.rate[n] - excess[n], -1, 1, mu);
      if (inside(n)) moveBounds[n].start(0, problem.least[n], problem.most[n], mu);
    }
  }

  std::vector<double> run() {
    for (int round = 0; round < mostRounds; ++round) {
      double gap = 0;
      for (std::size_t n = 0; n < count; ++n) gap += rateBounds[n].gap() + (inside(n) ? moveBounds[n].gap() : 0);
      const double mu = gap / double(4 * count);
      if (mu < enough && residual < 1e-4) break;
      step(centring * mu);
    }
    return move;
  }

private:
  bool inside(std::size_t n) const { return n > 0 && n + 1 < count; }

  /// Sum of row(n) times the moves.
  double change(std::size_t n, const std::vector<double>& e) const {
    return problem.row[n][1] * e[n] + (n > 0 ? problem.row[n][0] * e[n - 1] : 0) +
           (n + 1 < count ? problem.row[n][2] * e[n + 1] : 0);
  }

  void step(double mu) {
    BandedSystem<3> system(count);
    const auto addRow = [&](std::size_t first, const auto& row, double weight, double force) {
      for (std::size_t a = 0; a < row.size(); ++a) {
        if (first + a < 1 || first + a > count) continue; // `first` counts from 1
        system.right(first + a - 1) -= force * row[a];
        for (std::size_t b = 0; b <= a; ++b)
          if (first + b >= 1 && weight > 0) system.add(first + a - 1, first + b - 1, weight * row[a] * row[b]);
      }
    };
    std::vector<double> weight(count), pull(count);
    for (std::size_t n = 0; n < count; ++n) {
      const Bounds& rate = rateBounds[n];
      const double w = rate.weight(), y = rate.force();
      weight[n] = w / (1 + w / stiffness);
      pull[n] = (rate.pull(mu) - y + w * (excess[n] - y / stiffness)) / (1 + w / stiffness);
      addRow(n, problem.row[n], weight[n], y + pull[n]);
      if (!inside(n)) {
        system.add(n, n, 1e15);
        continue;
      }
      system.add(n, n, 1 + moveBounds[n].weight());
      system.right(n) -= move[n] + moveBounds[n].pull(mu);
      if (n + 2 >= count) continue;
      const auto &a = problem.row[n], &b = problem.row[n + 1];
      const std::array<double, 4> across{-a[0], b[0] - a[1], b[1] - a[2], b[2]};
      const double difference = problem.rate[n + 1] - problem.rate[n] + change(n + 1, move) - change(n, move);
      addRow(n, across, problem.unevenness[n], problem.unevenness[n] * difference);
    }
    std::vector<double> by;
    system.solve(by);
    by.front() = by.back() = 0;

    std::vector<double> rateBy(count), excessBy(count);
    double share = 1;
    for (std::size_t n = 0; n < count; ++n) {
      const double forceBy = pull[n] + weight[n] * change(n, by);
      excessBy[n] = (forceBy + rateBounds[n].force()) / stiffness - excess[n];
      rateBy[n] = change(n, by) - excessBy[n];
      share = std::min(share, rateBounds[n].longest(rateBy[n], mu));
      if (inside(n)) share = std::min(share, moveBounds[n].longest(by[n], mu));
    }
    for (std::size_t n = 0; n < count; ++n) {
      rateBounds[n].go(rateBy[n], mu, share);
      excess[n] += share * excessBy[n];
      if (!inside(n)) continue;
      moveBounds[n].go(by[n], mu, share);
      move[n] += share * by[n];
    }
    residual *= 1 - share;
  }

  const MoveProblem& problem;
  const std::size_t count;
  std::vector<double> move, excess;
  std::vector<Bounds> moveBounds, rateBounds;
  double residual = 1; ///< of the equations, over that of the start
};

} // namespace

std::vector<double> smallestMoves(const MoveProblem& problem) { return Method(problem).run(); }

} // namespace isochrone::curvature
