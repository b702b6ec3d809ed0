#include "CurvaturePaths/TilePlan.h"

#include "CurvaturePaths/BlockTable.h"
#include "CurvaturePaths/Stencil.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace isochrone::curvature {

namespace {

struct Range {
  double low, high;
};

Range rangeOf(const Field& field) {
  if (field.values.empty()) return {field.constant, field.constant};
  const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
  return {*low, *high};
}

/// Numbers the distinct planar offsets, opposite ones as neighbours.
class PlanarNumbers {
public:
  explicit PlanarNumbers(std::vector<PlanarCover>& list) : planar(list) {}

  Step step(const Offset& e) {
    Step s{std::int16_t(e[0]), std::int16_t(e[1]), std::int16_t(e[2]), -1};
    if (e[0] == 0 && e[1] == 0) return s;
    const auto [entry, isNew] = numbers.try_emplace({e[0], e[1]}, int(planar.size()));
    if (isNew) {
      numbers[{-e[0], -e[1]}] = int(planar.size()) + 1;
      planar.push_back({s.x, s.y, 0, 0});
      planar.push_back({std::int16_t(-s.x), std::int16_t(-s.y), 0, 0});
    }
    s.planar = std::int16_t(entry->second);
    return s;
  }

private:
  std::vector<PlanarCover>& planar;
  std::map<std::array<int, 2>, int> numbers;
};

void makeShared(const Problem& problem, TilePlan& plan, PlanarNumbers& numbers) {
  const int headings = problem.grid.headings;
  const Slot empty{{}, 0, std::numeric_limits<float>::infinity()};
  plan.shared.assign(std::size_t(headings) * plan.schemes * plan.slots, empty);
  for (int k = 0; k < headings; ++k) {
    const Stencil stencil = makeStencil(problem, k, problem.turningRadius.constant, problem.curvatureShift.constant);
    for (int scheme = 0; scheme < plan.schemes; ++scheme) {
      std::vector<Term> terms = stencil.schemes[scheme];
      std::stable_partition(terms.begin(), terms.end(), [](const Term& t) { return t.offset == Offset{0, 0, 1} && t.symmetric; });
      Slot* slot = &plan.shared[std::size_t(k * plan.schemes + scheme) * plan.slots];
      for (const Term& term : terms)
        *slot++ = {numbers.step(term.offset), float(term.weight), float(1 / std::sqrt(term.weight))};
    }
  }
}

VaryingSlot varyingSlot(const QuadraticTerm& term, const Piece& piece, double multiplier, const Step& step) {
  const double m = 0.5 * (piece.lo + piece.hi);
  const double most = std::max({term.weight(piece.lo), term.weight(m), term.weight(piece.hi)});
  constexpr double rounding = 1e-6; // of the largest weight of the piece
  return {step, float(multiplier * term.weight(m)), float(multiplier * (term.a[1] + 2 * m * term.a[2])),
          float(multiplier * term.a[2]), float(multiplier * most * rounding)};
}

void makePieces(const Problem& problem, TilePlan& plan, PlanarNumbers& numbers) {
  const Range radius = rangeOf(problem.turningRadius), shift = rangeOf(problem.curvatureShift);
  std::vector<Block> blocks;
  for (const Scheme& scheme : schemesOf(problem.model)) blocks.insert(blocks.end(), scheme.blocks.begin(), scheme.blocks.end());
  for (std::size_t b = 0; b < blocks.size(); ++b) plan.factors[b] = float(blocks[b].factor);
  for (int k = 0; k < problem.grid.headings; ++k)
    for (const Block& block : blocks) {
      const double one = block.factor / radius.low, other = block.factor / radius.high;
      const auto pieces = blockPieces(problem.grid, k, problem.relaxation, shift.low + std::min(one, other),
                                      shift.high + std::max(one, other));
      plan.ranges.push_back({int(plan.pieces.size()), int(pieces.size())});
      for (const Piece& piece : pieces) {
        TilePiece laid{float(piece.hi), float(0.5 * (piece.lo + piece.hi)), {}};
        for (VaryingSlot& slot : laid.slots) slot = {{}, 0, 0, 0, 1};
        for (std::size_t t = 0; t < piece.terms.size(); ++t)
          laid.slots[t] = varyingSlot(piece.terms[t], piece, block.multiplier, numbers.step(piece.terms[t].offset));
        plan.pieces.push_back(laid);
      }
    }
}

void makeView(const Problem& problem, TilePlan& plan) {
  const Walls walls(problem.grid.nx, problem.grid.ny, problem.walls);
  if (!walls.any()) return;
  int longest = 0;
  for (PlanarCover& planar : plan.planar) {
    longest = std::max(longest, std::abs(planar.x) + std::abs(planar.y));
    planar.first = int(plan.cover.size());
    for (const auto& [x, y] : supercover(planar.x, planar.y)) plan.cover.push_back({std::int16_t(x), std::int16_t(y)});
    planar.count = int(plan.cover.size()) - planar.first;
  }
  plan.view.resize(problem.grid.planePoints());
  for (std::int64_t j = 0; j < problem.grid.ny; ++j)
    for (std::int64_t i = 0; i < problem.grid.nx; ++i) {
      const int distance = walls.distance(i, j);
      plan.view[i + problem.grid.nx * j] = distance == 0 ? inWall : distance <= longest ? nearWall : farFromWalls;
    }
}

} // namespace

TilePlan makeTilePlan(const Problem& problem) {
  TilePlan plan;
  plan.varying = !problem.turningRadius.values.empty() || !problem.curvatureShift.values.empty();
  const bool straight = !plan.varying && problem.curvatureShift.constant == 0;
  switch (problem.model) {
  case Model::ReedsShepp:
  case Model::ReedsSheppForward: plan.slots = straight ? 4 : 1 + blockSlots; break;
  case Model::Dubins: plan.schemes = 2, plan.slots = blockSlots; break;
  case Model::Elastica: plan.slots = fejerNodes * blockSlots; break;
  }
  const double step = problem.grid.headingStep();
  plan.turnWeight = float(1 / (step * step));
  PlanarNumbers numbers(plan.planar);
  if (plan.varying) makePieces(problem, plan, numbers);
  else makeShared(problem, plan, numbers);
  makeView(problem, plan);
  return plan;
}

} // namespace isochrone::curvature
