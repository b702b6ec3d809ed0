#include "RayTracing/Host/TilePlan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

namespace isochrone::rays {

template <class Real>
TilePlan<Real>::TilePlan(const Problem& problem, const Options& options, const SlownessRange& range)
    : TilePlan(problem, options, range,
               edgeTerms(problem.grid, options.rule,
                         makeForwardStar(problem.grid, options.neighbours, options.radius))) {}

template <class Real>
TilePlan<Real>::TilePlan(const Problem& problem, const Options& options, const SlownessRange& range,
                         const std::vector<EdgeTerms>& edges)
    : slowness(problem, edges) {
  const Grid& grid = problem.grid;
  const std::array<int, 3> order = axisOrder(grid);
  image = inOrder(grid, order);
  elements = elementsOf(image, options.rule);
  maxRowsY = image.nz > 1 ? 16 : 64; // the best of 8 to 128 rows and of 8 x 8 to 24 x 24, or close to it
  maxRowsZ = image.nz > 1 ? 16 : 1;
  const grid::Box box = inOrder(grid::ownPoints(grid, problem.part), order);
  low = box.low;
  own = {box.size(0), box.size(1), box.size(2)};
  tiles = {(own.nx + tileColumns - 1) / tileColumns, (own.ny + maxRowsY - 1) / maxRowsY,
           (own.nz + maxRowsZ - 1) / maxRowsZ};
  window = 2 * tileColumns * image.hx * range.minimum;
  stencil.weighing = options.rule == WeightRule::Accurate ? Weighing::Points
                     : options.rule == WeightRule::Cells  ? Weighing::SharedCells
                     : problem.tilted                     ? Weighing::TiltedEnds
                     : range.blanked                      ? Weighing::OpenEnds
                                                          : Weighing::Ends;
  buildStencil(edges, order);
  bind();
}

/// Converts the edges to memory steps in a tile with its rim.
template <class Real>
void TilePlan<Real>::buildStencil(const std::vector<EdgeTerms>& edges, const std::array<int, 3>& order) {
  for (const EdgeTerms& e : edges)
    for (int a = 0; a < 3; ++a) reach[a] = std::max(reach[a], std::abs(e.offset[order[a]]));
  constexpr int rim = 64 / int(sizeof(Real)); // whole vectors
  rowStride = tileColumns + 2 * rim;
  planeStride = rowStride * (maxRowsY + 2 * reach[1]);
  tileSize = planeStride * (maxRowsZ + 2 * reach[2]);
  const auto deltaOf = [&](const Offset& o) {
    return o[order[0]] + rowStride * o[order[1]] + planeStride * o[order[2]];
  };
  for (std::size_t n = 0; n < edges.size(); ++n) {
    const EdgeTerms& e = edges[n];
    TileEdge<Real> edge{deltaOf(e.offset), int(taps.size()), 0, Real(0.5 * e.length),
                        slowness.directionOfEdge(int(n)) * tileSize};
    for (const Term& term : e.terms) {
      const bool isEnd = term.samples[0] == Offset{} || term.samples[0] == e.offset;
      if (testsBlanks() && isEnd) continue; // the end's own slowness closes the edge
      taps.push_back({deltaOf(term.samples[0]), Real(term.length)});
      more.push_back(
          {term.count - 1, {deltaOf(term.samples[1]), deltaOf(term.samples[2]), deltaOf(term.samples[3])}});
    }
    edge.taps = int(taps.size()) - edge.firstTap;
    addEdge(edge, inOrder(e.offset, order));
  }
}

/// Lists an edge by the row to which it leads.
template <class Real>
void TilePlan<Real>::addEdge(const TileEdge<Real>& edge, const Offset& o) {
  all.push_back(edge);
  const auto row = std::find_if(reaches.begin(), reaches.end(),
                                [&](const RowReach& r) { return r.y == o[1] && r.z == o[2]; });
  if (row == reaches.end())
    reaches.push_back({o[1], o[2], std::abs(o[0])});
  else
    row->x = std::max(row->x, std::abs(o[0]));
  if (o[2] < 0 || (o[2] == 0 && o[1] < 0))
    before.push_back(edge);
  else if (o[2] > 0 || o[1] > 0)
    behind.push_back(edge);
  else if (o[0] == -1)
    stencil.left = edge;
  else if (o[0] != 1)
    inRow.push_back(edge);
}

/// Sorts the lists in memory order and points the stencil to them.
template <class Real>
void TilePlan<Real>::bind() {
  std::sort(reaches.begin(), reaches.end(),
            [](const RowReach& a, const RowReach& b) { return std::tuple(a.z, a.y) < std::tuple(b.z, b.y); });
  for (auto* part : {&before, &behind, &inRow})
    std::sort(part->begin(), part->end(), [](const auto& a, const auto& b) { return a.delta < b.delta; });
  const auto edgesOf = [](const auto& list) { return TileEdges<Real>{list.data(), int(list.size())}; };
  stencil.before = edgesOf(before);
  stencil.behind = edgesOf(behind);
  stencil.row = edgesOf(inRow);
  stencil.all = edgesOf(all);
  stencil.taps = taps.data();
  stencil.more = more.data();
}

template <class Real>
std::size_t TilePlan<Real>::bytes() const {
  return taps.size() * (sizeof(Tap<Real>) + sizeof(MoreSamples)) + 2 * all.size() * sizeof(TileEdge<Real>) +
         slowness.bytes();
}

template struct TilePlan<float>;
template struct TilePlan<double>;

} // namespace isochrone::rays
