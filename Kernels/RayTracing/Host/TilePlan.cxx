#include "RayTracing/Host/TilePlan.h"

#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/EdgeWeights.h"
#include "RayTracing/Scheme/MinMax.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace isochrone::rays {

namespace {

/// Returns the axes with more than one point, then the others.
std::array<int, 3> axisOrder(const Grid& grid) {
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return pointsOf(grid)[a] > 1 && pointsOf(grid)[b] == 1; });
  return order;
}

template <class T>
std::array<T, 3> inOrder(const std::array<T, 3>& v, const std::array<int, 3>& order) {
  return {v[order[0]], v[order[1]], v[order[2]]};
}

} // namespace

template <class Real>
TilePlan<Real>::TilePlan(const Problem& problem, const Options& options, int threads)
    : slowness(slownessOf<Real>(problem)) {
  const Grid& grid = problem.grid;
  const std::array<int, 3> order = axisOrder(grid);
  n = inOrder(pointsOf(grid), order);
  samples = options.rule == WeightRule::Cells ? inOrder(cellsOf(grid), order) : n;
  mostRowsY = n[2] > 1 ? 16 : 64; // the best of 8 to 128 rows and of 8 x 8 to 24 x 24, or close to it
  mostRowsZ = n[2] > 1 ? 16 : 1;
  tiles = {int((n[0] + tileColumns - 1) / tileColumns), int((n[1] + mostRowsY - 1) / mostRowsY),
           int((n[2] + mostRowsZ - 1) / mostRowsZ)};

  const auto edges = edgeTerms(grid, options.rule, makeTemplate(grid, options.neighbours, options.radius));
  for (const EdgeTerms& e : edges)
    for (int a = 0; a < 3; ++a) reach[a] = std::max(reach[a], std::abs(inOrder(e.offset, order)[a]));
  constexpr int rim = 64 / int(sizeof(Real)); // whole vectors
  rowStride = tileColumns + 2 * rim;
  planeStride = rowStride * (mostRowsY + 2 * reach[1]);

  const auto range = extremesOf<Real>(slowness, threads);
  window = 2 * tileColumns * spacingOf(grid)[order[0]] * double(range.least);
  stencil.weighing = options.rule == WeightRule::Accurate ? Weighing::Points
                     : options.rule == WeightRule::Cells  ? Weighing::SharedCells
                     : range.infinite                     ? Weighing::OpenEnds
                                                          : Weighing::Ends;

  std::map<std::pair<int, int>, int> rows;
  const auto deltaOf = [&](const Offset& o) {
    const Offset s = inOrder(o, order);
    return s[0] + rowStride * s[1] + planeStride * s[2];
  };
  for (const EdgeTerms& e : edges) {
    const Offset o = inOrder(e.offset, order);
    TileEdge<Real> edge{deltaOf(e.offset), int(taps.size()), 0, Real(0.5 * e.length)};
    for (const Term& term : e.terms) {
      const bool isEnd = term.samples[0] == Offset{} || term.samples[0] == e.offset;
      if (stencil.weighing == Weighing::OpenEnds && isEnd) continue; // the end's own slowness closes the edge
      taps.push_back({deltaOf(term.samples[0]), Real(term.length)});
      more.push_back(
          {term.count - 1, {deltaOf(term.samples[1]), deltaOf(term.samples[2]), deltaOf(term.samples[3])}});
    }
    edge.taps = int(taps.size()) - edge.firstTap;
    all.push_back(edge);
    int& x = rows[{o[2], o[1]}];
    x = std::max(x, std::abs(o[0]));
    if (o[2] < 0 || (o[2] == 0 && o[1] < 0))
      before.push_back(edge);
    else if (o[2] > 0 || o[1] > 0)
      behind.push_back(edge);
    else if (o[0] == -1)
      stencil.left = edge;
    else if (o[0] != 1)
      row.push_back(edge);
  }
  for (const auto& [at, x] : rows) reaches.push_back({at.second, at.first, x});
  // Sort in memory order.
  for (auto* part : {&before, &behind, &row})
    std::sort(part->begin(), part->end(), [](const auto& a, const auto& b) { return a.delta < b.delta; });
  stencil.before = before.data();
  stencil.behind = behind.data();
  stencil.row = row.data();
  stencil.all = all.data();
  stencil.beforeCount = int(before.size());
  stencil.behindCount = int(behind.size());
  stencil.rowCount = int(row.size());
  stencil.allCount = int(all.size());
  stencil.taps = taps.data();
  stencil.more = more.data();
}

template <class Real>
std::size_t TilePlan<Real>::bytes() const {
  return taps.size() * (sizeof(Tap<Real>) + sizeof(MoreSamples)) + 2 * all.size() * sizeof(TileEdge<Real>);
}

template struct TilePlan<float>;
template struct TilePlan<double>;

} // namespace isochrone::rays
