#include "MeshTravelTime/Sensitivity/ElementWeights.h"

#include "Backend.h"
#include "Execution/ReportedLoop.h"
#include "MeshTravelTime/Scheme/CellMetric.h"
#include "MeshTravelTime/Sensitivity/MediumDerivatives.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace isochrone::mesh {

namespace {

/// Returns the speed of an element if it is isotropic, else 1.
double speedOf(const Problem& p, std::int64_t element) {
  return p.speedType == SpeedType::Constant ? p.constantSpeed
         : p.speedType == SpeedType::Scalar ? p.speed[std::size_t(element)]
                                            : 1;
}

/// Appends the derivatives of the time along a piece, sqrt(<e, G e>). A factor on the slowness at a vertex
/// divides its tensor M_v by the square of the factor, and G is the inverse of the mean of n such tensors, so
/// that the derivative with respect to the factor is <G e, M_v G e> / (n time).
void addWeights(const Problem& p, bool ofVertices, const LinePiece& piece, std::vector<ElementWeight>& to) {
  grid::Symmetric3 metric;
  if (metricAt(p, piece.cell, metric) != Passage::Open) return;
  const double time = std::sqrt(grid::square(metric, piece.along));
  if (!(time > 0)) return;
  if (!ofVertices) {
    to.push_back({std::uint32_t(piece.cell), piece.factor * time * speedOf(p, piece.cell)});
    return;
  }
  const auto vertices = verticesOf(p, piece.cell);
  const grid::Vector3 covector = grid::times(metric, piece.along);
  for (const std::int64_t v : vertices) {
    grid::Symmetric3 tensor{};
    tensorAt(p, piece.cell, v, tensor);
    const double relative = grid::square(tensor, covector) / (double(vertices.size()) * time);
    to.push_back({std::uint32_t(v), piece.factor * relative * speedOf(p, v)});
  }
}

} // namespace

bool ElementWeights::fill(const Problem& p, const SolvedMesh& solved, std::span<const std::int32_t> ranked,
                          execution::RoundPool& pool, const Monitor& monitor) {
  const bool ofVertices = mediumShapeOf(p).ofVertices;
  const auto count = std::int64_t(ranked.size());
  const std::int64_t partCount = (count + length - 1) / length;
  parts.resize(std::size_t(partCount));
  ends.resize(ranked.size());
  constexpr std::int64_t checked = 1 << 20; // entries between two checks of the memory
  std::atomic<std::int64_t> entries{0}, finished{0};
  return execution::forEachReported(partCount, pool, monitor, [&](std::int64_t part) {
    std::vector<ElementWeight> weights;
    std::vector<LinePiece> pieces;
    for (std::int64_t r = part * length; r < std::min(count, (part + 1) * length); ++r) {
      solved.piecesTo(ranked[std::size_t(r)], pieces);
      for (const LinePiece& piece : pieces) addWeights(p, ofVertices, piece, weights);
      ends[std::size_t(r)] = std::uint32_t(weights.size());
    }
    weights.shrink_to_fit();
    const auto size = std::ssize(weights), before = entries.fetch_add(size), done = ++finished;
    parts[std::size_t(part)] = std::move(weights);
    if (before / checked != (before + size) / checked) // the other parts are likely to be as large
      requireHostMemory(std::size_t(double(before + size) * double(partCount - done) / double(done)) *
                            sizeof(ElementWeight),
                        "the weights of the Jacobian");
  });
}

} // namespace isochrone::mesh
