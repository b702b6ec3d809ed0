// PathsToPolyData.h - paths of a solver as polylines that ParaView shows.
#pragma once

#include "Paths/Path.h"

#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPolyData;

namespace isochrone::filters {

class ImagePlane;
struct States;

/// One polyline per complete path, from the tip to the seed; travel time and arc length count from the seed,
/// and headings and tangents point the way the path is travelled, from the seed to the tip. The point arrays
/// of the tips go to the cells. The field data has a row per tip: whether there is a path and why not.
vtkSmartPointer<vtkPolyData> pathsToPolyData(const std::vector<Path>& paths, const ImagePlane& plane,
                                             const States& seeds, const States& tips);

/// "TipOutside" and so on.
const char* nameOf(PathStatus status);

/// "no path leads to 2 of 5 tips: tip 1 at (9, 9, 0) lies outside the image; ...", empty if every tip has a
/// path.
std::string missingPaths(const std::vector<Path>& paths, const States& tips);

} // namespace isochrone::filters
