#include "CurvaturePaths/Tiles/TilePlan.h"

#include "CurvaturePaths/Scheme/LimitedDifference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace isochrone::curvature {

namespace {

/// Numbers the distinct planar offsets, with opposite offsets next to each other.
class PlanarNumbers {
public:
  explicit PlanarNumbers(std::vector<PlanarCover>& list) : planar(list) {}

  Step step(const Offset& e) {
    Step s{std::int16_t(e[0]), std::int16_t(e[1]), std::int16_t(e[2]), -1};
    if (e[0] == 0 && e[1] == 0) return s;
    const auto [entry, isNew] = numbers.try_emplace({e[0], e[1]}, int(planar.size()));
    s.planar = std::int16_t(entry->second);
    if (isNew) {
      numbers[{-e[0], -e[1]}] = s.planar + 1;
      planar.push_back({s.x, s.y, {}});
      planar.push_back({std::int16_t(-s.x), std::int16_t(-s.y), {}});
    }
    return s;
  }

private:
  std::vector<PlanarCover>& planar;
  std::map<std::array<int, 2>, int> numbers;
};

Neighbours neighboursOf(const StateLayout& layout, int heading, const Step& step) {
  return {layout.stepTo(step.x, step.y, heading, layout.wrapped(heading + step.heading)),
          layout.stepTo(-step.x, -step.y, heading, layout.wrapped(heading - step.heading))};
}

/// Fills the members that follow from the step of a slot.
/// @param to  neighbours of the slot
template <class Slot>
void setStep(const TilePlan& plan, const Problem& problem, int heading, const Step& step, Slot& slot,
             Neighbours& to) {
  slot.step = step;
  to = neighboursOf(plan.layout, heading, step);
  slot.limit = float(limitOverCost(problem.grid, {step.x, step.y, step.heading}, plan.units.length));
}

/// Returns the extent of the longest step along an axis, in points.
int longestStep(const HeadingStencils& stencils) {
  int longest = 0;
  for (const std::vector<Offset>& offsets : stencils.offsets)
    for (const Offset& e : offsets) longest = std::max({longest, std::abs(int(e[0])), std::abs(int(e[1]))});
  return longest;
}

void makeShared(const HeadingStencils& stencils, const Problem& problem, TilePlan& plan,
                PlanarNumbers& numbers) {
  const auto turnsFirst = [](const Term& t) { return t.symmetric && t.offset == turnOnTheSpot; };
  int heading = 0;
  for (const Stencil& stencil : stencils.uniform) {
    for (std::vector<Term> terms : stencil.schemes) {
      std::stable_partition(terms.begin(), terms.end(), turnsFirst);
      const std::size_t first = plan.shared.size();
      for (int t = 0; t < plan.slots; ++t) {
        Slot slot;
        Difference& difference = slot.difference;
        difference.reach = std::numeric_limits<float>::infinity();
        if (t < int(terms.size())) {
          const double weight = terms[t].weight * plan.units.length * plan.units.length;
          difference.weight = float(weight), difference.reach = float(1 / std::sqrt(weight));
          setStep(plan, problem, heading, numbers.step(terms[t].offset), slot, difference.to);
        }
        plan.shared.push_back(slot);
        plan.shared[first].mass += difference.weight;
      }
    }
    ++heading;
  }
}

TilePiece tilePiece(const Piece& piece, double multiplier, int heading, const Problem& problem,
                    const TilePlan& plan, PlanarNumbers& numbers) {
  const double unit = plan.units.length;
  TilePiece out{float(piece.hi * unit), float((piece.lo + piece.hi) / 2 * unit), {}};
  const double middle = out.middle / unit;
  for (std::size_t t = 0; t < piece.terms.size(); ++t) {
    const QuadraticTerm& term = piece.terms[t];
    const double largest = std::max({term.weight(piece.lo), term.weight(middle), term.weight(piece.hi)});
    const double rounding = 1e-6 * largest;
    VaryingSlot& slot = out.slots[t];
    slot.a0 = float(multiplier * term.weight(middle) * unit * unit);
    slot.a1 = float(multiplier * term.slope(middle) * unit);
    slot.a2 = float(multiplier * term.a[2]);
    slot.floor = float(multiplier * rounding * unit * unit);
    setStep(plan, problem, heading, numbers.step(term.offset), slot, slot.to);
  }
  return out;
}

void makePieces(const HeadingStencils& stencils, const Problem& problem, TilePlan& plan,
                PlanarNumbers& numbers) {
  int heading = 0;
  for (const auto& schemes : stencils.tables) {
    int b = 0;
    for (const Scheme& scheme : schemes)
      for (const Block& block : scheme.blocks) {
        plan.turning.factors[b++] = float(block.factor);
        plan.ranges.push_back({int(plan.pieces.size()), int(block.pieces.size())});
        for (const Piece& piece : block.pieces)
          plan.pieces.push_back(tilePiece(piece, block.multiplier, heading, problem, plan, numbers));
      }
    ++heading;
  }
}

void makeView(const StateGrid& grid, const Walls& walls, TilePlan& plan) {
  if (!walls.any()) return;
  int longest = 0;
  for (PlanarCover& planar : plan.planar) {
    longest = std::max(longest, std::abs(planar.x) + std::abs(planar.y));
    planar.pixels = appendSupercover(planar.x, planar.y, plan.cover);
  }
  plan.view.resize(grid.planePoints());
  for (std::int64_t j = 0; j < grid.ny; ++j)
    for (std::int64_t i = 0; i < grid.nx; ++i) {
      const int distance = walls.distance(i, j);
      plan.view[i + grid.nx * j] = distance == 0 ? inWall : distance <= longest ? nearWall : farFromWalls;
    }
}

/// Returns the number of slots per scheme: 4 (Reeds-Shepp, phi = 0: three planar terms and the turn on the
/// spot), 7, 6 (Dubins), 30 (elastica).
int slotsOf(Model model, const HeadingStencils& stencils) {
  if (model == Model::Dubins) return blockSlots;
  if (model == Model::Elastica) return fejerNodes * blockSlots;
  std::size_t terms = stencils.varying ? 1 + blockSlots : 0;
  for (const Stencil& stencil : stencils.uniform) terms = std::max(terms, stencil.schemes[0].size());
  return terms <= 4 ? 4 : 1 + blockSlots;
}

} // namespace

