// Domains.h - the mesh divided into subdomains, and their interface vertices.
#pragma once

#include "MeshTravelTime/Scheme/VertexStars.h"

#include <cstdint>

namespace isochrone::mesh {

/// Subdomains own vertices: each the next `size` vertices along a space-filling curve. A tetrahedron belongs
/// to the subdomains of all its vertices.
struct Domains {
  int count = 0, size = 0;
  Values<std::int32_t> first;     ///< per subdomain, and one more: start of its interface
  Values<std::int32_t> interface; ///< vertices that share a tetrahedron with another subdomain
};

/// Divides a mesh into subdomains, none of them empty.
/// @param count  requested number; at most the number of vertices is made
Domains makeDomains(const VertexStars& stars, int count, int threads);

} // namespace isochrone::mesh
