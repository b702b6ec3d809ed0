#include "DistanceTransform/Problem.h"

#include "Backend.h"
#include "Common/ImageFrame.h"
#include "DistanceTransform/SurfaceSites.h"
#include "Error.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <sstream>

namespace isochrone::filters {

namespace {

bool fits(vtkDataArray* array) {
  return array && array->GetName() && array->GetNumberOfComponents() == 1 &&
         std::string(array->GetName()) != vtkDataSetAttributes::GhostArrayName();
}

/// Returns the default array.
ArrayChoice firstChoice(vtkImageData* image) {
  for (const bool onCells : {false, true}) {
    vtkDataSetAttributes* arrays = attributesOf(image, onCells);
    if (fits(arrays->GetScalars())) return {arrays->GetScalars()->GetName(), onCells};
    for (int a = 0; a < arrays->GetNumberOfArrays(); ++a)
      if (fits(arrays->GetArray(a))) return {arrays->GetArray(a)->GetName(), onCells};
  }
  throw Error("no array defines the sites: the input has no array of one number per point or cell, "
              "compute one with Calculator first");
}

bool same(const SurfaceSites* a, const SurfaceSites* b) {
  if (!a || !b || a == b) return a == b;
  return sameBytes<surface::Piece>(a->surface.pieces, b->surface.pieces) &&
         sameBytes<double>(a->surface.values, b->surface.values) && a->arrays == b->arrays;
}

} // namespace

int SiteArray::hidden() const {
  return onCells ? int(vtkDataSetAttributes::HIDDENCELL) : int(vtkDataSetAttributes::HIDDENPOINT);
}

vtkDataSetAttributes* attributesOf(vtkImageData* image, bool onCells) {
  if (onCells) return image->GetCellData();
  return image->GetPointData();
}

SiteArray siteArrayOf(vtkImageData* image, ArrayChoice choice, SiteRule::Mode mode) {
  if (mode == SiteRule::Mode::Surface) { // the array only chooses points or cells
    SiteArray out;
    out.onCells = choice.chosen() && choice.onCells;
    return out;
  }
  if (!choice.chosen()) choice = firstChoice(image);
  if (mode == SiteRule::Mode::LevelSet && choice.onCells)
    throw Error("the level set needs an array on points, but '" + choice.name +
                "' is on cells: apply Cell Data To Point Data first");
  choice.needed = true;
  SiteArray out;
  out.onCells = choice.onCells;
  out.values = choice.onCells ? cellArray(image, choice, "site")
                              : pointArray(image, choice, "site", "choose it among the cell arrays");
  out.ghosts = choice.onCells ? image->GetCellGhostArray() : image->GetPointGhostArray();
  return out;
}

vtkSmartPointer<vtkImageData> samplesOf(vtkImageData* image, bool onCells) {
  auto samples = vtkSmartPointer<vtkImageData>::New();
  Extent points;
  image->GetExtent(points.data());
  Extent extent = onCells ? cellExtent(points) : points;
  double origin[3];
  image->GetOrigin(origin);
  for (int axis = 0; axis < 3; ++axis) {
    if (extent == points || points[2 * axis] == points[2 * axis + 1]) continue;
    for (int c = 0; c < 3; ++c)
      origin[c] += image->GetDirectionMatrix()->GetElement(c, axis) * image->GetSpacing()[axis] / 2;
  }
  samples->SetExtent(extent.data());
  samples->SetOrigin(origin);
  samples->SetSpacing(image->GetSpacing());
  samples->SetDirectionMatrix(image->GetDirectionMatrix());
  return samples;
}

SiteOrigin::SiteOrigin(const SiteArray& array, const SiteRule& siteRule)
    : values(array.values), ghosts(array.ghosts), valuesTime(array.values ? array.values->GetMTime() : 0),
      ghostsTime(array.ghosts ? array.ghosts->GetMTime() : 0), rule(siteRule) {}

bool SiteOrigin::equals(const SiteOrigin& other) const {
  return values && values.Get() == other.values.Get() && valuesTime == other.valuesTime &&
         ghosts.Get() == other.ghosts.Get() && ghostsTime == other.ghostsTime && rule == other.rule;
}

DistanceProblem makeProblem(const SiteArray& array, const SiteRule& rule, const ImageFrame& frame,
                            const Part& part, std::shared_ptr<const Sites> sites,
                            std::shared_ptr<const SurfaceSites> surface, int threads) {
  if (!sites && !surface)
    sites = std::make_shared<const Sites>(sitesOf(array.values, rule, array.ghosts, array.hidden(), threads));
  DistanceProblem out;
  out.problem.grid = {frame.size(0),    frame.size(1),    frame.size(2),
                      frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  out.grid = frame.orthogonal();
  out.problem.rectilinear = out.grid.get();
  out.problem.sites = surface ? surface->inside : sites->marks;
  if (surface) out.problem.surface = &surface->surface;
  out.sites = std::move(sites);
  out.surface = std::move(surface);
  out.origin = {array, rule};
  out.part = part;
  return out;
}

distance::Box boxOf(const Extent& extent, const ImageFrame& frame) {
  distance::Box box;
  for (int a = 0; a < 3; ++a) {
    const int axis = 2 * frame.imageAxis(a);
    box.begin[a] = extent[axis] - frame.start(a);
    box.end[a] = extent[axis + 1] + 1 - frame.start(a);
  }
  return box;
}

bool same(const DistanceProblem& a, const DistanceProblem& b) {
  const auto shape = [](const distance::Grid& g) {
    return std::array<double, 6>{double(g.nx), double(g.ny), double(g.nz), g.hx, g.hy, g.hz};
  };
  const bool sameGrid = a.grid && b.grid ? *a.grid == *b.grid : !a.grid && !b.grid;
  return shape(a.problem.grid) == shape(b.problem.grid) && sameGrid &&
         a.problem.periodic == b.problem.periodic && a.part == b.part &&
         a.problem.isShared() == b.problem.isShared() && same(a.surface.get(), b.surface.get()) &&
         ((a.sites && a.sites == b.sites) || sameBytes(a.problem.sites, b.problem.sites));
}

double neededBytes(const ImageFrame& frame, const distance::Options& options) {
  const double perSample = 2 + (options.doublePrecision ? 8 : 4) + (options.squaredDistance ? 8 : 0) +
                           (options.nearestSite ? 8 : 0); // sites, Reached, the arrays
  return perSample * double(frame.size(0)) * double(frame.size(1)) * double(frame.size(2));
}

void requireMemory(const ImageFrame& frame, const distance::Options& options) {
  std::ostringstream what;
  what << "the distances of " << frame.size(0) << " x " << frame.size(1) << " x " << frame.size(2)
       << " points";
  // The solver checks its own memory.
  requireHostMemory(std::size_t(std::min(neededBytes(frame, options), 9e18)), what.str());
}

} // namespace isochrone::filters
