#include "Reference/MeshReference.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>
#include <limits>
#include <map>
#include <utility>

namespace isochrone::reference {

namespace {

using mesh::Numbers;
using mesh::Problem;
using mesh::SpeedType;
using Vector = std::array<double, 3>;

constexpr double infinity = std::numeric_limits<double>::infinity();

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector along(const Vector& a, double f) { return {f * a[0], f * a[1], f * a[2]}; }

Vector tuple(const Numbers& n, std::int64_t i) {
  return {n[std::size_t(3 * i)], n[std::size_t(3 * i + 1)], n[std::size_t(3 * i + 2)]};
}

Matrix3 diagonal(double f) { return {{{f, 0, 0}, {0, f, 0}, {0, 0, f}}}; }

/// Returns m + f v v^T.
Matrix3 plusOuter(Matrix3 m, double f, const Vector& v) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m[i][j] += f * v[i] * v[j];
  return m;
}

/// Inverts by elimination; returns nothing if the matrix is not positive definite, that is, if a pivot is not
/// positive.
std::optional<Matrix3> inverse(Matrix3 m) {
  Matrix3 r = diagonal(1);
  for (int i = 0; i < 3; ++i) {
    const double pivot = m[i][i];
    if (!(pivot > 0) || std::isinf(pivot)) return {};
    for (int j = 0; j < 3; ++j) m[i][j] /= pivot, r[i][j] /= pivot;
    for (int k = 0; k < 3; ++k) {
      if (k == i) continue;
      const double f = m[k][i];
      for (int j = 0; j < 3; ++j) m[k][j] -= f * m[i][j], r[k][j] -= f * r[i][j];
    }
  }
  return r;
}

/// Returns the squared velocities along fibre, sheet and normal.
Vector squaredVelocities(const Problem& p, std::int64_t i) {
  Vector v = p.velocities;
  const int components = p.speed.components;
  if (!p.speed.empty())
    for (int a = 0; a < 3; ++a)
      v[a] = components == 1  ? v[a] * p.speed[std::size_t(i)]
             : a < components ? p.speed[std::size_t(components * i + a)]
                              : 0;
  for (double& c : v)
    c = p.speedType == SpeedType::Fibres ? std::pow(c, 2) : c * std::pow(p.velocityScale, 2);
  return v;
}

/// Returns M with the values of a cell or, for arrays per vertex, of a vertex.
std::optional<Matrix3> sample(const Problem& p, std::int64_t cell, std::int64_t vertex) {
  const auto place = [&](const Numbers& n) { return n.ofVertices ? vertex : cell; };
  if (p.speedType == SpeedType::Constant) return diagonal(std::pow(p.constantSpeed, 2));
  if (p.speedType == SpeedType::Scalar) {
    const double f = p.speed[std::size_t(place(p.speed))];
    if (!(f > 0)) return {};
    return diagonal(f * f);
  }
  if (p.speedType == SpeedType::Tensor) {
    std::array<double, 6> d;
    for (std::size_t c = 0; c < 6; ++c)
      if (d[c] = p.tensor[std::size_t(6 * place(p.tensor)) + c]; std::isnan(d[c])) return {};
    return Matrix3{{{d[0], d[3], d[5]}, {d[3], d[1], d[4]}, {d[5], d[4], d[2]}}};
  }
  const Vector v = squaredVelocities(p, place(p.speed)), fibre = tuple(p.fibre, place(p.fibre));
  const double length = std::sqrt(dot(fibre, fibre));
  if (!(length > 0)) return {};
  const Vector f = along(fibre, 1 / length);
  if (p.sheet.empty()) return plusOuter(plusOuter(diagonal(v[1]), -v[1], f), v[0], f);
  Vector s = tuple(p.sheet, place(p.sheet));
  if (!(dot(s, s) > 0)) return {};
  s = along(s, 1 / std::sqrt(dot(s, s)));
  s = minus(s, along(f, dot(s, f)));
  if (!(dot(s, s) > 1e-12)) return {};
  s = along(s, 1 / std::sqrt(dot(s, s)));
  const Vector n{f[1] * s[2] - f[2] * s[1], f[2] * s[0] - f[0] * s[2], f[0] * s[1] - f[1] * s[0]};
  return plusOuter(plusOuter(plusOuter(diagonal(0), v[0], f), v[1], s), v[2], n);
}

Vector placeOf(const Problem& p, std::int64_t vertex) { return tuple(p.points, vertex); }

/// Returns the vertices of a cell, four or three.
std::vector<std::int64_t> verticesOf(const Problem& p, std::int64_t cell) {
  std::vector<std::int64_t> all;
  for (std::size_t k = 0; k < 4; ++k)
    if (const std::int64_t v = p.cells[std::size_t(4 * cell) + k]; v >= 0) all.push_back(v);
  return all;
}

/// Returns the minimum if it is attained with positive weights of all chosen corners, else infinity. With Q
/// the inner products of the edges, (u - t)^T Q^-1 (u - t) = 1, and the weights are proportional to Q^-1 (u -
/// t).
double minInside(const Matrix3& q, const Vector& times, const std::array<int, 3>& corner, int count) {
  // 1. Solve Q y = 1 and Q z = t; times are relative to the first corner's.
  double m[3][5];
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) m[i][j] = q[corner[i]][corner[j]];
    m[i][3] = 1, m[i][4] = times[corner[i]] - times[corner[0]];
  }
  for (int i = 0; i < count; ++i) {
    if (!(m[i][i] > 1e-14 * q[corner[i]][corner[i]])) return infinity;
    for (int k = 0; k < count; ++k)
      if (const double f = m[k][i] / m[i][i]; k != i)
        for (int j = 0; j < 5; ++j) m[k][j] -= f * m[i][j];
  }
  // 2. The later root of a u^2 - 2 b u + c = 1.
  double a = 0, b = 0, c = 0;
  for (int i = 0; i < count; ++i) {
    const double t = times[corner[i]] - times[corner[0]];
    a += m[i][3] / m[i][i], b += m[i][4] / m[i][i], c += t * m[i][4] / m[i][i];
  }
  const double discriminant = b * b - a * (c - 1);
  if (!(discriminant >= 0)) return infinity;
  const double u = (b + std::sqrt(discriminant)) / a;
  // 3. Check that its ray passes through the inside of the corners.
  for (int i = 0; i < count; ++i)
    if (!(m[i][3] / m[i][i] * u - m[i][4] / m[i][i] >= 0)) return infinity;
  return times[corner[0]] + u;
}

