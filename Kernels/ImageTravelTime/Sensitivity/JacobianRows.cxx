#include "ImageTravelTime/Sensitivity/JacobianRows.h"

#include "Backend.h"
#include "ImageTravelTime/Seeds/Seeding.h"

#include <algorithm>

namespace isochrone::image {

JacobianRows::JacobianRows(const Problem& p, const DependenceScheme& s, Dependences& d, const Cycles& cycles)
    : problem(p), scheme(s), dependences(d), order(d.order), pass(d, nullptr, &cycles) {}

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

std::vector<JacobianRow> JacobianRows::of(std::span<const std::int64_t> tips, const Monitor& monitor) {
  // 1. The masses.
  std::vector<MassPass<rowLanes>::Tip> from;
  for (std::size_t l = 0; l < tips.size(); ++l) {
    from.push_back({order.numberOf(tips[l]), {}});
    from.back().mass[l] = 1;
  }
  pass.clear();
  if (!pass.flood(std::move(from), monitor)) return {};
  requireHostMemory(pass.massBytes(), "the rows of the Jacobian");
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
  rows.resize(tips.size());
  for (std::size_t l = 0; l < tips.size(); ++l)
    rows[l].point.resize(counts[l]), rows[l].weight.resize(counts[l]);
  return rows;
}

} // namespace isochrone::image
