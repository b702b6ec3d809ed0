#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"

#include "MeshTravelTime/Scheme/CellMetric.h"

#include <cmath>

namespace isochrone::mesh {

namespace {

using grid::Symmetric3;
using grid::Vector3;

/// Returns dJ/dM = -G D G, as a matrix, from D, the derivatives with respect to the components of G = M^-1,
/// of which those off the diagonal stand for two elements.
Symmetric3 withRespectToTensor(const Symmetric3& g, Symmetric3 d) {
  for (std::size_t i = 3; i < 6; ++i) d[i] /= 2;
  const std::array<Vector3, 3> column{grid::times(g, {1, 0, 0}), grid::times(g, {0, 1, 0}),
                                      grid::times(g, {0, 0, 1})};
  const auto element = [&](std::size_t i, std::size_t j) {
    return -grid::dot(column[i], grid::times(d, column[j]));
  };
  return {element(0, 0), element(1, 1), element(2, 2), element(0, 1), element(1, 2), element(0, 2)};
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

void setMedium(const Problem& p, Sensitivities& result) {
  const bool fibres = p.speedType == SpeedType::Fibres || p.speedType == SpeedType::Conductivities;
  const Numbers& array = p.speedType == SpeedType::Tensor ? p.tensor : p.speed;
  const bool hasArray = p.speedType != SpeedType::Constant && !array.empty();
  result.components = hasArray ? array.components : fibres ? 3 : 1;
  result.ofVertices = hasArray && array.ofVertices;
  result.medium.assign(
      std::size_t(result.ofVertices ? p.vertexCount() : p.cellCount()) * std::size_t(result.components), 0);
  const Chain chain(p, result);
  const bool ofVertices = hasVertexData(p);
  for (std::int64_t c = 0; c < p.cellCount(); ++c) {
    Symmetric3 d, g;
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) d[i] = result.metric[std::size_t(6 * c) + i], sum += std::abs(d[i]);
    if (sum == 0 || metricAt(p, c, g) != Passage::Open) continue;
    d = withRespectToTensor(g, d);
    if (!ofVertices) {
      chain.add(c, -1, d);
      continue;
    }
    const auto vertices = verticesOf(p, c);
    for (double& x : d) x /= double(vertices.size());
    for (const std::int64_t v : vertices) chain.add(c, v, d);
  }
}

} // namespace isochrone::mesh
