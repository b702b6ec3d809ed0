// StateSpaceImage.h - an image of states: a plane with the heading as third axis.
#pragma once

class vtkDataArray;
class vtkImageData;

namespace isochrone::filters {

class ImagePlane;

/// Makes `out` the image of the values on position x heading; `height` is the world length of a full turn.
/// @param axis  meaning of the third axis, as in "heading"
void makeStateSpace(vtkDataArray* values, const ImagePlane& plane, int headings, double height,
                    const char* axis, vtkImageData* out);

} // namespace isochrone::filters
