// Compiled once per instruction set. TileShares.h describes the data.
#include "ImageTravelTime/Sensitivity/TileShares.h"

#include "Execution/Simd.h"
#include "ImageTravelTime/Scheme/FactoredUpdate.h"
#include "ImageTravelTime/Sensitivity/UpdateShares.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

using Lanes = execution::ISOCHRONE_ISA::Vector<double>;
using Vec = Lanes::Vec;
using Mask = Lanes::Mask;

/// The updates of a tile, one point per lane.
template <bool inBall>
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
  /// The neighbour on a side of an axis.
  struct Side {
    Vec value;     ///< in the equation; +infinity if it does not count
    Vec remainder; ///< of the Taylor series: part of the value
  };

  TileShares& tile;
  int strides[3];

  FromSeed<Lanes> relative(const Node& node, Vec slowness) const {
    FromSeed<Lanes> at;
    const Vec zero = Lanes::broadcast(0);
    at.reach = zero;
    Vec squared = zero;
    for (int a = 0; a < 3; ++a) {
      const double first = tile.away[a] + node.at[a];
      const Vec steps = a == 0 ? Lanes::iota(0) + first : Lanes::broadcast(first);
      at.reach = Lanes::max(at.reach, Lanes::max(steps, zero - steps));
      at.along[a] = steps * tile.unitStep[a];
      squared += at.along[a] * at.along[a];
    }
    at.distance = Lanes::max(Lanes::sqrt(squared), Lanes::broadcast(1e-6));
    at.slowness = Lanes::broadcast(tile.seedSlowness);
    at.startValue = Lanes::broadcast(tile.startValue);
    at.radius = Lanes::broadcast(tile.radius);
    at.own = slowness * slowness;
    return at;
  }

  void points(const Node& node, const double* time, int n) const {
    const Vec zero = Lanes::broadcast(0), none = Lanes::broadcast(__builtin_inf());
    const Vec own = Lanes::load(time), slowness = Lanes::load(tile.slowness + n);

    // 1. The sides that count, by what the rounded times say.
    Side sides[3][2];
    Vec value[3];
    Upstream<Lanes> from[3][2];
    FromSeed<Lanes> at;
    if constexpr (inBall) at = relative(node, slowness);
    for (int axis = 0; axis < 3; ++axis) {
      for (const int up : {0, 1}) {
        Side& side = sides[axis][up];
        const Vec there = Lanes::load(time + (up ? strides[axis] : -strides[axis]));
        if constexpr (inBall) {
          from[axis][up] = additive<Lanes, 3>(at, axis, up ? -1.f : 1.f, tile.spacing.step[axis], 1, there);
          side.value = Lanes::select(counts(from[axis][up], own), from[axis][up].value, none);
          side.remainder = from[axis][up].value - there;
        } else {
          side.value = Lanes::select(Lanes::less(there, own), there, none);
        }
      }
      value[axis] = Lanes::min(sides[axis][0].value, sides[axis][1].value);
    }

    // 2. The solution and the shares. Of two sides with one value, each has half.
    const UpdateShares<Lanes> update = updateShares<Lanes>(value, slowness, tile.spacing.weight);
    Vec bits = zero, perSeed = zero;
    Mask any = Lanes::less(zero, zero);
    for (int axis = 0; axis < 3; ++axis) {
      const Mask low = Lanes::both(update.used[axis], Lanes::equal(sides[axis][0].value, value[axis])),
                 high = Lanes::both(update.used[axis], Lanes::equal(sides[axis][1].value, value[axis]));
      bits += Lanes::select(low, Lanes::broadcast(1 << 2 * axis), zero) +
              Lanes::select(high, Lanes::broadcast(2 << 2 * axis), zero);
      any = Lanes::either(any, update.used[axis]);
      const Vec share = update.share[axis] *
                        Lanes::select(Lanes::both(low, high), Lanes::broadcast(0.5), Lanes::broadcast(1));
      Lanes::store(tile.share[axis] + n, share);
      if constexpr (inBall)
        perSeed += share * (Lanes::select(low, sides[axis][0].remainder, zero) +
                            Lanes::select(high, sides[axis][1].remainder, zero));
    }
    if constexpr (inBall) {
      bits += Lanes::select(mayBeBounds(from, own, update.update), Lanes::broadcast(mayBeBound), zero);
      Lanes::store(tile.perSeedSlowness + n, perSeed * tile.lengthPerRemainder);
    }
    Lanes::store(tile.sides + n, bits);
    Lanes::store(tile.perSlowness + n, slowness * update.inverseSlope * tile.unitLength);
    Lanes::store(tile.rounding + n, Lanes::select(any, (update.update - own) * tile.unitTime, zero));
  }

  /// Returns whether the bound of a side comes before the time of the point.
  static Mask counts(const Upstream<Lanes>& side, Vec own) {
    const Mask beyond = Lanes::less(side.bound, side.time);
    return Lanes::either(Lanes::without(beyond, Lanes::greater(side.bound, own)),
                         Lanes::without(Lanes::less(side.time, own), beyond));
  }

  /// Returns whether the bound of a side may give the time: one that counts and is later than the solution,
  /// or one that does not count and is earlier.
  static Mask mayBeBounds(const Upstream<Lanes> (&from)[3][2], Vec own, Vec solution) {
    Mask result = Lanes::less(own, own);
    for (const auto& axis : from)
      for (const Upstream<Lanes>& side : axis) {
        const Mask counted = counts(side, own);
        const Mask later =
            Lanes::both(Lanes::less(side.bound, side.time), Lanes::greater(side.bound, solution));
        const Mask earlier = Lanes::less(side.bound, solution);
        result = Lanes::either(result, Lanes::both(Lanes::less(side.value, side.bound),
                                                   Lanes::either(Lanes::both(counted, later),
                                                                 Lanes::without(earlier, counted))));
      }
    return result;
  }
};

} // namespace

void findTileShares(TileShares& tile) {
  if (tile.hasBall)
    Points<true>(tile).work();
  else
    Points<false>(tile).work();
}

} // namespace isochrone::image::ISOCHRONE_ISA
