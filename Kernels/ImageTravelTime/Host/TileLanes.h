// TileLanes.h - tiles in the lanes of vectors: loading, sweeping, reporting and storing them, whatever the
// update of a node.
#pragma once

#include "Execution/Simd.h"
#include "ImageTravelTime/Host/TileLayout.h"

namespace isochrone::image::ISOCHRONE_ISA {

using Floats = execution::ISOCHRONE_ISA::Vector<float>;
using Mask = Floats::Mask;
using Vec = Floats::Vec;

/// One tile per lane, `Dimensions` 2 or 3.
template <int Dimensions>
class TileLanes {
public:
  using L = TileLayout<Dimensions>;

  TileLanes(const TileField& tileField, TileBatch& tileBatch, int firstLane, float* scratch)
      : field(tileField), batch(tileBatch), first(firstLane), value(scratch),
        slowness(value + L::bordered * Floats::width), before(slowness + L::nodes * Floats::width) {}

protected:
  const TileField& field;
  TileBatch& batch;
  int first;
  float *value, *slowness, *before; ///< node after node, one tile per lane

  /// Sweeps the loaded tiles until nothing changes, at most `maxSweeps` times, and reports and stores them.
  /// @param sweepFrom  sweeps in an order of the nodes; returns the lanes that changed
  template <class SweepFrom>
  void sweepAll(SweepFrom&& sweepFrom) {
    std::uint32_t moving = 1;
    int sweeps = 0;
    for (; moving && sweeps < maxSweeps; ++sweeps) {
      // Neighbouring corners before opposite ones: two sweeps follow the front, whatever its direction.
      static constexpr unsigned sequence[maxSweeps] = {0, 1, 2, 4, 6};
      constexpr unsigned corners = (1u << Dimensions) - 1;
      const unsigned turn = Dimensions == 2 ? unsigned(sweeps) & corners : sequence[sweeps];
      moving = sweepFrom(L::orders.node[(batch.corner ^ turn) & corners]);
    }
    batch.sweeps = batch.sweeps > sweeps ? batch.sweeps : sweeps;
    batch.unfinished |= moving << first;
    findKeys();
    store();
  }

  /// Converts W nodes of W tiles from tile after tile to node after node. The nodes lie in runs, which start
  /// `apart` from each other.
  template <int run, int apart, class Target>
  static void interleave(const float* const (&from)[Floats::width], int node, Target&& to) {
    Vec rows[Floats::width];
    const int at = node % run + node / run * apart;
    for (int l = 0; l < Floats::width; ++l)
      if constexpr (run >= Floats::width)
        rows[l] = Floats::load(from[l] + at);
      else
        rows[l] = Floats::loadHalves(from[l] + at, from[l] + at + apart);
    Floats::transpose(rows);
    for (int m = 0; m < Floats::width; ++m) Floats::store(to(m), rows[m]);
  }

  /// Converts back to tile after tile.
  template <class Source, class Target>
  void separate(Source&& from, Target&& to) const {
    Vec rows[Floats::width];
    for (int m = 0; m < Floats::width; ++m) rows[m] = Floats::load(from(m));
    Floats::transpose(rows);
    for (int l = 0; l < Floats::width && first + l < batch.count; ++l)
      Floats::store(to(batch.tile[first + l]), rows[l]);
  }

  float* tile(std::int32_t number) const { return field.value + std::int64_t(number) * L::nodes; }
  float* side(std::int32_t number, int up) const {
    return field.side + (std::int64_t(number) * 2 + up) * L::template Face<0>::nodes;
  }

  void load() {
    const float *u[Floats::width], *s[Floats::width];
    for (int l = 0; l < Floats::width; ++l) {
      u[l] = tile(batch.tile[first + l]);
      s[l] = field.slowness + std::int64_t(batch.tile[first + l]) * L::nodes;
    }
    for (int node = 0; node < L::nodes; node += Floats::width) {
      interleave<L::nodes, 0>(u, node,
                              [&](int m) { return value + L::withBorder(node + m) * Floats::width; });
      interleave<L::nodes, 0>(s, node, [&](int m) { return slowness + (node + m) * Floats::width; });
    }
    float* kept = before;
    L::forEachFace([&](int face, auto f, int up) {
      for (int l = 0; l < Floats::width; ++l) {
        const std::int32_t behind = batch.neighbour[face][first + l];
        u[l] = face < 2 ? side(behind, 1 - up) : tile(behind) + f.linear(1 - up);
      }
      for (int node = 0; node < f.nodes; node += Floats::width)
        interleave<f.run, f.nextRun>(
            u, node, [&](int m) { return value + (f.at(up, node + m) + f.outward(up)) * Floats::width; });
      for (int node = 0; node < f.nodes; ++node, kept += Floats::width)
        Floats::store(kept, Floats::load(value + f.at(up, node) * Floats::width));
    });
  }

  /// Returns the lanes that changed.
  template <class Update>
  std::uint32_t sweep(const typename L::Node (&nodes)[L::nodes], Update&& update) {
    constexpr int W = Floats::width;
    Mask changed = Floats::fromBits(0);
    for (const auto& node : nodes) {
      float* u = value + node.bordered * W;
      const Vec s = Floats::load(slowness + node.linear * W), old = Floats::load(u);
      const Vec next = update(u, s, node.linear);
      changed = Floats::either(changed, Floats::greater(old, next));
      Floats::store(u, Floats::min(next, old)); // `old` if `next` is NaN, as it may be in barriers
    }
    return Floats::bits(changed);
  }

  void findKeys() {
    const float* kept = before;
    const Vec none = Floats::broadcast(unreached);
    Vec minOfAll = none;
    L::forEachFace([&](int face, auto f, int up) {
      Vec minimum = none;
      for (int node = 0; node < f.nodes; ++node, kept += Floats::width) {
        const float* u = value + f.at(up, node) * Floats::width;
        const Vec now = Floats::load(u);
        Mask concerns = Floats::greater(Floats::load(kept), now);
        // With factoring, a later node may also lower a node.
        if (batch.factoring == TileFactoring::Off)
          concerns =
              Floats::both(concerns, Floats::greater(Floats::load(u + f.outward(up) * Floats::width), now));
        minimum = Floats::min(minimum, Floats::select(concerns, now, none));
        minOfAll = Floats::min(minOfAll, now);
      }
      Floats::store(batch.key[face] + first, minimum);
    });
    Floats::store(batch.minimum + first, minOfAll);
  }

  void store() {
    for (int node = 0; node < L::nodes; node += Floats::width)
      separate([&](int m) { return value + L::withBorder(node + m) * Floats::width; },
               [&](std::int32_t number) { return tile(number) + node; });
    using Side = typename L::template Face<0>;
    for (int up = 0; up < 2; ++up)
      for (int node = 0; node < Side::nodes; node += Floats::width)
        separate([&](int m) { return value + Side::at(up, node + m) * Floats::width; },
                 [&](std::int32_t number) { return side(number, up) + node; });
  }
};

} // namespace isochrone::image::ISOCHRONE_ISA
