// PathsToPolyData.h - converts the paths of a solver to polylines.
#pragma once

#include "Paths/Path.h"

#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;
struct Places;

/// Selects whether the arrays Heading, Curvature, Energy and MaxCurvature are present.
enum class PathKind { Plain, WithHeadings };

/// A filter's terms for the ends of its paths and for obstacles, used in array names.
struct PathWords {
  std::string tip = "Tip", seed = "Seed", wall = "Wall";
};

/// Path between the two sets of seeds of a two-way solve; empty if there is none.
struct Connection {
  Path path;
  int seedLabel = -1, targetLabel = -1;
};

/// Makes one polyline per complete path, from the tip to the seed. Travel time and arc length start at the
/// seed. Headings and tangents point in the direction of travel, from the seed to the tip. The point arrays
/// of the tips become cell arrays. The field data has one row per tip with its status.
/// @param paths  of all tips, once or several times in sequence
/// @param frame  null: the paths are in world coordinates and have no headings
/// @param connection  null unless the solve was two-way; its line comes last, with TipId -1
vtkSmartPointer<vtkPolyData> pathsToPolyData(const std::vector<Path>& paths, PathKind kind,
                                             const ImageFrame* frame, const Places& seeds, const Places& tips,
                                             const Connection* connection = nullptr,
                                             const PathWords& words = {});

/// Adds the cell array Frame to polylines of paths over ground that are followed by the same paths in the
/// medium, and perhaps a connection: 0 over ground, 1 in the medium. Leaves one status row per tip.
/// @param ground  one path per tip
void markMediumPaths(const std::vector<Path>& ground, vtkPolyData* out);

/// Returns a warning such as "no path leads to 2 of 5 tips: tip 1 at (9, 9, 0) lies outside the image; ...".
/// Empty if every tip has a path.
/// @param paths  of all tips, once or for each of several seeds
/// @param wall, domain  the filter's terms for an obstacle and for the domain of the tips
std::string missingPaths(const std::vector<Path>& paths, const Places& tips, const std::string& wall,
                         const std::string& domain = "image");

/// Returns a warning such as "1 of 5 paths turn more tightly than the model allows: tip 1 at (9, 9, 0) has a
/// curvature of up to 31". Empty if no path does.
std::string tightPaths(const std::vector<Path>& paths, const Places& tips);

/// Returns a warning about the paths that cost more than their travel time.
std::string dearPaths(const std::vector<Path>& paths, const Places& tips);

} // namespace isochrone::filters
