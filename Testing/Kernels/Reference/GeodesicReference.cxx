#include "Reference/GeodesicReference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace isochrone::reference {

namespace {

using Plane = std::complex<double>;
using Edge = std::pair<std::int64_t, std::int64_t>;
using Triangle = std::array<std::int64_t, 3>;
using Matrix = std::vector<std::vector<double>>;

double turn(Plane a, Plane b) { return std::imag(std::conj(a) * b); } // positive: b lies to the left of a

class Enumeration {
public:
  explicit Enumeration(const mesh::Problem& p) : problem(p) {
    const auto n = std::size_t(p.vertexCount());
    straight.assign(n, std::vector<double>(n, std::numeric_limits<double>::infinity()));
    for (std::size_t v = 0; v < n; ++v) straight[v][v] = 0;
    for (std::int64_t c = 0; c < p.cellCount(); ++c) {
      if (!p.hidden.empty() && p.hidden[std::size_t(c)]) continue;
      Triangle t{p.cells[std::size_t(4 * c)], p.cells[std::size_t(4 * c + 1)],
                 p.cells[std::size_t(4 * c + 2)]};
      for (int k = 0; k < 3; ++k) {
        const auto [v, w] = std::pair(std::size_t(t[k]), std::size_t(t[(k + 1) % 3]));
        straight[v][w] = straight[w][v] = length(t[k], t[(k + 1) % 3]);
      }
      std::ranges::sort(t);
      if (t[0] != t[1] && t[1] != t[2]) triangles.insert(t);
    }
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        apexes[{low, high}].push_back(t[(k + 2) % 3]);
      }
  }

  Matrix distances() {
    const Matrix alongEdges = closure(straight);
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        source = std::size_t(t[k]);
        longest = 0;
        for (const double d : alongEdges[source])
          if (std::isfinite(d)) longest = std::max(longest, d);
        const std::int64_t p = t[(k + 1) % 3], q = t[(k + 2) % 3];
        const Plane atP = length(t[k], p), atQ = beyond(0, atP, length(t[k], q), length(p, q));
        cross(p, q, t[k], atP, atQ, atP, atQ);
      }
    return closure(straight);
  }

private:
  double length(std::int64_t v, std::int64_t w) const {
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double x = problem.points[std::size_t(3 * v) + a] - problem.points[std::size_t(3 * w) + a];
      square += x * x;
    }
    return std::sqrt(square);
  }

  /// Returns the point to the left of the line from a to b at these distances.
  static Plane beyond(Plane a, Plane b, double fromA, double fromB) {
    const double base = std::abs(b - a), along = (fromA * fromA - fromB * fromB + base * base) / (2 * base);
    return a + (b - a) / base * Plane(along, std::sqrt(std::max(0.0, fromA * fromA - along * along)));
  }

  /// Lines from the origin between the directions `right` and `left` cross the edge from p (right) to q, and
  /// leave the triangle with the vertex `behind`.
  void cross(std::int64_t p, std::int64_t q, std::int64_t behind, Plane atP, Plane atQ, Plane right,
             Plane left) {
    // The nearest point of the visible part of the edge bounds all lengths.
    if (!(turn(right, left) > 0)) return;
    const Plane along = atQ - atP;
    const auto hit = [&](Plane ray) { return atP + along * (turn(atP, ray) / -turn(along, ray)); };
    const Plane from = hit(right), to = hit(left);
    const double foot = std::clamp(-std::real(std::conj(to - from) * from) / std::norm(to - from), 0.0, 1.0);
    if (!(std::abs(from + foot * (to - from)) < longest)) return;
    const auto [low, high] = std::minmax(p, q);
    for (const std::int64_t r : apexes.at({low, high})) {
      if (r == behind) continue;
      const Plane atR = beyond(atQ, atP, length(q, r), length(p, r));
      const double toRight = turn(right, atR), toLeft = turn(atR, left);
      if (toRight >= 0 && toLeft >= 0) {
        double& d = straight[source][std::size_t(r)];
        d = std::min(d, std::abs(atR));
      }
      if (toRight > 0) cross(p, r, q, atP, atR, right, toLeft > 0 ? atR : left);
      if (toLeft > 0) cross(r, q, p, atR, atQ, toRight > 0 ? atR : right, left);
    }
  }

  static Matrix closure(Matrix d) {
    for (std::size_t k = 0; k < d.size(); ++k)
      for (auto& row : d)
        for (std::size_t j = 0; j < d.size(); ++j) row[j] = std::min(row[j], row[k] + d[k][j]);
    return d;
  }

  const mesh::Problem& problem;
  std::set<Triangle> triangles;
  std::map<Edge, std::vector<std::int64_t>> apexes;
  Matrix straight;
  std::size_t source = 0;
  double longest = 0;
};

} // namespace

Matrix geodesicDistances(const mesh::Problem& problem) { return Enumeration(problem).distances(); }

} // namespace isochrone::reference
