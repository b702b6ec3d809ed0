// AdjointTile.h - the kernels of the discrete adjoint of images, beside those of Adjoint/MassFront.h.
#pragma once

#include "Adjoint/MassFront.h"
#include "ImageTravelTime/Sensitivity/Descent.h"

#include <cstdint>

namespace isochrone::image {

using execution::Box;
using execution::Cell;

/// Marks the points whose derivatives the host finds.
struct MarkSpecial {
  using Lanes = Box<128, 1, 1>;
  struct Shared {};
  DescentView descent; ///< without special points
  int points;
  const int* starts; ///< the points with a start value
  int count;
  std::uint8_t* isSpecial;

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int point = position * Lanes::size + c.index;
      if (point >= points) return;
      const bool isOpen = descent.isReached(point) && !(descent.barriers && descent.barriers[point]);
      isSpecial[point] = isOpen && (isStart(point) || descent.at(point).isSpecial);
    });
  }

private:
  TEAM_FN bool isStart(int point) const {
    int first = 0, last = count;
    while (first < last) {
      const int middle = first + (last - first) / 2;
      if (starts[middle] < point)
        first = middle + 1;
      else
        last = middle;
    }
    return first < count && starts[first] == point;
  }
};

/// Passes masses down, and adds up what has passed each point.
struct DescentStep {
  DescentView descent;
  double waitPerSlowness; ///< waiting time of a point in the front
  double* passed;         ///< per point; sums may exceed a whole number where masses return

  TEAM_FN adjoint::FrontState inFront(int point) const {
    const float time = descent.u[point];
    return {point, time, float(time + waitPerSlowness * descent.slowness(point))};
  }

  /// The largest share of an earlier side gets what the rounded parts of the others leave, at least one unit:
  /// otherwise two points that use each other could exchange the last units forever. Without an earlier side
  /// this remainder is dropped.
  template <class Give>
  TEAM_FN void passDown(int point, std::int64_t mass, Give&& give) const {
    const Descent d = descent.at(point);
    passed[point] += double(mass);
    Direction strongest = -1;
    double largest = -1;
    for (Direction side = 0; side < directions; ++side)
      if ((d.sides >> side & 1) && d.share[side >> 1] > largest &&
          descent.u[descent.neighbour(point, side)] < descent.u[point])
        largest = d.share[side >> 1], strongest = side;
    const std::int64_t unit = mass > 0 ? 1 : -1;
    std::int64_t rest = mass - unit;
    const double exact = double(rest);
    for (Direction side = 0; side < directions; ++side) {
      if (!(d.sides >> side & 1) || side == strongest) continue;
      auto part = std::int64_t(exact * d.share[side >> 1]);
      if (unit * part > unit * rest) part = rest;
      rest -= part;
      if (part != 0) give(descent.neighbour(point, side), part);
    }
    if (strongest >= 0) give(descent.neighbour(point, strongest), rest + unit);
  }
};

/// Sums over the points of a tile.
struct TileSums {
  double rounding, perSeedSlowness; ///< of mass times these
};

/// Turns the masses that have passed into derivatives.
struct SumTiles {
  using Lanes = Box<64, 1, 1>;
  struct Shared {
    TileSums sums[Lanes::size];
  };
  DescentView descent;
  const double* passed; ///< as in DescentStep
  double unit;          ///< of mass
  double* perSpeed;
  TileSums* sums; ///< per tile

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared& shared, int tile) const {
    team.each(Lanes{}, [&](Cell c) {
      TileSums lane{0, 0};
      const int along = descent.tilesAlong[0], row = tile / along;
      const int number[3] = {tile - row * along, row % descent.tilesAlong[1], row / descent.tilesAlong[1]};
      const int size = 1 << (descent.tileShift[0] + descent.tileShift[1] + descent.tileShift[2]);
      for (int n = c.index; n < size; n += Lanes::size) {
        int at[3], rest = n;
        for (int a = 0; a < 3; ++a) {
          at[a] = (number[a] << descent.tileShift[a]) + (rest & ((1 << descent.tileShift[a]) - 1));
          rest >>= descent.tileShift[a];
        }
        if (at[0] >= descent.size[0] || at[1] >= descent.size[1] || at[2] >= descent.size[2]) continue;
        const int point = at[0] + descent.size[0] * (at[1] + descent.size[1] * at[2]);
        double derivative = 0;
        if (passed[point] != 0) {
          const double mass = passed[point] * unit;
          const Descent d = descent.at(point);
          derivative = mass * d.perSlowness * descent.perSpeed(point);
          lane.rounding += mass * d.rounding;
          lane.perSeedSlowness += mass * d.perSeedSlowness;
        }
        perSpeed[point] = derivative;
      }
      shared.sums[c.index] = lane;
    });
    team.once([&] {
      TileSums total{0, 0};
      for (int n = 0; n < Lanes::size; ++n) {
        total.rounding += shared.sums[n].rounding;
        total.perSeedSlowness += shared.sums[n].perSeedSlowness;
      }
      sums[tile] = total;
    });
  }
};

} // namespace isochrone::image
