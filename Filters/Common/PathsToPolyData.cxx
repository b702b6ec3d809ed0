#include "Common/PathsToPolyData.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/SeedsAndTips.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkMath.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSignedCharArray.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

constexpr double degreesPerRadian = 180 / std::numbers::pi;

/// Returns the unit tangents of the polyline, from the seed to the tip.
std::vector<std::array<double, 3>> tangents(const std::vector<std::array<double, 3>>& points) {
  std::vector<std::array<double, 3>> out(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto& before = points[p > 0 ? p - 1 : 0];
    const auto& after = points[std::min(p + 1, points.size() - 1)];
    for (int c = 0; c < 3; ++c) out[p][c] = after[c] - before[c];
    vtkMath::Normalize(out[p].data());
  }
  return out;
}

/// Returns the unit tangents of a path on a rectilinear or spherical grid, with its points in grid
/// coordinates.
std::vector<std::array<double, 3>> tangents(const std::vector<std::array<double, 3>>& points,
                                            const ImageFrame& frame) {
  std::vector<std::array<double, 3>> out(points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    out[p] = frame.directionFrom(points[p > 0 ? p - 1 : 0], points[std::min(p + 1, points.size() - 1)]);
  return out;
}

/// Returns the unit tangents of a path with headings.
std::vector<std::array<double, 3>> tangents(const std::vector<double>& headings, const ImageFrame& frame) {
  std::vector<std::array<double, 3>> out(headings.size());
  for (std::size_t p = 0; p < headings.size(); ++p) {
    const double x = std::cos(headings[p]), y = std::sin(headings[p]);
    for (int c = 0; c < 3; ++c) out[p][c] = x * frame.direction(0)[c] + y * frame.direction(1)[c];
  }
  return out;
}

/// Point arrays of all paths, appended path by path.
struct PointArrays {
  vtkSmartPointer<vtkPoints> points = vtkSmartPointer<vtkPoints>::New();
  vtkSmartPointer<vtkDoubleArray> travelTime = named<vtkDoubleArray>("TravelTime");
  vtkSmartPointer<vtkDoubleArray> arcLength = named<vtkDoubleArray>("ArcLength"); // world units
  vtkSmartPointer<vtkDoubleArray> tangent = named<vtkDoubleArray>("Tangent", 0, 3);
  vtkSmartPointer<vtkDoubleArray> heading = named<vtkDoubleArray>("Heading");     // degrees, continuous
  vtkSmartPointer<vtkDoubleArray> curvature = named<vtkDoubleArray>("Curvature"); // 1 / world unit
  vtkSmartPointer<vtkSignedCharArray> gear = named<vtkSignedCharArray>("Gear");

  PointArrays() { points->SetDataTypeToDouble(); }

  void append(const Path& path, const ImageFrame* frame) {
    std::vector<std::array<double, 3>> world, inGrid;
    std::vector<double> fromSeed(path.size(), 0); // arc length
    for (std::size_t p = 0; p < path.size(); ++p) {
      const std::array<double, 3> at{path.x[p], path.y[p], path.z.empty() ? 0 : path.z[p]};
      world.push_back(frame ? frame->toWorld(at) : at);
      inGrid.push_back(at);
      if (p == 0) continue;
      fromSeed[p] = fromSeed[p - 1] +
                    (frame && frame->orthogonal()
                         ? frame->distance(at, inGrid[p - 1])
                         : std::sqrt(vtkMath::Distance2BetweenPoints(world[p].data(), world[p - 1].data())));
    }
    const auto along = frame && frame->orthogonal() ? tangents(inGrid, *frame)
                       : path.heading.empty()       ? tangents(world)
                                                    : tangents(path.heading, *frame);
    for (std::size_t p = path.size(); p-- > 0;) {
      points->InsertNextPoint(world[p].data());
      travelTime->InsertNextValue(path.travelTime[p]);
      arcLength->InsertNextValue(fromSeed[p]);
      tangent->InsertNextTuple(along[p].data());
      if (!path.heading.empty()) heading->InsertNextValue(path.heading[p] * degreesPerRadian);
      if (!path.curvature.empty()) curvature->InsertNextValue(path.curvature[p]);
      if (!path.gear.empty()) gear->InsertNextValue(path.gear[p]);
    }
  }

  void attachTo(vtkPolyData* out, PathKind kind) const {
    vtkPointData* data = out->GetPointData();
    out->SetPoints(points);
    for (vtkDataArray* array : std::initializer_list<vtkDataArray*>{travelTime, arcLength, tangent})
      data->AddArray(array);
    if (kind == PathKind::WithHeadings) {
      data->AddArray(heading);
      data->AddArray(curvature);
    }
    if (gear->GetNumberOfTuples() > 0) data->AddArray(gear);
    // No active scalars: paths coloured by travel time would vanish against the travel time image below them.
  }
};

/// Stands for the numbers of a path that another rank has.
constexpr const char* onAnotherRank = "has its path on another rank";

/// Returns the maximum curvature of a path, to either side, in 1 / world unit.
double maxCurvatureOf(const Path& path) {
  double largest = 0;
  for (const double curvature : path.curvature) largest = std::max(largest, std::abs(curvature));
  return largest;
}

/// Cell arrays of the lines of all paths.
struct LineArrays {
  vtkSmartPointer<vtkCellArray> lines = vtkSmartPointer<vtkCellArray>::New();
  vtkSmartPointer<vtkIdTypeArray> tipId;
  vtkSmartPointer<vtkIntArray> seedId;
  vtkSmartPointer<vtkIntArray> targetId = named<vtkIntArray>("TargetId");
  vtkSmartPointer<vtkDoubleArray> travelTime = named<vtkDoubleArray>("TravelTime");
  vtkSmartPointer<vtkDoubleArray> length = named<vtkDoubleArray>("Length"); // world units
  vtkSmartPointer<vtkDoubleArray> energy = named<vtkDoubleArray>("Energy");
  vtkSmartPointer<vtkDoubleArray> maxCurvature = named<vtkDoubleArray>("MaxCurvature"); // 1 / world unit
  vtkSmartPointer<vtkIntArray> status = named<vtkIntArray>("Status");

  explicit LineArrays(const PathWords& words)
      : tipId(named<vtkIdTypeArray>((words.tip + "Id").c_str())),
        seedId(named<vtkIntArray>((words.seed + "Id").c_str())) {}

  /// @return the index of the line; `firstPoint` is the index of its first point
  vtkIdType append(const Path& path, vtkIdType firstPoint, vtkIdType tip, int seedLabel, int targetLabel) {
    lines->InsertNextCell(int(path.size()));
    for (std::size_t p = 0; p < path.size(); ++p) lines->InsertCellPoint(firstPoint + vtkIdType(p));
    seedId->InsertNextValue(seedLabel);
    targetId->InsertNextValue(targetLabel);
    travelTime->InsertNextValue(path.travelTime.back());
    length->InsertNextValue(path.length);
    energy->InsertNextValue(path.energy);
    maxCurvature->InsertNextValue(maxCurvatureOf(path));
    status->InsertNextValue(int(path.status));
    return tipId->InsertNextValue(tip);
  }

  void attachTo(vtkPolyData* out, PathKind kind, bool withTargets) const {
    vtkCellData* data = out->GetCellData();
    out->SetLines(lines);
    data->AddArray(tipId);
    data->AddArray(seedId);
    if (withTargets) data->AddArray(targetId);
    data->AddArray(travelTime);
    data->AddArray(length);
    if (kind == PathKind::WithHeadings) {
      data->AddArray(energy);
      data->AddArray(maxCurvature);
    }
    data->AddArray(status);
  }
};

/// Returns the name of a status, such as "TipOutside".
std::string nameOf(PathStatus status, const PathWords& words) {
  switch (status) {
  case PathStatus::Complete:
    return "Complete";
  case PathStatus::TipOutside:
    return words.tip + "Outside";
  case PathStatus::TipInWall:
    return words.tip + "In" + words.wall;
  case PathStatus::TurnsTooTightly:
    return "TurnsTooTightly";
  case PathStatus::ExceedsTravelTime:
    return "ExceedsTravelTime";
  case PathStatus::Unreachable:
    break;
  }
  return "Unreachable";
}

/// Adds one row per tip to the field data, including tips without a path.
void attachReport(const std::vector<Path>& paths, const PathWords& words, vtkPolyData* out) {
  auto status = named<vtkStringArray>((words.tip + "Status").c_str());
  for (const Path& path : paths) status->InsertNextValue(nameOf(path.status, words));
  out->GetFieldData()->AddArray(status);
}

} // namespace

