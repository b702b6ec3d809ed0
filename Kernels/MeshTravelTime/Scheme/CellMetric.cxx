#include "MeshTravelTime/Scheme/CellMetric.h"

#include "MeshTravelTime/Scheme/LocalSolver.h"

#include <algorithm>
#include <cmath>

namespace isochrone::mesh {

namespace {

using grid::dot;
using grid::Symmetric3;
using grid::Vector3;

/// Scales a vector to length 1. Returns false if its length is zero, infinite or NaN.
bool normalise(Vector3& v) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0) || std::isinf(length)) return false;
  for (double& c : v) c /= length;
  return true;
}

/// Adds weight * v v^T.
void addOuter(Symmetric3& m, double weight, const Vector3& v) {
  m[0] += weight * v[0] * v[0], m[1] += weight * v[1] * v[1], m[2] += weight * v[2] * v[2];
  m[3] += weight * v[0] * v[1], m[4] += weight * v[1] * v[2], m[5] += weight * v[0] * v[2];
}

/// Returns the squared speeds along fibre, sheet and normal.
Vector3 squaredVelocities(const Problem& p, std::int64_t i) {
  Vector3 v = p.velocities;
  if (p.speed.components > 1) {
    const std::size_t at = std::size_t(p.speed.components * i);
    v = {p.speed[at], p.speed[at + 1], p.speed.components == 3 ? p.speed[at + 2] : 0};
  } else if (!p.speed.empty()) {
    for (double& c : v) c *= p.speed[std::size_t(i)];
  }
  if (p.sheet.empty()) v[2] = v[1];
  for (double& c : v)
    c = p.speedType == SpeedType::Conductivities ? p.velocityScale * p.velocityScale * c : c * c;
  return v;
}

Passage fibreTensor(const Problem& p, std::int64_t cell, std::int64_t vertex, Symmetric3& m) {
  FibreFrame frame;
  const Passage passage = frameOf(p, cell, vertex, frame);
  if (passage != Passage::Open) return passage;
  const Vector3& v = frame.squaredVelocities;
  m = {v[1], v[1], v[1], 0, 0, 0};
  addOuter(m, v[0] - v[1], frame.fibre);
  if (!p.sheet.empty()) addOuter(m, v[2] - v[1], frame.normal);
  return Passage::Open;
}

} // namespace

Passage tensorAt(const Problem& p, std::int64_t cell, std::int64_t vertex, Symmetric3& m) {
  switch (p.speedType) {
  case SpeedType::Constant:
  case SpeedType::Scalar: {
    const double f = p.speedType == SpeedType::Constant
                         ? p.constantSpeed
                         : p.speed[std::size_t(p.speed.ofVertices ? vertex : cell)];
    m = {f * f, f * f, f * f, 0, 0, 0};
    return f == 0 || std::isnan(f) ? Passage::Closed : Passage::Open;
  }
  case SpeedType::Fibres:
  case SpeedType::Conductivities:
    return fibreTensor(p, cell, vertex, m);
  case SpeedType::Tensor: {
    double sum = 0;
    for (int c = 0; c < 6; ++c) {
      m[c] = p.tensor[std::size_t(6 * (p.tensor.ofVertices ? vertex : cell) + c)];
      sum += std::abs(m[c]);
    }
    return sum == 0 || std::isnan(sum) ? Passage::Closed : Passage::Open;
  }
  }
  __builtin_unreachable();
}

bool hasVertexData(const Problem& p) {
  const bool fibres = p.speedType == SpeedType::Fibres || p.speedType == SpeedType::Conductivities;
  const bool speed = (p.speedType == SpeedType::Scalar || fibres) && !p.speed.empty() && p.speed.ofVertices;
  const bool frame = fibres && (p.fibre.ofVertices || (!p.sheet.empty() && p.sheet.ofVertices));
  return speed || frame || (p.speedType == SpeedType::Tensor && p.tensor.ofVertices);
}

Passage frameOf(const Problem& p, std::int64_t cell, std::int64_t vertex, FibreFrame& frame) {
  const Vector3 v = squaredVelocities(p, p.speed.ofVertices ? vertex : cell);
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) return Passage::Closed;
  if (std::isnan(v[0] + v[1] + v[2])) return Passage::Closed;
  Vector3 f = vectorAt(p.fibre, p.fibre.ofVertices ? vertex : cell);
  if (!normalise(f)) return Passage::NoFrame;
  frame = {v, f, {}};
  if (p.sheet.empty()) return Passage::Open;
  Vector3 s = vectorAt(p.sheet, p.sheet.ofVertices ? vertex : cell);
  if (!normalise(s)) return Passage::NoFrame;
  const double along = dot(s, f);
  for (int i = 0; i < 3; ++i) s[i] -= along * f[i];
  if (!(dot(s, s) > 1e-12) || !normalise(s)) return Passage::NoFrame;
  frame.normal = grid::cross(f, s);
  return Passage::Open;
}

Passage metricAt(const Problem& p, std::int64_t cell, Symmetric3& metric) {
  if (!p.hidden.empty() && p.hidden[std::size_t(cell)]) return Passage::Closed;
  Symmetric3 tensor{};
  if (!hasVertexData(p)) {
    const Passage passage = tensorAt(p, cell, -1, tensor);
    if (passage != Passage::Open) return passage;
  } else {
    const auto vertices = verticesOf(p, cell);
    for (const std::int64_t v : vertices) {
      Symmetric3 m;
      const Passage passage = tensorAt(p, cell, v, m);
      if (passage != Passage::Open) return passage;
      for (int i = 0; i < 6; ++i) tensor[i] += m[i] / double(vertices.size());
    }
  }
  if (!grid::isPositiveDefinite(tensor)) return Passage::NotDefinite;
  metric = grid::inverse(tensor);
  return Passage::Open;
}

Passage squaredEdges(const Problem& p, std::int64_t cell, double scale, std::array<double, 6>& square) {
  Symmetric3 metric;
  const Passage passage = metricAt(p, cell, metric);
  if (passage != Passage::Open) return passage;
  square.fill(1);
  std::array<Position, 4> corner;
  const auto vertices = verticesOf(p, cell);
  std::ranges::transform(vertices, corner.begin(), [&](std::int64_t v) { return pointAt(p, v); });
  for (int j = 1; j < int(vertices.size()); ++j)
    for (int i = 0; i < j; ++i)
      square[std::size_t(edgeBetween(i, j))] =
          scale * grid::square(metric, grid::difference(corner[i], corner[j]));
  return Passage::Open;
}

} // namespace isochrone::mesh
