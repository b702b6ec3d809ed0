// Relaxes a tile; compiled once per instruction set.
#include "RayTracing/Host/TileWeights.h"

#include <limits>

namespace isochrone::rays::ISOCHRONE_ISA {

namespace {

/// Pulls times over edges into n vectors of points.
template <class Real, Weighing weighing, int n>
[[gnu::noinline]] void pull(const TileWork<Real>& work, const TileEdge<Real>* edges, int count, int first) {
  using L = Lanes<Real>;
  const Real* times = work.times + first;
  Vec<Real> best[n], own[n];
  for (int v = 0; v < n; ++v) {
    best[v] = L::load(times + v * L::width);
    own[v] = L::load(work.slowness + first + v * L::width);
  }
  for (int e = 0; e < count; ++e) {
    Vec<Real> weight[n];
    weigh<Real, weighing>(work, edges[e], first, own, weight);
    for (int v = 0; v < n; ++v)
      best[v] = L::min(best[v], L::load(times + edges[e].delta + v * L::width) + weight[v]);
  }
  for (int v = 0; v < n; ++v) L::store(work.times + first + v * L::width, best[v]);
}

/// Pulls times into the points from the first to the last block of the mask in a row.
template <class Real, Weighing weighing>
void pullBlocks(const TileWork<Real>& work, const TileEdge<Real>* edges, int count, int row, unsigned mask) {
  constexpr int width = Lanes<Real>::width;
  int at = row + blockColumns * __builtin_ctz(mask);
  const int end = row + blockColumns * (32 - __builtin_clz(mask));
  for (; at + together * width <= end; at += together * width)
    pull<Real, weighing, together>(work, edges, count, at);
  const int rest = (end - at) / width;
  if (rest == 1) pull<Real, weighing, 1>(work, edges, count, at);
  if (rest == 2) pull<Real, weighing, 2>(work, edges, count, at);
  if (rest == 3) pull<Real, weighing, 3>(work, edges, count, at);
}

/// Propagates times along a row in both directions. Most blocks have nothing to propagate.
/// @param row  index of the first point
template <class Real, Weighing weighing>
void scanRow(const TileWork<Real>& work, int row) {
  using L = Lanes<Real>;
  constexpr int vectors = blockColumns / L::width > 0 ? blockColumns / L::width : 1;
  // weights[x]: the edge from point x - 1 to x; the last one leaves the row on the right.
  alignas(64) Real weights[tileColumns + L::width];
  for (int x = 0; x < tileColumns + L::width; x += L::width) {
    Vec<Real> weight[1], own[1] = {L::load(work.slowness + row + x)};
    weigh<Real, weighing>(work, work.stencil->left, row + x, own, weight);
    L::store(weights + x, weight[0]);
  }
  Real* times = work.times + row;
  for (int first = 0; first < tileColumns; first += blockColumns) {
    std::uint32_t later = 0;
    for (int v = 0; v < vectors; ++v) {
      const int x = first + v * L::width;
      later |= L::bits(L::less(L::load(times + x - 1) + L::load(weights + x), L::load(times + x)));
    }
    if (!later) continue;
    Real t = times[first - 1];
    for (int x = first; x < first + blockColumns; ++x) {
      const Real passed = t + weights[x];
      t = passed < times[x] ? passed : times[x];
      times[x] = t;
    }
  }
  for (int first = tileColumns - blockColumns; first >= 0; first -= blockColumns) {
    std::uint32_t later = 0;
    for (int v = 0; v < vectors; ++v) {
      const int x = first + v * L::width;
      later |= L::bits(L::less(L::load(times + x + 1) + L::load(weights + x + 1), L::load(times + x)));
    }
    if (!later) continue;
    Real t = times[first + blockColumns];
    for (int x = first + blockColumns - 1; x >= first; --x) {
      const Real passed = t + weights[x + 1];
      t = passed < times[x] ? passed : times[x];
      times[x] = t;
    }
  }
}

/// Returns one bit per point of a row that changed, and sets the minimum changed time in each lane.
template <class Real>
std::uint64_t changesOf(const Real* times, const Real* old, Vec<Real>& least) {
  using L = Lanes<Real>;
  std::uint64_t changed = 0;
  least = L::broadcast(std::numeric_limits<Real>::infinity());
  for (int x = 0; x < tileColumns; x += L::width) {
    const Vec<Real> now = L::load(times + x), before = L::load(old + x);
    const auto fell = L::less(now, before);
    const std::uint64_t bits = L::bits(fell);
    changed |= bits << x;
    if (bits) least = L::min(least, L::select(fell, now, least));
  }
  return changed;
}

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
        relaxRow(i, back);
    for (int i = 0; i < rows; ++i)
      if (work.pending[i]) return true;
    return false;
  }

