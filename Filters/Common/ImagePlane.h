// ImagePlane.h - a 2D image as the plane of the curvature solver, and the image of its states.
#pragma once

#include "Common/ImageFrame.h"

namespace isochrone::filters {

class ImagePlane {
public:
  /// @throws Error unless exactly one of the three axes has a single point
  explicit ImagePlane(vtkImageData* image);

  const ImageFrame& frame() const { return image; }
  std::int64_t nx() const { return image.size(0); }
  std::int64_t ny() const { return image.size(1); }
  double hx() const { return image.spacing(0); }
  double hy() const { return image.spacing(1); }
  double smallerExtent() const;

  /// Returns an image over this plane with the heading as third axis: plane k lies k/headings of `height`
  /// above the first. Its geometry is known to the pipeline before the data exists.
  /// @throws Error  if there are more than 2^24 headings
  vtkSmartPointer<vtkImageData> stateSpace(int headings, double height) const;

private:
  ImageFrame image;
};

} // namespace isochrone::filters
