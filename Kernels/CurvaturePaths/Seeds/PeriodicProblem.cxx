#include "CurvaturePaths/Seeds/PeriodicProblem.h"

#include "Backend.h"
#include "CurvaturePaths/Scheme/Discretisation.h"
#include "CurvaturePaths/Scheme/PartProblem.h"
#include "CurvaturePaths/Validation.h"
#include "Error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isochrone::curvature {

namespace {

std::array<bool, 3> axesOf(const Problem& p) { return {p.periodic[0], p.periodic[1], false}; }

} // namespace

PeriodicProblem::PeriodicProblem(const Problem& given, std::shared_ptr<const Discretisation> discretisation,
                                 const grid::Box& wanted)
    : ofImage(std::move(discretisation)), image(given.grid),
      periodic({image.nx, image.ny, 1, image.hx, image.hy}, axesOf(given),
               marginOf(given, ofImage->stencils())),
      distinct(std::int32_t(given.seeds.size())), inParts(given) {
  const GridIndex size{image.nx, image.ny, 1};
  box = {{0, 0, 0}, size};
  inParts.periodic = {};
  inParts.part = periodic.part();
  inParts.margin = std::max(periodic.first()[0], periodic.first()[1]);
  for (int a = 0; a < 2; ++a) {
    if (periodic.first()[a] == 0) continue; // not periodic
    // Near-seed start values of seeds in the margin read the fields around it.
    box.low[a] = std::min(wanted.low[a], -2 * inParts.margin);
    box.high[a] = std::max(wanted.high[a], periodic.grid().sizes()[a]);
    inParts.part.first[a] = -periodic.first()[a] - box.low[a];
  }
  inParts.part.whole = {box.size(0), box.size(1), 1};
  inParts.grid.nx = box.size(0), inParts.grid.ny = box.size(1);
  const std::size_t values = given.cost.values.size() + given.turningRadius.values.size() +
                             given.curvatureShift.values.size() + given.walls.size();
  requireHostMemory(
      std::size_t(double(values) * sizeof(float) * double(box.points()) / double(image.planePoints())),
      "the copies of a plane with periodic axes");
  Field* const views[] = {&inParts.cost, &inParts.turningRadius, &inParts.curvatureShift};
  for (std::size_t f = 0; f < fields.size(); ++f) {
    fields[f] = tiled(views[f]->values);
    views[f]->values = fields[f];
  }
  walls = tiled(given.walls);
  inParts.walls = walls;
  inParts.pointName = [given, low = box.low](std::int64_t i, std::int64_t j) {
    const auto in = [](std::int64_t at, std::int64_t n) { return (at % n + n) % n; };
    return pointName(given, in(i + low[0], given.grid.nx), in(j + low[1], given.grid.ny));
  };
  // The seeds, then their copies in the part and its margin, in the same order each time.
  std::vector<std::vector<Position>> copies;
  std::size_t maximum = 1;
  for (const Seed& seed : given.seeds) {
    copies.push_back(periodic.copies({seed.state.x, seed.state.y, 0}));
    maximum = std::max(maximum, copies.back().size());
  }
  // Each copy takes as long as a seed of its own.
  constexpr std::size_t maximumCopies = 32;
  if (maximum > maximumCopies && given.accuracy != Accuracy::FirstOrder)
    fail("a periodic image of ", image.nx, " x ", image.ny, " points is repeated ", maximum,
         " times around a seed, but at most ", maximumCopies,
         " times for start values near seeds: choose the accuracy First Order, or a finer image");
  inParts.seeds.clear();
  for (std::size_t c = 0; c < maximum; ++c)
    for (std::size_t s = 0; s < given.seeds.size(); ++s) {
      Seed seed = given.seeds[s];
      const double nowhere = -1e9;
      const bool exists = c < copies[s].size();
      seed.state.x = exists ? copies[s][c][0] + double(inParts.part.first[0]) * image.hx : nowhere * image.hx;
      seed.state.y = exists ? copies[s][c][1] + double(inParts.part.first[1]) * image.hy : nowhere * image.hy;
      inParts.seeds.push_back(seed);
    }
}

std::shared_ptr<const Discretisation> PeriodicProblem::discretisation() const {
  return std::make_shared<const Discretisation>(inParts, *ofImage);
}

template <class T>
std::vector<T> PeriodicProblem::tiled(std::span<const T> values) const {
  std::vector<T> all;
  const auto plane = std::size_t(image.planePoints());
  all.reserve(values.size() / plane * std::size_t(box.points()));
  for (std::size_t start = 0; start < values.size(); start += plane)
    for (std::int64_t j = box.low[1]; j < box.high[1]; ++j)
      for (std::int64_t i = box.low[0]; i < box.high[0]; ++i)
        all.push_back(values[start + std::size_t(wrapped(i, 0) + image.nx * wrapped(j, 1))]);
  return all;
}

std::int64_t PeriodicProblem::wrapped(std::int64_t at, int axis) const {
  const std::int64_t n = axis == 0 ? image.nx : image.ny;
  return (at % n + n) % n;
}

std::int64_t PeriodicProblem::pointOf(const GridIndex& inWindow) const {
  return wrapped(inWindow[0] - periodic.first()[0], 0) +
         image.nx * wrapped(inWindow[1] - periodic.first()[1], 1);
}

State PeriodicProblem::inPlane(State state) const {
  const Position at = periodic.copies({state.x, state.y, 0})[0];
  state.x = at[0] + double(inParts.part.first[0]) * image.hx;
  state.y = at[1] + double(inParts.part.first[1]) * image.hy;
  return state;
}

std::array<double, 2> PeriodicProblem::turnsOf(const State& state) const {
  const State placed = inPlane(state);
  const double x = placed.x + double(box.low[0]) * image.hx, y = placed.y + double(box.low[1]) * image.hy;
  return {std::round((state.x - x) / (double(image.nx) * image.hx)),
          std::round((state.y - y) / (double(image.ny) * image.hy))};
}

Placement PeriodicProblem::inImage(Placement place) const {
  place.i = wrapped(place.i + box.low[0], 0), place.j = wrapped(place.j + box.low[1], 1);
  return place;
}

std::shared_ptr<const Discretisation> discretisationOfImage(const Problem& problem,
                                                            const Solution& solution) {
  validate(problem);
  return discretisationOf(problem, solution);
}

PeriodicSolution::PeriodicSolution(const PeriodicProblem& problem, const Solution& given) : solution(given) {
  const int headings = problem.problem().grid.headings;
  const auto copied = [](std::span<const float> values) {
    return std::vector<float>(values.begin(), values.end());
  };
  travelTime = problem.extended(copied(given.travelTime), headings);
  uncorrected = problem.extended(copied(given.uncorrected), headings);
  solution.travelTime = travelTime, solution.uncorrected = uncorrected;
  solution.discretisation = problem.discretisation();
}

} // namespace isochrone::curvature
