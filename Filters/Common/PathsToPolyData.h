// PathsToPolyData.h - paths of a solver as polylines that ParaView shows.
#pragma once

#include "Paths/Path.h"

#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;
struct Places;

/// Which arrays there are: Heading, Curvature, Energy and MaxCurvature, too, or not.
enum class PathKind { Plain, WithHeadings };

/// How a filter calls the ends of its paths, and what nothing passes, in the names of arrays.
struct PathWords {
  std::string tip = "Tip", seed = "Seed", wall = "Wall";
};

/// The path between the two sets of seeds of a two-way solve; it has no points where there is none.
struct Connection {
  Path path;
  int seedLabel = -1, targetLabel = -1;
};

/// One polyline per complete path, from the tip to the seed; travel time and arc length count from the seed,
/// and headings and tangents point the way the path is travelled, from the seed to the tip. The point arrays
/// of the tips go to the cells. The field data has a row per tip: whether there is a path and why not.
/// @param paths  of all tips, or of all tips several times over
/// @param frame  null: the paths are in the world already, and without headings
/// @param connection  null if the solve was not two-way; its line comes last, with TipId -1
vtkSmartPointer<vtkPolyData> pathsToPolyData(const std::vector<Path>& paths, PathKind kind,
                                             const ImageFrame* frame, const Places& seeds, const Places& tips,
                                             const Connection* connection = nullptr,
                                             const PathWords& words = {});

/// "no path leads to 2 of 5 tips: tip 1 at (9, 9, 0) lies outside the image; ...", empty if every tip has a
/// path.
/// @param wall, domain  the filter's words for what nothing passes, and for what the tips should lie in
std::string missingPaths(const std::vector<Path>& paths, const Places& tips, const std::string& wall,
                         const std::string& domain = "image");

/// "1 of 5 paths turn more tightly than the model allows: tip 1 at (9, 9, 0) has a curvature of up to 31",
/// empty if none does.
std::string tightPaths(const std::vector<Path>& paths, const Places& tips);

/// The same of the paths that cost more than their travel time.
std::string dearPaths(const std::vector<Path>& paths, const Places& tips);

} // namespace isochrone::filters
