// Converts the stencils of a sector to addresses and weights in sweep units.
#include "CurvaturePaths/Host/SectorSystem.h"
#include "CurvaturePaths/Scheme/LimitedDifference.h"

#include <algorithm>
#include <cmath>

namespace isochrone::curvature {

/// Returns whether a term of heading `k` of a sector reads along its rows there, from a heading that the
/// sector sweeps.
bool SectorSystem::readsAlongRow(int s, int k, const Offset& e, bool symmetric) const {
  const int o = orientationOf(s);
  const std::vector<char>& sweeps = sectors[s].sweeps;
  return e[o] == 0 && e[1 - o] != 0 && (sweeps[wrap(k + e[2])] || (symmetric && sweeps[wrap(k - e[2])]));
}

Neighbour SectorSystem::neighbour(int s, int k, const Offset& e, bool symmetric, bool previous) {
  const int o = orientationOf(s);
  SectorPlanes& planes = previous ? *before[o] : *planesOf[o];
  const auto read = [&](int sign) {
    const int row = sign * e[o], column = sign * e[1 - o], from = wrap(k + sign * e[2]);
    const bool copied = !previous && sectors[s].copies[from];
    Read out{(copied ? planes.copy(from) : planes.plane(from)) + row * planes.pitch + column, nullptr,
             std::int16_t(planar.number(sign * e[0], sign * e[1])), std::int16_t(column)};
    if (!previous && readsAlongRow(s, k, {sign * e[0], sign * e[1], sign * e[2]}, false))
      out.border = planes.borders(from) + column - (column > 0 ? blockWidth : 0);
    return out;
  };
  return {read(1), symmetric ? read(-1) : Read{}};
}

Prior SectorSystem::prior(int s, int k, const Offset& e, bool symmetric) {
  return {neighbour(s, k, e, symmetric, true),
          neighbour(s, k, {2 * e[0], 2 * e[1], 2 * e[2]}, symmetric, true)};
}

/// Returns whether turning rates are constant: phi is, and xi enters the model only through the turn on the
/// spot.
bool SectorSystem::onlyTurnsVary(int k) const {
  for (const Scheme& scheme : stencils.tables[k]) {
    if (!scheme.turnsOnTheSpot) return false;
    for (const Block& block : scheme.blocks)
      if (block.pieces.size() > 1 || block.pieces[0].lo < block.pieces[0].hi) return false;
  }
  return true;
}

/// Returns the terms per scheme. Where only turns vary, they come from the tables, with the turn last, to be
/// divided by xi^2.
std::vector<std::vector<Term>> SectorSystem::uniformTerms(int k) const {
  if (!stencils.varying) return stencils.uniform[k].schemes;
  const double step = problem.grid.headingStep();
  std::vector<std::vector<Term>> schemes;
  for (const Scheme& scheme : stencils.tables[k]) {
    auto& terms = schemes.emplace_back();
    for (const Block& block : scheme.blocks)
      for (const QuadraticTerm& term : block.pieces[0].terms)
        terms.push_back({term.offset, block.multiplier * term.weight(block.pieces[0].lo), scheme.symmetric});
    // Cancels the unit factor of buildUniformSchemes: 1 / xi is in sweep units already.
    terms.push_back({turnOnTheSpot, 1 / (step * step * units.length * units.length), true});
  }
  return schemes;
}

void SectorSystem::buildUniformSchemes(int s, int k, HeadingParts& h) {
  for (const std::vector<Term>& terms : uniformTerms(k)) {
    UniformScheme out{};
    out.turnVaries = stencils.varying;
    auto& priors = h.priors.emplace_back();
    for (const Term& term : terms) {
      const double weight = term.weight * units.length * units.length;
      out.terms[out.count++] = {neighbour(s, k, term.offset, term.symmetric), float(weight),
                                float(1 / std::sqrt(weight)),
                                float(limitOverCost(problem.grid, term.offset, units.length))};
      if (corrects) priors.push_back(prior(s, k, term.offset, term.symmetric));
    }
    out.priors = priors.data(); // stays valid when h.priors grows
    h.uniform.push_back(out);
  }
}

VaryingPiece SectorSystem::varyingPiece(int s, int k, const Piece& piece, double multiplier, bool symmetric) {
  const double unit = units.length; // output turning rates are in 1 / unit, weights in 1 / unit^2
  VaryingPiece out{};
  out.lo = float(piece.lo * unit), out.hi = float(piece.hi * unit),
  out.middle = float((piece.lo + piece.hi) / 2 * unit);
  const double middle = out.middle / unit, half = (piece.hi - piece.lo) / 2;
  for (const QuadraticTerm& term : piece.terms) {
    const double a0 = multiplier * term.weight(middle), a1 = multiplier * term.slope(middle),
                 a2 = multiplier * term.a[2];
    const auto weight = [&](double d) { return a0 + d * (a1 + d * a2); };
    double minimum = std::min(weight(-half), weight(half));
    const double largest = std::max({weight(-half), weight(half), a0});
    if (const double turning = a2 != 0 ? -a1 / (2 * a2) : half; std::abs(turning) < half)
      minimum = std::min(minimum, weight(turning));
    VaryingTerm& t = out.terms[out.count++];
    t.at = neighbour(s, k, term.offset, symmetric);
    if (corrects) out.priors[out.count - 1] = prior(s, k, term.offset, symmetric);
    t.a0 = float(a0 * unit * unit), t.a1 = float(a1 * unit), t.a2 = float(a2);
    t.floor = float(1e-6 * largest * unit * unit);
    t.limit = float(limitOverCost(problem.grid, term.offset, unit));
    // One bound for all rates of the piece where weights differ little, with a margin for rounding; else one
    // per lane.
    t.reach = minimum > 0.3 * largest ? float(1.00001 / (std::sqrt(minimum) * unit)) : -1.f;
  }
  return out;
}

void SectorSystem::buildVaryingSchemes(int s, int k, HeadingParts& h) {
  for (const Scheme& scheme : stencils.tables[k]) {
    VaryingScheme out{};
    for (const Block& block : scheme.blocks) {
      auto& pieces = h.pieces.emplace_back();
      pieces.reserve(block.pieces.size());
      for (const Piece& piece : block.pieces)
        pieces.push_back(varyingPiece(s, k, piece, block.multiplier, scheme.symmetric));
      pieces.front().lo = -__builtin_huge_valf(), pieces.back().hi = __builtin_huge_valf();
      out.blocks[out.blockCount++] = {float(block.factor), int(pieces.size()), pieces.data()};
    }
    out.turnsOnTheSpot = scheme.turnsOnTheSpot;
    if (scheme.turnsOnTheSpot) {
      const double step = problem.grid.headingStep();
      out.turn = neighbour(s, k, turnOnTheSpot, true);
      if (corrects) out.turnPrior = prior(s, k, turnOnTheSpot, true);
      out.turnWeight = float(1 / (step * step));
    }
    h.varying.push_back(out);
  }
}

} // namespace isochrone::curvature
