// Outputs.h - results of the ray tracer as arrays of the output image, polylines and a table.
#pragma once

#include "RayTracing/RayTracing.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

class vtkImageData;
class vtkPolyData;
class vtkTable;

namespace isochrone::filters {

class ImageFrame;
class TimeOrigin;
struct Places;

/// What arrives at the receivers from the sources of one field.
struct Arrivals {
  std::vector<rays::Ray> toReceivers;    ///< one each: from the source, or from the interface
  std::vector<rays::Ray> toInterface;    ///< to where those begin; empty where waves are not reflected
  std::vector<rays::RayMatrix> matrices; ///< of the legs in their order; empty before it was asked for
};

/// Adds the least time of all fields at each point, NaN where there is none, and if `each` is set those of
/// each field with its number at the end of the name.
/// @param origin  that the times count from
void attachTimes(const std::string& name, std::span<const rays::Field* const> fields,
                 const TimeOrigin& origin, bool each, vtkImageData* out);

/// Adds Reached, of TravelTime, and makes that active; hides what is not reached if `blank` is set.
void attachReached(bool blank, vtkImageData* out);

/// Adds the id of the point that the wave comes from, -1 where there is none.
void attachPredecessors(const std::string& name, const rays::Problem& problem, const rays::Options& options,
                        const rays::Field& field, vtkImageData* out);

/// Adds SourceId: the label of the source whose wave comes first, -1 where there is none.
void attachSourceIds(const rays::Field& field, const Places& sources, vtkImageData* out);

/// The polyline of each receiver, empty where there is none.
std::vector<Path> pathsOf(const rays::Problem& problem, const Arrivals& arrivals, bool merge);

/// One polyline per ray, from the receiver to the source.
/// @param paths  of all receivers for one field, then for the next
vtkSmartPointer<vtkPolyData> raysToPolyData(const std::vector<Path>& paths, const ImageFrame& frame,
                                            const Places& sources, const Places& receivers);

/// "no ray leads to 2 of 5 receivers: receiver 1 at (9, 9, 0) lies outside the image; ...", empty if all are
/// reached by every field.
std::string missingRays(const std::vector<Path>& paths, const Places& receivers);

/// How the times of the rays depend on the slowness, an entry a row. A RowId is the number of a line of
/// raysToPolyData of the same rays.
vtkSmartPointer<vtkTable> matrixToTable(std::span<const Arrivals* const> arrivals, const Places& sources);

} // namespace isochrone::filters