vtkSmartPointer<vtkPolyData> pathsToPolyData(const std::vector<Path>& paths, PathKind kind,
                                             const ImageFrame* frame, const Places& seeds, const Places& tips,
                                             const Connection* connection, const PathWords& words) {
  auto out = vtkSmartPointer<vtkPolyData>::New();
  vtkCellData* cells = out->GetCellData();
  cells->CopyAllOn();
  cells->CopyFieldOff(arrays::heading);
  cells->CopyFieldOff(arrays::anyHeading);
  cells->CopyAllocate(tips.points->GetPointData());

  PointArrays points;
  LineArrays lines(words);
  const auto append = [&](const Path& path, vtkIdType tip, int seedLabel, int targetLabel) {
    const vtkIdType first = points.points->GetNumberOfPoints();
    points.append(path, frame);
    return lines.append(path, first, tip, seedLabel, targetLabel);
  };
  constexpr int none = -1;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (paths[p].size() == 0) continue;
    const auto tip = vtkIdType(p % tips.size());
    const vtkIdType cell = append(paths[p], tip, seeds.labels[paths[p].seed], none);
    cells->CopyData(tips.points->GetPointData(), tip, cell);
  }
  if (connection && connection->path.size() > 0)
    cells->NullData(append(connection->path, none, connection->seedLabel, connection->targetLabel));
  points.attachTo(out, kind);
  lines.attachTo(out, kind, connection);
  attachReport(paths, words, out);
  return out;
}

