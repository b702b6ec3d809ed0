// Relaxes a tile; compiled once per instruction set.
#include "RayTracing/Host/TileWeights.h"

namespace isochrone::rays::ISOCHRONE_ISA {

namespace {

/// Pulls times over edges into n vectors of points.
template <class Real, Weighing weighing, int n>
[[gnu::noinline]] void pull(const TileWork<Real>& work, TileEdges<Real> edges, int first) {
  using Number = Vectors<Real, n>;
  Real* const times = work.times + first;
  const Number own = Number::load(work.slowness + first);
  Number best = Number::load(times);
  for (int e = 0; e < edges.count; ++e)
    best = Number::min(best, Number::load(times + edges.list[e].delta) +
                                 weightOf<Real, weighing>(work, edges.list[e], first, own));
  best.store(times);
}

/// Pulls times into the points from the first to the last block of the mask in a row.
template <class Real, Weighing weighing>
void pullBlocks(const TileWork<Real>& work, TileEdges<Real> edges, int row, unsigned mask) {
  constexpr int width = Lanes<Real>::width;
  int at = row + blockColumns * __builtin_ctz(mask);
  const int end = row + blockColumns * (32 - __builtin_clz(mask));
  for (; at + together * width <= end; at += together * width)
    pull<Real, weighing, together>(work, edges, at);
  const int rest = (end - at) / width;
  if (rest == 1) pull<Real, weighing, 1>(work, edges, at);
  if (rest == 2) pull<Real, weighing, 2>(work, edges, at);
  if (rest == 3) pull<Real, weighing, 3>(work, edges, at);
}

/// Propagates times along a row in one direction. Most blocks have nothing to propagate.
/// @param weights  weights[x]: the edge from point x - 1 to x
/// @tparam step  1 or -1
template <class Real, int step>
void scanBlocks(Real* times, const Real* weights) {
  using L = Lanes<Real>;
  weights += step < 0; // the edge by which a point is reached
  for (int b = 0; b < blocks; ++b) {
    const int first = blockColumns * (step > 0 ? b : blocks - 1 - b);
    std::uint32_t later = 0;
    for (int x = first; x < first + blockColumns; x += L::width)
      later |= L::bits(L::less(L::load(times + x - step) + L::load(weights + x), L::load(times + x)));
    if (!later) continue;
    int x = step > 0 ? first : first + blockColumns - 1;
    Real t = times[x - step];
    for (int i = 0; i < blockColumns; ++i, x += step) {
      const Real passed = t + weights[x];
      t = passed < times[x] ? passed : times[x];
      times[x] = t;
    }
  }
}

/// Propagates times along a row in both directions.
/// @param row  index of the first point
template <class Real, Weighing weighing>
void scanRow(const TileWork<Real>& work, int row) {
  using L = Lanes<Real>;
  alignas(64) Real weights[tileColumns + L::width]; // the last one leaves the row on the right
  for (int x = 0; x < tileColumns + L::width; x += L::width) {
    const auto own = Vectors<Real, 1>::load(work.slowness + row + x);
    weightOf<Real, weighing>(work, work.stencil->left, row + x, own).store(weights + x);
  }
  scanBlocks<Real, 1>(work.times + row, weights);
  scanBlocks<Real, -1>(work.times + row, weights);
}

/// The points of a row that changed.
template <class Real>
struct Changes {
  std::uint64_t points = 0; ///< one bit each
  Vec<Real> minimum;        ///< minimum changed time, per lane

  Changes(const Real* times, const Real* old) {
    using L = Lanes<Real>;
    minimum = L::broadcast(unreached<Real>);
    for (int x = 0; x < tileColumns; x += L::width) {
      const Vec<Real> now = L::load(times + x), before = L::load(old + x);
      const auto fell = L::less(now, before);
      const std::uint64_t bits = L::bits(fell);
      points |= bits << x;
      if (bits) minimum = L::min(minimum, L::select(fell, now, minimum));
    }
  }

  /// Returns one bit per block that has a changed point or is adjacent to one that has.
  unsigned blocksInReach() const {
    unsigned mask = 0;
    for (int b = 0; b < blocks; ++b) mask |= (points >> (b * blockColumns) & 0xffff ? 1u : 0u) << b;
    return mask | mask << 1 | mask >> 1;
  }
};

/// Returns the side of a tile on which a row lies along an axis of n rows: -1, 0 (inside) or 1.
int sideOf(int row, int n) { return row < 0 ? -1 : row < n ? 0 : 1; }

template <class Real>
class Relaxation {
public:
  explicit Relaxation(TileWork<Real>& w) : work(w), stencil(*w.stencil) {}

