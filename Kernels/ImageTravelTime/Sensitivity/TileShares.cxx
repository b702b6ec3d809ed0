// Compiled once per instruction set. TileShares.h describes the data.
#include "ImageTravelTime/Sensitivity/TileShares.h"

#include "Execution/Simd.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

using Lanes = execution::ISOCHRONE_ISA::Vector<double>;
using Vec = Lanes::Vec;

/// The updates of a tile, one point per lane.
template <TileFactoring kind>
class Points {
public:
  explicit Points(TileShares& t) : tile(t), strides{1, t.shape[0] + 2, (t.shape[0] + 2) * (t.shape[1] + 2)} {}

  void work() const {
    int n = 0;
    for (int k = 0; k < tile.shape[2]; ++k)
      for (int j = 0; j < tile.shape[1]; ++j)
        for (int i = 0; i < tile.shape[0]; i += Lanes::width, n += Lanes::width)
          points({i, j, k}, tile.time + (i + 1) + (j + 1) * strides[1] + (k + 1) * strides[2], n);
  }

private:
  struct Node {
    int at[3];
  };

  static constexpr bool isFactored = kind != TileFactoring::Off;

  TileShares& tile;
  int strides[3];

  FromSeed<Lanes> relative(const Node& node, Vec slowness) const {
    const auto stepsAlong = [&](int a) { return tile.seed.away[a] + node.at[a]; };
    const Vec steps[3] = {Lanes::iota(0) + stepsAlong(0), Lanes::broadcast(stepsAlong(1)),
                          Lanes::broadcast(stepsAlong(2))};
    return fromSeed<Lanes>(tile.seed, steps, slowness);
  }

  void points(const Node& node, const double* time, int n) const {
    const Vec slowness = Lanes::load(tile.slowness + n);
    FromSeed<Lanes> at;
    if constexpr (isFactored) at = relative(node, slowness);
    const PointShares<Lanes> p =
        pointShares<Lanes, kind>(Lanes::load(time), slowness, at, tile.spacing, [&](int axis, int up) {
          return Lanes::load(time + (up ? strides[axis] : -strides[axis]));
        });
    Vec bits = p.sides;
    if constexpr (isFactored) {
      auto mayDiffer = p.mayBeBound;
      if constexpr (kind == TileFactoring::Multiplicative)
        mayDiffer = Lanes::either(
            mayDiffer, Lanes::greater(p.rounding, (Lanes::load(time) + tile.earliest) * roundingOfTimes));
      bits += Lanes::select(mayDiffer, Lanes::broadcast(otherSidesBit), Lanes::broadcast(0));
      Lanes::store(tile.perSeedSlowness + n, p.remainder * tile.seed.lengthPerRemainder);
    }
    for (int axis = 0; axis < 3; ++axis) Lanes::store(tile.share[axis] + n, p.share[axis]);
    Lanes::store(tile.sides + n, bits);
    Lanes::store(tile.perSlowness + n, p.perSlowness * tile.unitLength);
    Lanes::store(tile.rounding + n, p.rounding * tile.unitTime);
  }
};

} // namespace

void findTileShares(TileShares& tile) {
  if (tile.factoring == TileFactoring::Additive)
    Points<TileFactoring::Additive>(tile).work();
  else if (tile.factoring == TileFactoring::Multiplicative)
    Points<TileFactoring::Multiplicative>(tile).work();
  else
    Points<TileFactoring::Off>(tile).work();
}

} // namespace isochrone::image::ISOCHRONE_ISA