TilePlan makeTilePlan(const Problem& problem, const Discretisation& discretisation) {
  const HeadingStencils& stencils = discretisation.stencils();
  TilePlan plan;
  plan.units = discretisation.units;
  plan.varying = stencils.varying;
  plan.schemes = problem.model == Model::Dubins ? 2 : 1;
  plan.slots = slotsOf(problem.model, stencils);
  const double step = problem.grid.headingStep();
  plan.turning.weight = float(1 / (step * step));
  plan.longestStep = longestStep(stencils);
  const int border = plan.longestStep * (problem.accuracy == Accuracy::SecondOrder ? 2 : 1);
  plan.layout = StateLayout(problem.grid.nx, problem.grid.ny, problem.grid.headings, border);
  PlanarNumbers numbers(plan.planar);
  if (plan.varying)
    makePieces(stencils, problem, plan, numbers);
  else
    makeShared(stencils, problem, plan, numbers);
  if (problem.accuracy == Accuracy::SecondOrder) {
    plan.doubled = int(plan.planar.size());
    for (int n = 0; n < plan.doubled; ++n)
      plan.planar.push_back({std::int16_t(2 * plan.planar[n].x), std::int16_t(2 * plan.planar[n].y), {}});
  }
  makeView(problem.grid, discretisation.walls, plan);
  return plan;
}

PlacedSeeds placedSeeds(const std::vector<StartState>& starts, const TilePlan& plan) {
  PlacedSeeds placed{{}, earliestOf(starts)};
  for (const StartState& start : starts)
    placed.states.push_back({start.state, float((start.travelTime - placed.earliest) / plan.units.time())});
  return placed;
}

} // namespace isochrone::curvature
