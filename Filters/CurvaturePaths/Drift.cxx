#include "CurvaturePaths/Drift.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/PathsToPolyData.h"
#include "CurvaturePaths/Problem.h"
#include "CurvaturePaths/States.h"
#include "Error.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

using Vector = std::array<double, 3>;

constexpr double degreesPerRadian = 180 / std::numbers::pi;
/// Maximum drift out of the plane, relative to the vehicle's speed, that is treated as rounding.
constexpr double flatness = 1e-5;
/// Maximum drift, relative to the vehicle's speed, for reliable travel times (DESIGN.md of Curvature Paths,
/// "Drift").
constexpr double reliableDrift = 0.7;

double dot(const Vector& a, const Vector& b) { return vtkMath::Dot(a.data(), b.data()); }

Vector normalOf(const ImageFrame& frame) {
  Vector normal;
  vtkMath::Cross(frame.direction(0).data(), frame.direction(1).data(), normal.data());
  return normal;
}

/// Returns the world axes of the components.
std::vector<int> worldAxes(int components, const Vector& normal) {
  if (components == 3) return {0, 1, 2};
  if (components != 2) {
    throw Error("the drift has " + std::to_string(components) +
                " components, but 2 or 3 are needed, a velocity along the axes of the world: choose another "
                "Drift Array, or make one with Calculator");
  }
  std::vector<int> axes{0, 1, 2};
  std::erase_if(axes, [&](int a) { return std::abs(normal[a]) > 1 - flatness; });
  if (axes.size() == 2) return axes;
  throw Error("the drift has 2 components, but the image is oblique in the world: give all 3");
}

/// Running maximum over the points of an image, with its point.
struct Largest {
  double size = 0;
  vtkIdType point = 0;

  void add(double other, vtkIdType where) {
    if (other > size) size = other, point = where;
  }
};

/// Returns a warning about an unusual drift, or an empty string.
std::string warningOf(const Largest& across, const Largest& along, double speed, const ImageFrame& frame) {
  const auto place = [&](const Largest& largest) {
    return frame.pointName(largest.point % frame.size(0), largest.point / frame.size(0), 0);
  };
  std::ostringstream text;
  if (across.size > flatness * speed)
    text << "the drift out of the plane of the image, up to " << across.size << " at " << place(across)
         << ", is ignored";
  if (along.size > reliableDrift * speed && along.size < speed) // the solver rejects faster drifts
    text << (across.size > flatness * speed ? "; " : "") << "the drift reaches " << along.size / speed
         << " of the speed of the vehicle, at " << place(along) << ": beyond " << reliableDrift
         << " travel times against it are much too short";
  return text.str();
}

/// Returns the path as seen in the medium.
Path inTheMedium(const Path& ground, const curvature::VehiclePath& seen) {
  Path path = ground;
  path.x = seen.mediumX;
  path.y = seen.mediumY;
  path.heading = seen.heading;
  path.curvature = seen.curvature;
  path.length = 0;
  for (std::size_t p = 1; p < path.size(); ++p)
    path.length += std::hypot(path.x[p] - path.x[p - 1], path.y[p] - path.y[p - 1]);
  return path;
}

} // namespace

void setAdrift(CurvatureProblem& out, vtkImageData* image, const ImageFrame& frame,
               const CurvatureSettings& settings) {
  if (settings.turningRadiusArray.chosen())
    throw Error("a vehicle in a drift has the same turning radius everywhere: set Turning Radius Array to "
                "None, and Turning Radius to its value");
  vtkDataArray* array = pointTuples(image, settings.driftArray, "drift");
  const Vector normal = normalOf(frame);
  const std::vector<int> axes = worldAxes(array->GetNumberOfComponents(), normal);
  Largest across, along; // the plane
  std::vector<double> tuple(axes.size());
  for (vtkIdType point = 0; point < array->GetNumberOfTuples(); ++point) {
    array->GetTuple(point, tuple.data());
    Vector velocity{};
    for (std::size_t c = 0; c < axes.size(); ++c) velocity[axes[c]] = tuple[c];
    out.driftX.push_back(float(dot(velocity, frame.direction(0))));
    out.driftY.push_back(float(dot(velocity, frame.direction(1))));
    const bool wall = !out.walls.empty() && out.walls[point];
    if (wall) continue;
    across.add(std::abs(dot(velocity, normal)), point);
    along.add(std::hypot(out.driftX.back(), out.driftY.back()), point);
  }
  out.warning = warningOf(across, along, settings.vehicleSpeed, frame);
  out.vehicle = curvature::Vehicle{settings.vehicleSpeed, 0, 0, out.driftX, out.driftY};
}

void attachVehicleHeading(const CurvatureProblem& input, const std::vector<float>& track, vtkImageData* out) {
  const curvature::StateGrid& g = input.problem.grid;
  vtkDataArray* directions = out->GetPointData()->GetArray("Heading");
  auto heading = named<vtkFloatArray>("Heading", directions->GetNumberOfTuples());
  for (std::int64_t p = 0; p < g.planePoints(); ++p) {
    const double psi = track[p], x = double(p % g.nx) * g.hx, y = double(p / g.nx) * g.hy;
    double degrees = curvature::vehicleHeading(input.problem, *input.vehicle, x, y, psi) * degreesPerRadian;
    degrees -= 360 * std::floor(degrees / 360);
    const bool reached = !std::isnan(directions->GetTuple1(p));
    heading->SetValue(p, reached ? float(degrees) : std::numeric_limits<float>::quiet_NaN());
  }
  directions->SetName("TrackDirection");
  out->GetPointData()->AddArray(heading);
}

vtkSmartPointer<vtkPolyData> vehiclePathsToPolyData(const std::vector<Path>& ground,
                                                    const std::vector<curvature::VehiclePath>& seen,
                                                    bool inMedium, const ImageFrame& frame,
                                                    const States& seeds, const States& tips) {
  std::vector<Path> paths = ground;
  for (std::size_t n = 0; inMedium && n < ground.size(); ++n)
    paths.push_back(inTheMedium(ground[n], seen[n]));
  auto out = pathsToPolyData(paths, PathKind::WithHeadings, &frame, seeds, tips);

  auto heading = named<vtkDoubleArray>("Heading"), track = named<vtkDoubleArray>("TrackDirection"); // degrees
  auto elapsed = named<vtkDoubleArray>("ElapsedTime");
  auto isMedium = named<vtkUnsignedCharArray>("Frame");
  for (std::size_t n = 0; n < paths.size(); ++n) {
    const std::size_t path = n % ground.size();
    for (std::size_t p = ground[path].size(); p-- > 0;) { // from the tip
      heading->InsertNextValue(seen[path].heading[p] * degreesPerRadian);
      track->InsertNextValue(ground[path].heading[p] * degreesPerRadian);
      elapsed->InsertNextValue(seen[path].time[p]);
    }
    if (ground[path].size() > 0) isMedium->InsertNextValue(n >= ground.size());
  }
  out->GetPointData()->AddArray(heading); // replaces the headings of the paths, which are track directions
  out->GetPointData()->AddArray(track);
  out->GetPointData()->AddArray(elapsed);
  if (inMedium) {
    out->GetCellData()->AddArray(isMedium);
    out->GetFieldData()->GetAbstractArray("TipStatus")->Resize(vtkIdType(tips.size())); // one row per tip
  }
  return out;
}

} // namespace isochrone::filters