  void relaxRow(int i, bool back) {
    switch (stencil.weighing) {
    case Weighing::Points:
      return relaxRow<Weighing::Points>(i, back);
    case Weighing::SharedCells:
      return relaxRow<Weighing::SharedCells>(i, back);
    default:
      if (work.nearBlank[i]) return relaxRow<Weighing::OpenEnds>(i, back);
      return relaxRow<Weighing::Ends>(i, back);
    }
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
      const int count = back ? stencil.behindCount : stencil.beforeCount;
      pullBlocks<Real, weighing>(work, back ? stencil.behind : stencil.before, count, row, mask);
      work.relaxations +=
          std::int64_t(blockColumns * (32 - __builtin_clz(mask) - __builtin_ctz(mask))) * count;
    }
    if (stencil.rowCount > 0) {
      pullBlocks<Real, weighing>(work, stencil.row, stencil.rowCount, row, allBlocks);
      work.relaxations += tileColumns * stencil.rowCount;
    }
    scanRow<Real, weighing>(work, row);
    work.relaxations += 2 * tileColumns;
    Vec<Real> least;
    const std::uint64_t changed = changesOf(work.times + row, old, least);
    if (changed) tell(i, y, z, changed, least);
  }

  /// Marks the rows that must read the changed points of a row.
  void tell(int i, int y, int z, std::uint64_t changed, Vec<Real> least) {
    work.changed[i] = 1;
    unsigned mask = 0;
    for (int b = 0; b < blocks; ++b) mask |= (changed >> (b * blockColumns) & 0xffff ? 1u : 0u) << b;
    const unsigned seen = (mask | mask << 1 | mask >> 1) & work.validBlocks;
    for (int r = 0; r < work.reachCount; ++r) {
      const RowReach& reach = work.reaches[r];
      const int toY = y + reach.y, toZ = z + reach.z;
      const bool behind = reach.z > 0 || (reach.z == 0 && reach.y > 0), same = reach.z == 0 && reach.y == 0;
      const int kind = same ? fromRow : behind ? fromBefore : fromBehind;
      const int sideY = toY < 0            ? 0
                        : toY < work.rowsY ? 1
                                           : 2,
                sideZ = toZ < 0            ? 0
                        : toZ < work.rowsZ ? 1
                                           : 2;
      const bool inside = sideY == 1 && sideZ == 1;
      if (inside && same) {
        if (stencil.rowCount > 0) work.pending[i] |= seen << kind;
      } else if (inside) {
        work.pending[toY + work.rowsY * toZ] |= seen << kind;
      }
      const std::uint64_t nearLeft = (std::uint64_t(1) << reach.x) - 1;
      std::uint16_t* news =
          work.news + 3 * (toY + work.rimY + (work.rowsY + 2 * work.rimY) * (toZ + work.rimZ));
      auto* sides = work.least + 3 * (sideY + 3 * sideZ);
      if (!inside) inform(news[1], sides[1], seen << kind, least);
      if (changed & nearLeft) inform(news[0], sides[0], 1u << (kind + blocks - 1), least);
      if (reach.x > 0 && changed >> (tileColumns - reach.x)) inform(news[2], sides[2], 1u << kind, least);
    }
  }

  static void inform(std::uint16_t& news, Real (&side)[mostLanes], unsigned bits, Vec<Real> least) {
    news = std::uint16_t(news | bits);
    Lanes<Real>::store(side, Lanes<Real>::min(Lanes<Real>::load(side), least));
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
