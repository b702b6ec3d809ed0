#include "CurvaturePaths/Sensitivity/AdjointPlan.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace isochrone::curvature {

namespace {

/// Terms with less than this share of the largest weight in their piece are rounding.
constexpr double minShare = 1e-12;

/// The pixels of each planar offset, listed once.
class Covers {
public:
  explicit Covers(std::vector<Pixel>& pixels) : cover(pixels) {}

  TableRange of(int x, int y) {
    const auto [entry, isNew] = known.try_emplace({x, y});
    if (isNew) entry->second = appendSupercover(x, y, cover);
    return entry->second;
  }

private:
  std::vector<Pixel>& cover;
  std::map<std::pair<int, int>, TableRange> known;
};

double largestWeight(const Piece& piece, const QuadraticTerm& term) {
  return std::max({term.weight(piece.lo), term.weight((piece.lo + piece.hi) / 2), term.weight(piece.hi)});
}

double largestWeight(const Piece& piece) {
  double maximum = 0;
  for (const QuadraticTerm& term : piece.terms) maximum = std::max(maximum, largestWeight(piece, term));
  return maximum;
}

/// Returns the term of an offset or of its opposite; a term without weight if the piece has neither.
QuadraticTerm termOf(const Piece& piece, const Offset& offset) {
  const Offset opposite{-offset[0], -offset[1], -offset[2]};
  for (const QuadraticTerm& term : piece.terms)
    if (term.offset == offset || term.offset == opposite) return term;
  return {};
}

/// Returns the piece of a single turning rate. At rate 0, straight ahead without a curvature shift, the terms
/// that turn to either side begin. Weights have a kink there, and the piece has the mean of both slopes, as
/// central differences do.
/// @param before, after  pieces just below and just above the rate
Piece pieceBetween(const Piece& at, const Piece& before, const Piece& after) {
  const double rate = at.lo, rounding = minShare * largestWeight(at);
  Piece piece{rate, rate, {}};
  const auto add = [&](const QuadraticTerm& term, double weight) {
    const QuadraticTerm below = termOf(before, term.offset), above = termOf(after, term.offset);
    const double slope = (below.slope(rate) + above.slope(rate)) / 2,
                 balance = (below.balance + above.balance) / 2;
    const bool isNew = std::none_of(piece.terms.begin(), piece.terms.end(),
                                    [&](const QuadraticTerm& t) { return t.offset == term.offset; });
    if (isNew) piece.terms.push_back({term.offset, {weight - slope * rate, slope, 0}, balance});
  };
  for (const QuadraticTerm& term : at.terms)
    if (term.weight(rate) > rounding) add(term, term.weight(rate));
  for (const Piece* side : {&before, &after})
    for (const QuadraticTerm& term : side->terms)
      if (term.weight(rate) <= rounding) add(term, 0);
  return piece;
}

/// Returns pieces as blockPieces does, with slopes that are derivatives at a single rate too.
std::vector<Piece> slopedPieces(const Problem& problem, int k, const Block& block, double lo, double hi) {
  const auto pieces = [&](double from, double to) {
    return blockPieces(problem.grid, k, problem.relaxation, from, to, balancedRadiusOf(problem, block));
  };
  if (lo < hi) return pieces(lo, hi);
  const double little = 1e-6 * problem.grid.headingStep() / std::max(problem.grid.hx, problem.grid.hy);
  const std::vector<Piece> around = pieces(lo - little, lo + little);
  return {pieceBetween(pieces(lo, lo).front(), around.front(), around.back())};
}

/// @param perRadius  d log(balancedRadius) / d balancedRadius, 0 without a balance
void addPiece(const Piece& piece, double multiplier, double perRadius, SensitivityPlan& plan,
              Covers& covers) {
  const double maximum = largestWeight(piece);
  const int first = int(plan.terms.size());
  for (const QuadraticTerm& term : piece.terms) {
    if (piece.lo < piece.hi && largestWeight(piece, term) <= minShare * maximum) continue;
    const auto [x, y, heading] = term.offset;
    FlowTerm flow{std::int16_t(x),
                  std::int16_t(y),
                  std::int16_t(heading),
                  covers.of(x, y),
                  covers.of(2 * x, 2 * y),
                  {},
                  multiplier * perRadius * term.balance};
    for (int power = 0; power < 3; ++power) flow.a[power] = multiplier * term.a[power];
    plan.terms.push_back(flow);
  }
  plan.pieces.push_back({piece.hi, first, int(plan.terms.size()) - first});
}

} // namespace

SensitivityPlan makeSensitivityPlan(const Problem& problem, const Discretisation& discretisation) {
  const std::vector<Scheme> schemes = schemesOf(problem.model);
  const Range &radius = discretisation.turningRadius, &shift = discretisation.curvatureShift;
  const double step = problem.grid.headingStep(),
               perRadius = problem.balancedRadius > 0 ? 1 / problem.balancedRadius : 0;
  SensitivityPlan plan;
  plan.form.schemes = int(schemes.size());
  plan.form.blocks = int(schemes.size() * schemes[0].blocks.size());
  plan.form.symmetric = schemes[0].symmetric;
  plan.form.turns = schemes[0].turnsOnTheSpot;
  plan.form.turnWeight = 1 / (step * step);
  Covers covers(plan.cover);
  for (int k = 0; k < problem.grid.headings; ++k) {
    int b = 0;
    for (const Scheme& scheme : schemes)
      for (const Block& block : scheme.blocks) {
        const double one = block.factor / radius.hi, other = block.factor / radius.lo;
        plan.form.factors[b++] = block.factor;
        plan.ranges.push_back({int(plan.pieces.size()), 0});
        for (const Piece& piece : slopedPieces(problem, k, block, shift.lo + std::min(one, other),
                                               shift.hi + std::max(one, other)))
          addPiece(piece, block.multiplier, perRadius, plan, covers);
        plan.ranges.back().count = int(plan.pieces.size()) - plan.ranges.back().first;
      }
  }
  if (const Walls& walls = discretisation.walls; walls.any()) {
    plan.wallDistance.resize(problem.grid.planePoints());
    for (std::int64_t j = 0; j < problem.grid.ny; ++j)
      for (std::int64_t i = 0; i < problem.grid.nx; ++i)
        plan.wallDistance[i + problem.grid.nx * j] = std::uint8_t(std::min(255, walls.distance(i, j)));
  }
  return plan;
}

} // namespace isochrone::curvature
