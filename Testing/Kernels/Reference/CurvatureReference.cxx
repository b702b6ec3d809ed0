#include "Reference/CurvatureReference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <queue>

namespace isochrone::reference {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using curvature::Problem;
using curvature::StateGrid;

int wrapped(int k, int n) { return (k % n + n) % n; }

/// Returns whether the stencils depend on the heading alone.
bool sharedStencils(const Problem& problem) {
  return problem.turningRadius.values.empty() && problem.curvatureShift.values.empty();
}

/// A difference as seen from the neighbour q that it reads; it belongs to the state q - offset.
struct Reader {
  std::array<int, 3> offset;
  double weight;
  int scheme;
  const char* free;     ///< per plane point: whether the step by `offset` is free
  const char* opposite; ///< whether the step by -offset is free; null for a forward difference
};

/// Coefficients of the quadratic a l^2 - 2 b l + c = cost^2, summed over the accepted neighbours.
struct Sums {
  double a = 0, b = 0, c = 0;
};

class Marching {
public:
  explicit Marching(const Problem& problem)
      : problem(problem), grid(problem.grid), shared(sharedStencils(problem)), steps(problem),
        readers(shared ? grid.headings : grid.points()), value(grid.points(), infinity),
        accepted(grid.points(), 0), schemes(problem.model == curvature::Model::Dubins ? 2 : 1),
        sums(grid.points() * schemes) {
    for (int k = 0; k < grid.headings; ++k) {
      if (shared)
        addReaders(k, k);
      else
        for (std::int64_t p = grid.planePoints() * k; p < grid.planePoints() * (k + 1); ++p) addReaders(p, k);
    }
  }

  std::vector<double> run() {
    for (const auto& [state, start] : seedStates(problem)) offer(state, start);
    while (!heap.empty()) {
      const auto [u, q] = heap.top();
      heap.pop();
      if (accepted[q]) continue;
      accepted[q] = 1;
      const int k = int(q / grid.planePoints());
      const std::int64_t i = q % grid.nx, j = q / grid.nx % grid.ny;
      for (const Reader& reader : readers[shared ? k : q]) {
        const std::int64_t pi = i - reader.offset[0], pj = j - reader.offset[1];
        if (pi < 0 || pj < 0 || pi >= grid.nx || pj >= grid.ny) continue;
        update(reader, pi, pj, wrapped(k - reader.offset[2], grid.headings), u);
      }
    }
    return std::move(value);
  }

private:
  /// Adds the differences of state p (or of all states with heading p = k, if shared) to the neighbours that
  /// they read.
  void addReaders(std::int64_t p, int k) {
    const std::int64_t at = shared ? grid.planePoints() * k : p;
    const double xi = valueAt(problem, problem.turningRadius, at);
    const double phi = valueAt(problem, problem.curvatureShift, at);
    for (const Difference& d : differences(problem, k, xi, phi))
      for (const int side : {1, -1}) {
        if (side < 0 && !d.symmetric) break;
        const std::array<int, 3> e{side * d.offset[0], side * d.offset[1], side * d.offset[2]};
        const char* free = steps.of(e[0], e[1]).data();
        const char* opposite = d.symmetric ? steps.of(-e[0], -e[1]).data() : nullptr;
        std::int64_t q = wrapped(k + e[2], grid.headings);
        if (!shared) {
          if (!free[p % grid.planePoints()]) continue;
          q = grid.index(p % grid.nx + e[0], p / grid.nx % grid.ny + e[1], int(q));
        }
        readers[q].push_back({e, d.weight, d.scheme, free, opposite});
      }
  }

  void offer(std::int64_t p, double u) {
    if (!(u < value[p])) return;
    value[p] = u;
    heap.push({u, p});
  }

  /// Updates state p = (i, j, k) from the value u of its neighbour p + offset. Values arrive in ascending
  /// order.
  void update(const Reader& reader, std::int64_t i, std::int64_t j, int k, double u) {
    const std::int64_t p = grid.index(i, j, k), plane = i + grid.nx * j;
    if (accepted[p] || !reader.free[plane] || isWall(plane)) return;
    if (reader.opposite && reader.opposite[plane]) {
      const int kOpposite = wrapped(k - reader.offset[2], grid.headings);
      if (accepted[grid.index(i - reader.offset[0], j - reader.offset[1], kOpposite)]) return; // earlier
    }
    const double cost = valueAt(problem, problem.cost, p);
    Sums& s = sums[p * schemes + reader.scheme];
    if (s.a == 0) s.c = -cost * cost;
    s.a += reader.weight;
    s.b += reader.weight * u;
    s.c += reader.weight * u * u;
    offer(p, (s.b + std::sqrt(std::max(0., s.b * s.b - s.a * s.c))) / s.a);
  }

