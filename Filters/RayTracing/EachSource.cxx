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

/// Returns the problem of one run.
RayProblem problemOf(const RaySourceRequest& request, std::size_t run) {
  RayProblem input = request.input;
  setSources(onlyPlaces(request.sources, request.seedGroups.points[run]), request.options, input);
  return input;
}

SeedRunNeeds needsOf(const RaySourceRequest& request) {
  const double points = double(request.input.problem.grid.points()),
               real = request.options.doublePrecision ? 8 : 4;
  // Times, marks of pending tiles and the slowness of the solver, of each leg.
  const double run = (request.reflector ? 2 : 1) * (2 * real + 1) * points;
  return {request.options.backend, request.options.threads, run, 0, {}};
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

std::vector<TableEntry> entriesOf(const RayRun& direct, const std::vector<Arrivals>& arrivals,
                                  const PointGroups& receivers, bool symmetric, PartExchange& ranks) {
  std::vector<TableEntry> table = entriesOf(pathsOf(direct, arrivals, fieldsOf(direct), false), receivers);
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
  return answers(known, request) && known.tipGroups.points == request.tipGroups.points &&
         answers(known.options, request.options) && same(known.input.problem, request.input.problem) &&
         sameReflector(known.reflector, request.reflector) &&
         known.sources.startValues == request.sources.startValues &&
         sameBytes<rays::Position>(known.receivers.positions, request.receivers.positions);
}

std::optional<RaySourceRuns> runEachSource(RaySourceRequest request, const Monitor& monitor) {
  RaySourceRuns all;
  const std::size_t runs = request.seedGroups.size();
  std::vector<std::string> warnings(runs);
  const auto runOne = [&](std::size_t number, std::size_t firstTip, int threads, const Monitor& own) {
    const std::vector<rays::Position> receivers(
        request.receivers.positions.begin() + std::ptrdiff_t(firstTip), request.receivers.positions.end());
    rays::Options options = request.options;
    options.threads = threads;
    const auto solve = [&](RayProblem input, const Monitor& part) {
      rays::Result result = rays::solveRayTracing(input.problem, options, part);
      return RayRun{std::move(input), options, std::move(result)};
    };
    const double share = request.reflector ? 0.45 : 0.9; // of a leg
    const RayRun direct = solve(problemOf(request, number), own.part(0, share));
    if (direct.result.aborted) return SeedRun();
    warnings[number] = roundingRisk(direct);
    std::vector<RayRun> reflected;
    if (request.reflector) {
      reflected.push_back(solve(secondLeg(direct.input, *request.reflector, direct.result.fields[0]),
                                own.part(share, share)));
      if (reflected[0].result.aborted) return SeedRun();
      if (warnings[number].empty()) warnings[number] = roundingRisk(reflected[0]);
    }
    PartExchange alone(Ranks::alone());
    const std::vector<Arrivals> arrivals{
        RayLegs{direct, reflected, alone}.arrivals(0, receivers, own.part(0.9, 0.1))};
    if (arrivals[0].toReceivers.size() < receivers.size()) return SeedRun();
    return SeedRun{pathsOf(direct, arrivals, {0}, false), direct.result.ranOn.backend};
  };
  const bool symmetric =
      request.isSquare() && isSymmetric(request.sources, request.receivers, request.reflector);
  auto found = runEachSeed(planOf(request, symmetric, needsOf(request)), monitor, runOne);
  if (!found) return {};
  all.table = std::move(found->table);
  all.solves = int(runs) * (request.reflector ? 2 : 1);
  for (const std::string& warning : warnings)
    if (all.warning.empty()) all.warning = warning;
  all.request = std::move(request);
  return all;
}

} // namespace isochrone::filters
