#include "CurvaturePaths/Scheme/HeadingStencils.h"

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

/// Returns the table of heading k for all turning rates that occur.
std::vector<Scheme> tableOf(const Problem& problem, int k, const Range& inverseRadius, const Range& shift) {
  std::vector<Scheme> table = schemesOf(problem.model);
  for (Scheme& scheme : table)
    for (Block& block : scheme.blocks) {
      const double a = block.factor * inverseRadius.lo, b = block.factor * inverseRadius.hi;
      const double lo = shift.lo + std::min(a, b), hi = shift.hi + std::max(a, b);
      block.pieces =
          blockPieces(problem.grid, k, problem.relaxation, lo, hi, balancedRadiusOf(problem, block));
    }
  return table;
}

} // namespace

Range rangeOf(const Problem& problem, const Field& field) {
  if (field.values.empty()) return {field.constant, field.constant};
  // Several independent minima and maxima: a single pair would serialise millions of comparisons.
  constexpr std::size_t lanes = 16;
  float lo[lanes], hi[lanes];
  std::fill_n(lo, lanes, std::numeric_limits<float>::infinity());
  std::fill_n(hi, lanes, -std::numeric_limits<float>::infinity());
  const auto add = [&](std::size_t lane, float v) {
    lo[lane] = std::min(lo[lane], v), hi[lane] = std::max(hi[lane], v);
  };
  const std::size_t n = field.values.size(), plane = problem.walls.size();
  const float* v = field.values.data();
  if (plane)
    for (std::size_t start = 0; start < n; start += plane)
      for (std::size_t p = 0; p < plane; ++p) {
        if (!problem.walls[p]) add(p % lanes, v[start + p]);
      }
  else {
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, v[i + lane]);
    for (; i < n; ++i) add(0, v[i]);
  }
  return {*std::min_element(lo, lo + lanes), *std::max_element(hi, hi + lanes)};
}

HeadingStencils makeHeadingStencils(const Problem& problem, const Range& radius, const Range& shift) {
  const int n = problem.grid.headings;
  HeadingStencils stencils;
  stencils.varying = radius.varies() || shift.varies();
  stencils.offsets.resize(n);
  if (radius.lo > radius.hi || shift.lo > shift.hi) { // walls everywhere: no stencil is read
    stencils.uniform.resize(n);
    return stencils;
  }
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
