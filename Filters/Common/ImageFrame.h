// ImageFrame.h - an image of any dimension, turned in any way, as the grid that the solvers see.
//
// Grid coordinates are in world units, relative to the first point of the image, along its axes: first those
// with more than one point, in their order, then the others. So a 2D image in any axis plane is a grid of one
// layer, and grid point (i, j, k) lies at (i*hx, j*hy, k*hz). The point order of the image is the grid's:
// first axis fastest.
#pragma once

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <string>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame {
public:
  /// @throws Error if the image is empty, its spacing is 0 or not finite, or its direction matrix turns it in
  /// no way (a reflection is fine)
  explicit ImageFrame(vtkImageData* image);

  std::int64_t size(int axis) const { return sizes[axis]; }
  double spacing(int axis) const { return steps[axis]; }
  /// Number of axes with more than one point.
  int dimension() const { return dimensions; }
  std::array<double, 3> centre() const; ///< in the world

  /// Drops the distance from the plane of a planar image: what is picked slightly above it is meant to lie on
  /// it.
  std::array<double, 3> toGrid(const std::array<double, 3>& world) const;
  std::array<double, 3> toWorld(const std::array<double, 3>& grid) const;
  /// Unit vector of a grid axis in the world.
  const std::array<double, 3>& direction(int axis) const { return directions[axis]; }
  /// "point (13, 24, 0) at (1.3, 2.4, 0)": its index in the image, whose extent may start anywhere, and the
  /// world.
  std::string pointName(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// Axis of the image that is this axis of the grid.
  int imageAxis(int axis) const { return axes[axis]; }
  /// Index, in the image, of the first point on a grid axis.
  int start(int axis) const { return starts[axis]; }

private:
  vtkSmartPointer<vtkImageData> frame; ///< origin at the first point, spacing and direction of the image
  std::array<int, 3> axes{};           ///< of the image, in the order of the grid
  std::array<int, 3> starts{};
  std::array<std::int64_t, 3> sizes{};
  std::array<double, 3> steps{};
  std::array<std::array<double, 3>, 3> directions{};
  int dimensions = 0;
};

} // namespace isochrone::filters
