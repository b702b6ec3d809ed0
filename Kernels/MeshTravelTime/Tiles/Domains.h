// Domains.h - the mesh cut into subdomains, and the vertices that neighbours share an element with.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>

namespace isochrone::mesh {

/// Subdomains own vertices: each the next `size` of them, which lie along a curve that fills space. A
/// tetrahedron belongs to the subdomains of all its vertices.
struct Domains {
  int count = 0, size = 0;
  Values<std::int32_t> first;     ///< per subdomain, and one more: where its interface begins
  Values<std::int32_t> interface; ///< vertices that have a tetrahedron in common with another subdomain
};

/// @param count  wanted; at most as many as there are vertices are made, and none is empty
Domains makeDomains(const VertexStars& stars, int count, int threads);

} // namespace isochrone::mesh
