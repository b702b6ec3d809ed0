#include "CurvaturePaths/Drift.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/PathsToPolyData.h"
#include "Common/Velocities.h"
#include "CurvaturePaths/Problem.h"
#include "CurvaturePaths/States.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

constexpr double degreesPerRadian = 180 / std::numbers::pi;
/// Maximum drift, relative to the vehicle's speed, for reliable travel times (DESIGN.md of Curvature Paths,
/// "Drift").
constexpr double reliableDrift = 0.7;

/// Returns a warning about an unusual drift, or an empty string.
std::string warningOf(const Velocities& drift, double speed, const ImageFrame& frame) {
  const std::string across = driftOutOfPlane(drift, speed, frame);
  std::ostringstream text;
  text << across;
  if (drift.largest > reliableDrift * speed && drift.largest < speed) // the solver rejects faster drifts
    text << (across.empty() ? "" : "; ") << "the drift reaches " << drift.largest / speed
         << " of the speed of the vehicle, at "
         << frame.pointName(drift.largestAt % frame.size(0), drift.largestAt / frame.size(0), 0)
         << ": beyond " << reliableDrift << " travel times against it are much too short";
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
  const auto isWall = [&](std::int64_t point) { return !out.walls.empty() && out.walls[std::size_t(point)]; };
  const Velocities drift = velocitiesAlong(frame, array, isWall);
  for (std::size_t n = 0; n < drift.values.size(); n += 2)
    out.driftX.push_back(drift.values[n]), out.driftY.push_back(drift.values[n + 1]);
  out.warning = warningOf(drift, settings.vehicleSpeed, frame);
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
  for (std::size_t n = 0; n < paths.size(); ++n) {
    const std::size_t path = n % ground.size();
    for (std::size_t p = ground[path].size(); p-- > 0;) { // from the tip
      heading->InsertNextValue(seen[path].heading[p] * degreesPerRadian);
      track->InsertNextValue(ground[path].heading[p] * degreesPerRadian);
      elapsed->InsertNextValue(seen[path].time[p]);
    }
  }
  out->GetPointData()->AddArray(heading); // replaces the headings of the paths, which are track directions
  out->GetPointData()->AddArray(track);
  out->GetPointData()->AddArray(elapsed);
  if (inMedium) markMediumPaths(ground, out);
  return out;
}

} // namespace isochrone::filters
