#include "RayTracing/Seeds/PeriodicProblem.h"

#include "Backend.h"
#include "Bytes.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Validation.h"

#include <algorithm>
#include <cmath>

namespace isochrone::rays {

namespace {

Grid onePeriod(const Problem& p, WeightRule rule) {
  const GridIndex n = periodOf(p, rule);
  return {n[0], n[1], n[2], p.grid.hx, p.grid.hy, p.grid.hz};
}

/// At least two points, as for any part.
std::int64_t marginOf(const Problem& p, const Options& options) {
  return std::max(2, reachOf(makeForwardStar(p.grid, options.neighbours, options.radius)));
}

} // namespace

PeriodicProblem::PeriodicProblem(const Problem& given, const Options& options)
    : image(given.grid), rule(options.rule),
      periodic(onePeriod(given, rule), given.periodic, marginOf(given, options)), inParts(given) {
  const Grid &grid = periodic.grid(), from = elementsOf(image, rule), to = elementsOf(grid, rule);
  const Thomsen& tilt = given.thomsen;
  requireMemory(given.slowness.size_bytes() + given.preciseSlowness.size_bytes() +
                given.startTimes.size_bytes() + given.preciseStartTimes.size_bytes() +
                tilt.epsilon.size_bytes() + tilt.delta.size_bytes() + tilt.axis.size_bytes() +
                tilt.shear.size_bytes());
  slowness = extended(given.slowness, from, to);
  preciseSlowness = extended(given.preciseSlowness, from, to);
  startTimes = extended(given.startTimes, image, grid);
  preciseStartTimes = extended(given.preciseStartTimes, image, grid);
  inParts.thomsen = tilt.extended(
      given.grid, from.points(),
      [&](std::span<const float> values, int components) { return extended(values, from, to, components); },
      thomsen);
  inParts.periodic = {};
  inParts.grid = grid, inParts.part = periodic.part();
  inParts.slowness = slowness, inParts.preciseSlowness = preciseSlowness;
  inParts.startTimes = startTimes, inParts.preciseStartTimes = preciseStartTimes;
  const Position h = grid.spacing();
  const GridIndex low = first();
  inParts.placeName = [given, h, low](Position at) {
    for (int a = 0; a < 3; ++a) at[a] -= double(low[a]) * h[a];
    return nameOfPlace(given, at);
  };
  // The sources, then their copies in the same order each time. Where one has fewer copies, it is repeated.
  std::vector<std::vector<Position>> copies;
  std::size_t most = 1;
  for (const Source& source : given.sources) {
    copies.push_back(periodic.copies(source.at));
    most = std::max(most, copies.back().size());
  }
  inParts.distinctSources = int(given.sources.size());
  inParts.sources.clear();
  for (std::size_t c = 0; c < most; ++c)
    for (std::size_t s = 0; s < given.sources.size(); ++s)
      inParts.sources.push_back({copies[s][c < copies[s].size() ? c : 0], given.sources[s].startTime});
}

std::vector<std::int32_t> PeriodicProblem::withCopies(std::span<const std::int32_t> sources) const {
  std::vector<std::int32_t> all;
  for (std::int32_t first = 0; first < std::int32_t(inParts.sources.size()); first += inParts.distinctSources)
    for (const std::int32_t s : sources) all.push_back(first + s);
  return all;
}

/// Requires the memory for the copies of some bytes of the image.
void PeriodicProblem::requireMemory(std::size_t bytes) const {
  requireHostMemory(std::size_t(double(bytes) * double(periodic.grid().points()) / double(image.points())),
                    "the copies of an image with periodic axes");
}

template <class T>
std::vector<T> PeriodicProblem::extended(std::span<const T> values, const Grid& from, const Grid& to,
                                         int components) const {
  std::vector<T> all;
  if (values.empty()) return all;
  all.reserve(std::size_t(to.points() * components));
  grid::forEachPoint({{0, 0, 0}, to.sizes()}, [&](const GridIndex& p) {
    const T* const value = values.data() + from.index(periodic.inImage(p)) * components;
    all.insert(all.end(), value, value + components);
  });
  return all;
}

template <class T>
Values<T> PeriodicProblem::extendedPoints(const Values<T>& values) const {
  const std::vector<T> all = extended(std::span<const T>(values), image, periodic.grid());
  return {all.begin(), all.end()};
}

template <class T>
void PeriodicProblem::cropPoints(Values<T>& values) const {
  if (values.empty()) return;
  auto to = values.begin();
  grid::Box box{first(), first()};
  for (int a = 0; a < 3; ++a) box.high[a] += image.sizes()[a];
  grid::forEachPoint(box, [&](const GridIndex& p) { *to++ = values[std::size_t(periodic.grid().index(p))]; });
  values.resize(std::size_t(image.points()));
  values.shrink_to_fit();
}

Field PeriodicProblem::extended(const Field& field) const {
  requireMemory(bytesOf(field.travelTime, field.preciseTravelTime, field.predecessor));
  return {extendedPoints(field.travelTime),
          extendedPoints(field.preciseTravelTime),
          extendedPoints(field.predecessor),
          {}};
}

void PeriodicProblem::crop(Field& field) const {
  cropPoints(field.travelTime);
  cropPoints(field.preciseTravelTime);
  cropPoints(field.predecessor);
  cropPoints(field.source);
  for (std::int32_t& source : field.source)
    if (source >= 0) source %= inParts.distinctSources;
}

GridIndex PeriodicProblem::stepsFrom(const Position& placed, const Position& at) const {
  const Position h = image.spacing();
  GridIndex steps{};
  for (int a = 0; a < 3; ++a)
    if (first()[a] > 0) steps[a] = std::llround(at[a] / h[a] - (placed[a] / h[a] - double(first()[a])));
  return steps;
}

std::int64_t PeriodicProblem::elementInImage(std::int64_t element) const {
  return elementsOf(image, rule).index(periodic.inImage(elementsOf(periodic.grid(), rule).indices(element)));
}

} // namespace isochrone::rays
