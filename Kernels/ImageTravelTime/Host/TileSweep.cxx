// Compiled once per instruction set. TileSweep.h describes the data, DESIGN.md the order of work.
#include "ImageTravelTime/Host/TileSweep.h"

#include "ImageTravelTime/Host/TileLanes.h"
#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Scheme/GodunovUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// Tiles of a grid with equal spacings along each axis.
template <int Dimensions>
class Tiles : TileLanes<Dimensions> {
public:
  using typename TileLanes<Dimensions>::L;
  using TileLanes<Dimensions>::TileLanes;

  void work() {
    this->load();
    if (batch.factoring != TileFactoring::Off) loadSeeds();
    this->sweepAll([&](const auto& nodes) {
      if (batch.factoring == TileFactoring::Additive)
        return this->sweep(
            nodes, [&](float* u, Vec s, int n) { return updateNear<TileFactoring::Additive>(u, s, n); });
      if (batch.factoring == TileFactoring::Multiplicative)
        return this->sweep(nodes, [&](float* u, Vec s, int n) {
          return updateNear<TileFactoring::Multiplicative>(u, s, n);
        });
      if (field.spacing.cubic)
        return this->sweep(nodes, [&](float* u, Vec s, int) { return update<true>(u, s); });
      return this->sweep(nodes, [&](float* u, Vec s, int) { return update<false>(u, s); });
    });
  }

private:
  using TileLanes<Dimensions>::field, TileLanes<Dimensions>::batch, TileLanes<Dimensions>::first;
  FromSeed<Floats> seed; ///< of the first node

  void loadSeeds() {
    const auto each = [&](auto&& member) {
      float values[Floats::width];
      for (int l = 0; l < Floats::width; ++l) values[l] = member(batch.seed[first + l]);
      return Floats::load(values);
    };
    for (int axis = 0; axis < 3; ++axis)
      seed.along[axis] = each([&](const SeedOfTile& from) { return from.away[axis]; });
    seed.slowness = each([](const SeedOfTile& from) { return from.slowness; });
    seed.startValue = each([](const SeedOfTile& from) { return from.startValue; });
    seed.radius = each([](const SeedOfTile& from) { return from.radius; });
  }

  template <bool cubic>
  Vec update(const float* u, Vec s) const {
    constexpr int W = Floats::width;
    const Vec a = Floats::min(Floats::load(u - W), Floats::load(u + W));
    const Vec b = Floats::min(Floats::load(u - L::row * W), Floats::load(u + L::row * W));
    if constexpr (Dimensions == 2)
      return godunov<Floats, cubic>(a, b, s, field.spacing.weight);
    else
      return godunov<Floats, cubic>(a, b,
                                    Floats::min(Floats::load(u - L::slab * W), Floats::load(u + L::slab * W)),
                                    s, field.spacing.weight);
  }

  template <TileFactoring kind>
  Vec updateNear(const float* u, Vec s, int n) const {
    const int node[3] = {n % L::size[0], n / L::size[0] % L::size[1], n / (L::size[0] * L::size[1])};
    return factored<Floats, Dimensions, kind>(
        seed, node, field.spacing.step, field.spacing.weight, s,
        [&](int axis, int side) { return Floats::load(u + side * L::step[axis] * Floats::width); });
  }
};

} // namespace

void sweepTiles(const TileField& field, TileBatch& batch, float* scratch) {
  batch.unfinished = 0, batch.sweeps = 0;
  for (int lane = 0; lane < batch.count; lane += Floats::width)
    if (field.isPlane)
      Tiles<2>(field, batch, lane, scratch).work();
    else
      Tiles<3>(field, batch, lane, scratch).work();
}

} // namespace isochrone::image::ISOCHRONE_ISA
