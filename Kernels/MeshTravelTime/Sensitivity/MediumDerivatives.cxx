#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"

#include "Execution/ReportedLoop.h"
#include "Grid/SymmetricDerivatives.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Scheme/VertexCells.h"

#include <cmath>

namespace isochrone::mesh {

namespace {

using grid::Symmetric3;
using grid::Vector3;

/// Computes dJ/dM = -G D G of a cell, as a matrix, from D, the derivatives with respect to the components of
/// G = M^-1, of which those off the diagonal stand for two elements. Returns false if they are 0.
bool withRespectToTensor(const Problem& p, std::int64_t cell, const Values<double>& metric,
                         Symmetric3& result) {
  Symmetric3 d, g;
  bool isZero = true;
  for (std::size_t i = 0; i < 6; ++i) {
    d[i] = metric[std::size_t(6 * cell) + i] / (i < 3 ? 1 : 2);
    isZero = isZero && d[i] == 0;
  }
  if (isZero || metricAt(p, cell, g) != Passage::Open) return false;
  result = grid::perInverse(g, d);
  return true;
}

class Chain {
public:
  Chain(const Problem& problem, Sensitivities& s) : p(problem), result(s) {}

  /// Adds the part of a cell, or of one of its vertices.
  /// @param d  dJ/dM there, as a matrix
  void add(std::int64_t cell, std::int64_t vertex, const Symmetric3& d) const {
    double* to = result.medium.data() + std::int64_t(result.components) * (result.ofVertices ? vertex : cell);
    switch (p.speedType) {
    case SpeedType::Constant:
    case SpeedType::Scalar:
      to[0] +=
          2 * grid::trace(d) *
          (p.speedType == SpeedType::Constant ? p.constantSpeed
                                              : p.speed[std::size_t(p.speed.ofVertices ? vertex : cell)]);
      return;
    case SpeedType::Tensor:
      for (std::size_t c = 0; c < 6; ++c) to[c] += c < 3 ? d[c] : 2 * d[c];
      return;
    case SpeedType::Fibres:
    case SpeedType::Conductivities:
      return addFibres(cell, vertex, d, to);
    }
  }

private:
  const Problem& p;
  Sensitivities& result;

  void addFibres(std::int64_t cell, std::int64_t vertex, const Symmetric3& d, double* to) const {
    FibreFrame frame;
    if (frameOf(p, cell, vertex, frame) != Passage::Open) return;
    const double f = grid::square(d, frame.fibre), n = grid::square(d, frame.normal);
    Vector3 by{f, grid::trace(d) - f - n, n}; // with respect to the squared velocities
    const bool conductivities = p.speedType == SpeedType::Conductivities;
    for (std::size_t i = 0; i < 3; ++i)
      by[i] *= conductivities ? p.velocityScale * p.velocityScale : 2 * std::sqrt(frame.squaredVelocities[i]);
    if (result.components == 1) // a factor of the three
      for (std::size_t i = 0; i < 3; ++i) to[0] += by[i] * p.velocities[i];
    else
      for (std::size_t i = 0; i < std::size_t(result.components); ++i) to[i] += by[i];
  }
};

} // namespace

MediumShape mediumShapeOf(const Problem& p) {
  const bool fibres = p.speedType == SpeedType::Fibres || p.speedType == SpeedType::Conductivities;
  const Numbers& array = p.speedType == SpeedType::Tensor ? p.tensor : p.speed;
  const bool hasArray = p.speedType != SpeedType::Constant && !array.empty();
  return {hasArray ? array.components : fibres ? 3 : 1, hasArray && array.ofVertices};
}

bool setMedium(const Problem& p, execution::RoundPool& pool, const Monitor& monitor, Sensitivities& result) {
  const auto [components, ofVertices] = mediumShapeOf(p);
  result.components = components, result.ofVertices = ofVertices;
  const std::int64_t count = ofVertices ? p.vertexCount() : p.cellCount();
  result.medium.resize(std::size_t(count) * std::size_t(components));
  pool.forEach(std::int64_t(result.medium.size()),
               [&](std::int64_t i) { result.medium[std::size_t(i)] = 0; });
  const Chain chain(p, result);
  if (!hasVertexData(p))
    return execution::forEachReported(count, pool, monitor, [&](std::int64_t c) {
      Symmetric3 d;
      if (withRespectToTensor(p, c, result.metric, d)) chain.add(c, -1, d);
    });
  // A vertex has an equal share in the tensor of each cell around it.
  const auto add = [&](std::int64_t c, std::int64_t vertex) {
    Symmetric3 d;
    if (!withRespectToTensor(p, c, result.metric, d)) return;
    const auto vertices = verticesOf(p, c);
    for (double& x : d) x /= double(vertices.size());
    for (const std::int64_t v : vertices)
      if (vertex < 0 || v == vertex) chain.add(c, v, d);
  };
  if (!ofVertices)
    return execution::forEachReported(count, pool, monitor, [&](std::int64_t c) { add(c, -1); });
  const VertexCells cells = makeVertexCells(p, pool);
  return execution::forEachReported(count, pool, monitor, [&](std::int64_t v) {
    std::int64_t last = -1;
    for (const std::int64_t c : cells.around(v)) // a cell may have a vertex twice
      if (c != last) add(last = c, v);
  });
}

} // namespace isochrone::mesh
