#include "Common/ImageFrame.h"

#include "Common/GridAxes.h"
#include "Error.h"

#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkMatrix3x3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace isochrone::filters {

namespace {

void requirePoints(vtkImageData* image) {
  int n[3];
  image->GetDimensions(n);
  if (n[0] > 0 && n[1] > 0 && n[2] > 0) return;
  std::ostringstream message;
  message << "the input has " << n[0] << " x " << n[1] << " x " << n[2]
          << " points: the image is empty, check the filter or reader before this one";
  throw Error(message.str());
}

constexpr double maxRounding = 1e-6; // steps; for less exact coordinates every digit is significant

/// Snaps an index to the nearest point or midpoint if it differs only by rounding. Otherwise an origin that
/// is not a round number would decide whether the position lies in the image, and which of two points is
/// nearer.
/// @param rounding  in steps
double snapped(double index, double rounding) {
  const double half = std::round(2 * index) / 2;
  return std::abs(index - half) <= rounding ? half : index;
}

/// Maximum deviation of the axes from orthonormal vectors. Files hold six decimals; distances are wrong by
/// the same amount.
constexpr double maxSkew = 1e-4;

void requireRotation(vtkImageData* image) {
  vtkMatrix3x3* m = image->GetDirectionMatrix();
  bool rotation = true;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      double dot = 0;
      for (int c = 0; c < 3; ++c) dot += m->GetElement(c, a) * m->GetElement(c, b);
      rotation = rotation && std::abs(dot - (a == b)) <= maxSkew; // false for NaN
    }
  if (rotation) return;
  std::ostringstream message;
  message << "the direction matrix of the image, ";
  for (int r = 0; r < 3; ++r)
    message << (r ? "; " : "(") << m->GetElement(r, 0) << ' ' << m->GetElement(r, 1) << ' '
            << m->GetElement(r, 2);
  message
      << "), is not a rotation: its columns must be orthogonal unit vectors; put a scale into the spacing, "
         "and resample a sheared image with Resample To Image";
  throw Error(message.str());
}

} // namespace

ImageFrame::ImageFrame(vtkImageData* image) : frame(vtkSmartPointer<vtkImageData>::New()) {
  requirePoints(image);
  requireRotation(image);
  const int* extent = image->GetExtent();
  const auto flat = [&](int axis) { return extent[2 * axis] == extent[2 * axis + 1]; };
  axes = {0, 1, 2};
  std::stable_partition(axes.begin(), axes.end(), [&](int axis) { return !flat(axis); });
  double spacing[3];
  image->GetSpacing(spacing);
  for (int a = 0; a < 3; ++a) {
    const int axis = axes[a];
    // The spacing across a plane has no meaning and may be 0 (Resample To Image), which has no inverse.
    if (flat(axis)) spacing[axis] = 1;
    const double step = spacing[axis];
    if (!(std::abs(step) > 0) || !std::isfinite(step)) {
      throw Error("the image spacing must be finite and not zero, got " + std::to_string(step) + " on axis " +
                  std::to_string(axis) + ": correct it in the reader or source of the image");
    }
    dimensions += !flat(axis);
    starts[a] = extent[2 * axis];
    sizes[a] = std::int64_t(extent[2 * axis + 1]) - extent[2 * axis] + 1;
    steps[a] = std::abs(step);
    for (int c = 0; c < 3; ++c) {
      directions[a][c] = std::copysign(1.0, step) * image->GetDirectionMatrix()->GetElement(c, axis);
    }
  }
  double corner[3];
  image->TransformIndexToPhysicalPoint(extent[0], extent[2], extent[4], corner);
  frame->SetOrigin(corner);
  frame->SetSpacing(spacing);
  frame->SetDirectionMatrix(image->GetDirectionMatrix());
}

ImageFrame::ImageFrame(vtkImageData* indices, const GridAxes* given) : ImageFrame(indices) {
  if (!given) return;
  using enum grid::AxisRole;
  grid::OrthogonalGrid::Coordinates coordinates;
  grid::OrthogonalGrid::Roles roles = grid::OrthogonalGrid::cartesian;
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = axes[a];
    coordinates[a] = given->coordinates[std::size_t(axis)];
    if (given->spherical) roles[a] = axis == 0 ? Radius : axis == 1 ? Colatitude : Longitude;
  }
  axesOfGrid = std::make_shared<grid::OrthogonalGrid>(std::move(coordinates), roles);
}

