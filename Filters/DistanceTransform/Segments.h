// Segments.h - the straight ways from tips to the nearest sites, as lines that ParaView shows.
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

/// Each rank knows the segments of some tips, and where others have none, Status::Outside. All get all, and
/// the sites of the whole image. Collective.
std::vector<distance::Segment> mergedSegments(const Ranks& ranks, std::vector<distance::Segment> mine,
                                              const std::vector<bool>& isMine, const Part& part);

/// One line per tip that has a site, from the tip to the site. The point arrays of the tips go to the cells.
/// The field data has a row per tip.
/// @param frame  of the whole image
vtkSmartPointer<vtkPolyData> segmentsToPolyData(const std::vector<distance::Segment>& segments,
                                                const ImageFrame& frame, const Places& tips);

/// "no segment leads from 2 of 5 tips: tip 1 at (9, 9, 0) lies outside the image; ...", empty if every tip
/// has one.
std::string missingSegments(const std::vector<distance::Segment>& segments, const Places& tips);

} // namespace isochrone::filters
