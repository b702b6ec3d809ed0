#include "ImageTravelTime/Problem.h"

#include "Backend.h"
#include "Common/CellsAndPoints.h"
#include "Common/ImageFrame.h"
#include "Common/PartExchange.h"
#include "Common/SeedsAndTips.h"
#include "Common/TensorBridge.h"
#include "Common/Velocities.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <sstream>

namespace isochrone::filters {

namespace {

constexpr const char* averageCellsRemedy =
    "switch on Average Cell Data, or apply Cell Data To Point Data first";

vtkDataArray* chosenArray(vtkImageData* data, const ArrayChoice& choice, const std::string& role,
                          bool cellsToo) {
  if (choice.onCells && cellsToo) return cellArray(data, choice, role);
  return pointArray(data, choice, role, averageCellsRemedy);
}

/// Returns the union of both marks; an empty vector marks nothing.
std::vector<std::uint8_t> either(std::vector<std::uint8_t> a, const std::vector<std::uint8_t>& b) {
  if (a.empty()) return b;
  for (std::size_t n = 0; n < b.size(); ++n) a[n] |= b[n];
  return a;
}

std::string cellName(vtkImageData* data, std::int64_t cell) {
  int n[3];
  data->GetDimensions(n);
  const std::int64_t nx = std::max(n[0] - 1, 1), ny = std::max(n[1] - 1, 1);
  const int* extent = data->GetExtent();
  std::ostringstream name;
  name << "cell (" << extent[0] + cell % nx << ", " << extent[2] + cell / nx % ny << ", "
       << extent[4] + cell / (nx * ny) << ')';
  return name.str();
}

std::string pointName(const ImageFrame& frame, std::int64_t point) {
  const std::int64_t nx = frame.size(0), ny = frame.size(1);
  return frame.pointName(point % nx, point / nx % ny, point / (nx * ny));
}

[[noreturn]] void rejectCell(vtkImageData* data, std::int64_t cell, float value, bool slowness) {
  std::ostringstream message;
  message << (slowness ? "slowness must be positive (+infinity in barriers)"
                       : "speed must be finite and not negative (0 in barriers)")
          << ", got " << value << " in " << cellName(data, cell);
  throw Error(message.str());
}

/// Returns speed or slowness at the points. A point that touches a barrier cell is a barrier, so that the
/// front does not cross a barrier of one cell.
/// @param closed  marks of further barrier cells; may be empty
std::vector<float> averageSpeed(vtkImageData* data, std::vector<float> cells,
                                const std::vector<std::uint8_t>& closed, image::SpeedType type) {
  const bool slowness = type == image::SpeedType::Slowness;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const float value = cells[c];
    const bool barrier = (!closed.empty() && closed[c]) || (!slowness && value == 0);
    if (!barrier && (value < 0 || (slowness ? value == 0 : std::isinf(value))))
      rejectCell(data, std::int64_t(c), value, slowness); // averaging would hide it
    if (barrier) cells[c] = std::numeric_limits<float>::quiet_NaN();
  }
  return meanOfCells(data, std::move(cells));
}

/// Returns the tensors at the points, in the same way.
/// @param components  of a tensor
std::vector<float> averageTensors(vtkImageData* data, std::vector<float> cells, int components,
                                  const std::vector<std::uint8_t>& closed) {
  for (std::size_t c = 0; c < cells.size() / std::size_t(components); ++c) {
    const std::span<float> tensor(&cells[c * std::size_t(components)], std::size_t(components));
    const bool barrier = (!closed.empty() && closed[c]) ||
                         std::ranges::all_of(tensor, [](float v) { return v == 0; }) ||
                         std::ranges::any_of(tensor, [](float v) { return std::isnan(v); });
    if (!barrier && !image::isPositiveDefinite(tensor))
      throw Error("the tensor in " + cellName(data, std::int64_t(c)) +
                  " is not positive definite: such a tensor defines no speed, a barrier has zeros only");
    if (barrier) std::ranges::fill(tensor, std::numeric_limits<float>::quiet_NaN());
  }
  return meanOfCells(data, std::move(cells), components);
}

/// Returns 0, the number of the only seed, within the range, else -1.
std::vector<std::int32_t> regionOf(vtkImageData* data, const ImageTravelTimeSettings& settings) {
  if (!settings.seedRegionArray.chosen())
    throw Error("the seed is a region, but no array defines it: choose the Seed Region Array");
  const auto [lower, upper] = settings.seedRegionRange;
  std::vector<std::uint8_t> inside = within(
      chosenArray(data, settings.seedRegionArray, "seed region", settings.averageCellData), lower, upper);
  if (settings.seedRegionArray.onCells) inside = touched(data, std::move(inside));
  std::vector<std::int32_t> region(inside.size());
  std::transform(inside.begin(), inside.end(), region.begin(), [](std::uint8_t in) { return in ? 0 : -1; });
  return region;
}

/// Sets the surface of the level set.
/// @param first  index in the whole image of the first point of `data`
void setSurface(vtkImageData* data, const ImageFrame& frame, const ImageTravelTimeSettings& settings,
                const GridIndex& first, const Monitor& monitor, Medium& medium) {
  if (!settings.seedRegionArray.chosen())
    throw Error("the seed is a level set, but no array defines it: choose the Seed Region Array");
  const std::vector<double> values = toDoubles(pointArray(data, settings.seedRegionArray, "seed region"));
  std::vector<std::uint8_t> hidden;
  addBlankedPoints(data, hidden);
  surface::LevelSet levelSet;
  levelSet.grid = {frame.size(0),    frame.size(1),    frame.size(2),
                   frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  levelSet.first = first;
  levelSet.doubles = values;
  levelSet.hidden = hidden;
  levelSet.isoValue = settings.seedIsoValue;
  surface::insideOf(levelSet, 0, medium.seedsNotFinite);
  medium.seedSurface = surface::extractLevelSet(levelSet, 0, monitor);
}

bool isTensor(image::SpeedType type) {
  return type == image::SpeedType::MetricTensor || type == image::SpeedType::SquaredVelocityTensor;
}

bool averages(const ImageTravelTimeSettings& settings) {
  return settings.speedArray.onCells && settings.averageCellData;
}

std::vector<float> tensorsOf(vtkImageData* data, const ImageFrame& frame,
                             const ImageTravelTimeSettings& settings,
                             const std::vector<std::uint8_t>& closedCells) {
  vtkDataArray* const array = tensorArray(data, settings);
  if (averages(settings)) {
    const auto nameOf = [&](std::int64_t cell) { return cellName(data, cell); };
    return averageTensors(data, tensorsAlong(frame, array, settings.speedType, nameOf),
                          frame.size(2) == 1 ? 3 : 6, closedCells);
  }
  const auto nameOf = [&](std::int64_t point) { return pointName(frame, point); };
  return tensorsAlong(frame, array, settings.speedType, nameOf);
}

/// Sets the drift of the medium, whose barriers are set. That of a point is the mean of the cells around it
/// with a cell array.
/// @param closedCells  marks of barrier cells; may be empty
void setDrift(vtkImageData* data, const ImageFrame& frame, const ImageTravelTimeSettings& settings,
              const std::vector<std::uint8_t>& closedCells, Medium& medium) {
  const ArrayChoice& choice = settings.driftArray;
  const bool ofCells = choice.onCells && settings.averageCellData;
  vtkDataArray* const array =
      ofCells ? cellTuples(data, choice, "drift") : pointTuples(data, choice, "drift", averageCellsRemedy);
  const std::vector<std::uint8_t>& barriers = ofCells ? closedCells : medium.barriers;
  const auto isBarrier = [&](std::int64_t n) { return !barriers.empty() && barriers[std::size_t(n)]; };
  const auto nameOf = [&](std::int64_t n) { return ofCells ? cellName(data, n) : pointName(frame, n); };
  Velocities drift = velocitiesAlong(frame, array, isBarrier, nameOf);
  medium.drift = ofCells ? meanOfCells(data, std::move(drift.values), frame.size(2) == 1 ? 2 : 3)
                         : std::move(drift.values);
  medium.warning = driftOutOfPlane(drift, drift.largest, nameOf);
}

std::shared_ptr<const Medium> mediumOf(vtkImageData* data, const ImageFrame& frame,
                                       const ImageTravelTimeSettings& settings, const GridIndex& first,
                                       const Monitor& monitor) {
  auto medium = std::make_shared<Medium>();
  std::vector<std::uint8_t> closedCells;
  if (settings.averageCellData) closedCells = hiddenCells(data);
  if (settings.barrierArray.chosen()) {
    const auto [lower, upper] = settings.barrierRange;
    vtkDataArray* array = chosenArray(data, settings.barrierArray, "barrier", settings.averageCellData);
    auto& barriers = settings.barrierArray.onCells ? closedCells : medium->barriers;
    barriers = either(barriers, settings.barriersWithinRange ? within(array, lower, upper) : nonzero(array));
  }
  if (!closedCells.empty()) medium->barriers = either(medium->barriers, touched(data, closedCells));
  addBlankedPoints(data, medium->barriers);
  if (isTensor(settings.speedType)) {
    medium->ownSpeed = tensorsOf(data, frame, settings, closedCells);
  } else if (settings.speedArray.chosen()) {
    vtkDataArray* array = chosenArray(data, settings.speedArray, "speed", settings.averageCellData);
    if (auto* floats = vtkFloatArray::FastDownCast(array); floats && !settings.speedArray.onCells) {
      medium->speed = {floats->GetPointer(0), std::size_t(floats->GetNumberOfValues())};
      medium->input = floats, medium->inputTime = floats->GetMTime();
    } else {
      medium->ownSpeed = toFloats(array);
    }
    if (settings.speedArray.onCells)
      medium->ownSpeed = averageSpeed(data, std::move(medium->ownSpeed), closedCells, settings.speedType);
  }
  if (!medium->input) medium->speed = medium->ownSpeed;
  if (settings.seedsFromRegion) medium->seedRegions = regionOf(data, settings);
  if (settings.seedsFromLevelSet) setSurface(data, frame, settings, first, monitor, *medium);
  if (settings.driftArray.chosen()) setDrift(data, frame, settings, closedCells, *medium);
  if (settings.speedType == image::SpeedType::TiltedTransverse)
    medium->tilted = tiltedMediumOf(
        frame, settings.tilted,
        [&](const ArrayChoice& choice, const char* role) { return pointArray(data, choice, role); },
        [&](std::int64_t n) { return pointName(frame, n); });
  return medium;
}

} // namespace

void setSeeds(const Places& places, ImageTravelTimeProblem& input) {
  std::vector<double> unused; // 0 if the seed is used, in any part
  for (const image::Position& at : places.positions)
    unused.push_back(image::place(input.problem, at).status != image::Placement::Status::Inside);
  input.problem.part.allMin(unused);
  input.origin = TimeOrigin(places.startValues, [&](std::size_t s) { return unused[s] == 0; });
  input.problem.seeds.clear();
  for (std::size_t s = 0; s < places.size(); ++s)
    input.problem.seeds.push_back({places.positions[s], input.origin.since(places.startValues[s])});
}

vtkDataArray* tensorArray(vtkImageData* data, const ImageTravelTimeSettings& settings) {
  if (!isTensor(settings.speedType)) return nullptr;
  const ArrayChoice& choice = settings.speedArray;
  if (!choice.chosen())
    throw Error("the Speed Type requires tensors, but no array is chosen: choose the Speed Array");
  return averages(settings) ? cellTuples(data, choice, "speed")
                            : pointTuples(data, choice, "speed", averageCellsRemedy);
}

ImageTravelTimeProblem makeProblem(vtkImageData* data, const ImageFrame& frame,
                                   const ImageTravelTimeSettings& settings, const Places& seeds,
                                   const grid::GridPart& part, const Monitor& monitor) {
  std::shared_ptr<const Medium> medium = mediumOf(data, frame, settings, part.first, monitor);
  ImageTravelTimeProblem input;
  input.problem.grid = {frame.size(0),    frame.size(1),    frame.size(2),
                        frame.spacing(0), frame.spacing(1), frame.spacing(2)};
  input.axes = frame.orthogonal();
  input.problem.orthogonal = input.axes.get();
  input.problem.pointName = [frame](std::int64_t i, std::int64_t j, std::int64_t k) {
    return frame.pointName(i, j, k);
  };
  input.problem.part = part;
  for (int a = 0; a < 3; ++a)
    input.problem.periodic[std::size_t(a)] = settings.periodic[std::size_t(frame.imageAxis(a))];
  input.problem.speedType = settings.speedType;
  input.problem.constantSpeed = settings.constantSpeed;
  input.problem.speed = medium->speed;
  input.problem.barriers = medium->barriers;
  input.problem.drift = medium->drift;
  input.problem.thomsen = medium->tilted.arrays();
  setSeeds(seeds, input);
  if (settings.seedsFromRegion || settings.seedsFromLevelSet) input.problem.seeds[0].isRegion = true;
  input.problem.seedRegions = medium->seedRegions;
  if (medium->seedSurface) input.problem.seedSurface = &*medium->seedSurface;
  input.medium = std::move(medium);
  return input;
}

ImageTravelTimeProblem towardsTargets(const ImageTravelTimeProblem& problem, const Places& targets) {
  ImageTravelTimeProblem input = problem;
  setSeeds(targets, input);
  input.problem.seedRegions = {};
  input.problem.seedSurface = nullptr;
  input.problem.towardsSeeds = true;
  return input;
}

double bytesOf(const image::Problem& problem, const TimeOrigin& origin, bool twoWay) {
  const image::Grid& grid = problem.grid;
  // Bytes per point: work, times, seeds; TravelTime, SeedId, Reached; TimeFromTargets, TwoWayTime,
  // Connectivity.
  const bool drifts = !problem.drift.empty(),
             tilted = problem.speedType == image::SpeedType::TiltedTransverse;
  const double solver = (isTensor(problem.speedType) || drifts || tilted ? 88 : 18) + (drifts ? 28 : 0) +
                        (tilted ? 180 : 0),
               time = origin.bytesOfTime();
  const bool wraps =
      std::ranges::any_of(problem.periodic, [](bool axis) { return axis; }); // copies of the arrays
  const double output = time + 5 + (wraps ? 9 : 0), sum = 8, twoWayOutput = 2 * time + 4;
  const double bytes = solver + output + (twoWay ? sum + twoWayOutput : 0);
  return bytes * double(grid.nx) * double(grid.ny) * double(grid.nz);
}

void requireMemory(const image::Problem& problem, const TimeOrigin& origin, bool twoWay) {
  const image::Grid& grid = problem.grid;
  std::ostringstream what;
  what << "the travel times of " << grid.nx << " x " << grid.ny << " x " << grid.nz << " points";
  requireHostMemory(std::size_t(std::min(bytesOf(problem, origin, twoWay), 9e18)), what.str());
}

std::string blurredStart(const image::Problem& problem, std::int32_t seed, PartExchange& ranks) {
  double first = seed < 0 ? std::numeric_limits<double>::infinity() : seed;
  ranks.allMin({&first, 1});
  if (std::isinf(first)) return {};
  std::ostringstream text;
  text
      << "seed " << first << " starts " << problem.seeds[std::size_t(first)].startValue
      << " after the earliest one, so late that single precision blurs its front by more than a sixteenth of "
         "a grid step: give start values closer together";
  return text.str();
}

std::string strongDrift(const image::Result& result) {
  constexpr double accurate = 0.95; // DESIGN.md of Image Travel Time, "In a drift"
  if (result.largestDrift <= accurate) return {};
  std::ostringstream text;
  text << "the drift reaches " << result.largestDrift << " of the speed: beyond " << accurate
       << " travel times are too long";
  return text.str();
}

std::string missingValues(const ImageTravelTimeProblem& problem, const std::string& array,
                          PartExchange& ranks) {
  const double count = ranks.sum(double(problem.medium->seedsNotFinite));
  if (!(count > 0)) return {};
  std::ostringstream text;
  text << count << " values of '" << array
       << "' are NaN or infinite: no front starts in the cells around them";
  return text.str();
}

Places placeOfRegion() {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  Places place;
  place.positions = {{nowhere, nowhere, nowhere}};
  place.startValues = {0};
  place.labels = {0};
  return place;
}

bool same(const ImageTravelTimeProblem& first, const ImageTravelTimeProblem& second) {
  const image::Problem &a = first.problem, &b = second.problem;
  // An array that was changed in place has the new contents in both problems.
  if (first.medium->input && first.medium->input == second.medium->input &&
      first.medium->inputTime != second.medium->inputTime)
    return false;
  const auto shape = [](const image::Grid& g) {
    return std::array<double, 6>{double(g.nx), double(g.ny), double(g.nz), g.hx, g.hy, g.hz};
  };
  const auto sameSeed = [](const image::Seed& s, const image::Seed& t) {
    return sameBytes<double>(s.at, t.at) && s.startValue == t.startValue;
  };
  const auto sameSurface = [](const surface::Surface* s, const surface::Surface* t) {
    if (!s || !t) return s == t;
    return sameBytes<surface::Piece>(s->pieces, t->pieces) && s->cells == t->cells;
  };
  const auto sameAxes = [](const grid::OrthogonalGrid* s, const grid::OrthogonalGrid* t) {
    return s && t ? *s == *t : s == t;
  };
  return shape(a.grid) == shape(b.grid) && sameAxes(a.orthogonal, b.orthogonal) && a.periodic == b.periodic &&
         a.speedType == b.speedType && a.constantSpeed == b.constantSpeed && sameBytes(a.speed, b.speed) &&
         sameBytes(a.barriers, b.barriers) && sameBytes(a.seedRegions, b.seedRegions) &&
         sameSurface(a.seedSurface, b.seedSurface) && sameBytes(a.drift, b.drift) &&
         sameTilt(a.thomsen, b.thomsen) &&
         std::equal(a.seeds.begin(), a.seeds.end(), b.seeds.begin(), b.seeds.end(), sameSeed);
}

} // namespace isochrone::filters
