// Outputs.h - converts results of the mesh solver to arrays of the output mesh, and collects warnings.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <string>
#include <vector>

class vtkDataSet;

namespace isochrone::filters {

class Ranks;
struct MeshInput;
struct MeshProblem;
struct MeshSeeds;
struct MeshPlace;
struct Places;

const char* nameOf(mesh::Method method);

/// Adds the point arrays TravelTime (active; NaN where unreached), SeedId and Reached.
/// @param last  the latest time on any rank, since the origin
void attachTravelTime(const mesh::Result& result, const MeshSeeds& seeds, double last, vtkDataSet* out);

/// Returns the latest time on this rank, 0 if there is none.
double latestOf(const mesh::Result& result);

/// Adds the cell arrays ConductionDirection, ConductionSpeed or both.
void attachConduction(const mesh::ConductionField& field, bool direction, bool speed, vtkDataSet* out);

/// Hides the unreached points and the cells with such a point, in addition to those already hidden.
void blankUnreached(std::span<const float> travelTime, const mesh::Problem& problem, vtkDataSet* out);

/// Returns the status of the seed points: "AtVertex", "InCell", "Moved" or "InBarrier", the same on all
/// ranks. Collective.
std::vector<std::string> seedStatus(const Ranks& ranks, const mesh::Result& result, const MeshSeeds& seeds,
                                    const std::vector<MeshPlace>& places);

/// Returns a warning such as "1 of 2 seeds are not used: seed 0 at (1, 1, 1) touches no cell that waves
/// pass". Empty if all are used.
std::string seedsInBarriers(const Places& points, const std::vector<std::string>& status);

/// Returns a warning about Result::blurredSeed.
std::string blurredStart(const MeshSeeds& seeds, std::size_t seed);

/// Returns warnings about the mesh and its unreached points, the same on all ranks. Collective.
std::vector<std::string> meshWarnings(const Ranks& ranks, const MeshInput& input, const MeshProblem& problem,
                                      const mesh::SharedVertices& shared, const mesh::Result& result);

} // namespace isochrone::filters
