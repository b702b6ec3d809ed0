// Descent.h - the dependence of the travel time at a state on the states below it, one lane per state.
//
// At a state q the travel time u(q) is the root of  sum of alpha_i (u(q) - u_i)^2 = cost^2  over the
// neighbours below it, so du(q) = sum of (w_i / W) du_i + (cost / W) dcost, with w_i = alpha_i (u(q) - u_i)
// and W their sum (DESIGN.md, "Sensitivities"). Beyond its limit a difference d acts as d + beyond(limit)
// with a smaller alpha (LimitedDifference.h). The limit is a multiple of the cost, so the factor of dcost
// becomes sum of w_i (u(q) - u_i) / (W cost),  which is cost / W without limits.
#pragma once

#include "CurvaturePaths/Scheme/SecondDifference.h"
#include "CurvaturePaths/Sensitivity/AdjointPlan.h"
#include "Execution/Team.h"

#include <cmath>

namespace isochrone::curvature {

/// A Field in device memory: constant, per plane point or per state.
struct ScalarView {
  double constant;
  const float* values;
  bool perState;

  TEAM_FN double at(int state, int plane) const {
    return values ? double(values[perState ? state : plane]) : constant;
  }
};

/// Sums over the differences of a scheme that lead down: of alpha, alpha d, alpha d^2, alpha (u(q) - u_i) and
/// alpha d (u(q) - u_i), where d is the effective difference, with its limit.
struct SchemeSums {
  double alphas = 0, weights = 0, squares = 0, plain = 0, drops = 0;
  double nearest = infinity;    ///< minimum d with a weight
  int edges = 0, strongest = 0; ///< number of edges, and the number of the edge with the largest weight
};

/// The derivatives of the travel time at a state by its neighbours and its cost. Where the two schemes of
/// Dubins agree, each contributes half, which keeps mirror images alike.
struct Linearisation {
  int first = 0, last = 0; ///< schemes [first, last)
  double total = 0;        ///< W: sum of the weights
  double perCost = 0;      ///< du / dcost
  double excess = 0;       ///< root minus u(q), the rounding of u(q)
  int strongest = 0;       ///< number of the edge with the largest weight
};

/// The travel time as seen from one state.
struct DescentView {
  struct Edge {
    int target;
    double alpha, difference;               ///< effective difference u(q) - u(target), > 0
    double beyondLimit;                     ///< how much it exceeds u(q) - u(target)
    double perRadius, perShift, perBalance; ///< derivatives of alpha
  };
  struct Place {
    int state, plane, x, y, heading;
  };

  int nx, ny, headings;
  SchemeForm form;
  const FlowTerm* terms;
  const FlowPiece* pieces;
  const TableRange* ranges;
  const Pixel* cover;
  const std::uint8_t* wallDistance; ///< null: no walls
  ScalarView cost, turningRadius, curvatureShift;
  const float* u;
  const float* before; ///< solution for the corrections (Corrections.h); null: none
  float correctionLimit;
  bool limits; ///< differences are limited
  double hx, hy;

  TEAM_FN Place place(int state) const {
    const unsigned q = unsigned(state), n = unsigned(nx), rows = q / n;
    const int x = int(q - n * rows), heading = int(rows / unsigned(ny)), y = int(rows) - ny * heading;
    return {state, x + nx * y, x, y, heading};
  }

  /// Calls visit(edge) for every difference of a scheme that leads down.
  template <class Visit>
  TEAM_FN void eachEdge(const Place& q, int scheme, Visit&& visit) const {
    const int perScheme = form.blocks / form.schemes;
    const double radius = turningRadius.at(q.state, q.plane), inverse = 1 / radius;
    const double shift = curvatureShift.at(q.state, q.plane);
    for (int b = scheme * perScheme; b < (scheme + 1) * perScheme; ++b) {
      const double rate = shift + form.factors[b] * inverse;
      const TableRange range = ranges[q.heading * form.blocks + b];
      int i = range.first;
      while (i + 1 < range.first + range.count && rate > pieces[i].high) ++i;
      for (int t = pieces[i].first; t < pieces[i].first + pieces[i].count; ++t) {
        const FlowTerm& term = terms[t];
        const double weight = term.a[0] + rate * (term.a[1] + rate * term.a[2]);
        const double slope = term.a[1] + 2 * rate * term.a[2];
        const double alpha = weight > 0 ? weight : 0; // 0 at an end of its piece, where its slope applies
        visitLower(
            q, term, form.symmetric,
            {0, alpha, 0, 0, -slope * form.factors[b] * inverse * inverse, slope, rate * term.perBalance},
            visit);
      }
    }
    if (form.turns) {
      const double alpha = form.turnWeight * inverse * inverse;
      visitLower(q, FlowTerm{0, 0, 1, {}, {}, {}, 0}, true, {0, alpha, 0, 0, -2 * alpha * inverse, 0, 0},
                 visit);
    }
  }

  /// Calls visit(edge) for every difference that a linearisation uses, always in the same order.
  template <class Visit>
  TEAM_FN void eachEdge(const Place& q, const Linearisation& linear, Visit&& visit) const {
    for (int s = linear.first; s < linear.last; ++s) eachEdge(q, s, visit);
  }

