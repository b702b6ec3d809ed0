// Segments.h - straight lines from tips to the nearest sites.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkPolyData;

namespace isochrone::filters {

class ImageFrame;
class Ranks;
struct Part;
struct Places;

/// Combines the segments that each rank has found (Status::Outside for the tips of other ranks). All ranks
/// get all segments, with sites numbered in the whole image. Collective.
/// @param toSurface  the segments end on a surface
std::vector<distance::Segment> mergedSegments(const Ranks& ranks, std::vector<distance::Segment> local,
                                              const std::vector<bool>& isMine, const Part& part,
                                              bool toSurface);

/// Makes one line per tip that has a site, from the tip to the site. The point arrays of the tips become cell
/// arrays. The field data has one row per tip.
/// @param frame  of the whole image
/// @param toSurface  the segments end on a surface, else at sites
/// @param wraps      the segments end at copies of sites, which may lie beyond the image
vtkSmartPointer<vtkPolyData> segmentsToPolyData(const std::vector<distance::Segment>& segments,
                                                const ImageFrame& frame, const Places& tips, bool toSurface,
                                                bool wraps);

/// Returns a warning such as "no segment leads from 2 of 5 tips: tip 1 at (9, 9, 0) lies outside the image;
/// ...". Empty if every tip has one.
std::string missingSegments(const std::vector<distance::Segment>& segments, const Places& tips);

} // namespace isochrone::filters
