// Surface.h - a surface of triangles as exact distances need it: each triangle in the frame of each of its
// edges.
//
// In the frame of an edge the lower vertex lies at (0, 0), the higher one at (length, 0), and a triangle at
// the edge below it, with its apex at (x, -y). All triangles at an edge have the same frame, so that a
// straight line can cross the edge into any of them: that is the unfolding.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"
#include "MeshTravelTime/Seeds/MeshPlace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::mesh {

struct SurfaceEdge {
  std::int32_t low, high;  ///< vertices, low < high
  std::uint32_t firstSide; ///< of the triangles at the edge
  double length;
};

/// A triangle in the frame of one of its edges.
struct Side {
  std::int32_t face, apex;
  std::int32_t edge, toLow,
      toHigh;  ///< the edge, and the edges between its lower and higher vertex and the apex
  double x, y; ///< the apex is at (x, -y), y >= 0
};

/// Lengths are in units of Surface::unit.
struct Surface {
  std::int32_t vertexCount = 0;
  double unit = 1; ///< world length of a unit, a power of two not below the longest edge
  double meanEdge = 0;
  double meanShortest = 0;        ///< of the shortest edges of the triangles
  std::vector<SurfaceEdge> edges; ///< and one more, which ends the sides of the last one
  std::vector<Side> sides;        ///< by edge, then by apex
  /// Per cell: the sides of its three edges; -1 for barriers, for copies of a triangle, and for cells with a
  /// vertex twice, which are links between two vertices.
  std::vector<std::int32_t> sidesOfCell;
  std::vector<std::uint32_t> firstCorner; ///< per vertex, and one more
  std::vector<std::int32_t> corners;      ///< per vertex: the sides whose apex it is
  /// Per vertex, nonzero: shortest paths may bend here. These are the vertices with an angle above 2 pi, on
  /// the boundary above pi, on edges with three or more triangles, between several fans, or at triangles
  /// almost without area.
  std::vector<std::uint8_t> bends;
  std::vector<std::uint8_t> open; ///< per vertex, nonzero: touches a cell that is not a barrier
  std::int64_t barriers = 0;      ///< number of cells
  struct Link {
    std::int32_t from, to;
    double length;
  };
  std::vector<Link> links; ///< both directions, by `from`
  bool unfinished = false; ///< the monitor requested a stop: not usable

  std::int32_t edgeCount() const { return std::int32_t(edges.size()) - 1; }
  std::span<const Side> sidesAt(std::int32_t edge) const {
    const std::uint32_t first = edges[std::size_t(edge)].firstSide;
    return {sides.data() + first, edges[std::size_t(edge) + 1].firstSide - first};
  }
  std::span<const std::int32_t> cornersAt(std::int32_t vertex) const {
    const std::uint32_t first = firstCorner[std::size_t(vertex)];
    return {corners.data() + first, firstCorner[std::size_t(vertex) + 1] - first};
  }
  std::span<const Link> linksAt(std::int32_t vertex) const;
};

/// Builds the surface of a problem with triangles only.
/// @param monitor  polled between the steps; if it requests a stop, the surface is unfinished
Surface makeSurface(const Problem& problem, const Monitor& monitor = {});

/// Returns the number of bytes of a surface and of its intermediate data.
std::size_t surfaceBytes(const Problem& problem);

} // namespace isochrone::mesh
