// Outputs.h - converts results of the ray tracer to arrays of the output image, polylines and a table.
#pragma once

#include "Common/TimeOrigin.h"
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
class PartExchange;
struct Places;

/// Arrivals at the receivers from the sources of one field.
struct Arrivals {
  std::vector<rays::Ray> toReceivers;    ///< one per receiver: from the source, or from the interface
  std::vector<rays::Ray> toInterface;    ///< to the start of those of all ranks; empty without a reflection
  std::vector<rays::RayMatrix> matrices; ///< one per leg, in order; empty until requested
};

/// A field that the outputs show; its times are relative to the origin.
struct ShownField {
  const rays::Field* field;
  TimeOrigin origin;
};

/// Adds the minimum time over all fields at each point, NaN where unreached. If `each` is set, also adds the
/// times of each field, with its number appended to the name.
/// Collective: all ranks take the same number type.
void attachTimes(const std::string& name, std::span<const ShownField> fields, bool each, PartExchange& ranks,
                 vtkImageData* image);

/// Adds Reached and makes TravelTime active. If `blank` is set, hides the unreached points.
void attachReached(bool blank, vtkImageData* image);

/// Adds the id in the whole image of the predecessor of each point, -1 if it has none.
void attachPredecessors(const std::string& name, const rays::Problem& problem, const rays::Options& options,
                        const rays::Field& field, vtkImageData* image);

/// Adds SourceId, the label of the source of the first wave; -1 where unreached.
void attachSourceIds(const rays::Field& field, const Places& sources, vtkImageData* image);

/// Returns one polyline per receiver, empty without a ray in this part.
std::vector<Path> pathsOf(const rays::Problem& problem, const Arrivals& arrivals, bool merge);

/// Makes one polyline per ray, from the receiver to the source.
/// @param paths  of all receivers, field by field
vtkSmartPointer<vtkPolyData> raysToPolyData(const std::vector<Path>& paths, const ImageFrame& frame,
                                            const Places& sources, const Places& receivers);

/// Returns a warning such as "no ray leads to 2 of 5 receivers: receiver 1 at (9, 9, 0) lies outside the
/// image; ...". Empty if every field reaches all receivers.
std::string missingRays(const std::vector<Path>& paths, const Places& receivers);

/// Makes a table of the ray matrices, one entry per row. RowId is the line number in raysToPolyData of the
/// same rays, or of those of all ranks.
vtkSmartPointer<vtkTable> matrixToTable(std::span<const Arrivals* const> arrivals, const Places& sources);

} // namespace isochrone::filters
