#include "CurvaturePaths/HeadingStencils.h"

#include <algorithm>
#include <limits>

namespace isochrone::curvature {

namespace {

void addOffset(std::vector<Offset>& offsets, const Offset& e, bool symmetric) {
  const auto insert = [&](const Offset& o) {
    if (std::find(offsets.begin(), offsets.end(), o) == offsets.end()) offsets.push_back(o);
  };
  insert(e);
  if (symmetric) insert({-e[0], -e[1], -e[2]});
}

/// The tables of heading k for all turning rates that occur.
std::vector<VaryingSchemePieces> tableOf(const Problem& problem, int k, const Range& inverseRadius,
                                         const Range& shift) {
  std::vector<VaryingSchemePieces> table;
  for (const Scheme& scheme : schemesOf(problem.model)) {
    VaryingSchemePieces pieces{{}, scheme.symmetric, scheme.turnsOnTheSpot};
    for (const Block& block : scheme.blocks) {
      const double a = block.factor * inverseRadius.lo, b = block.factor * inverseRadius.hi;
      const double lo = shift.lo + std::min(a, b), hi = shift.hi + std::max(a, b);
      pieces.blocks.push_back({block, blockPieces(problem.grid, k, problem.relaxation, lo, hi,
                                                  balancedRadiusOf(problem, block))});
    }
    table.push_back(std::move(pieces));
  }
  return table;
}

} // namespace

Range rangeOf(const Problem& problem, const Field& field) {
  if (field.values.empty()) return {field.constant, field.constant};
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const std::size_t plane = problem.walls.size();
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (plane && problem.walls[i % plane]) continue;
    range.lo = std::min(range.lo, double(field.values[i]));
    range.hi = std::max(range.hi, double(field.values[i]));
  }
  return range;
}

HeadingStencils makeHeadingStencils(const Problem& problem) {
  const Range radius = rangeOf(problem, problem.turningRadius),
              shift = rangeOf(problem, problem.curvatureShift);
  const int n = problem.grid.headings;
  HeadingStencils stencils;
  stencils.varying = radius.varies() || shift.varies();
  stencils.offsets.resize(n);
  for (int k = 0; k < n; ++k) {
    auto& offsets = stencils.offsets[k];
    if (!stencils.varying) {
      stencils.uniform.push_back(makeStencil(problem, k, radius.lo, shift.lo));
      for (const auto& scheme : stencils.uniform.back().schemes)
        for (const Term& term : scheme) addOffset(offsets, term.offset, term.symmetric);
      continue;
    }
    stencils.tables.push_back(tableOf(problem, k, {1 / radius.hi, 1 / radius.lo}, shift));
    for (const auto& scheme : stencils.tables.back()) {
      for (const auto& block : scheme.blocks)
        for (const Piece& piece : block.pieces)
          for (const QuadraticTerm& term : piece.terms) addOffset(offsets, term.offset, scheme.symmetric);
      if (scheme.turnsOnTheSpot) addOffset(offsets, turnOnTheSpot, true);
    }
  }
  return stencils;
}

} // namespace isochrone::curvature
