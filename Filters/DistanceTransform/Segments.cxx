#include "DistanceTransform/Segments.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/Ranks.h"
#include "Common/SeedsAndTips.h"
#include "Common/SharedArray.h"
#include "DistanceTransform/Problem.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace isochrone::filters {

using distance::Segment;
using Status = distance::Segment::Status;

namespace {

const char* nameOf(Status status) {
  switch (status) {
  case Status::Found:
    return "Found";
  case Status::NoSite:
    return "NoSite";
  case Status::Outside:
    break;
  }
  return "TipOutside";
}

/// Returns the position of a sample in grid coordinates.
distance::Position positionOf(std::int64_t sample, const ImageFrame& frame) {
  const std::int64_t nx = frame.size(0), ny = frame.size(1);
  return {double(sample % nx) * frame.spacing(0), double(sample / nx % ny) * frame.spacing(1),
          double(sample / (nx * ny)) * frame.spacing(2)};
}

} // namespace

std::vector<Segment> mergedSegments(const Ranks& ranks, std::vector<Segment> segments,
                                    const std::vector<bool>& isMine, const Part& part, bool toSurface) {
  constexpr int columns = 7; // known, status, site, distance, end
  constexpr double none = std::numeric_limits<double>::lowest();
  std::vector<double> rows(columns * segments.size(), none);
  for (std::size_t t = 0; t < segments.size(); ++t) {
    if (!isMine[t]) continue;
    const Segment& s = segments[t];
    const double site = s.site < 0 || toSurface ? double(s.site) : double(part.toWhole(s.site));
    const double row[columns] = {1, double(s.status), site, s.distance, s.end[0], s.end[1], s.end[2]};
    std::copy(row, row + columns, &rows[columns * t]);
  }
  rows = ranks.allMax(std::move(rows)); // all ranks that own a tip have the same row
  for (std::size_t t = 0; t < segments.size(); ++t) {
    const double* row = &rows[columns * t];
    segments[t] = {};
    if (row[0] == 1)
      segments[t] = {
          static_cast<Status>(int(row[1])), std::int64_t(row[2]), row[3], {row[4], row[5], row[6]}};
  }
  return segments;
}

vtkSmartPointer<vtkPolyData> segmentsToPolyData(const std::vector<Segment>& segments, const ImageFrame& frame,
                                                const Places& tips, bool toSurface, bool wraps) {
  auto out = vtkSmartPointer<vtkPolyData>::New();
  vtkCellData* cells = out->GetCellData();
  vtkPointData* tipArrays = tips.points->GetPointData();
  cells->CopyAllOn();
  cells->CopyAllocate(tipArrays);
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  auto lines = vtkSmartPointer<vtkCellArray>::New();
  auto fromSite = named<vtkDoubleArray>("Distance"); // of the points
  auto tipId = named<vtkIdTypeArray>("TipId");
  auto site = named<Int64Array>("NearestSite");
  auto distance = named<vtkDoubleArray>("Distance"); // of the lines, world units
  auto status = named<vtkIntArray>("Status");
  auto report = named<vtkStringArray>("TipStatus");
  for (std::size_t t = 0; t < segments.size(); ++t) {
    const Segment& segment = segments[t];
    report->InsertNextValue(nameOf(segment.status));
    if (segment.status != Status::Found) continue;
    const auto end = frame.toWorld(toSurface || wraps ? segment.end : positionOf(segment.site, frame));
    const vtkIdType ids[2] = {points->InsertNextPoint(frame.toWorld(tips.positions[t]).data()),
                              points->InsertNextPoint(end.data())};
    fromSite->InsertNextValue(segment.distance);
    fromSite->InsertNextValue(0);
    const vtkIdType line = lines->InsertNextCell(2, ids);
    cells->CopyData(tipArrays, vtkIdType(t), line);
    tipId->InsertNextValue(vtkIdType(t));
    site->InsertNextValue(segment.site);
    distance->InsertNextValue(segment.distance);
    status->InsertNextValue(int(segment.status));
  }
  out->SetPoints(points);
  out->SetLines(lines);
  out->GetPointData()->AddArray(fromSite);
  cells->AddArray(tipId);
  if (!toSurface) cells->AddArray(site);
  cells->AddArray(distance);
  cells->AddArray(status);
  out->GetFieldData()->AddArray(report);
  return out;
}

std::string missingSegments(const std::vector<Segment>& segments, const Places& tips) {
  const Faults missing = faultsOf(tips, "tip", [&](std::size_t tip) -> std::string {
    switch (segments[tip].status) {
    case Status::Found:
      return {};
    case Status::NoSite:
      return "reaches no site";
    case Status::Outside:
      break;
    }
    return "lies outside the image";
  });
  if (missing.count == 0) return {};
  return "no segment leads from " + std::to_string(missing.count) + " of " + std::to_string(segments.size()) +
         " tips: " + missing.list;
}

} // namespace isochrone::filters
