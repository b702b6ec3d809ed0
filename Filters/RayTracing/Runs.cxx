#include "RayTracing/Runs.h"

#include "Common/PartExchange.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <iterator>
#include <limits>
#include <numeric>
#include <sstream>
#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the point of the interface where each ray starts, on all ranks; NaN without a ray. Collective.
std::vector<rays::Position> beginnings(const rays::Grid& grid, const std::vector<rays::Ray>& rays,
                                       PartExchange& ranks) {
  std::vector<double> points; // numbers in the whole image; +infinity on ranks that do not have the ray
  for (const rays::Ray& ray : rays)
    points.push_back(ray.points.empty() ? std::numeric_limits<double>::infinity()
                                        : double(ray.points.front()));
  ranks.allMin(points);
  std::vector<rays::Position> places;
  for (const double point : points) {
    constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(point)) {
      places.push_back({nowhere, nowhere, nowhere});
      continue;
    }
    auto at = grid.indices(std::int64_t(point));
    if (const auto& shift = rays[places.size()].shift; !shift.empty()) // where the ray passes it
      for (int a = 0; a < 3; ++a) at[a] += shift[0][a];
    places.push_back({double(at[0]) * grid.hx, double(at[1]) * grid.hy, double(at[2]) * grid.hz});
  }
  return places;
}

/// Gives all ranks the points of all rays: the interface may be far from the receiver. Collective.
void share(std::vector<rays::Ray>& rays, PartExchange& ranks) {
  std::vector<double> own;
  for (std::size_t r = 0; r < rays.size(); ++r) {
    const rays::Ray& ray = rays[r];
    if (ray.points.empty() && ray.source < 0) continue;
    own.insert(own.end(),
               {double(r), double(ray.source), ray.startTime, ray.travelTime, double(ray.points.size())});
    own.insert(own.end(), ray.points.begin(), ray.points.end());
    own.insert(own.end(), ray.times.begin(), ray.times.end());
  }
  for (const std::vector<double>& numbers : ranks.gather<double>(own))
    for (auto at = numbers.begin(); at != numbers.end();) {
      rays::Ray& ray = rays[std::size_t(*at++)];
      ray.source = std::int32_t(*at++);
      ray.startTime = *at++;
      ray.travelTime = *at++;
      const auto count = std::ptrdiff_t(*at++);
      ray.points.assign(at, at + count);
      ray.times.assign(at + count, at + 2 * count);
      at += 2 * count;
    }
}

} // namespace

bool reachesAnything(const RayRun& run) {
  const auto finite = [](double time) { return std::isfinite(time); };
  return std::any_of(run.result.fields.begin(), run.result.fields.end(), [&](const rays::Field& field) {
    return std::any_of(field.travelTime.begin(), field.travelTime.end(), finite) ||
           std::any_of(field.preciseTravelTime.begin(), field.preciseTravelTime.end(), finite);
  });
}

std::vector<std::int32_t> sourcesOf(const RayRun& run, std::size_t field) {
  const auto fields = sourcesOfFields(run.options, run.input.problem.sources.size());
  if (fields.empty()) return {};
  return {fields[field].begin(), fields[field].end()};
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
  const rays::Grid whole = rays::wholeGrid(direct.input.problem);
  result.toInterface =
      trace(direct, field, beginnings(whole, result.toReceivers, ranks), monitor.part(0.5, 0.5));
  if (result.toInterface.size() < places.size()) return {};
  share(result.toInterface, ranks);
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

std::vector<Path> pathsOf(const RayRun& direct, const std::vector<Arrivals>& arrivals,
                          const std::vector<std::size_t>& fields, bool merge) {
  std::vector<Path> all;
  for (const std::size_t f : fields) {
    auto some = pathsOf(direct.input.problem, arrivals[f], merge);
    direct.input.originOf(f).addTo(some);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  return all;
}

void attachLegs(const RayRun& direct, const std::vector<RayRun>& reflected,
                const std::vector<std::size_t>& fields, bool each, bool predecessors, PartExchange& ranks,
                vtkImageData* image) {
  std::vector<ShownField> first, second;
  for (const std::size_t f : fields) {
    first.push_back({&direct.result.fields[f], direct.input.originOf(f)});
    if (!reflected.empty()) second.push_back({&reflected[f].result.fields[0], direct.input.originOf(f)});
  }
  attachTimes("TravelTime", first, each, ranks, image);
  if (!second.empty()) attachTimes("ReflectedTravelTime", second, each, ranks, image);
  for (std::size_t f = 0; predecessors && f < first.size(); ++f)
    attachPredecessors("Predecessor" + (each ? std::to_string(f) : ""), direct.input.problem, direct.options,
                       *first[f].field, image);
}

} // namespace isochrone::filters
