// ImagePlane.h - a 2D image, in any axis plane and turned in any way, as the plane that the solvers see.
//
// Plane coordinates are (first, second) in-plane image axis, in world units, relative to the first point of
// the image: point (i, j) lies at (i*hx, j*hy). The point order of the image is the solver's: first axis
// fastest.
#pragma once

#include <vtkSmartPointer.h>

#include <array>
#include <cstdint>
#include <string>

class vtkImageData;

namespace isochrone::filters {

class ImagePlane {
public:
  /// @throws Error unless exactly one of the three axes holds a single point
  explicit ImagePlane(vtkImageData* image);

  std::int64_t nx() const { return size[0]; }
  std::int64_t ny() const { return size[1]; }
  double hx() const { return spacing[0]; }
  double hy() const { return spacing[1]; }
  int firstAxis() const { return axes[0]; }
  int secondAxis() const { return axes[1]; }
  double smallerExtent() const;

  /// Drops the distance from the plane: what is picked slightly above an image is meant to lie on it.
  std::array<double, 2> toPlane(const std::array<double, 3>& world) const;
  std::array<double, 3> toWorld(double x, double y) const;
  /// "point (13, 24, 0) at (1.3, 2.4, 0)": its index in the image, whose extent may start anywhere, and the
  /// world.
  std::string pointName(std::int64_t i, std::int64_t j) const;
  /// Unit vector, in the world, of a heading in radians.
  std::array<double, 3> direction(double heading) const;

  /// The image over this plane with heading as its third axis: plane k lies k/headings of `height` above the
  /// first.
  vtkSmartPointer<vtkImageData> stateSpace(int headings, double height) const;
  /// Where that image begins and how it is turned, also known to the pipeline before there is data.
  std::array<double, 9> stateSpaceDirection() const;

  /// The axis across a planar extent, -1 if it is not planar.
  static int normalAxis(const int extent[6]);
  static int firstAxisBeside(int normal) { return normal == 0 ? 1 : 0; }
  static int secondAxisBeside(int normal) { return normal == 2 ? 1 : 2; }

private:
  vtkSmartPointer<vtkImageData> frame; ///< origin at the first point, spacing and direction of the image
  std::array<int, 2> axes{};
  std::array<int, 3> start{}; ///< index of the first point
  std::array<std::int64_t, 2> size{};
  std::array<double, 2> spacing{};
  std::array<std::array<double, 3>, 2> axisDirections{};
};

} // namespace isochrone::filters
