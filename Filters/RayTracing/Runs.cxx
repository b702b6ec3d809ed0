#include "RayTracing/Runs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>

namespace isochrone::filters {

namespace {

/// Returns the point of the interface where each ray starts; NaN without a ray.
std::vector<rays::Position> beginnings(const rays::Grid& grid, const std::vector<rays::Ray>& rays) {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  std::vector<rays::Position> places;
  for (const rays::Ray& ray : rays) {
    if (ray.points.empty()) {
      places.push_back({nowhere, nowhere, nowhere});
      continue;
    }
    const std::int64_t p = ray.points.front(), i = p % grid.nx, j = p / grid.nx % grid.ny,
                       k = p / (grid.nx * grid.ny);
    places.push_back({double(i) * grid.hx, double(j) * grid.hy, double(k) * grid.hz});
  }
  return places;
}

/// Returns the source numbers of a field.
std::vector<std::int32_t> sourcesOf(const RayRun& run, std::size_t field) {
  if (run.options.separateSources) return {std::int32_t(field)};
  std::vector<std::int32_t> all(run.input.problem.sources.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

} // namespace

bool reachesAnything(const RayRun& run) {
  const auto finite = [](double time) { return std::isfinite(time); };
  return std::any_of(run.result.fields.begin(), run.result.fields.end(), [&](const rays::Field& field) {
    return std::any_of(field.travelTime.begin(), field.travelTime.end(), finite) ||
           std::any_of(field.preciseTravelTime.begin(), field.preciseTravelTime.end(), finite);
  });
}

std::vector<std::size_t> fieldsOf(const RayRun& run) {
  std::vector<std::size_t> all(run.result.fields.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string roundingRisk(const RayRun& run) {
  if (!run.result.roundingRisk) return {};
  return std::string("some edges are so short relative to the latest time that adding one may have no "
                     "effect, so times may be wrong in the last digits: ") +
         (run.options.doublePrecision ? "reduce the range of the velocities" : "switch on Double Precision");
}

std::string unevenDirections(const RayRun& run) {
  const rays::Grid& grid = run.input.problem.grid;
  rays::Grid equal = grid;
  equal.hx = equal.hy = equal.hz = 1;
  const auto excess = [&](const rays::Grid& g) {
    return rays::makeForwardStar(g, run.options.neighbours, run.options.radius).worstAngularError;
  };
  const double now = excess(grid), then = excess(equal);
  if (now < 0.04 || now < 2 * then) return {};
  std::ostringstream text;
  text << std::setprecision(2) << "edges in few directions make travel times up to " << 100 * now
       << " % too long, as the spacing is " << grid.hx << " x " << grid.hy << " x " << grid.hz
       << "; with equal spacings " << 100 * then
       << " %: use a Radius in inverse proportion to the spacing, or Resample To Image";
  return text.str();
}

Arrivals RayLegs::arrivals(std::size_t field, const std::vector<rays::Position>& places,
                           const Monitor& monitor) const {
  const auto trace = [](const RayRun& run, std::size_t f, const std::vector<rays::Position>& to,
                        const Monitor& part) {
    return rays::traceRays(run.input.problem, run.options, run.result.fields[f], sourcesOf(run, f), to, part);
  };
  if (reflected.empty()) return {trace(direct, field, places, monitor), {}, {}};
  Arrivals result;
  result.toReceivers = trace(reflected[field], 0, places, monitor.part(0, 0.5));
  result.toInterface =
      trace(direct, field, beginnings(direct.input.problem.grid, result.toReceivers), monitor.part(0.5, 0.5));
  if (result.toInterface.size() < places.size()) return {};
  return result;
}

std::vector<rays::RayMatrix> RayLegs::matrices(std::size_t field, const Arrivals& arrivals,
                                               const Monitor& monitor) const {
  std::vector<rays::RayMatrix> all;
  const auto add = [&](const RayRun& run, const std::vector<rays::Ray>& rays, const Monitor& part) {
    all.push_back(rays::rayMatrix(run.input.problem, run.options, rays, part));
    return !all.back().row.empty();
  };
  const bool done = reflected.empty()
                        ? add(direct, arrivals.toReceivers, monitor)
                        : add(direct, arrivals.toInterface, monitor.part(0, 0.5)) &&
                              add(reflected[field], arrivals.toReceivers, monitor.part(0.5, 0.5));
  if (!done) all.clear();
  return all;
}

} // namespace isochrone::filters