/// A triangle in the plane.
struct FlatTriangle {
  std::array<std::int64_t, 3> vertex;
  std::array<std::complex<double>, 3> at;
};

/// Returns the point to the left of the line from a to b at these distances from them.
std::complex<double> leftOf(std::complex<double> a, std::complex<double> b, double fromA, double fromB) {
  const double base = std::abs(b - a), along = (fromA * fromA - fromB * fromB + base * base) / (2 * base);
  return a + (b - a) / base * std::complex(along, std::sqrt(std::max(0., fromA * fromA - along * along)));
}

/// Returns the triangles from each obtuse angle of a triangle to the ends of its opposite edge and the apex
/// behind that edge, where the line to the apex crosses the edge.
std::vector<FlatTriangle> unfolded(const Problem& p, const std::vector<std::optional<Matrix3>>& metric) {
  struct Seen {
    std::int64_t cell, x, a, b;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Seen>> atEdge;
  for (std::int64_t c = 0; c < p.cellCount(); ++c)
    if (const auto v = verticesOf(p, c); metric[std::size_t(c)] && v.size() == 3)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b] = std::minmax(v[(k + 1) % 3], v[(k + 2) % 3]);
        if (a != b && v[k] != a && v[k] != b) atEdge[{a, b}].push_back({c, v[k], a, b});
      }
  std::vector<FlatTriangle> all;
  for (const auto& [ends, triangles] : atEdge)
    for (const Seen& t : triangles)
      for (const Seen& n : triangles) {
        const auto time = [&](const Seen& s, std::int64_t v, std::int64_t w) {
          return timeAlong(*metric[std::size_t(s.cell)], minus(placeOf(p, v), placeOf(p, w)));
        };
        const double edge = time(t, t.a, t.b), other = time(n, t.a, t.b), toA = time(t, t.x, t.a),
                     toB = time(t, t.x, t.b);
        if (n.cell == t.cell || n.x == t.x || std::abs(other / edge - 1) > 5e-10) continue;
        if (!(edge * edge > (toA * toA + toB * toB) * (1 + 1e-6))) continue;
        const std::complex<double> a = 0, b = edge, x = leftOf(a, b, toA, toB),
                                   c = std::conj(leftOf(a, b, time(n, n.x, n.a), time(n, n.x, n.b)));
        const double crossing = (x.real() * -c.imag() + c.real() * x.imag()) / (x.imag() - c.imag()) / edge;
        if (!(crossing > 1e-3 && crossing < 1 - 1e-3)) continue;
        all.push_back({{t.x, t.a, n.x}, {x, a, c}});
        all.push_back({{t.x, t.b, n.x}, {x, b, c}});
      }
  return all;
}

} // namespace

std::optional<Matrix3> squaredSpeed(const Problem& p, std::int64_t cell) {
  if (!p.hidden.empty() && p.hidden[std::size_t(cell)]) return {};
  const std::vector<std::int64_t> corners = verticesOf(p, cell);
  Matrix3 mean = diagonal(0);
  for (const std::int64_t v : corners) {
    const std::optional<Matrix3> m = sample(p, cell, v);
    if (!m) return {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) mean[i][j] += (*m)[i][j] / double(corners.size());
  }
  return inverse(mean) ? std::optional(mean) : std::nullopt;
}

