// Compiled once per instruction set. TileSweep.h describes the data, DESIGN.md the order of work.
#include "ImageTravelTime/Host/TileSweep.h"

#include "Execution/Simd.h"
#include "ImageTravelTime/Host/TileLayout.h"
#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Scheme/GodunovUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace simd = isochrone::execution::ISOCHRONE_ISA;
using simd::Mask;
using simd::Vec;

namespace {

/// One tile per lane, `Dimensions` 2 or 3.
template <int Dimensions>
class Tiles {
public:
  using L = TileLayout<Dimensions>;

  Tiles(const TileField& tileField, TileBatch& tileBatch, int firstLane, float* scratch)
      : field(tileField), batch(tileBatch), first(firstLane), value(scratch),
        slowness(value + L::bordered * simd::width), before(slowness + L::nodes * simd::width) {}

  void work() {
    load();
    if (batch.factoring != TileFactoring::Off) loadSeeds();
    std::uint32_t moving = 1;
    int sweeps = 0;
    for (; moving && sweeps < mostSweeps; ++sweeps) {
      // Neighbouring corners before opposite ones: two sweeps follow the front, whatever its direction.
      static constexpr unsigned sequence[mostSweeps] = {0, 1, 2, 4, 6};
      constexpr unsigned corners = (1u << Dimensions) - 1;
      const unsigned turn = Dimensions == 2 ? unsigned(sweeps) & corners : sequence[sweeps];
      const auto& nodes = L::orders.node[(batch.corner ^ turn) & corners];
      const auto sweepWith = [&](auto update) { moving = sweep(nodes, update); };
      if (batch.factoring == TileFactoring::Additive)
        sweepWith([&](float* u, Vec s, int n) { return updateNear<TileFactoring::Additive>(u, s, n); });
      else if (batch.factoring == TileFactoring::Multiplicative)
        sweepWith([&](float* u, Vec s, int n) { return updateNear<TileFactoring::Multiplicative>(u, s, n); });
      else if (field.cubic)
        sweepWith([&](float* u, Vec s, int) { return update<true>(u, s); });
      else
        sweepWith([&](float* u, Vec s, int) { return update<false>(u, s); });
    }
    batch.sweeps = batch.sweeps > sweeps ? batch.sweeps : sweeps;
    batch.unfinished |= moving << first;
    findKeys();
    store();
  }

private:
  const TileField& field;
  TileBatch& batch;
  int first;
  float *value, *slowness, *before; ///< node after node, one tile per lane
  FromSeed<simd::Vector> seed;      ///< of the first node

  /// Converts W nodes of W tiles from tile after tile to node after node. The nodes lie in runs, which start
  /// `apart` from each other.
  template <int run, int apart, class Target>
  static void interleave(const float* const (&from)[simd::width], int node, Target&& to) {
    Vec rows[simd::width];
    const int at = node % run + node / run * apart;
    for (int l = 0; l < simd::width; ++l)
      if constexpr (run >= simd::width)
        rows[l] = simd::load(from[l] + at);
      else
        rows[l] = simd::loadHalves(from[l] + at, from[l] + at + apart);
    simd::transpose(rows);
    for (int m = 0; m < simd::width; ++m) simd::store(to(m), rows[m]);
  }

  /// Converts back to tile after tile.
  template <class Source, class Target>
  void separate(Source&& from, Target&& to) const {
    Vec rows[simd::width];
    for (int m = 0; m < simd::width; ++m) rows[m] = simd::load(from(m));
    simd::transpose(rows);
    for (int l = 0; l < simd::width && first + l < batch.count; ++l)
      simd::store(to(batch.tile[first + l]), rows[l]);
  }

  float* tile(std::int32_t number) const { return field.value + std::int64_t(number) * L::nodes; }
  float* side(std::int32_t number, int up) const {
    return field.side + (std::int64_t(number) * 2 + up) * L::template Face<0>::nodes;
  }

  void load() {
    const float *u[simd::width], *s[simd::width];
    for (int l = 0; l < simd::width; ++l) {
      u[l] = tile(batch.tile[first + l]);
      s[l] = field.slowness + std::int64_t(batch.tile[first + l]) * L::nodes;
    }
    for (int node = 0; node < L::nodes; node += simd::width) {
      interleave<L::nodes, 0>(u, node, [&](int m) { return value + L::withBorder(node + m) * simd::width; });
      interleave<L::nodes, 0>(s, node, [&](int m) { return slowness + (node + m) * simd::width; });
    }
    float* kept = before;
    L::forEachFace([&](int face, auto f, int up) {
      for (int l = 0; l < simd::width; ++l) {
        const std::int32_t behind = batch.neighbour[face][first + l];
        u[l] = face < 2 ? side(behind, 1 - up) : tile(behind) + f.linear(1 - up);
      }
      for (int node = 0; node < f.nodes; node += simd::width)
        interleave<f.run, f.nextRun>(
            u, node, [&](int m) { return value + (f.at(up, node + m) + f.outward(up)) * simd::width; });
      for (int node = 0; node < f.nodes; ++node, kept += simd::width)
        simd::store(kept, simd::load(value + f.at(up, node) * simd::width));
    });
  }

