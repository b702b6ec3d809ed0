// Outputs.h - results of the solver on meshes as arrays of the output mesh, and what there is to warn of.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <string>
#include <vector>

class vtkUnstructuredGrid;

namespace isochrone::filters {

class Ranks;
class SharedVertices;
struct MeshInput;
struct MeshProblem;
struct MeshSeeds;
struct MeshPlace;
struct Places;

const char* nameOf(mesh::Method method);

/// Adds TravelTime (active; NaN where unreached), SeedId and Reached to the points.
/// @param last  the latest time of all ranks, since the origin
void attachTravelTime(const mesh::Result& result, const MeshSeeds& seeds, double last,
                      vtkUnstructuredGrid* out);

/// The latest time of this rank, 0 if there is none.
double latestOf(const mesh::Result& result);

/// Adds ConductionDirection, ConductionSpeed or both to the cells.
void attachConduction(const mesh::ConductionField& field, bool direction, bool speed,
                      vtkUnstructuredGrid* out);

/// Hides the points that are not reached, and the cells with one of them, besides those hidden already.
void blankUnreached(std::span<const float> travelTime, const mesh::Problem& problem,
                    vtkUnstructuredGrid* out);

/// Which of the seed points are of use: "AtVertex", "InCell", "Moved" or "InBarrier", the same on all ranks.
/// Collective.
std::vector<std::string> seedStatus(const Ranks& ranks, const mesh::Result& result, const MeshSeeds& seeds,
                                    const std::vector<MeshPlace>& places);

/// "1 of 2 seeds lie in barriers and are not used: ...", empty if none does.
std::string seedsInBarriers(const Places& points, const std::vector<std::string>& status);

/// What to say about Result::blurredSeed.
std::string blurredStart(const MeshSeeds& seeds, std::size_t seed);

/// Warnings about the mesh and what reaches it, the same on all ranks. Collective.
std::vector<std::string> meshWarnings(const Ranks& ranks, const MeshInput& input, const MeshProblem& problem,
                                      const SharedVertices& shared, const mesh::Result& result);

} // namespace isochrone::filters
