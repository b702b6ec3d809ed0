#include "ImageTravelTime/Sensitivity/JacobianRows.h"

#include "Backend.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <algorithm>
#include <utility>

namespace isochrone::image {

namespace {

/// Adds an entry of a point that is not before the last one.
void append(JacobianRow& row, std::int64_t point, double weight) {
  if (!row.point.empty() && row.point.back() == point) {
    row.weight.back() += weight;
    return;
  }
  row.point.push_back(point), row.weight.push_back(weight);
}

/// Returns the sum of two rows.
JacobianRow merge(const JacobianRow& a, const JacobianRow& b) {
  JacobianRow sum;
  sum.point.reserve(a.point.size() + b.point.size()), sum.weight.reserve(sum.point.capacity());
  for (std::size_t i = 0, k = 0; i < a.point.size() || k < b.point.size();) {
    const bool takesA = k == b.point.size() || (i < a.point.size() && a.point[i] <= b.point[k]);
    takesA ? append(sum, a.point[i], a.weight[i]) : append(sum, b.point[k], b.weight[k]);
    ++(takesA ? i : k);
  }
  return sum;
}

} // namespace

JacobianRows::JacobianRows(const Problem& p, const DependenceScheme& s, Dependences& d, const Cycles& cycles,
                           const SecondOrderDependences* second)
    : problem(p), scheme(s), dependences(d), order(d.order), pass(d, nullptr, &cycles), secondOrder(second) {
  if (second) secondPass.emplace(second->ranks());
}

/// Calls visit(number, point, count) for the rows of the reached tiles, in the order of the points.
template <class Visit>
void JacobianRows::forRowsOfTiles(const Visit& visit) const {
  const std::vector<std::int32_t>& tiles = pass.tiles();
  const auto [nx, ny, nz] = order.shape();
  const auto along = order.tilesAlong();
  const GridIndex sizes = problem.grid.sizes();
  const auto endOf = [&](std::size_t begin, int group) { // of the tiles with the same number / group
    std::size_t end = begin;
    while (end < tiles.size() && tiles[end] / group == tiles[begin] / group) ++end;
    return end;
  };
  for (std::size_t layer = 0, next; layer < tiles.size(); layer = next) {
    next = endOf(layer, along[0] * along[1]);
    for (int k = 0; k < nz; ++k)
      for (std::size_t row = layer, end; row < next; row = end) {
        end = endOf(row, along[0]);
        for (int j = 0; j < ny; ++j)
          for (std::size_t t = row; t < end; ++t) {
            const GridIndex low = order.boxOf(tiles[t]).low;
            if (low[1] + j >= sizes[1] || low[2] + k >= sizes[2]) break;
            visit(order.firstOf(tiles[t]) + nx * (j + ny * k),
                  problem.grid.index(low[0], low[1] + j, low[2] + k),
                  std::min<std::int64_t>(nx, sizes[0] - low[0]));
          }
      }
  }
}

/// Sets the derivatives with respect to the slowness of a point. Returns whether any may differ from 0.
bool JacobianRows::setWeights(std::int64_t number, Lanes& weights) const {
  if (!pass.isReached(number) || pass.isLost(number)) return false;
  const double* const mass = pass.massesOf(number);
  const double perSlowness = dependences.perSlowness(number);
  for (std::size_t l = 0; l < rowLanes; ++l) weights[l] = mass[l] * perSlowness;
  return true;
}

/// Finds the parts of the seeds' slownesses, and returns the number of entries of each row.
std::array<std::size_t, rowLanes> JacobianRows::countEntries() {
  std::array<std::size_t, rowLanes> counts{};
  std::vector<Lanes> perSeedSlowness(scheme.balls().size(), Lanes{});
  for (const std::int32_t tile : pass.tiles()) {
    const int ball = dependences.ballOf(tile);
    for (std::int64_t n = order.firstOf(tile); n < order.firstOf(tile + 1); ++n) {
      Lanes weights;
      if (!setWeights(n, weights)) continue;
      for (std::size_t l = 0; l < rowLanes; ++l) counts[l] += weights[l] != 0;
      if (ball < 0) continue;
      const double* const mass = pass.massesOf(n);
      for (std::size_t l = 0; l < rowLanes; ++l)
        perSeedSlowness[std::size_t(ball)][l] += mass[l] * dependences.perSeedSlowness(n);
    }
  }
  findSeedParts(perSeedSlowness);
  for (const SeedPart& part : seedParts) {
    const std::int64_t n = order.numberOf(part.point);
    Lanes weights{};
    if (pass.hasTile(order.tileOf(n))) setWeights(n, weights);
    for (std::size_t l = 0; l < rowLanes; ++l)
      counts[l] += std::size_t(weights[l] + part.weight[l] != 0) - std::size_t(weights[l] != 0);
  }
  return counts;
}

void JacobianRows::findSeedParts(std::span<const Lanes> perSeedSlowness) {
  seedParts.clear();
  for (std::size_t b = 0; b < perSeedSlowness.size(); ++b) {
    const std::vector<std::int64_t> nearest =
        nearestPoints(problem, problem.seeds[std::size_t(scheme.balls()[b].seed)].at);
    for (const std::int64_t point : nearest) {
      auto at = std::ranges::lower_bound(seedParts, point, {}, &SeedPart::point);
      if (at == seedParts.end() || at->point != point) at = seedParts.insert(at, {point, {}});
      for (std::size_t l = 0; l < rowLanes; ++l)
        at->weight[l] += perSeedSlowness[b][l] / double(nearest.size());
    }
  }
}

/// Computes the parts of the rows of masses at some points.
std::vector<JacobianRow> JacobianRows::firstOrderRows(std::vector<Tip> tips, const Monitor& monitor) {
  // 1. The masses.
  pass.clear();
  if (!pass.flood(std::move(tips), monitor)) return {};
  requireHostMemory(pass.missingBytes(), "the rows of the Jacobian");
  if (!pass.spread(monitor)) return {};

  // 2. The entries, in the order of the points. Those of 0 are overwritten by the next one.
  const std::array<std::size_t, rowLanes> counts = countEntries();
  std::vector<JacobianRow> rows(rowLanes);
  std::int64_t* points[rowLanes];
  double* values[rowLanes];
  for (std::size_t l = 0; l < rowLanes; ++l) {
    rows[l].point.resize(counts[l] + 1), rows[l].weight.resize(counts[l] + 1);
    points[l] = rows[l].point.data(), values[l] = rows[l].weight.data();
  }
  const auto append = [&](std::int64_t point, const Lanes& weights) {
    for (std::size_t l = 0; l < rowLanes; ++l) {
      *points[l] = point, *values[l] = weights[l];
      points[l] += weights[l] != 0, values[l] += weights[l] != 0;
    }
  };
  auto part = seedParts.begin();
  const auto appendParts = [&](std::int64_t end) { // of points without other derivatives
    for (; part != seedParts.end() && part->point < end; ++part) append(part->point, part->weight);
  };
  forRowsOfTiles([&](std::int64_t first, std::int64_t point, std::int64_t count) {
    appendParts(point);
    for (std::int64_t i = 0; i < count; ++i) {
      Lanes weights{};
      const bool isPart = part != seedParts.end() && part->point == point + i;
      if (!setWeights(first + i, weights) && !isPart) continue;
      if (isPart) {
        for (std::size_t l = 0; l < rowLanes; ++l) weights[l] += part->weight[l];
        ++part;
      }
      append(point + i, weights);
    }
  });
  appendParts(problem.grid.points());
  for (std::size_t l = 0; l < rowLanes; ++l)
    rows[l].point.resize(counts[l]), rows[l].weight.resize(counts[l]);
  return rows;
}

/// Computes the parts of the rows up to the points that keep their first order times.
/// @param tips  replaced by the masses of those points
std::vector<JacobianRow> JacobianRows::secondOrderRows(std::vector<Tip>& tips, const Monitor& monitor) {
  // 1. The masses.
  std::vector<OrderedPass<rowLanes>::Tip> from;
  for (const Tip& tip : tips) from.push_back({order.pointOf(tip.number), std::to_array(tip.mass)});
  tips.clear();
  std::vector<std::pair<std::int64_t, Lanes>> entries;
  std::vector<Lanes> perSeedSlowness(problem.seeds.size(), Lanes{});
  const bool done = secondPass->run(
      from, secondOrder->uses(),
      [&](std::int64_t point, Lanes mass) {
        const SecondOrderDependence& d = secondOrder->of(point);
        if (d.isStart) {
          std::ranges::copy(mass, tips.emplace_back(Tip{order.numberOf(point), {}}).mass);
          return;
        }
        if (d.seed >= 0)
          for (std::size_t l = 0; l < rowLanes; ++l)
            perSeedSlowness[std::size_t(d.seed)][l] += mass[l] * d.perSeedSlowness;
        for (double& m : mass) m *= d.perSlowness;
        if (entries.size() == entries.capacity())
          requireHostMemory(2 * entries.size() * sizeof(entries[0]), "the rows of the Jacobian");
        entries.emplace_back(point, mass);
      },
      monitor);
  if (!done) return {};
  for (std::size_t seed = 0; seed < perSeedSlowness.size(); ++seed) {
    if (perSeedSlowness[seed] == Lanes{}) continue;
    const std::vector<std::int64_t> nearest = nearestPoints(problem, problem.seeds[seed].at);
    for (double& m : perSeedSlowness[seed]) m /= double(nearest.size());
    for (const std::int64_t point : nearest) entries.emplace_back(point, perSeedSlowness[seed]);
  }

  // 2. The entries by point.
  std::vector<std::pair<std::int64_t, std::size_t>> places;
  for (std::size_t e = 0; e < entries.size(); ++e) places.emplace_back(entries[e].first, e);
  std::ranges::sort(places);
  std::vector<JacobianRow> rows(rowLanes);
  for (const auto& [point, e] : places)
    for (std::size_t l = 0; l < rowLanes; ++l)
      if (const double weight = entries[e].second[l]; weight != 0) append(rows[l], point, weight);
  return rows;
}

std::vector<JacobianRow> JacobianRows::of(std::span<const std::int64_t> points, const Monitor& monitor) {
  std::vector<Tip> tips;
  for (std::size_t l = 0; l < points.size(); ++l) {
    tips.push_back({order.numberOf(points[l]), {}});
    tips.back().mass[l] = 1;
  }
  std::vector<JacobianRow> second;
  if (secondOrder) {
    second = secondOrderRows(tips, monitor);
    if (second.empty()) return {};
  }
  std::vector<JacobianRow> rows = firstOrderRows(std::move(tips), monitor);
  for (std::size_t l = 0; l < std::min(second.size(), rows.size()); ++l) rows[l] = merge(second[l], rows[l]);
  if (!rows.empty()) rows.resize(points.size());
  return rows;
}

} // namespace isochrone::image
