#include "ImageTravelTime/Tiles/TensorTerms.h"

#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace isochrone::image {

namespace {

/// Numbers the distinct stencils, by all threads.
class StencilNumbers {
public:
  explicit StencilNumbers(std::vector<StencilOffsets>& list) : stencils(list) {}

  TensorWord of(const StencilOffsets& stencil) {
    const std::lock_guard lock(mutex);
    const auto [at, isNew] = numbers.try_emplace(stencil, TensorWord(stencils.size()));
    if (isNew) stencils.push_back(stencil);
    return at->second;
  }

private:
  std::mutex mutex;
  std::map<StencilOffsets, TensorWord> numbers;
  std::vector<StencilOffsets>& stencils;
};

int partsOf(std::int64_t rows, const execution::RoundPool& pool) {
  return int(std::min<std::int64_t>(rows, 16 * pool.size()));
}

} // namespace

TensorTerms::TensorTerms(const SolverInput& input, int terms)
    : grid(input.problem.grid), own(grid::ownPoints(grid, input.problem.part)),
      unit(std::exp2(std::round(-std::log2(input.speed.fastest)))),
      largestSpeed(float(input.speed.fastest * unit)) {
  const std::vector<std::uint8_t> barriers = isTilted(input.problem)
                                                 ? splitAll(input.problem, input.pool)
                                                 : decomposeAll(input.problem, terms, input.pool);
  if (hasDrift(input.problem)) findDrift(input.problem, input.pool);
  findEdges(input.problem, barriers, input.pool);
}

/// Sets the pieces of a tilted medium. Returns the barriers.
std::vector<std::uint8_t> TensorTerms::splitAll(const Problem& problem, execution::RoundPool& pool) {
  tilted = ThomsenPieces(problem, unit, pool);
  stencils = tilted.stencils;
  std::vector<std::uint8_t> barriers(grid.points());
  word.resize(grid.points());
  pool.forEach(grid.points(), [&](std::int64_t p) {
    barriers[p] = tilted.isBarrier(p);
    const bool isOwn = own.contains(grid.indices(p));
    word[p] = barriers[p] || !isOwn ? noStencil : 0;
    if (!isOwn) tilted.point[std::size_t(p)] = {{}, true, 0, 0};
  });
  return barriers;
}

/// Sets the weights and the stencils. Each row starts with the canonical superbase, so that the weights do
/// not depend on the threads. Returns the barriers.
std::vector<std::uint8_t> TensorTerms::decomposeAll(const Problem& problem, int terms,
                                                    execution::RoundPool& pool) {
  const std::int64_t points = grid.points(), rows = grid.ny * grid.nz;
  std::vector<std::uint8_t> barriers(points);
  weight.resize(terms * points);
  word.resize(points);
  StencilNumbers numbers(stencils);
  const auto decomposeRow = [&](std::int64_t row) {
    Decomposition decomposition(grid.nz == 1);
    TensorWord number = noStencil;
    for (std::int64_t p = row * grid.nx; p < (row + 1) * grid.nx; ++p) {
      barriers[p] = image::isBarrier(problem, p);
      word[p] = noStencil;
      for (int r = 0; r < terms; ++r) weight[r * points + p] = 0;
      if (barriers[p] || !own.contains(grid.indices(p))) continue;
      const bool isNew = decomposition.advance(gridTensorAt(problem, p));
      const TensorStencil& stencil = decomposition.stencil();
      StencilOffsets offsets{};
      for (int r = 0; r < stencil.count; ++r) {
        offsets[r] = stencil.term[r].offset;
        weight[r * points + p] = float(stencil.term[r].weight * unit * unit);
      }
      if (isNew) number = numbers.of(offsets);
      word[p] = number;
    }
  };
  const int parts = partsOf(rows, pool);
  pool.run(parts, [&](int part, int) {
    for (std::int64_t row = rows * part / parts; row < rows * (part + 1) / parts; ++row) decomposeRow(row);
  });
  return barriers;
}

/// Sets `drift` and `slack`, while the words are still numbers of stencils.
void TensorTerms::findDrift(const Problem& problem, execution::RoundPool& pool) {
  const std::int64_t points = grid.points();
  const int axes = driftComponents(problem);
  const Position h = grid.spacing();
  drift.resize(axes * points);
  const auto findIn = [&](std::int64_t begin, std::int64_t end, int) {
    float largest = 0;
    for (std::int64_t p = begin; p < end; ++p) {
      const bool barrier = word[p] == noStencil;
      const grid::Vector3 form = barrier ? grid::Vector3{} : oneFormAt(problem, p);
      for (int a = 0; a < axes; ++a) drift[a * points + p] = float(form[a] * h[a] / unit);
      for (int r = 0; r < maxTerms && !barrier; ++r) {
        float shift = 0;
        for (int a = 0; a < axes; ++a) shift += float(stencils[word[p]][r][a]) * drift[a * points + p];
        largest = std::max(largest, std::abs(shift));
      }
    }
    return largest;
  };
  slack = pool.reduce(points, 0.f, findIn, [](float& all, float part) { all = std::max(all, part); });
}

void TensorTerms::findEdges(const Problem& problem, std::span<const std::uint8_t> barriers,
                            execution::RoundPool& pool) {
  const TensorSight sight(grid, barriers, stencils);
  if (!tilted.empty()) tilted.limitTo(sight, pool);
  const std::int64_t rows = grid.ny * grid.nz;
  const int parts = partsOf(rows, pool);
  std::vector<std::vector<EdgeTerms>> found(parts);
  const auto forEachPoint = [&](int part, auto&& f) {
    for (std::int64_t row = rows * part / parts; row < rows * (part + 1) / parts; ++row)
      for (std::int64_t i = 0; i < grid.nx; ++i)
        f(GridIndex{i, row % grid.ny, row / grid.ny}, row * grid.nx + i);
  };
  pool.run(parts, [&](int part, int) {
    forEachPoint(part, [&](const GridIndex& at, std::int64_t p) {
      if (word[p] == noStencil) return;
      const TensorSees sees = tilted.empty() ? sight.of(at, word[p]) : tilted.sees(p);
      if (sees == seesAll) return;
      EdgeTerms edge{word[p], sees, {}};
      std::ranges::copy(timesAlongAxes(problem, p, unit), edge.time);
      word[p] = atEdge | TensorWord(found[part].size());
      found[part].push_back(edge);
    });
  });
  std::vector<TensorWord> before(parts + 1, 0);
  for (int part = 0; part < parts; ++part) before[part + 1] = before[part] + TensorWord(found[part].size());
  edges.resize(before[parts]);
  pool.run(parts, [&](int part, int) {
    std::ranges::copy(found[part], edges.begin() + before[part]);
    forEachPoint(part, [&](const GridIndex&, std::int64_t p) {
      if (word[p] != noStencil && word[p] & atEdge) word[p] += before[part];
    });
  });
}

std::vector<TensorOffsets16> TensorTerms::offsets() const {
  std::vector<TensorOffsets16> list;
  for (const StencilOffsets& stencil : stencils) {
    TensorOffsets16& to = list.emplace_back();
    for (int r = 0; r < maxTerms; ++r)
      to.of[r] = {std::int16_t(stencil[r][0]), std::int16_t(stencil[r][1]), std::int16_t(stencil[r][2]), 0};
  }
  return list;
}

} // namespace isochrone::image