  TEAM_FN SchemeSums sums(const Place& q, int scheme) const {
    SchemeSums sums;
    double maximum = 0;
    eachEdge(q, scheme, [&](const Edge& e) {
      const double weight = e.alpha * e.difference;
      sums.alphas += e.alpha, sums.weights += weight, sums.squares += weight * e.difference;
      const double drop = e.difference - e.beyondLimit;
      sums.plain += e.alpha * drop, sums.drops += weight * drop;
      if (weight > maximum) maximum = weight, sums.strongest = sums.edges;
      if (weight > 0 && e.difference < sums.nearest) sums.nearest = e.difference;
      ++sums.edges;
    });
    return sums;
  }

  TEAM_FN Linearisation linearise(const Place& q) const {
    const SchemeSums one = sums(q, 0), other = form.schemes == 2 ? sums(q, 1) : SchemeSums{};
    const bool second = other.squares > one.squares;
    SchemeSums a = second ? other : one; // determines the root
    Linearisation linear = form.schemes == 2 ? active(one, other) : Linearisation{0, 1};
    if (!(a.weights > 0)) return {}; // no edge, or edges whose weights only begin here
    // The root of  sum of alpha_i (excess + d_i)^2 = cost^2.
    const double rho = cost.at(q.state, q.plane), residual = a.squares - rho * rho;
    const double square = a.weights * a.weights - a.alphas * residual;
    if (square > 0) linear.excess = -residual / (a.weights + std::sqrt(square));
    linear.strongest = a.strongest;
    if (linear.last - linear.first == 2) {
      const SchemeSums& b = second ? one : other;
      if (second) linear.strongest += one.edges;
      a.alphas += b.alphas, a.weights += b.weights, a.squares += b.squares;
      a.plain += b.plain, a.drops += b.drops;
      if (b.nearest < a.nearest) a.nearest = b.nearest;
    }
    // A root below a neighbour that it depends on is not the root of these edges: rounding blurs their
    // differences.
    if (!(linear.excess > -a.nearest)) linear.excess = 0;
    const double excess = linear.excess;
    linear.total = a.weights + excess * a.alphas;
    linear.perCost = (a.drops + excess * (a.weights + a.plain + excess * a.alphas)) / (linear.total * rho);
    return linear;
  }

private:
  /// Schemes whose sums differ by less than this share are equal up to rounding, as in DescentFlow.
  static constexpr double schemeTie = 1e-4;

  TEAM_FN static Linearisation active(const SchemeSums& a, const SchemeSums& b) {
    const double larger = a.squares > b.squares ? a.squares : b.squares;
    if (std::abs(a.squares - b.squares) < schemeTie * larger) return {0, 2};
    return a.squares > b.squares ? Linearisation{0, 1} : Linearisation{1, 2};
  }

  /// Returns the state reached by a step, once or twice in either direction, or -1 outside the grid and
  /// behind a wall.
  TEAM_FN int stepTo(const Place& q, const FlowTerm& term, int times) const {
    const int dx = times * term.x, dy = times * term.y, x = q.x + dx, y = q.y + dy, side = times > 0 ? 1 : -1;
    const TableRange pixels = times == side ? term.single : term.doubled;
    if (unsigned(x) >= unsigned(nx) || unsigned(y) >= unsigned(ny)) return -1;
    if (wallDistance && wallDistance[q.plane] <= (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy))
      for (int n = pixels.first; n < pixels.first + pixels.count; ++n) {
        const int px = q.x + side * cover[n].x, py = q.y + side * cover[n].y;
        const bool known = unsigned(px) < unsigned(nx) && unsigned(py) < unsigned(ny);
        if (known && wallDistance[px + nx * py] == 0) return -1;
      }
    int heading = q.heading + times * term.heading;
    while (heading < 0) heading += headings;
    while (heading >= headings) heading -= headings;
    return x + nx * (y + ny * heading);
  }

  template <class Visit>
  TEAM_FN void visitLower(const Place& q, const FlowTerm& term, bool bothSides, Edge edge,
                          Visit& visit) const {
    edge.target = stepTo(q, term, 1);
    if (bothSides) {
      const int other = stepTo(q, term, -1);
      if (other >= 0 && (edge.target < 0 || u[other] < u[edge.target])) edge.target = other;
    }
    if (edge.target < 0) return;
    edge.difference = double(u[q.state]) - double(u[edge.target]);
    if (!(edge.difference > 0)) return;
    if (limits) limit(q, term, edge);
    if (before) {
      SecondDifference<StateNumber> second = secondDifference(q, term, 1, {});
      if (bothSides) second = secondDifference(q, term, -1, second);
      const double factor = second.factor();
      scale(edge, factor * factor);
    }
    visit(edge);
  }

  TEAM_FN void limit(const Place& q, const FlowTerm& term, Edge& edge) const {
    const double x = term.x * hx, y = term.y * hy;
    const double maximum = cost.at(q.state, q.plane) * limitOverCost(std::sqrt(x * x + y * y));
    if (!(edge.difference > maximum)) return;
    edge.beyondLimit = beyond(maximum);
    edge.difference += edge.beyondLimit;
    scale(edge, weightBeyond);
  }

  TEAM_FN static void scale(Edge& edge, double factor) {
    edge.alpha *= factor, edge.perRadius *= factor, edge.perShift *= factor, edge.perBalance *= factor;
  }

  TEAM_FN SecondDifference<StateNumber> secondDifference(const Place& q, const FlowTerm& term, int side,
                                                         SecondDifference<StateNumber> sum) const {
    const int next = stepTo(q, term, side), second = stepTo(q, term, 2 * side);
    sum.add(before[q.state], next < 0 ? infinity : before[next], second < 0 ? infinity : before[second],
            correctionLimit);
    return sum;
  }
};

} // namespace isochrone::curvature