void markMediumPaths(const std::vector<Path>& ground, vtkPolyData* out) {
  const auto paths =
      vtkIdType(std::ranges::count_if(ground, [](const Path& path) { return path.size() > 0; }));
  auto inMedium = named<vtkUnsignedCharArray>("Frame", out->GetNumberOfLines());
  for (vtkIdType line = 0; line < out->GetNumberOfLines(); ++line)
    inMedium->SetValue(line, line >= paths && line < 2 * paths);
  out->GetCellData()->AddArray(inMedium);
  vtkAbstractArray* const status = out->GetFieldData()->GetAbstractArray("TipStatus");
  status->Resize(vtkIdType(ground.size()));
}

std::string missingPaths(const std::vector<Path>& paths, const Places& tips, const std::string& wall,
                         const std::string& domain) {
  const std::size_t runs = tips.size() == 0 ? 0 : paths.size() / tips.size();
  const Faults missing = faultsOf(tips, "tip", [&](std::size_t tip) -> std::string {
    std::size_t unreached = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      const PathStatus status = paths[run * tips.size() + tip].status;
      if (status == PathStatus::TipOutside) return "lies outside the " + domain;
      if (status == PathStatus::TipInWall) return "lies in a " + wall;
      unreached += status == PathStatus::Unreachable;
    }
    if (unreached == 0) return {};
    if (unreached == runs) return "cannot be reached from any seed";
    return "cannot be reached from " + std::to_string(unreached) + " of " + std::to_string(runs) + " seeds";
  });
  if (missing.count == 0) return {};
  return "no path leads to " + std::to_string(missing.count) + " of " + std::to_string(tips.size()) +
         " tips: " + missing.list;
}

namespace {

/// Collects the faults of the paths to all tips, from one seed or several; of the paths to a tip it lists the
/// first one.
/// @param fault  returns the fault of a path; empty if it has none
Faults faultsOfPaths(const std::vector<Path>& paths, const Places& tips,
                     const std::function<std::string(const Path&)>& fault) {
  const std::size_t runs = tips.size() == 0 ? 0 : paths.size() / tips.size();
  int count = 0;
  Faults faults = faultsOf(tips, "tip", [&](std::size_t tip) {
    std::string first;
    for (std::size_t run = 0; run < runs; ++run) {
      const Path& path = paths[run * tips.size() + tip];
      std::string about = fault(path);
      if (about.empty()) continue;
      ++count;
      if (first.empty()) first = path.size() > 0 ? std::move(about) : onAnotherRank;
    }
    return first;
  });
  faults.count = count;
  return faults;
}

} // namespace

std::string tightPaths(const std::vector<Path>& paths, const Places& tips) {
  const Faults tight = faultsOfPaths(paths, tips, [](const Path& path) -> std::string {
    if (path.status != PathStatus::TurnsTooTightly) return {};
    std::ostringstream fault;
    fault << "has a curvature of up to " << maxCurvatureOf(path);
    return fault.str();
  });
  if (tight.count == 0) return {};
  return std::to_string(tight.count) + " of " + std::to_string(paths.size()) +
         " paths turn more tightly than the model allows: " + tight.list;
}

std::string dearPaths(const std::vector<Path>& paths, const Places& tips) {
  const Faults dear = faultsOfPaths(paths, tips, [](const Path& path) -> std::string {
    if (path.status != PathStatus::ExceedsTravelTime) return {};
    std::ostringstream fault;
    fault << "has an energy of " << path.energy << " for a travel time of "
          << (path.size() > 0 ? path.travelTime.back() - path.travelTime.front() : 0);
    return fault.str();
  });
  if (dear.count == 0) return {};
  return std::to_string(dear.count) + " of " + std::to_string(paths.size()) +
         " paths keep the turning radius but exceed the travel time: " + dear.list;
}

} // namespace isochrone::filters
