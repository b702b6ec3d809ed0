// PointKernels.h - kernels with one lane per point: transfer of slowness and times from and to the image, and
// predecessors.
#pragma once

#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Tiles/PaddedImage.h"

namespace isochrone::rays {

using execution::Box;
using execution::Cell;

/// Blocks of 32 x 8 points: 32 columns of 8 consecutive rows of the image.
struct PointBlocks {
  using Lanes = Box<32, 8, 1>;
  PaddedImage image;

  TEAM_FN std::int64_t rowBlocks() const { return (image.n[1] * image.n[2] + Lanes::ny - 1) / Lanes::ny; }
  TEAM_FN std::int64_t columnBlocks() const { return (image.n[0] + Lanes::nx - 1) / Lanes::nx; }
  TEAM_FN std::int64_t count() const { return rowBlocks() * columnBlocks(); }

  /// Calls f(x, y, z) for the point of the lane, if it is in the image.
  template <class F>
  TEAM_FN void at(Cell c, int position, F&& f) const {
    const std::int64_t x = position % columnBlocks() * Lanes::nx + c.x;
    const std::int64_t row = position / columnBlocks() * Lanes::ny + c.y;
    if (x < image.n[0] && row < image.n[1] * image.n[2]) f(x, row % image.n[1], row / image.n[1]);
  }
  /// Calls f(x, y, z) for the points of a block, on their lanes.
  template <class Team, class F>
  TEAM_FN void each(Team& team, int position, F&& f) const {
    team.each(Lanes{}, [&](Cell c) { at(c, position, f); });
  }
};

/// Copies the slowness of points or cells to the padded image.
template <class Real>
struct PlaceSlowness {
  using Lanes = PointBlocks::Lanes;
  struct Shared {};
  PointBlocks blocks;
  std::int64_t elements[3]; ///< slowness values along each axis
  const Real* values;       ///< unpadded
  Real* slowness;           ///< padded

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    blocks.each(team, position, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      if (x < elements[0] && y < elements[1] && z < elements[2])
        slowness[blocks.image.index(x, y, z)] = values[x + elements[0] * (y + elements[1] * z)];
    });
  }
};

/// Copies times from the padded image.
template <class Real>
struct FetchTimes {
  using Lanes = PointBlocks::Lanes;
  struct Shared {};
  PointBlocks blocks;
  const Real* times; ///< padded
  Real* values;      ///< unpadded

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    blocks.each(team, position, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      values[x + blocks.image.n[0] * (y + blocks.image.n[1] * z)] = times[blocks.image.index(x, y, z)];
    });
  }
};

template <class Real>
struct PlaceStarts {
  using Lanes = Box<32, 1, 1>;
  struct Shared {};
  const Start<Real>* starts; ///< at points of the padded image, at most one at each
  int count;
  Real* times; ///< padded

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    team.each(Lanes{}, [&](Cell c) {
      const int i = position * Lanes::nx + c.index;
      if (i < count) times[starts[i].point] = starts[i].time;
    });
  }
};

/// Finds the predecessor of each point: the first offset, in canonical order, whose neighbour is earlier and
/// offers exactly the time of the point. `noOffset` if none does.
template <class EdgesFromPoints>
struct FindPredecessors {
  using Lanes = PointBlocks::Lanes;
  using Real = typename EdgesFromPoints::Real;
  struct Shared {};
  PointBlocks blocks;
  EdgesFromPoints edges; ///< in canonical order
  int edgeCount;
  const Real* slowness; ///< padded, as are the times; in a tilted medium direction by direction
  const Real* times;
  std::uint16_t* predecessor; ///< unpadded

  template <class Team>
  TEAM_FN void operator()(Team& team, Shared&, int position) const {
    blocks.each(team, position, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      predecessor[x + blocks.image.n[0] * (y + blocks.image.n[1] * z)] =
          std::uint16_t(first(blocks.image.index(x, y, z)));
    });
  }

private:
  TEAM_FN int first(std::int64_t i) const {
    const Real time = times[i];
    if (time == unreached<Real>) return noOffset;
    for (int e = 0; e < edgeCount; ++e) {
      const auto edge = edges.list[e];
      const Real from = beside(times + i, edge.step);
      if (from < time && from + edges.weight(edge, slowness + i, true) == time) return e;
    }
    return noOffset;
  }
};

} // namespace isochrone::rays
