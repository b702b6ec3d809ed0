#include "CurvatureOutputs.h"

#include "ImagePlane.h"
#include "SeedsAndTips.h"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

namespace isochrone::filters {

namespace {

using Status = curvature::Placement::Status;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class Array>
vtkSmartPointer<Array> named(const char* name, vtkIdType tuples) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfTuples(tuples);
  return array;
}

const char* nameOf(Status status) {
  return status == Status::Inside ? "Inside" : status == Status::InWall ? "InWall" : "Outside";
}

} // namespace

void attachTravelTime(const curvature::PlanarResult& plane,
                      const std::vector<curvature::Placement>& placements, const States& seeds,
                      vtkImageData* out) {
  const auto points = vtkIdType(plane.travelTime.size());
  auto travelTime = named<vtkFloatArray>("TravelTime", points);
  auto heading = named<vtkFloatArray>("Heading", points);
  auto seedId = named<vtkIntArray>("SeedId", points);
  auto reached = named<vtkUnsignedCharArray>("Reached", points);
  for (vtkIdType p = 0; p < points; ++p) {
    const bool here = std::isfinite(plane.travelTime[p]);
    travelTime->SetValue(p, here ? plane.travelTime[p] : nan);
    heading->SetValue(p, here ? float(plane.heading[p] * 180 / std::numbers::pi) : nan);
    seedId->SetValue(p, here && plane.seed[p] >= 0 ? seeds.labels[plane.seed[p]] : -1);
    reached->SetValue(p, here);
  }
  for (vtkDataArray* array : std::initializer_list<vtkDataArray*>{travelTime, heading, seedId, reached}) {
    out->GetPointData()->AddArray(array);
  }
  out->GetPointData()->SetActiveScalars("TravelTime");

  auto status = named<vtkStringArray>("SeedStatus", vtkIdType(placements.size()));
  auto moved = named<vtkDoubleArray>("SeedMoved", vtkIdType(placements.size())); // world units
  for (std::size_t s = 0; s < placements.size(); ++s) {
    status->SetValue(vtkIdType(s), nameOf(placements[s].status));
    moved->SetValue(vtkIdType(s), placements[s].moved);
  }
  out->GetFieldData()->AddArray(status);
  out->GetFieldData()->AddArray(moved);
}

void blankUnreached(const curvature::PlanarResult& plane, vtkImageData* out) {
  auto ghosts = named<vtkUnsignedCharArray>(vtkDataSetAttributes::GhostArrayName(), out->GetNumberOfPoints());
  if (vtkUnsignedCharArray* before = out->GetPointGhostArray()) {
    ghosts->DeepCopy(before); // the input keeps its own
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  } else {
    ghosts->FillValue(0);
  }
  for (std::size_t p = 0; p < plane.travelTime.size(); ++p) {
    if (std::isfinite(plane.travelTime[p])) continue;
    const auto point = vtkIdType(p);
    ghosts->SetValue(point, ghosts->GetValue(point) | vtkDataSetAttributes::HIDDENPOINT);
  }
  out->GetPointData()->AddArray(ghosts);
}

void makeStateSpace(std::span<const float> travelTime, const ImagePlane& plane, int headings, double height,
                    vtkImageData* out) {
  out->CopyStructure(plane.stateSpace(headings, height));
  auto values = named<vtkFloatArray>("TravelTime", vtkIdType(travelTime.size()));
  std::transform(travelTime.begin(), travelTime.end(), values->GetPointer(0),
                 [](float t) { return std::isfinite(t) ? t : nan; });
  out->GetPointData()->SetScalars(values);

  auto worldLength = named<vtkDoubleArray>("StateSpaceHeight", 1); // of a full turn, world units
  worldLength->SetValue(0, height);
  auto step = named<vtkDoubleArray>("HeadingStep", 1); // degrees from plane to plane
  step->SetValue(0, 360.0 / headings);
  auto text = named<vtkStringArray>("ThirdAxis", 1);
  std::ostringstream sentence;
  sentence << "heading, 360 degrees over " << height << " world units";
  text->SetValue(0, sentence.str());
  for (vtkAbstractArray* array : std::initializer_list<vtkAbstractArray*>{worldLength, step, text}) {
    out->GetFieldData()->AddArray(array);
  }
}

std::string unusedSeeds(const std::vector<curvature::Placement>& placements, const States& seeds) {
  constexpr int shown = 10; // enough to find the fault
  int unused = 0;
  std::ostringstream list;
  for (std::size_t s = 0; s < placements.size(); ++s) {
    if (placements[s].status == Status::Inside || ++unused > shown) continue;
    list << (unused > 1 ? "; " : "") << nameOf("seed", seeds.points, s)
         << (placements[s].status == Status::InWall ? " lies in a wall" : " lies outside the image");
  }
  if (unused == 0) return {};
  if (unused > shown) list << "; and " << unused - shown << " more";
  return std::to_string(unused) + " of " + std::to_string(placements.size()) +
         " seeds are not used: " + list.str();
}

} // namespace isochrone::filters
