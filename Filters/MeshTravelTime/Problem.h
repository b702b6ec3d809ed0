// Problem.h - builds the solver's problem from a mesh and settings.
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

/// User settings of the medium.
struct MeshSettings {
  mesh::SpeedType speedType = mesh::SpeedType::Constant;
  double constantSpeed = 1;
  ArrayChoice speedArray, fibreArray, sheetArray, tensorArray;
  std::array<double, 3> velocities{1, 1, 1}; ///< or conductivities
  double velocityScale = 1;
};

/// A problem without seeds, and the memory of its spans. These view the arrays of the grid if the format
/// allows. Not copyable.
struct MeshProblem {
  mesh::Problem problem;
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  std::list<std::vector<double>> converted; ///< converted arrays of other types
  std::vector<std::int64_t> cells;          ///< empty if the cells of the grid are viewed
  std::vector<std::uint8_t> hidden;

  MeshProblem() = default;
  MeshProblem(MeshProblem&&) = default;
  MeshProblem& operator=(MeshProblem&&) = default;
};

/// @param grid  tetrahedra and triangles
/// @throws Error on missing or unsuitable arrays; the solver checks their values
MeshProblem makeMeshProblem(vtkUnstructuredGrid* grid, const MeshSettings& settings);

/// Returns the start time per vertex; NaN where the vertex starts no wave, including negative values of the
/// array.
std::vector<double> onsetTimes(vtkUnstructuredGrid* grid, const ArrayChoice& onsetTimeArray);

/// Returns a 128-bit hash of everything that the solution depends on. An input that was recomputed to the
/// same values, changed elsewhere or only touched is not solved again.
std::array<std::uint64_t, 2> keyOf(const mesh::Problem& problem);

} // namespace isochrone::filters