  void loadSeeds() {
    const auto each = [&](auto&& member) {
      float values[simd::width];
      for (int l = 0; l < simd::width; ++l) values[l] = member(batch.seed[first + l]);
      return simd::load(values);
    };
    for (int axis = 0; axis < 3; ++axis)
      seed.along[axis] = each([&](const SeedOfTile& from) { return from.away[axis]; });
    seed.slowness = each([](const SeedOfTile& from) { return from.slowness; });
    seed.startValue = each([](const SeedOfTile& from) { return from.startValue; });
    seed.radius = each([](const SeedOfTile& from) { return from.radius; });
  }

  template <bool cubic>
  Vec update(const float* u, Vec s) const {
    constexpr int W = simd::width;
    const Vec a = simd::min(simd::load(u - W), simd::load(u + W));
    const Vec b = simd::min(simd::load(u - L::row * W), simd::load(u + L::row * W));
    if constexpr (Dimensions == 2)
      return godunov<simd::Vector, cubic>(a, b, s, field.weight);
    else
      return godunov<simd::Vector, cubic>(
          a, b, simd::min(simd::load(u - L::slab * W), simd::load(u + L::slab * W)), s, field.weight);
  }

  template <TileFactoring kind>
  Vec updateNear(const float* u, Vec s, int n) const {
    const int node[3] = {n % L::size[0], n / L::size[0] % L::size[1], n / (L::size[0] * L::size[1])};
    return factored<simd::Vector, Dimensions, kind>(
        seed, node, field.step, field.weight, s,
        [&](int axis, int side) { return simd::load(u + side * L::step[axis] * simd::width); });
  }

  /// Returns the lanes that changed.
  template <class Update>
  std::uint32_t sweep(const typename L::Node (&nodes)[L::nodes], Update&& update) {
    constexpr int W = simd::width;
    Mask changed = simd::fromBits(0);
    for (const auto& node : nodes) {
      float* u = value + node.bordered * W;
      const Vec s = simd::load(slowness + node.linear * W), old = simd::load(u);
      const Vec next = update(u, s, node.linear);
      changed = simd::either(changed, simd::greater(old, next));
      simd::store(u, simd::min(old, next));
    }
    return simd::bits(changed);
  }

  void findKeys() {
    const float* kept = before;
    const Vec none = simd::broadcast(unreached);
    Vec leastOfAll = none;
    L::forEachFace([&](int face, auto f, int up) {
      Vec least = none;
      for (int node = 0; node < f.nodes; ++node, kept += simd::width) {
        const float* u = value + f.at(up, node) * simd::width;
        const Vec now = simd::load(u);
        Mask concerns = simd::greater(simd::load(kept), now);
        // With factoring, a later node may also lower a node.
        if (batch.factoring == TileFactoring::Off)
          concerns = simd::both(concerns, simd::greater(simd::load(u + f.outward(up) * simd::width), now));
        least = simd::min(least, simd::select(concerns, now, none));
        leastOfAll = simd::min(leastOfAll, now);
      }
      simd::store(batch.key[face] + first, least);
    });
    simd::store(batch.least + first, leastOfAll);
  }

  void store() {
    for (int node = 0; node < L::nodes; node += simd::width)
      separate([&](int m) { return value + L::withBorder(node + m) * simd::width; },
               [&](std::int32_t number) { return tile(number) + node; });
    using Side = typename L::template Face<0>;
    for (int up = 0; up < 2; ++up)
      for (int node = 0; node < Side::nodes; node += simd::width)
        separate([&](int m) { return value + Side::at(up, node + m) * simd::width; },
                 [&](std::int32_t number) { return side(number, up) + node; });
  }
};

template <int Dimensions>
void sweepTiles(const TileField& field, TileBatch& batch, float* scratch) {
  batch.unfinished = 0, batch.sweeps = 0;
  for (int lane = 0; lane < batch.count; lane += simd::width)
    Tiles<Dimensions>(field, batch, lane, scratch).work();
}

} // namespace

void sweepPlaneTiles(const TileField& field, TileBatch& batch, float* scratch) {
  sweepTiles<2>(field, batch, scratch);
}
void sweepSpaceTiles(const TileField& field, TileBatch& batch, float* scratch) {
  sweepTiles<3>(field, batch, scratch);
}

} // namespace isochrone::image::ISOCHRONE_ISA
