#include "ImagePlane.h"

#include "Error.h"

#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkMatrix3x3.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

int ImagePlane::normalAxis(const int extent[6]) {
  int normal = -1, flat = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int points = extent[2 * axis + 1] - extent[2 * axis] + 1;
    if (points < 1) return -1;
    if (points == 1) {
      normal = axis;
      ++flat;
    }
  }
  return flat == 1 ? normal : -1;
}

namespace {

[[noreturn]] void refuse(vtkImageData* image) {
  int n[3];
  image->GetDimensions(n);
  std::ostringstream message;
  message << "the input has " << n[0] << " x " << n[1] << " x " << n[2]
          << " points, but a 2D image is needed";
  if (n[0] < 1 || n[1] < 1 || n[2] < 1) {
    message << ": the image is empty, check the filter or reader before this one";
  } else if (n[0] > 1 && n[1] > 1 && n[2] > 1) {
    message << ": take one plane of the volume first, with Extract Subset";
  } else {
    message << ": at least 2 points are needed along two of its axes";
  }
  throw Error(message.str());
}

} // namespace

ImagePlane::ImagePlane(vtkImageData* image) : frame(vtkSmartPointer<vtkImageData>::New()) {
  const int* extent = image->GetExtent();
  const int normal = normalAxis(extent);
  if (normal < 0) refuse(image);
  axes = {firstAxisBeside(normal), secondAxisBeside(normal)};
  start = {extent[0], extent[2], extent[4]};
  for (int a = 0; a < 2; ++a) {
    const double step = image->GetSpacing()[axes[a]];
    if (!(std::abs(step) > 0) || !std::isfinite(step)) {
      throw Error("the image spacing must be finite and not zero, got " + std::to_string(step) + " on axis " +
                  std::to_string(axes[a]) + ": correct it in the reader or source of the image");
    }
    size[a] = extent[2 * axes[a] + 1] - start[axes[a]] + 1;
    spacing[a] = std::abs(step);
    for (int c = 0; c < 3; ++c) {
      axisDirections[a][c] = std::copysign(1.0, step) * image->GetDirectionMatrix()->GetElement(c, axes[a]);
    }
  }
  // The spacing across the plane means nothing and may be 0 (Resample To Image), which could not be inverted.
  double corner[3], steps[3];
  image->TransformIndexToPhysicalPoint(extent[0], extent[2], extent[4], corner);
  image->GetSpacing(steps);
  steps[normal] = 1;
  frame->SetOrigin(corner);
  frame->SetSpacing(steps);
  frame->SetDirectionMatrix(image->GetDirectionMatrix());
}

double ImagePlane::smallerExtent() const {
  return std::min((size[0] - 1) * spacing[0], (size[1] - 1) * spacing[1]);
}

std::array<double, 2> ImagePlane::toPlane(const std::array<double, 3>& world) const {
  double index[3];
  frame->TransformPhysicalPointToContinuousIndex(world.data(), index);
  return {index[axes[0]] * spacing[0], index[axes[1]] * spacing[1]};
}

std::array<double, 3> ImagePlane::toWorld(double x, double y) const {
  double index[3] = {0, 0, 0};
  index[axes[0]] = x / spacing[0];
  index[axes[1]] = y / spacing[1];
  std::array<double, 3> world{};
  frame->TransformContinuousIndexToPhysicalPoint(index, world.data());
  return world;
}

std::string ImagePlane::pointName(std::int64_t i, std::int64_t j) const {
  std::array<std::int64_t, 3> index{start[0], start[1], start[2]};
  index[axes[0]] += i;
  index[axes[1]] += j;
  const auto world = toWorld(double(i) * spacing[0], double(j) * spacing[1]);
  std::ostringstream name;
  name << "point (" << index[0] << ", " << index[1] << ", " << index[2] << ") at (" << world[0] << ", "
       << world[1] << ", " << world[2] << ')';
  return name.str();
}

std::array<double, 3> ImagePlane::direction(double heading) const {
  std::array<double, 3> v{};
  for (int c = 0; c < 3; ++c) {
    v[c] = std::cos(heading) * axisDirections[0][c] + std::sin(heading) * axisDirections[1][c];
  }
  return v;
}

std::array<double, 9> ImagePlane::stateSpaceDirection() const {
  double normal[3];
  vtkMath::Cross(axisDirections[0].data(), axisDirections[1].data(), normal);
  std::array<double, 9> rows{};
  for (int c = 0; c < 3; ++c) {
    rows[3 * c] = axisDirections[0][c];
    rows[3 * c + 1] = axisDirections[1][c];
    rows[3 * c + 2] = normal[c];
  }
  return rows;
}

vtkSmartPointer<vtkImageData> ImagePlane::stateSpace(int headings, double height) const {
  auto image = vtkSmartPointer<vtkImageData>::New();
  const int i = start[axes[0]], j = start[axes[1]];
  image->SetExtent(i, i + int(size[0]) - 1, j, j + int(size[1]) - 1, 0, headings - 1);
  image->SetSpacing(spacing[0], spacing[1], height / headings);
  image->SetDirectionMatrix(stateSpaceDirection().data());
  // Index (0, 0) need not be in the image: its extent may start anywhere.
  const auto origin = toWorld(-i * spacing[0], -j * spacing[1]);
  image->SetOrigin(origin.data());
  return image;
}

} // namespace isochrone::filters
