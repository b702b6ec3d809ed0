// Methods.h - the orders of work by kernels: the band of production, and the paper's methods beside it.
#pragma once

#include "MeshTravelTime/Tiles/ListedVertices.h"
#include "MeshTravelTime/Tiles/ManyBlocks.h"
#include "MeshTravelTime/Tiles/OneBlock.h"
#include "MeshTravelTime/Tiles/TileSolver.h"

#include <limits>

namespace isochrone::mesh {

struct KernelSettings {
  double band = 8; ///< width of the band of keys, in long edges
  int passes = 2;  ///< passes of one block over its subdomain in one round
};

/// Returns the subdomains of a mesh: the requested number, or one that suits the mesh (see DESIGN.md).
inline Domains domainsOf(const VertexStars& stars, const Options& options) {
  constexpr int usualSize = 512; // vertices
  const int count = options.subdomains > 0 ? options.subdomains : 1 + stars.vertexCount / usualSize;
  return makeDomains(stars, count, chooseThreads(options.threads, 100 * double(stars.vertexCount)));
}

/// Returns the times of all vertices, with the method of the options. Sets the same members of the result as
/// solveOnHost.
template <class Device>
Values<float> solveByKernels(Device& device, const VertexStars& stars, const std::vector<Start>& starts,
                             const Sharing& sharing, const Options& options, const KernelSettings& settings,
                             const Monitor& monitor, Result& result) {
  const auto band = float(settings.band * stars.longEdge);
  const auto solve = [&](const auto& makeOrder) {
    return solveByOrder(device, stars, starts, sharing, makeOrder, monitor, result);
  };
  using Mesh = MeshOnDevice<Device>;
  switch (options.method) {
  case Method::PlainFim: // all active vertices
    return solve(
        [&](Mesh& on) { return ListedVertices<Device>(on, std::numeric_limits<float>::infinity()); });
  case Method::DecomposedManyBlocks:
    return solve([&](Mesh& on) { return ManyBlocks<Device>(on, band, {device, domainsOf(stars, options)}); });
  case Method::DecomposedOneBlock:
    return solve(
        [&](Mesh& on) { return OneBlock<Device>(on, band, domainsOf(stars, options), settings.passes); });
  default:
    return solve([&](Mesh& on) { return ListedVertices<Device>(on, band); });
  }
}

} // namespace isochrone::mesh
