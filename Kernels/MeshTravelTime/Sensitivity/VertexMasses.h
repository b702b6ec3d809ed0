// VertexMasses.h - the masses that pass from the tips to the starts: derivatives of the objective with
// respect to the times of vertices.
#pragma once

#include "MeshTravelTime/Sensitivity/VertexDependence.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::mesh {

/// Passes the masses on, in the shares of the dependences. Sums are taken in an order that does not depend on
/// threads. Vertices that depend on each other are a linear system. Vertices from which nothing leads out
/// lose their mass.
/// @param dependence  count 0: masses end there
/// @param mass        per vertex: of the tips, then of all
/// @return the lost mass
double passMasses(std::span<const VertexDependence> dependence, std::span<double> mass);

} // namespace isochrone::mesh
