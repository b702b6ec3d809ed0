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

struct GridAxes;

class ImageFrame {
public:
  /// @throws Error if the image is empty, its spacing is 0 or not finite, or its direction matrix is not a
  /// rotation or reflection
  explicit ImageFrame(vtkImageData* image);
  /// The frame of a rectilinear or spherical grid. Grid coordinates are in steps; world coordinates are those
  /// of the grid, for spherical ones radius, colatitude and longitude in degrees.
  /// @param indices  an image of its indices
  /// @param axes     null: `indices` is an image
  /// @throws Error also on coordinates that are no grid
  ImageFrame(vtkImageData* indices, const GridAxes* axes);
  /// Returns the grid with its axes in the order of this frame; null: an image.
  const std::shared_ptr<const grid::OrthogonalGrid>& orthogonal() const { return axesOfGrid; }

  std::int64_t size(int axis) const { return sizes[axis]; }
  double spacing(int axis) const { return steps[axis]; }
  /// Returns the number of axes with more than one point.
  int dimension() const { return dimensions; }
  std::array<double, 3> centre() const; ///< in world coordinates

  /// Converts world to grid coordinates. For a planar image the distance from its plane is dropped, since
  /// points are often picked slightly above it.
  std::array<double, 3> toGrid(const std::array<double, 3>& world) const;
  std::array<double, 3> toWorld(const std::array<double, 3>& grid) const;
  /// As toGrid, but keeps a position beyond a period where it is.
  std::array<double, 3> toGridInTurn(const std::array<double, 3>& world) const;
  /// Returns the distance between two positions in grid coordinates.
  double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) const;
  /// Returns the unit vector from one position to another, in world coordinates; of a spherical grid its
  /// components along the axes of the dataset at their middle.
  std::array<double, 3> directionFrom(const std::array<double, 3>& a, const std::array<double, 3>& b) const;
  /// Returns the period of a periodic axis in grid coordinates, and where it begins.
  double period(int axis) const;
  double seam(int axis) const;
  /// Returns the unit vector of a grid axis in world coordinates.
  const std::array<double, 3>& direction(int axis) const { return directions[axis]; }
  /// Returns "point (13, 24, 0) at (1.3, 2.4, 0)": the index in the image, whose extent may start anywhere,
  /// and the world coordinates.
  std::string pointName(std::int64_t i, std::int64_t j, std::int64_t k) const;
  /// Returns the image axis of a grid axis.
  int imageAxis(int axis) const { return axes[axis]; }
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
  std::shared_ptr<const grid::OrthogonalGrid> axesOfGrid;
};

} // namespace isochrone::filters
