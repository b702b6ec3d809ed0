// Internals.h - the steps of Execute of the filter, by files: Inputs.cxx, SeparateSeeds.cxx, and all others
// in vtkIsochroneMeshTravelTime.cxx.
#pragma once

#include "Common/SeedRuns.h"
#include "Common/SeedsAndTips.h"
#include "MeshTravelTime/Derivatives.h"
#include "MeshTravelTime/EachSeed.h"
#include "MeshTravelTime/Input.h"
#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Problem.h"
#include "MeshTravelTime/Seeds.h"
#include "MeshTravelTime/SharedVertices.h"
#include "MeshTravelTime/WholeMesh.h"
#include "vtkIsochroneMeshTravelTime.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// As in every source file of this filter.
using namespace isochrone;
using namespace isochrone::filters;
namespace filters = isochrone::filters;

/// The steps of Execute, and the state kept between executions.
struct vtkIsochroneMeshTravelTime::Internals {
  /// Input of a solve: this rank's part of the mesh, and seeds and tips, which are identical on all ranks.
  struct Inputs {
    MeshInput part;
    MeshProblem medium; ///< without seeds
    std::vector<double> onsets;
    vtkSmartPointer<vtkPolyData> seeds;    ///< null: the centre of the mesh, or onset times alone
    vtkSmartPointer<vtkPolyData> allSeeds; ///< of all time steps
    int step = 0;                          ///< of the seed; noStep: no time steps
    vtkSmartPointer<vtkPolyData> tips;     ///< may be empty
    bool everywhere = false;               ///< every rank has the whole mesh
    std::optional<WholeMesh> whole;        ///< which `medium` then is of, gathered from the ranks
  };

  /// Seeds and tips located in the mesh.
  struct Placed {
    MeshBounds bounds;
    Places seedPoints, allSeedPoints, tipPoints;
    std::vector<MeshPlace> seedPlaces, allSeedPlaces, tipPlaces;
    PointGroups seedGroups, tipGroups; ///< of all seeds
    MeshSeeds seeds;
    bool chosenSeeds = false; ///< false: the centre is the seed; its distance from the mesh is not reported
  };

  /// A problem's solution and the quantities derived from it.
  struct Solution {
    std::array<std::uint64_t, 2> key;
    mesh::Options options;
    mesh::SharedVertices shared;
    mesh::Result result;
    std::vector<std::string> seedStatus;
    bool isSeparate;                                 ///< the first arrivals of runs of one seed each
    std::optional<mesh::ConductionField> conduction; ///< empty until it is requested
    MeshDerivatives derivatives;
  };

  vtkIsochroneMeshTravelTime* filter;
  std::optional<Solution> solved;                         ///< empty after an abort or an error
  std::optional<std::vector<std::array<double, 3>>> tips; ///< of the paths; empty before the first extraction
  std::vector<Path> paths;
  std::optional<MeshSeedRuns> each; ///< runs of one seed each; empty until requested

  Inputs gather(const Execution& execution) const;
  Placed place(const Ranks& ranks, const Inputs& in, int threads) const;
  bool run(const Ranks& ranks, Inputs& in, int threads, bool first, vtkInformationVector* outputs);
  void forget();

private:
  MeshSettings settings() const;
  void gatherWhole(const Ranks& ranks, Inputs& in) const;
  mesh::Options options(const Placed& placed, int threads) const;
  bool solve(const Ranks& ranks, const Inputs& in, mesh::Problem& problem, const Placed& placed, int threads);
  bool showTips(const Placed& placed);
  bool runSeeds(const mesh::Problem& problem, const Placed& placed, int threads, double begin, double end);
  bool isSeparate() const {
    return static_cast<filters::SeedRuns>(filter->SeedRuns) == filters::SeedRuns::Separate;
  }
  void requireWholeMesh(const Ranks& ranks, const Inputs& in) const;
  bool differentiates() const { return filter->ComputeSensitivity || filter->ComputeJacobian; }
  double solveShare() const { return differentiates() ? 0.5 : 0.9; } ///< of the work
  void requireOneSolve(const Ranks& ranks) const;
  bool differentiate(const mesh::Problem& problem, const Placed& placed, int threads);
  bool examine(const Ranks& ranks, const mesh::Problem& problem, int threads);
  bool followTips(const Ranks& ranks, mesh::Problem& problem, const Placed& placed, int threads);
  void attachResults(const mesh::Problem& problem, const Placed& placed, double last, vtkPointSet* out) const;
  void attach(const mesh::Problem& problem, const Inputs& in, const Placed& placed, double last,
              vtkPointSet* out) const;
};