std::optional<Matrix3> metricOf(const Problem& p, std::int64_t cell) {
  const std::optional<Matrix3> m = squaredSpeed(p, cell);
  return m ? inverse(*m) : std::nullopt;
}

double timeAlong(const Matrix3& metric, const Vector& e) {
  double square = 0;
  for (int i = 0; i < 3; ++i) square += e[i] * dot(metric[i], e);
  return std::sqrt(std::max(0., square));
}

double minFrom(const Matrix3& metric, std::span<const Vector> edges, std::span<const double> times) {
  Matrix3 q{};
  Vector t{};
  const int count = int(edges.size());
  for (int i = 0; i < count; ++i) {
    t[i] = times[i];
    for (int j = 0; j < count; ++j)
      for (int a = 0; a < 3; ++a) q[i][j] += edges[i][a] * dot(metric[a], edges[j]);
  }
  double minimum = infinity;
  for (int chosen = 1; chosen < 1 << count; ++chosen) {
    std::array<int, 3> corner{};
    int n = 0;
    bool reached = true;
    for (int i = 0; i < count; ++i)
      if (chosen >> i & 1) reached = reached && t[i] < infinity, corner[n++] = i;
    if (!reached) continue;
    minimum = std::min(minimum, n == 1 ? t[corner[0]] + std::sqrt(q[corner[0]][corner[0]])
                                       : minInside(q, t, corner, n));
  }
  return minimum;
}

std::vector<double> meshTravelTimes(const Problem& p) {
  // 1. The cells around each vertex, without barriers.
  const auto vertices = std::size_t(p.vertexCount());
  std::vector<std::optional<Matrix3>> metric;
  std::vector<std::vector<std::int64_t>> around(vertices);
  for (std::int64_t c = 0; c < p.cellCount(); ++c) {
    metric.push_back(metricOf(p, c));
    if (!metric.back()) continue;
    for (const std::int64_t v : verticesOf(p, c)) around[std::size_t(v)].push_back(c);
  }
  const std::vector<FlatTriangle> flat = p.unfolds ? unfolded(p, metric) : std::vector<FlatTriangle>();
  std::vector<std::vector<std::size_t>> flatAround(vertices);
  for (std::size_t t = 0; t < flat.size(); ++t)
    for (const std::int64_t v : flat[t].vertex) flatAround[std::size_t(v)].push_back(t);
  // 2. Starts.
  std::vector<double> times(vertices, infinity);
  std::vector<bool> waiting(vertices);
  std::deque<std::int64_t> queue;
  const auto lower = [&](std::int64_t v, double time) {
    if (!(time < times[std::size_t(v)])) return;
    times[std::size_t(v)] = time;
    for (const std::int64_t c : around[std::size_t(v)])
      for (const std::int64_t w : verticesOf(p, c))
        if (w != v && !waiting[std::size_t(w)]) waiting[std::size_t(w)] = true, queue.push_back(w);
    for (const std::size_t t : flatAround[std::size_t(v)])
      for (const std::int64_t w : flat[t].vertex)
        if (w != v && !waiting[std::size_t(w)]) waiting[std::size_t(w)] = true, queue.push_back(w);
  };
  for (const mesh::Seed& seed : p.seeds) {
    if (seed.vertex >= 0) {
      if (!around[std::size_t(seed.vertex)].empty()) lower(seed.vertex, seed.startTime);
    } else if (const auto& g = metric[std::size_t(seed.cell)]) {
      for (const std::int64_t v : verticesOf(p, seed.cell))
        lower(v, seed.startTime + timeAlong(*g, minus(placeOf(p, v), seed.at)));
    }
  }
  // 3. Relax until nothing decreases.
  while (!queue.empty()) {
    const std::int64_t v = queue.front();
    queue.pop_front();
    waiting[std::size_t(v)] = false;
    double minimum = infinity;
    for (const std::int64_t c : around[std::size_t(v)]) {
      std::array<Vector, 3> edges;
      Vector t;
      std::size_t n = 0;
      for (const std::int64_t w : verticesOf(p, c))
        if (w != v) edges[n] = minus(placeOf(p, w), placeOf(p, v)), t[n++] = times[std::size_t(w)];
      minimum = std::min(minimum,
                         minFrom(*metric[std::size_t(c)], std::span(edges).first(n), std::span(t).first(n)));
    }
    for (const std::size_t f : flatAround[std::size_t(v)]) {
      const FlatTriangle& t = flat[f];
      const auto k = std::size_t(std::ranges::find(t.vertex, v) - t.vertex.begin());
      std::array<Vector, 2> edges;
      std::array<double, 2> at;
      for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t j = (k + 1 + i) % 3;
        edges[i] = {t.at[j].real() - t.at[k].real(), t.at[j].imag() - t.at[k].imag(), 0};
        at[i] = times[std::size_t(t.vertex[j])];
      }
      minimum = std::min(minimum, minFrom(diagonal(1), edges, at));
    }
    lower(v, minimum);
  }
  return times;
}

} // namespace isochrone::reference
