#include "DistanceTransform/SurfaceSites.h"

#include "Common/Fields.h"
#include "Common/ImageFrame.h"
#include "Common/Ranks.h"
#include "DistanceTransform/SiteWarnings.h"
#include "Error.h"

#include <vtkAppendPolyData.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTriangleFilter.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace isochrone::filters {

namespace {

using SurfacePiece = surface::Piece;

/// Returns the arrays to extend.
/// @param of  as in "the points of the input"
std::vector<vtkDataArray*> arraysNamed(vtkDataSetAttributes* arrays, const std::vector<std::string>& names,
                                       const std::string& of, std::vector<ExtendedArray>& out) {
  std::vector<vtkDataArray*> found;
  for (const std::string& name : names) {
    vtkDataArray* array = arrays->GetArray(name.c_str());
    if (!array)
      throw Error("no array '" + name + "' of numbers on " + of +
                  " to extend: choose the Extended Arrays among those that exist");
    found.push_back(array);
    out.push_back({name, array->GetNumberOfComponents()});
  }
  return found;
}

int componentsOf(const std::vector<ExtendedArray>& arrays) {
  int sum = 0;
  for (const ExtendedArray& array : arrays) sum += array.components;
  return sum;
}

/// The components of several arrays, one after the other.
class Components {
public:
  explicit Components(const std::vector<vtkDataArray*>& arrays) {
    for (vtkDataArray* array : arrays)
      for (int c = 0; c < array->GetNumberOfComponents(); ++c) of.emplace_back(array, c);
  }
  double operator()(std::int64_t point, int component) const {
    const auto& [array, c] = of[std::size_t(component)];
    return array->GetComponent(point, c);
  }

private:
  std::vector<std::pair<vtkDataArray*, int>> of;
};

bool contains(const distance::Box& box, const GridIndex& cell, const GridIndex& size) {
  for (int a = 0; a < 3; ++a) {
    const std::int64_t last = size[a] > 1 ? cell[a] + 1 : cell[a];
    if (cell[a] < box.begin[a] || last >= box.end[a]) return false;
  }
  return true;
}

/// A piece that goes to the other ranks.
struct NumberedPiece {
  std::int64_t cell;
  SurfacePiece piece;
};

/// Collects the pieces of all ranks, in the order of the cells. Collective.
surface::Surface collected(const Ranks& ranks, const surface::Surface& mine) {
  std::vector<NumberedPiece> sent;
  for (std::size_t i = 0; i < mine.pieces.size(); ++i) sent.push_back({mine.cells[i], mine.pieces[i]});
  const auto pieces = ranks.gather<NumberedPiece>(sent);
  const auto values = ranks.gather<double>(mine.values);
  struct Place {
    std::int64_t cell;
    std::size_t rank, number;
  };
  std::vector<Place> order;
  for (std::size_t r = 0; r < pieces.size(); ++r)
    for (std::size_t i = 0; i < pieces[r].size(); ++i) order.push_back({pieces[r][i].cell, r, i});
  std::ranges::stable_sort(order, {}, &Place::cell);
  surface::Surface all;
  all.components = mine.components;
  const std::size_t length = 3 * std::size_t(mine.components);
  for (const Place& p : order) {
    all.pieces.push_back(pieces[p.rank][p.number].piece);
    const auto first = values[p.rank].begin() + std::ptrdiff_t(p.number * length);
    all.values.insert(all.values.end(), first, first + std::ptrdiff_t(length));
  }
  return all;
}

/// Returns a position relative to point 0 of a grid, with its height above a planar image.
Position onGrid(const ImageFrame& frame, const std::array<double, 3>& world) {
  Position at = frame.toGrid(world);
  const std::array<double, 3> foot = frame.toWorld(at);
  for (int a = 0; a < 3; ++a)
    if (frame.size(a) == 1)
      for (int c = 0; c < 3; ++c) at[a] += (world[c] - foot[c]) * frame.direction(a)[c];
  return at;
}

/// Returns numbers that differ where the samples lie elsewhere.
std::vector<double> geometryOf(const SurfacePlace& place) {
  const ImageFrame& frame = place.wholeFrame;
  std::vector<double> numbers;
  const auto add = [&](const std::array<double, 3>& position) {
    numbers.insert(numbers.end(), position.begin(), position.end());
  };
  add(frame.toWorld({0, 0, 0}));
  for (int a = 0; a < 3; ++a) {
    add(frame.direction(a));
    numbers.push_back(double(frame.size(a)));
    numbers.push_back(frame.spacing(a));
    numbers.push_back(double(place.box.begin[a]));
    numbers.push_back(double(place.box.end[a]));
  }
  return numbers;
}

} // namespace