  bool isWall(std::int64_t plane) const { return !problem.walls.empty() && problem.walls[plane]; }

  const Problem& problem;
  const StateGrid& grid;
  bool shared;
  FreeSteps steps;
  std::vector<std::vector<Reader>> readers; ///< per heading if the stencils are shared, else per state
  std::vector<double> value;
  std::vector<char> accepted;
  int schemes;
  std::vector<Sums> sums;
  using Entry = std::pair<double, std::int64_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
};

} // namespace

double valueAt(const Problem& problem, const curvature::Field& field, std::int64_t state) {
  if (field.values.empty()) return field.constant;
  const auto size = std::int64_t(field.values.size());
  return field.values[size == problem.grid.points() ? state : state % problem.grid.planePoints()];
}

std::vector<std::pair<std::int64_t, double>> seedStates(const Problem& problem) {
  const StateGrid& grid = problem.grid;
  std::vector<std::pair<std::int64_t, double>> states;
  for (const curvature::Seed& seed : problem.seeds) {
    const auto i = std::int64_t(std::lround(seed.state.x / grid.hx)),
               j = std::int64_t(std::lround(seed.state.y / grid.hy));
    if (i < 0 || j < 0 || i >= grid.nx || j >= grid.ny) continue;
    if (!problem.walls.empty() && problem.walls[i + grid.nx * j]) continue;
    if (!seed.state.anyHeading && !std::isfinite(seed.state.heading)) continue;
    const double turns = seed.state.heading / (2 * std::numbers::pi);
    const int nearest = int(std::lround((turns - std::floor(turns)) * grid.headings));
    for (int k = 0; k < grid.headings; ++k)
      if (seed.state.anyHeading || k == wrapped(nearest, grid.headings))
        states.push_back({grid.index(i, j, k), seed.startValue});
  }
  return states;
}

std::vector<double> march(const Problem& problem) { return Marching(problem).run(); }

std::vector<double> costRatio(const Problem& problem, std::span<const float> travelTime) {
  const StateGrid& grid = problem.grid;
  const bool shared = sharedStencils(problem);
  FreeSteps steps(problem);
  std::vector<double> ratio(grid.points(), 1);
  std::vector<Difference> stencil;
  for (std::int64_t p = 0; p < grid.points(); ++p) {
    const std::int64_t plane = p % grid.planePoints(), i = p % grid.nx, j = p / grid.nx % grid.ny;
    const int k = int(p / grid.planePoints());
    if (!shared || plane == 0)
      stencil = differences(problem, k, valueAt(problem, problem.turningRadius, p),
                            valueAt(problem, problem.curvatureShift, p));
    if (!problem.walls.empty() && problem.walls[plane]) continue;

    const auto neighbour = [&](const std::array<int, 3>& e, int side) {
      if (!steps.of(side * e[0], side * e[1])[plane]) return infinity;
      return double(
          travelTime[grid.index(i + side * e[0], j + side * e[1], wrapped(k + side * e[2], grid.headings))]);
    };
    double sums[2] = {0, 0};
    for (const Difference& d : stencil) {
      double minimum = neighbour(d.offset, 1);
      if (d.symmetric) minimum = std::min(minimum, neighbour(d.offset, -1));
      if (minimum < travelTime[p]) sums[d.scheme] += d.weight * std::pow(travelTime[p] - minimum, 2);
    }
    ratio[p] = std::sqrt(std::max(sums[0], sums[1])) / valueAt(problem, problem.cost, p);
    if (std::isinf(travelTime[p]) && ratio[p] == 0) ratio[p] = 1;
  }
  for (const auto& [state, start] : seedStates(problem))
    if (travelTime[state] >= float(start)) ratio[state] = travelTime[state] > float(start) ? infinity : 1;
  return ratio;
}

} // namespace isochrone::reference