  void run() {
    int before = 0, behind = 0;
    for (int i = 0; i < work.rowsY * work.rowsZ; ++i) {
      before += __builtin_popcount(work.pending[i] >> fromBefore & allBlocks);
      behind += __builtin_popcount(work.pending[i] >> fromBehind & allBlocks);
    }
    for (bool back = behind > before; sweep(back); back = !back) {
    }
  }

private:
  TileWork<Real>& work;
  const TileStencil<Real>& stencil;

  /// Sweeps the rows in one direction. Returns whether rows are still pending.
  bool sweep(bool back) {
    const int rows = work.rowsY * work.rowsZ;
    for (int i = back ? rows - 1 : 0; i >= 0 && i < rows; i += back ? -1 : 1)
      if (work.pending[i] >> (back ? fromBehind : fromBefore) & allBlocks ||
          work.pending[i] >> fromRow & allBlocks)
        withWeighing(work, i, [&]<Weighing weighing>() { relaxRow<weighing>(i, back); });
    for (int i = 0; i < rows; ++i)
      if (work.pending[i]) return true;
    return false;
  }

  template <Weighing weighing>
  void relaxRow(int i, bool back) {
    const int y = i % work.rowsY, z = i / work.rowsY;
    const int row = y * work.rowStride + z * work.planeStride;
    const unsigned mask = work.pending[i] >> (back ? fromBehind : fromBefore) & allBlocks;
    work.pending[i] &= ~(allBlocks << (back ? fromBehind : fromBefore) | allBlocks << fromRow);
    alignas(64) Real old[tileColumns];
    for (int x = 0; x < tileColumns; x += Lanes<Real>::width)
      Lanes<Real>::store(old + x, Lanes<Real>::load(work.times + row + x));
    if (mask) {
      const TileEdges<Real> edges = back ? stencil.behind : stencil.before;
      pullBlocks<Real, weighing>(work, edges, row, mask);
      work.relaxations +=
          std::int64_t(blockColumns * (32 - __builtin_clz(mask) - __builtin_ctz(mask))) * edges.count;
    }
    if (stencil.row.count > 0) {
      pullBlocks<Real, weighing>(work, stencil.row, row, allBlocks);
      work.relaxations += tileColumns * stencil.row.count;
    }
    scanRow<Real, weighing>(work, row);
    work.relaxations += 2 * tileColumns;
    const Changes<Real> changes(work.times + row, old);
    if (!changes.points) return;
    work.changed[i] = 1;
    markReaders(y, z, changes);
  }

  /// Marks the rows that must read the changed points of a row.
  void markReaders(int y, int z, const Changes<Real>& changes) {
    const unsigned inReach = changes.blocksInReach() & work.validBlocks;
    for (int r = 0; r < work.reachCount; ++r) {
      const RowReach& reach = work.reaches[r];
      const int toY = y + reach.y, toZ = z + reach.z, kind = pendingFrom(reach);
      if (sideOf(toY, work.rowsY) == 0 && sideOf(toZ, work.rowsZ) == 0)
        markInside(toY, toZ, kind, inReach);
      else
        markOutside(0, toY, toZ, inReach << kind, changes.minimum);
      const std::uint64_t nearLeft = (std::uint64_t(1) << reach.x) - 1;
      if (changes.points & nearLeft) markOutside(-1, toY, toZ, 1u << (kind + blocks - 1), changes.minimum);
      if (reach.x > 0 && changes.points >> (tileColumns - reach.x))
        markOutside(1, toY, toZ, 1u << kind, changes.minimum);
    }
  }

  void markInside(int y, int z, int kind, unsigned mask) {
    if (kind == fromRow && stencil.row.count == 0) return; // the scan reaches all others
    work.pending[y + work.rowsY * z] |= mask << kind;
  }

  /// Marks blocks of a row of the adjacent tile on a side along x, and lowers the minimum of that tile.
  void markOutside(int sideX, int y, int z, unsigned bits, Vec<Real> time) {
    using L = Lanes<Real>;
    work.pendingAround[1 + sideX + 3 * (y + work.rimY + (work.rowsY + 2 * work.rimY) * (z + work.rimZ))] |=
        bits;
    Real* const minimum = work.minimum[13 + sideX + 3 * (sideOf(y, work.rowsY) + 3 * sideOf(z, work.rowsZ))];
    L::store(minimum, L::min(L::load(minimum), time));
  }
};

} // namespace

template <class Real>
void relaxTile(TileWork<Real>& work) {
  Relaxation<Real>(work).run();
}
template void relaxTile(TileWork<float>&);
template void relaxTile(TileWork<double>&);

} // namespace isochrone::rays::ISOCHRONE_ISA