double ImageFrame::period(int axis) const {
  const bool isLongitude = axesOfGrid && axesOfGrid->roleOf(axis) == grid::AxisRole::Longitude;
  return isLongitude ? axesOfGrid->circle() : double(sizes[axis]) * steps[axis];
}

double ImageFrame::seam(int axis) const { return axesOfGrid && axesOfGrid->hasCopy() ? 0 : -steps[axis] / 2; }

double ImageFrame::distance(const std::array<double, 3>& a, const std::array<double, 3>& b) const {
  return axesOfGrid ? axesOfGrid->distance(a, b) : std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

std::array<double, 3> ImageFrame::directionFrom(const std::array<double, 3>& a,
                                                const std::array<double, 3>& b) const {
  std::array<double, 3> along{};
  if (!axesOfGrid || !axesOfGrid->isSpherical()) {
    const auto from = toWorld(a), to = toWorld(b);
    for (int c = 0; c < 3; ++c) along[c] = to[c] - from[c];
  } else {
    const auto from = axesOfGrid->embedded(a), to = axesOfGrid->embedded(b);
    const grid::Vector3 step = grid::difference(to, from),
                        middle{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2};
    const auto local = axesOfGrid->frame(axesOfGrid->stepsOf(middle));
    for (std::size_t axis = 0; axis < 3; ++axis)
      along[std::size_t(axes[axis])] = grid::dot(step, local[axis]);
  }
  vtkMath::Normalize(along.data());
  return along;
}

std::array<double, 3> ImageFrame::toGridInTurn(const std::array<double, 3>& world) const {
  if (!axesOfGrid) return toGrid(world);
  std::array<double, 3> ordered;
  for (int a = 0; a < 3; ++a) ordered[a] = world[axes[a]];
  return axesOfGrid->stepsInTurn(ordered);
}

std::array<double, 3> ImageFrame::centre() const {
  std::array<double, 3> middle;
  for (int a = 0; a < 3; ++a) middle[a] = double(sizes[a] - 1) / 2 * steps[a];
  return toWorld(middle);
}

std::array<double, 3> ImageFrame::toGrid(const std::array<double, 3>& world) const {
  if (axesOfGrid) return axesOfGrid->inFirstTurn(toGridInTurn(world));
  double index[3];
  frame->TransformPhysicalPointToContinuousIndex(world.data(), index);
  double largest = 0; // of the coordinates; scales the rounding error
  for (int c = 0; c < 3; ++c)
    largest = std::max({largest, std::abs(world[c]), std::abs(frame->GetOrigin()[c])});
  std::array<double, 3> grid{};
  for (int a = 0; a < dimensions; ++a) {
    const double rounding =
        std::min(16 * std::numeric_limits<double>::epsilon() * largest / steps[a], maxRounding);
    grid[a] = snapped(index[axes[a]], rounding) * steps[a];
  }
  return grid;
}

std::array<double, 3> ImageFrame::toWorld(const std::array<double, 3>& grid) const {
  if (axesOfGrid) {
    const Position ordered = axesOfGrid->position(grid);
    std::array<double, 3> world{};
    for (int a = 0; a < 3; ++a) world[axes[a]] = ordered[a];
    return world;
  }
  double index[3];
  for (int a = 0; a < 3; ++a) index[axes[a]] = grid[a] / steps[a];
  std::array<double, 3> world{};
  frame->TransformContinuousIndexToPhysicalPoint(index, world.data());
  return world;
}

std::string ImageFrame::pointName(std::int64_t i, std::int64_t j, std::int64_t k) const {
  const std::array<std::int64_t, 3> point{i, j, k};
  std::array<std::int64_t, 3> index;
  std::array<double, 3> grid;
  for (int a = 0; a < 3; ++a) {
    index[axes[a]] = starts[a] + point[a];
    grid[a] = double(point[a]) * steps[a];
  }
  const auto world = toWorld(grid);
  std::ostringstream name;
  name << "point (" << index[0] << ", " << index[1] << ", " << index[2] << ") at (" << world[0] << ", "
       << world[1] << ", " << world[2] << ')';
  return name.str();
}

} // namespace isochrone::filters
