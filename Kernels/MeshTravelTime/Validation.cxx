#include "MeshTravelTime/Validation.h"

#include "Error.h"
#include "MeshTravelTime/Exact/ExactSolver.h"
#include "MeshTravelTime/Scheme/VertexStars.h"
#include "MeshTravelTime/Sensitivity/VertexDependence.h"

#include <array>
#include <cmath>
#include <limits>

namespace isochrone::mesh {

namespace {

std::string nameOfVertex(const Problem& p, std::int64_t v) {
  return p.vertexName ? p.vertexName(v) : "point " + std::to_string(v);
}
std::string nameOfCell(const Problem& p, std::int64_t c) {
  return p.cellName ? p.cellName(c) : "cell " + std::to_string(c);
}

void validateMesh(const Problem& p) {
  const std::int64_t vertices = p.vertexCount();
  if (p.cells.empty() && !p.sharing.exchange) throw Error("the mesh has no cells");
  if (p.cells.size() % 4 || p.points.size() % 3)
    throw Error("cells must have four vertices, points three coordinates");
  if (vertices > std::numeric_limits<std::int32_t>::max() - 2)
    fail("the mesh may have at most 2147483645 points, got ", vertices, ": distribute it over more ranks");
  if (p.cellCount() >= std::int64_t(1) << 30)
    fail("the mesh may have at most 1073741823 cells, got ", p.cellCount(),
         ": distribute it over more ranks");
  for (std::int64_t v = 0; v < vertices; ++v)
    for (int a = 0; a < 3; ++a)
      if (const double x = p.points[std::size_t(3 * v + a)]; !std::isfinite(x))
        fail("coordinates must be finite, got ", text(x), " at ", nameOfVertex(p, v));
  for (std::int64_t i = 0; i < std::int64_t(p.cells.size()); ++i)
    if (const std::int64_t v = p.cells[std::size_t(i)]; v >= vertices || v < (i % 4 == 3 ? -1 : 0))
      fail(nameOfCell(p, i / 4), " has the vertex ", v, ", but there are only ", vertices);
  if (!p.hidden.empty() && std::int64_t(p.hidden.size()) != p.cellCount())
    throw Error("marks of hidden cells must be given for each cell");
}

void requireArray(const Problem& p, const Numbers& n, const char* what, int components) {
  const std::int64_t tuples = n.ofVertices ? p.vertexCount() : p.cellCount();
  if (n.components != components || std::int64_t(n.size()) != tuples * components)
    fail(what, " must have ", components, " values for each of ", tuples, n.ofVertices ? " points" : " cells",
         ", got ", n.size());
}

/// Requires finite values that are not negative. NaN is allowed: it marks a barrier.
void requireNotNegative(const Problem& p, const Numbers& n, const char* what) {
  for (std::size_t i = 0; i < n.size(); ++i)
    if (n[i] < 0 || std::isinf(n[i])) {
      const auto at = std::int64_t(i) / n.components;
      fail(what, " must be finite and not negative (0: barrier), got ", text(n[i]), " at ",
           n.ofVertices ? nameOfVertex(p, at) : nameOfCell(p, at));
    }
}

void requirePositive(double value, const char* what) {
  if (!(value > 0) || std::isinf(value)) fail(what, " must be positive and finite, got ", text(value));
}

void validateSpeed(const Problem& p) {
  switch (p.speedType) {
  case SpeedType::Constant:
    return requirePositive(p.constantSpeed, "the speed");
  case SpeedType::Scalar:
    requireArray(p, p.speed, "the speed", 1);
    return requireNotNegative(p, p.speed, "the speed");
  case SpeedType::Fibres:
  case SpeedType::Conductivities: {
    const bool conductivities = p.speedType == SpeedType::Conductivities;
    const char* what = conductivities ? "conductivities" : "conduction velocities";
    requireArray(p, p.fibre, "fibres", 3);
    if (!p.sheet.empty()) requireArray(p, p.sheet, "sheets", 3);
    if (!p.speed.empty()) {
      if (p.speed.components > 1 && p.speed.components != (p.sheet.empty() ? 2 : 3) &&
          !(p.sheet.empty() && p.speed.components == 3))
        fail(what, " must have 3 values where there are sheets, 2 or 3 where there are none, got ",
             p.speed.components);
      requireArray(p, p.speed, what, p.speed.components);
      requireNotNegative(p, p.speed, what);
    }
    if (p.speed.components == 1 || p.speed.empty())
      for (int i = 0; i < (p.sheet.empty() ? 2 : 3); ++i) requirePositive(p.velocities[i], what);
    if (conductivities) requirePositive(p.velocityScale, "the velocity of a conductivity of 1");
    return;
  }
  case SpeedType::Tensor:
    return requireArray(p, p.tensor, "tensors", 6);
  }
}

void validateSeeds(const Problem& p) {
  if (p.seeds.empty() && !p.sharing.exchange) throw Error("there is no seed: give at least one");
  for (std::size_t s = 0; s < p.seeds.size(); ++s) {
    const Seed& seed = p.seeds[s];
    if (!std::isfinite(seed.startTime))
      fail(nameOfStart(p, s), " must be finite, got ", text(seed.startTime));
    const bool elsewhere = seed.vertex < 0 && seed.cell < 0;
    if (seed.vertex >= p.vertexCount() || seed.cell >= p.cellCount() || (elsewhere && !p.sharing.exchange))
      fail("seed ", s, " lies outside the mesh");
  }
  if (!(p.ballRadius >= 0) || std::isinf(p.ballRadius))
    throw Error("the radius around seeds must be finite and not negative, got " + text(p.ballRadius));
}

} // namespace

void validate(const Problem& problem, const Options& options) {
  validateMesh(problem);
  if (problem.accuracy == Accuracy::Exact) validateExact(problem, options);
  validateSpeed(problem);
  validateSeeds(problem);
  if (options.subdomains < 0)
    throw Error("the number of subdomains must not be negative, got " + std::to_string(options.subdomains));
}

std::string nameOfStart(const Problem& p, std::size_t seed) {
  return p.startName ? p.startName(std::int64_t(seed)) : "the start time of seed " + std::to_string(seed);
}

void requireTravelTime(const Problem& p, std::span<const float> travelTime) {
  if (std::int64_t(travelTime.size()) != p.vertexCount())
    fail("travel times must be given for each of ", p.vertexCount(), " points, got ", travelTime.size());
}

std::string nameOf(const Problem& p) {
  return "the travel times of " + std::to_string(p.vertexCount()) + " points and " +
         std::to_string(p.cellCount()) + " cells";
}

std::size_t starBytes(const Problem& p) {
  return std::size_t(p.cellCount()) * (sizeof(Tetrahedron) + 4 * sizeof(Corner) + 8 * sizeof(float)) +
         std::size_t(p.vertexCount()) * 40;
}

std::size_t sensitivityBytes(const Problem& p) { // all vertices are tips, and have three users
  return starBytes(p) + std::size_t(p.cellCount()) * sizeof(std::uint32_t) +
         std::size_t(p.vertexCount()) * (sizeof(VertexDependence) + 96);
}

std::size_t hostBytes(const Problem& p,
                      bool compact) { // with 24 tetrahedra and 14 neighbours per vertex
  return starBytes(p) + std::size_t(p.cellCount()) * (compact ? 62 : 118);
}

std::size_t kernelBytes(const Problem& p) {
  return std::size_t(p.cellCount()) * (sizeof(Tetrahedron) + 4 * sizeof(Corner)) +
         std::size_t(p.vertexCount()) * 28 + (std::size_t(16) << 20);
}

bool chooseCompact(const Problem& p, Memory memory) {
  const bool compact =
      memory == Memory::Compact || (memory == Memory::Automatic && !hasHostMemory(hostBytes(p, false)));
  requireHostMemory(hostBytes(p, compact), nameOf(p));
  return compact;
}

} // namespace isochrone::mesh
