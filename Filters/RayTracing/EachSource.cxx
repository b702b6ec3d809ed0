#include "RayTracing/EachSource.h"

#include "Common/ArrayBridge.h"
#include "Common/PartExchange.h"
#include "Common/Ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isochrone::filters {

namespace {

/// Returns the problem of one source.
RayProblem problemOf(const RaySourceRequest& request, std::size_t source) {
  Places one;
  one.positions = {request.sources.positions[source]};
  one.startValues = {request.sources.startValues[source]};
  RayProblem input = request.input;
  setSources(one, request.options, input);
  return input;
}

SeedRunPlan planOf(const RaySourceRequest& request) {
  const rays::Problem& problem = request.input.problem;
  const double points = double(problem.grid.points()), real = request.options.doublePrecision ? 8 : 4;
  // Times, marks of pending tiles and the slowness of the solver, of each leg.
  const double run = (request.reflector ? 2 : 1) * (2 * real + 1) * points;
  const auto sources = std::int64_t(request.sources.size());
  return {request.sources.size(), request.receivers.size(),
          isSymmetric(request.sources, request.receivers, request.reflector), false,
          chooseRunsAtOnce(sources, request.options.backend, request.options.threads, run, 0)};
}

bool sameReflector(const std::optional<RayReflector>& a, const std::optional<RayReflector>& b) {
  if (!a || !b) return !a && !b;
  const auto sameMedium = [](const RayMedium* m, const RayMedium* n) {
    return m && n ? m->slowness == n->slowness && m->preciseSlowness == n->preciseSlowness : m == n;
  };
  return a->interface == b->interface && sameMedium(a->medium.get(), b->medium.get());
}

/// Returns the entries of all ranks: each has those of its receivers. Collective.
std::vector<TableEntry> ofAllRanks(const std::vector<TableEntry>& own, PartExchange& ranks) {
  constexpr double elsewhere = std::numeric_limits<double>::infinity();
  std::vector<double> numbers;
  for (const TableEntry& entry : own)
    for (const double number : {entry.travelTime, entry.length})
      numbers.push_back(entry.isReached() ? number : elsewhere);
  ranks.allMin(numbers);
  std::vector<TableEntry> all(own.size());
  for (std::size_t n = 0; n < all.size(); ++n)
    if (std::isfinite(numbers[2 * n])) all[n] = {numbers[2 * n], numbers[2 * n + 1]};
  return all;
}

} // namespace

std::vector<TableEntry> entriesOf(const RayRun& direct, const std::vector<Arrivals>& arrivals, bool symmetric,
                                  PartExchange& ranks) {
  std::vector<TableEntry> table = entriesOf(pathsOf(direct, arrivals, fieldsOf(direct), false));
  if (direct.input.problem.part.isDivided()) table = ofAllRanks(table, ranks);
  if (symmetric) mirror(table, arrivals.size());
  return table;
}

bool isSymmetric(const Places& sources, const Places& receivers,
                 const std::optional<RayReflector>& reflector) {
  const bool isConverted = reflector && reflector->medium; // the legs have different velocities
  return !isConverted && sources.positions == receivers.positions &&
         std::ranges::all_of(sources.startValues, [](double start) { return start == 0; });
}

bool answers(const RaySourceRuns& runs, const RaySourceRequest& request) {
  const RaySourceRequest& known = runs.request;
  return answers(known.options, request.options) && same(known.input.problem, request.input.problem) &&
         sameReflector(known.reflector, request.reflector) &&
         known.sources.startValues == request.sources.startValues &&
         sameBytes<rays::Position>(known.receivers.positions, request.receivers.positions);
}

std::optional<RaySourceRuns> runEachSource(RaySourceRequest request, const Monitor& monitor) {
  RaySourceRuns all;
  std::vector<std::string> warnings(request.sources.size());
  const auto run = [&](std::size_t source, std::size_t firstTip, int threads, const Monitor& own) {
    const std::vector<rays::Position> receivers(
        request.receivers.positions.begin() + std::ptrdiff_t(firstTip), request.receivers.positions.end());
    rays::Options options = request.options;
    options.threads = threads;
    const double half = request.reflector ? 0.45 : 0.9;
    std::vector<RayRun> legs;
    const auto solve = [&](RayProblem input, const Monitor& part) {
      rays::Result result = rays::solveRayTracing(input.problem, options, part);
      if (!result.aborted) legs.push_back({std::move(input), options, std::move(result)});
      return !legs.empty() && !result.aborted;
    };
    if (!solve(problemOf(request, source), own.part(0, half))) return std::vector<Path>();
    if (request.reflector &&
        !solve(secondLeg(legs[0].input, *request.reflector, legs[0].result.fields[0]), own.part(half, half)))
      return std::vector<Path>();
    for (const RayRun& leg : legs)
      if (warnings[source].empty()) warnings[source] = roundingRisk(leg);
    const RayRun direct = std::move(legs[0]);
    legs.erase(legs.begin());
    PartExchange alone(Ranks::alone());
    std::vector<Arrivals> arrivals{RayLegs{direct, legs, alone}.arrivals(0, receivers, own.part(0.9, 0.1))};
    if (arrivals[0].toReceivers.size() < receivers.size()) return std::vector<Path>();
    return pathsOf(direct, arrivals, {0}, false);
  };
  auto found = runEachSeed(planOf(request), monitor, run);
  if (!found) return {};
  all.table = std::move(found->table);
  all.solves = int(request.sources.size()) * (request.reflector ? 2 : 1);
  for (const std::string& warning : warnings)
    if (all.warning.empty()) all.warning = warning;
  all.request = std::move(request);
  return all;
}

} // namespace isochrone::filters
