// Finds the predecessors of the points of a tile; compiled once per instruction set.
#include "RayTracing/Host/TileWeights.h"

namespace isochrone::rays::ISOCHRONE_ISA {

namespace {

/// Finds the predecessors of n vectors of points. Edge indices are stored as Real, as are the times.
template <class Real, Weighing weighing, int n>
[[gnu::noinline]] void find(const TileWork<Real>& work, int first, Real* numbers) {
  using L = Lanes<Real>;
  using Number = Vectors<Real, n>;
  const TileStencil<Real>& stencil = *work.stencil;
  const Number times = Number::load(work.times + first), own = Number::load(work.slowness + first);
  Vec<Real> found[n];
  for (int v = 0; v < n; ++v) found[v] = L::broadcast(noEarlier);
  for (int e = stencil.all.count - 1; e >= 0; --e) { // in reverse, so that the first match remains
    const Vec<Real> number = L::broadcast(Real(e));
    const Number from = Number::load(work.times + first + stencil.all.list[e].delta);
    const Number sum = from + weightOf<Real, weighing>(work, stencil.all.list[e], first, own);
    for (int v = 0; v < n; ++v) {
      const auto onPath = L::both(L::less(from.part[v], times.part[v]), L::equal(sum.part[v], times.part[v]));
      found[v] = L::select(onPath, number, found[v]);
    }
  }
  for (int v = 0; v < n; ++v) L::store(numbers + v * L::width, found[v]);
}

template <class Real, Weighing weighing>
void findRow(const TileWork<Real>& work, int row, std::uint16_t* earlier) {
  constexpr int step = together * Lanes<Real>::width;
  alignas(64) Real numbers[tileColumns];
  for (int x = 0; x < tileColumns; x += step) find<Real, weighing, together>(work, row + x, numbers + x);
  for (int x = 0; x < tileColumns; ++x)
    earlier[x] =
        work.times[row + x] < unreached<Real> ? std::uint16_t(int(numbers[x])) : std::uint16_t(noEarlier);
}

} // namespace

template <class Real>
void findEarlier(const TileWork<Real>& work, std::uint16_t* earlier) {
  for (int i = 0; i < work.rowsY * work.rowsZ; ++i) {
    const int row = i % work.rowsY * work.rowStride + i / work.rowsY * work.planeStride;
    std::uint16_t* to = earlier + i * tileColumns;
    withWeighing(work, i, [&]<Weighing weighing>() { findRow<Real, weighing>(work, row, to); });
  }
}
template void findEarlier(const TileWork<float>&, std::uint16_t*);
template void findEarlier(const TileWork<double>&, std::uint16_t*);

} // namespace isochrone::rays::ISOCHRONE_ISA
