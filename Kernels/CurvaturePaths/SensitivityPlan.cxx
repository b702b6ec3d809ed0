#include "CurvaturePaths/SensitivityPlan.h"

#include "CurvaturePaths/HeadingStencils.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace isochrone::curvature {

namespace {

/// Terms that weigh less than this share of the largest one of their piece are rounding.
constexpr double leastShare = 1e-12;

/// The pixels of each planar offset, listed once.
class Covers {
public:
  explicit Covers(std::vector<Pixel>& pixels) : cover(pixels) {}

  PixelRange of(int x, int y) {
    const auto [entry, isNew] = known.try_emplace({x, y}, PixelRange{int(cover.size()), 0});
    if (isNew)
      for (const auto& [px, py] : supercover(x, y)) {
        cover.push_back({std::int16_t(px), std::int16_t(py)});
        ++entry->second.count;
      }
    return entry->second;
  }

private:
  std::vector<Pixel>& cover;
  std::map<std::pair<int, int>, PixelRange> known;
};

void addPiece(const Piece& piece, double multiplier, SensitivityPlan& plan, Covers& covers) {
  const auto largest = [&](const QuadraticTerm& t) {
    return std::max({t.weight(piece.lo), t.weight((piece.lo + piece.hi) / 2), t.weight(piece.hi)});
  };
  double most = 0;
  for (const QuadraticTerm& term : piece.terms) most = std::max(most, largest(term));
  const int first = int(plan.terms.size());
  for (const QuadraticTerm& term : piece.terms) {
    if (largest(term) <= leastShare * most) continue;
    const auto [x, y, heading] = term.offset;
    FlowTerm flow{std::int16_t(x), std::int16_t(y),         std::int16_t(heading),
                  covers.of(x, y), covers.of(2 * x, 2 * y), {}};
    for (int power = 0; power < 3; ++power) flow.a[power] = multiplier * term.a[power];
    plan.terms.push_back(flow);
  }
  plan.pieces.push_back({piece.hi, first, int(plan.terms.size()) - first});
}

} // namespace

SensitivityPlan makeSensitivityPlan(const Problem& problem, const Walls& walls) {
  const std::vector<Scheme> schemes = schemesOf(problem.model);
  const Range radius = rangeOf(problem, problem.turningRadius),
              shift = rangeOf(problem, problem.curvatureShift);
  const double step = problem.grid.headingStep();
  SensitivityPlan plan;
  plan.schemes = int(schemes.size());
  plan.blocks = int(schemes.size() * schemes[0].blocks.size());
  plan.symmetric = schemes[0].symmetric;
  plan.turns = schemes[0].turnsOnTheSpot;
  plan.turnWeight = 1 / (step * step);
  Covers covers(plan.cover);
  for (int k = 0; k < problem.grid.headings; ++k) {
    int b = 0;
    for (const Scheme& scheme : schemes)
      for (const Block& block : scheme.blocks) {
        const double one = block.factor / radius.hi, other = block.factor / radius.lo;
        plan.factors[b++] = block.factor;
        plan.ranges.push_back({int(plan.pieces.size()), 0});
        for (const Piece& piece :
             blockPieces(problem.grid, k, problem.relaxation, shift.lo + std::min(one, other),
                         shift.hi + std::max(one, other), balancedRadiusOf(problem, block)))
          addPiece(piece, block.multiplier, plan, covers);
        plan.ranges.back().count = int(plan.pieces.size()) - plan.ranges.back().first;
      }
  }
  if (walls.any()) {
    plan.wallDistance.resize(problem.grid.planePoints());
    for (std::int64_t j = 0; j < problem.grid.ny; ++j)
      for (std::int64_t i = 0; i < problem.grid.nx; ++i)
        plan.wallDistance[i + problem.grid.nx * j] = std::uint8_t(std::min(255, walls.distance(i, j)));
  }
  return plan;
}

} // namespace isochrone::curvature