std::shared_ptr<const SurfaceSites> levelSetSites(const Ranks& ranks, const SiteArray& array,
                                                  const SiteRule& rule, const SurfacePlace& place,
                                                  vtkDataSetAttributes* arrays,
                                                  const std::vector<std::string>& names, int threads,
                                                  const Monitor& monitor) {
  auto sites = std::make_shared<SurfaceSites>();
  const bool shared = !place.boxes.empty();
  ranks.rethrowOnAll([&] {
    const ImageFrame& frame = place.frame;
    surface::LevelSet levelSet;
    levelSet.grid = {frame.size(0),    frame.size(1),    frame.size(2),
                     frame.spacing(0), frame.spacing(1), frame.spacing(2)};
    std::vector<double> doubles;
    if (auto* floats = vtkFloatArray::FastDownCast(array.values)) {
      levelSet.floats = {floats->GetPointer(0), std::size_t(floats->GetNumberOfValues())};
    } else {
      doubles = toDoubles(array.values);
      levelSet.doubles = doubles;
    }
    std::vector<std::uint8_t> hidden;
    if (array.ghosts)
      for (vtkIdType i = 0; i < array.ghosts->GetNumberOfTuples(); ++i)
        hidden.push_back((array.ghosts->GetValue(i) & array.hidden()) != 0);
    levelSet.hidden = hidden;
    levelSet.isoValue = rule.isoValue;
    levelSet.insideBelow = rule.insideBelow;
    levelSet.interpolation = static_cast<surface::Interpolation>(rule.interpolation);
    levelSet.first = place.box.begin;
    if (shared) { // a cell belongs to the first rank that has all its corners
      const GridIndex size{place.wholeFrame.size(0), place.wholeFrame.size(1), place.wholeFrame.size(2)};
      levelSet.uses = [&place, size, me = ranks.index()](const GridIndex& at) {
        const GridIndex& first = place.box.begin;
        const GridIndex cell{at[0] + first[0], at[1] + first[1], at[2] + first[2]};
        for (int r = 0; r < me; ++r)
          if (contains(place.boxes[std::size_t(r)], cell, size)) return false;
        return true;
      };
    }
    sites->inside = surface::insideOf(levelSet, threads, sites->notANumber);
    sites->surface = surface::extractLevelSet(levelSet, threads, monitor);
    if (sites->surface.aborted) return;
    const auto found = arraysNamed(arrays, names, "the points of the input", sites->arrays);
    if (!found.empty())
      surface::sample(levelSet, componentsOf(sites->arrays), Components(found), threads, sites->surface);
    if (shared) { // numbers of cells in the whole image
      const ImageGrid whole{
          place.wholeFrame.size(0), place.wholeFrame.size(1), place.wholeFrame.size(2), 1, 1, 1};
      for (std::int64_t& cell : sites->surface.cells) {
        GridIndex at = levelSet.grid.indices(cell);
        for (int a = 0; a < 3; ++a) at[a] += place.box.begin[a];
        cell = whole.index(at);
      }
    }
  });
  if (ranks.any(sites->surface.aborted)) return nullptr;
  if (shared) {
    surface::Surface all = collected(ranks, sites->surface);
    ranks.rethrowOnAll([&] { sites->surface = std::move(all); });
  }
  return sites;
}

bool KnownSurface::Key::equals(const Key& other) const {
  if (names != other.names || time != other.time || geometry != other.geometry) return false;
  return origin.rule == other.origin.rule &&
         (origin.rule.mode == SiteRule::Mode::Surface || origin.equals(other.origin));
}

std::shared_ptr<const SurfaceSites> KnownSurface::update(const Ranks& ranks, const Inputs& in,
                                                         const Samples& samples, const SiteRule& rule,
                                                         const std::vector<std::string>& names, int threads,
                                                         const Monitor& monitor) {
  Key now{{samples.array, rule}, names, in.surfaceTime, {}};
  SurfacePlace place{samples.frame, samples.wholeFrame, {}, {}};
  ranks.rethrowOnAll([&] {
    validate(rule);
    for (const std::string& name : names)
      if (vtkDataArray* array = in.image->GetPointData()->GetArray(name.c_str()))
        now.time = std::max(now.time, array->GetMTime());
    place.box = boxOf(samples.part.part, samples.wholeFrame);
    if (samples.shared)
      for (const Extent& needed : samples.shared->needed)
        place.boxes.push_back(boxOf(needed, samples.wholeFrame));
    now.geometry = geometryOf(place);
  });
  if (!ranks.any(!sites || !key.equals(now))) return sites;
  sites = nullptr;
  if (rule.mode == SiteRule::Mode::LevelSet)
    sites =
        levelSetSites(ranks, samples.array, rule, place, in.image->GetPointData(), names, threads, monitor);
  else
    ranks.rethrowOnAll([&] { sites = inputSites(in.surface, place, names, threads); });
  if (sites) key = std::move(now);
  return sites;
}

