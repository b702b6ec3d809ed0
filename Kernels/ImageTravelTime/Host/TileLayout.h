// TileLayout.h - the memory layout of the nodes of a tile, alone and with a border of one node.
#pragma once

#include "ImageTravelTime/Host/TileSweep.h"

#include <cstdint>
#include <type_traits>

namespace isochrone::image::ISOCHRONE_ISA {

template <int Dimensions>
struct TileLayout {
  using Shape = std::conditional_t<Dimensions == 3, SpaceTile, PlaneTile>;
  static constexpr int nodes = Shape::size;
  static constexpr int row = Shape::nx + 2, slab = row * (Shape::ny + 2);
  static constexpr int size[3] = {Shape::nx, Shape::ny, Shape::nz};
  static constexpr int step[3] = {1, row, slab};                             ///< with border
  static constexpr int linearStep[3] = {1, Shape::nx, Shape::nx* Shape::ny}; ///< without
  static constexpr int first = 1 + row + (Dimensions == 3 ? slab : 0);       ///< node (0, 0, 0)
  static constexpr int bordered = slab * (Dimensions == 3 ? Shape::nz + 2 : 1);

  /// Returns the index with border of the node with index `linear` without border.
  static constexpr int withBorder(int linear) {
    return first + linear % size[0] + linear / size[0] % size[1] * row + linear / (size[0] * size[1]) * slab;
  }

  struct Node {
    std::uint16_t bordered, linear;
  };
  /// The order of the nodes from each corner, diagonal after diagonal. The nodes of a diagonal do not depend
  /// on each other.
  struct Orders {
    Node node[1 << Dimensions][nodes];
    constexpr Orders() : node{} {
      for (int corner = 0; corner < 1 << Dimensions; ++corner) {
        int count = 0;
        for (int sum = 0; sum <= size[0] + size[1] + size[2] - 3; ++sum)
          for (int k = 0; k < size[2]; ++k)
            for (int j = 0; j < size[1]; ++j) {
              const int i = sum - j - k;
              if (i < 0 || i >= size[0]) continue;
              const int x = corner & 1 ? size[0] - 1 - i : i, y = corner & 2 ? size[1] - 1 - j : j,
                        z = corner & 4 ? size[2] - 1 - k : k;
              const int linear = x + y * linearStep[1] + z * linearStep[2];
              node[corner][count++] = {std::uint16_t(withBorder(linear)), std::uint16_t(linear)};
            }
      }
    }
  };
  static constexpr Orders orders{};

  /// The two faces across an axis. Their nodes are numbered with the first of the other axes fastest.
  template <int axis>
  struct Face {
    static constexpr int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2, nodes = size[a] * size[b];
    static constexpr int run = axis == 1 ? size[0] : nodes; ///< number of contiguous nodes without border
    static constexpr int nextRun = linearStep[2];
    static constexpr int outward(int up) { return up ? step[axis] : -step[axis]; }
    static constexpr int linear(int up) { return up ? (size[axis] - 1) * linearStep[axis] : 0; } ///< node 0
    static constexpr int at(int up, int node) {
      return withBorder(linear(up)) + node % size[a] * step[a] + node / size[a] * step[b];
    }
  };
  /// Calls f(face, Face<axis>{}, up) for each face of a tile.
  template <class F>
  static void forEachFace(F&& f) {
    for (int up = 0; up < 2; ++up) {
      f(0 + up, Face<0>{}, up);
      f(2 + up, Face<1>{}, up);
      if constexpr (Dimensions == 3) f(4 + up, Face<2>{}, up);
    }
  }
};

} // namespace isochrone::image::ISOCHRONE_ISA
