// ImageFrame.h - an image of any dimension and orientation as the grid that the solvers use.
//
// Grid coordinates are in world units, relative to the first point of the image, along its axes: first the
// axes with more than one point, in their order, then the others. A 2D image in any axis plane is therefore a
// grid with one layer, and grid point (i, j, k) lies at (i*hx, j*hy, k*hz). Image and grid have the same
// point order, first axis fastest.
#pragma once

#include "Grid/OrthogonalGrid.h"

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame {
public:
  /// @throws Error if the image is empty, its spacing is 0 or not finite, or its direction matrix is not a
  /// rotation or reflection
  explicit ImageFrame(vtkImageData* image) : ImageFrame(image, nullptr) {}
  /// @param grid  along x, y and z, the grid whose indices the image has (IndexImage.h): grid coordinates
  /// then are
  ///              grid steps, and world coordinates those of the axes of the grid; null: the image itself
  ImageFrame(vtkImageData* image, std::shared_ptr<const grid::OrthogonalGrid> grid);

  std::int64_t size(int axis) const { return sizes[axis]; }
  double spacing(int axis) const { return steps[axis]; }
  /// Returns the number of axes with more than one point.
  int dimension() const { return dimensions; }
  std::array<double, 3> centre() const; ///< in world coordinates

  /// Converts world to grid coordinates. For a planar image the distance from its plane is dropped, since
  /// points are often picked slightly above it.
  std::array<double, 3> toGrid(const std::array<double, 3>& world) const;
  std::array<double, 3> toWorld(const std::array<double, 3>& grid) const;
  /// Returns the unit vector of a grid axis in world coordinates.
  const std::array<double, 3>& direction(int axis) const { return directions[axis]; }
  /// Returns "point (13, 24, 0) at (1.3, 2.4, 0)": the index in the image, whose extent may start anywhere,
  /// and the world coordinates.
  std::string pointName(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// Returns the image axis of a grid axis.
  int imageAxis(int axis) const { return axes[axis]; }
  /// Returns the grid along x, y and z, and along the axes of the frame; null for an image.
  const std::shared_ptr<const grid::OrthogonalGrid>& space() const { return inSpace; }
  const std::shared_ptr<const grid::OrthogonalGrid>& orthogonal() const { return alongAxes; }
  /// Returns the image index of the first point on a grid axis.
  int start(int axis) const { return starts[axis]; }

private:
  vtkSmartPointer<vtkImageData> frame; ///< origin at the first point, spacing and direction of the image
  std::array<int, 3> axes{};           ///< image axes in grid order
  std::array<int, 3> starts{};
  std::array<std::int64_t, 3> sizes{};
  std::array<double, 3> steps{};
  std::array<std::array<double, 3>, 3> directions{};
  int dimensions = 0;
  std::shared_ptr<const grid::OrthogonalGrid> inSpace, alongAxes;
};

} // namespace isochrone::filters
