// Problem.h - the solver's problem on a mesh, built from a grid and settings, with what it points to.
#pragma once

#include "Common/ArrayBridge.h"
#include "MeshTravelTime/MeshTravelTime.h"

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <list>
#include <vector>

class vtkUnstructuredGrid;

namespace isochrone::filters {

/// What the user set about the medium.
struct MeshSettings {
  mesh::SpeedType speedType = mesh::SpeedType::Constant;
  double constantSpeed = 1;
  ArrayChoice speedArray, fibreArray, sheetArray, tensorArray;
  std::array<double, 3> velocities{1, 1, 1}; ///< or conductivities
  double velocityScale = 1;
};

/// A problem without seeds, and what its spans point to: arrays of the grid as far as it has them in that
/// form. Not to be copied.
struct MeshProblem {
  mesh::Problem problem;
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  std::list<std::vector<double>> converted; ///< arrays of other types
  std::vector<std::int64_t> cells;          ///< empty if the grid has them so
  std::vector<std::uint8_t> hidden;

  MeshProblem() = default;
  MeshProblem(MeshProblem&&) = default;
  MeshProblem& operator=(MeshProblem&&) = default;
};

/// @param grid  tetrahedra and triangles
/// @throws Error on arrays that are missing or do not fit; their values are checked by the solver
MeshProblem makeMeshProblem(vtkUnstructuredGrid* grid, const MeshSettings& settings);

/// Per vertex, when it starts a wave: NaN where it does not, as where the array is negative.
std::vector<double> onsetTimes(vtkUnstructuredGrid* grid, const ArrayChoice& onsetTimeArray);

/// What the solution depends on, as two numbers that two problems hardly ever have in common: so an input
/// that was recomputed to the same values, changed elsewhere or merely touched is not solved again.
std::array<std::uint64_t, 2> keyOf(const mesh::Problem& problem);

} // namespace isochrone::filters