vtkSmartPointer<vtkPolyData> gatherSurface(const Ranks& ranks, vtkDataObject* data) {
  vtkSmartPointer<vtkPolyData> mine;
  ranks.rethrowOnAll([&] {
    if (!data)
      throw Error("the Site Mode is Surface, but no surface is connected: connect the Surface input");
    mine = vtkPolyData::SafeDownCast(data);
    if (!mine)
      throw Error(std::string("the surface must be polygonal data, got ") + data->GetClassName() +
                  ": apply Extract Surface first");
  });
  return ranks.gatherSurface(mine);
}

std::shared_ptr<const SurfaceSites> inputSites(vtkDataObject* data, const SurfacePlace& place,
                                               const std::vector<std::string>& names, int threads) {
  auto sites = std::make_shared<SurfaceSites>();
  auto triangles = vtkSmartPointer<vtkTriangleFilter>::New();
  triangles->SetInputData(data);
  triangles->PassLinesOn();
  triangles->PassVertsOn();
  triangles->Update();
  vtkPolyData* pieces = triangles->GetOutput();
  const auto found = arraysNamed(pieces->GetPointData(), names, "the points of the surface", sites->arrays);
  const Components valueOf(found);
  const ImageFrame& frame = place.wholeFrame;
  surface::Surface& surface = sites->surface;
  surface.components = componentsOf(sites->arrays);
  const vtkSmartPointer<vtkIdList> ids = vtkSmartPointer<vtkIdList>::New();
  for (vtkCellArray* cells : {pieces->GetVerts(), pieces->GetLines(), pieces->GetPolys()})
    for (vtkIdType c = 0; c < cells->GetNumberOfCells(); ++c) {
      cells->GetCellAtId(c, ids);
      const vtkIdType count = ids->GetNumberOfIds();
      if (count < 1 || count > 3) continue; // empty cells
      SurfacePiece& piece = surface.pieces.emplace_back();
      for (vtkIdType corner = 0; corner < 3; ++corner) {
        const vtkIdType point = ids->GetId(std::min(corner, count - 1));
        std::array<double, 3> world;
        pieces->GetPoint(point, world.data());
        piece[std::size_t(corner)] = onGrid(frame, world);
        for (int v = 0; v < surface.components; ++v) surface.values.push_back(valueOf(point, v));
      }
    }
  const ImageGrid grid{frame.size(0),    frame.size(1),    frame.size(2),
                       frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  sites->isClosed = surface::isClosed(surface.pieces);
  const grid::Box box{place.box.begin, place.box.end};
  if (sites->isClosed)
    sites->inside = surface::enclosedBy(grid, box, surface.pieces, threads);
  else
    sites->inside.assign(std::size_t(box.points()), 0);
  return sites;
}

std::vector<std::string> surfaceWarnings(const Ranks& ranks, const SiteArray& array, const SiteRule& rule,
                                         const SurfaceSites& sites, distance::Region region) {
  std::vector<std::string> warnings;
  const bool some = ranks.any(!sites.surface.pieces.empty());
  if (rule.mode == SiteRule::Mode::Surface) {
    if (!some) warnings.push_back("the surface has no cells: Distance is NaN");
    if (some && ranks.any(!sites.isClosed) &&
        (region == distance::Region::Inside || region == distance::Region::Signed))
      warnings.push_back(
          "the surface is open, so no point is inside: close it with Fill Holes, or choose the "
          "Region Both for distances without a sign");
    return warnings;
  }
  const std::string name = array.values->GetName();
  if (!some) {
    const auto values = valuesOf(ranks, array.values);
    std::ostringstream text;
    text << std::setprecision(17) << "no cell is crossed by the Iso Value " << rule.isoValue;
    if (values[0] <= values[1])
      text << ", the values of '" << name << "' range from " << values[0] << " to " << values[1];
    else
      text << ", '" << name << "' has no finite value";
    warnings.push_back(text.str() + ": Distance is NaN");
  }
  if (const double count = ranks.sum(double(sites.notANumber)); count > 0) {
    std::ostringstream text;
    text << std::setprecision(17) << count << " values of '" << name
         << "' are NaN or infinite: the cells around them have no surface";
    warnings.push_back(text.str());
  }
  return warnings;
}

std::vector<vtkSmartPointer<vtkDataArray>> extendedArrays(const SurfaceSites& sites,
                                                          const distance::Problem& problem,
                                                          const distance::Result& result, int threads) {
  std::vector<vtkSmartPointer<vtkDataArray>> out;
  if (sites.arrays.empty()) return out;
  const std::vector<double> values = distance::extendValues(problem, result, threads);
  const auto all = std::size_t(sites.surface.components);
  const std::size_t points = values.size() / all;
  std::size_t first = 0;
  for (const ExtendedArray& array : sites.arrays) {
    auto extended =
        named<vtkDoubleArray>(("Extended" + array.name).c_str(), vtkIdType(points), array.components);
    double* to = extended->GetPointer(0);
    for (std::size_t p = 0; p < points; ++p) to = std::copy_n(&values[p * all + first], array.components, to);
    first += std::size_t(array.components);
    out.push_back(extended);
  }
  return out;
}

} // namespace isochrone::filters
