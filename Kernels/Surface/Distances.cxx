// The pieces nearest to the points of a block are few, but the distances alone do not say which: far from the
// surface, thousands of pieces are about equally near to a point. What separates them is that one point of
// the surface, a witness, can be nearer than a piece at all corners of the block. It then is nearer in all of
// the block (DESIGN.md). Blocks are divided while their lists become shorter.
#include "Error.h"
#include "Surface/Blocks.h"
#include "Surface/PieceTree.h"
#include "Surface/Surface.h"

#include "Backend.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace isochrone::surface {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A box of points by the positions of its ends.
struct Extent {
  Position low, high;

  Corners corners() const {
    Corners c;
    for (int a = 0; a < 3; ++a)
      for (int k = 0; k < 8; ++k) c.x[a][k] = k >> a & 1 ? high[a] : low[a];
    return c;
  }
  double diagonalSquare() const {
    double square = 0;
    for (int a = 0; a < 3; ++a) square += (high[a] - low[a]) * (high[a] - low[a]);
    return square;
  }
};

/// A list of boxes or pieces, with bounds at the corners of a block.
struct List {
  std::vector<std::int32_t> entries;
  std::vector<double> bounds;

  std::int64_t size() const { return std::int64_t(entries.size()); }
  void resize(std::int64_t count) {
    entries.resize(std::size_t(count));
    bounds.resize(8 * std::size_t(count));
  }
};

/// Returns how the bounds at the corners of a block bound the squared distances at positions in it. The
/// squared distance to a piece minus the square of the position is concave.
Within within(const Extent& block, const Corners& at) {
  Within w;
  for (int l = 0; l < 8; ++l) {
    double share[3];
    w.less[l] = rounding * block.diagonalSquare();
    for (int a = 0; a < 3; ++a) {
      const double length = block.high[a] - block.low[a], x = at.x[a][l];
      share[a] = length > 0 ? (x - block.low[a]) / length : 0;
      w.less[l] += (x - block.low[a]) * (block.high[a] - x);
    }
    for (int k = 0; k < 8; ++k) {
      w.weight[k][l] = 1;
      for (int a = 0; a < 3; ++a) w.weight[k][l] *= k >> a & 1 ? share[a] : 1 - share[a];
    }
  }
  return w;
}

/// The sides of the blocks of each step, in points: of a task, halved twice, and of the last blocks.
struct Sides {
  GridIndex task, part;
  int halvings = 3;

  explicit Sides(const GridIndex& size) {
    int dimensions = 0;
    for (const std::int64_t n : size) dimensions += n > 1;
    const std::int64_t side = dimensions <= 1 ? 64 : dimensions == 2 ? 8 : 4;
    for (int a = 0; a < 3; ++a)
      part[a] = size[a] > 1 ? side : 1, task[a] = part[a] << (size[a] > 1 ? halvings : 0);
    if (dimensions == 0) part[0] = 64, task[0] = 512;
  }
};

/// Returns the places of the points of the last blocks, so that those of a vector lie close together: bits of
/// the three axes in turn.
std::array<GridIndex, 64> offsetsOf(const GridIndex& side) {
  std::array<GridIndex, 64> offset{};
  for (int l = 0; l < 64; ++l) {
    int bit = 0;
    for (int level = 0; level < 6; ++level)
      for (int a = 0; a < 3; ++a)
        if (side[a] > 1 << level) offset[std::size_t(l)][a] |= std::int64_t(l >> bit++ & 1) << level;
  }
  return offset;
}

class Search {
public:
  Search(const ImageGrid& g, const grid::Box& b, const PieceTree& t, double u, double maximum,
         const std::function<void(const PointBlock&)>& t2)
      : grid(g), box(b), tree(t), unit(u), limit(limitOf(maximum, u)), take(t2),
        sides({b.size(0), b.size(1), b.size(2)}), kernels(chooseBlockKernels()) {}

  std::int64_t tasks() const { return count(0) * count(1) * count(2); }

  void run(std::int64_t task) {
    GridIndex low{task % count(0), task / count(0) % count(1), task / count(0) / count(1)};
    for (int a = 0; a < 3; ++a) low[a] = box.low[a] + low[a] * sides.task[a];
    if (tree.levels.empty()) return unreached(low, 0);
    List roots;
    roots.resize(std::int64_t(tree.levels.back().size()));
    for (std::int64_t i = 0; i < roots.size(); ++i) roots.entries[std::size_t(i)] = std::int32_t(i);
    visit(low, 0, int(tree.levels.size()) - 1, roots);
  }

private:
  const ImageGrid& grid;
  const grid::Box& box;
  const PieceTree& tree;
  const double unit, limit;
  const std::function<void(const PointBlock&)>& take;
  const Sides sides;
  const BlockKernels kernels;
  const std::array<GridIndex, 64> offset = offsetsOf(sides.part);

  std::int64_t count(int a) const { return (box.size(a) + sides.task[a] - 1) / sides.task[a]; }
  GridIndex sideAfter(int halvings) const {
    GridIndex side;
    for (int a = 0; a < 3; ++a) side[a] = std::max(sides.task[a] >> halvings, sides.part[a]);
    return side;
  }
  /// Returns the points of a block that lie in the box.
  grid::Box pointsOf(const GridIndex& low, int halvings) const {
    const GridIndex side = sideAfter(halvings);
    grid::Box points{low, low};
    for (int a = 0; a < 3; ++a) points.high[a] = std::min(low[a] + side[a], box.high[a]);
    return points;
  }
  Extent extentOf(const grid::Box& points) const {
    Extent extent;
    for (int a = 0; a < 3; ++a) {
      extent.low[a] = double(points.low[a]) * (grid.spacing()[a] / unit);
      extent.high[a] = double(points.high[a] - 1) * (grid.spacing()[a] / unit);
    }
    return extent;
  }

  /// Visits a block with a list of boxes of a level.
  void visit(const GridIndex& low, int halvings, int level, List list) {
    const grid::Box points = pointsOf(low, halvings);
    const Extent extent = extentOf(points);
    const bool last = halvings + 1 == sides.halvings;
    for (;;) {
      cullBoxes(extent, level, list);
      if (list.size() == 0) return unreached(low, halvings);
      if (level == 0 || (!last && !large(list, level, extent))) break;
      list = partsOf(list, level--);
    }
    if (last) return visitPieces(low, extent, partsOf(list, 0));
    forParts(low, halvings, [&](const GridIndex& part) { visit(part, halvings + 1, level, list); });
  }

  /// Visits a block with a list of pieces, and its parts.
  void visitPieces(const GridIndex& low, const Extent& extent, List list) {
    const Corners corners = extent.corners();
    kernels.boundPieces(tree.terms.data(), list.entries.data(), list.size(), corners, list.bounds.data());
    cullPieces(extent, corners, list);
    if (list.size() == 0) return unreached(low, sides.halvings - 1);
    List ofPart;
    forParts(low, sides.halvings - 1, [&](const GridIndex& part) {
      const grid::Box points = pointsOf(part, sides.halvings);
      const Extent inner = extentOf(points);
      const Corners at = inner.corners();
      ofPart.resize(list.size());
      ofPart.entries = list.entries;
      kernels.boundPart(list.bounds.data(), list.size(), within(extent, at), ofPart.bounds.data());
      cullPieces(inner, at, ofPart);
      if (ofPart.size() == 0) return unreached(part, sides.halvings);
      finish(points, inner, ofPart);
    });
  }

  template <class F>
  void forParts(const GridIndex& low, int halvings, const F& f) const {
    const GridIndex side = sideAfter(halvings + 1);
    const grid::Box points = pointsOf(low, halvings);
    GridIndex part;
    for (part[2] = low[2]; part[2] < points.high[2]; part[2] += side[2])
      for (part[1] = low[1]; part[1] < points.high[1]; part[1] += side[1])
        for (part[0] = low[0]; part[0] < points.high[0]; part[0] += side[0]) f(part);
  }

  /// Returns whether the boxes of a list are large beside the block.
  bool large(const List& list, int level, const Extent& block) const {
    double largest = 0;
    for (const std::int32_t i : list.entries) {
      const PieceBox& b = tree.levels[std::size_t(level)][std::size_t(i)];
      double square = 0;
      for (int a = 0; a < 3; ++a) square += (b.high[a] - b.low[a]) * (b.high[a] - b.low[a]);
      largest = std::max(largest, square);
    }
    return largest > block.diagonalSquare() / 4;
  }

  /// Returns the parts of the boxes of a level: boxes of the level below, or pieces.
  List partsOf(const List& list, int level) const {
    const std::size_t all = level == 0 ? tree.terms.size() : tree.levels[std::size_t(level - 1)].size();
    List parts;
    for (const std::int32_t i : list.entries)
      for (std::size_t p = std::size_t(i) * PieceTree::fan;
           p < std::min(all, std::size_t(i + 1) * PieceTree::fan); ++p)
        parts.entries.push_back(std::int32_t(p));
    parts.bounds.resize(8 * parts.entries.size());
    return parts;
  }

  Witnesses witnesses(const Corners& corners, const Position (&point)[8], double diagonalSquare) const {
    Witnesses w;
    const double farthest = limit + std::sqrt(diagonalSquare) / 2;
    std::fill_n(w.square[8], 8, farthest * farthest * (1 + rounding));
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < 8; ++k) {
        double square = 0;
        for (int a = 0; a < 3; ++a)
          square += (corners.x[a][k] - point[j][a]) * (corners.x[a][k] - point[j][a]);
        w.square[j][k] = square + rounding * (square + diagonalSquare);
      }
    return w;
  }

  void cullBoxes(const Extent& extent, int level, List& list) const {
    const std::vector<PieceBox>& boxes = tree.levels[std::size_t(level)];
    const Corners corners = extent.corners();
    if (limit < infinity) dropFar(extent, boxes, list);
    if (list.size() == 0) return;
    kernels.boundBoxes(boxes.data(), list.entries.data(), list.size(), corners, list.bounds.data());
    std::int64_t lowest[8];
    kernels.findLowest(list.bounds.data(), list.size(), lowest);
    Position point[8];
    for (int k = 0; k < 8; ++k)
      for (int a = 0; a < 3; ++a)
        point[k][a] = boxes[std::size_t(list.entries[std::size_t(lowest[k])])].point[a];
    keep(witnesses(corners, point, extent.diagonalSquare()), list);
  }

  /// Drops the boxes farther than the maximum distance from all of the block.
  void dropFar(const Extent& extent, const std::vector<PieceBox>& boxes, List& list) const {
    std::erase_if(list.entries, [&](std::int32_t i) {
      const PieceBox& b = boxes[std::size_t(i)];
      double square = 0;
      for (int a = 0; a < 3; ++a) {
        const double d = std::max({b.low[a] - extent.high[a], extent.low[a] - b.high[a], 0.});
        square += d * d;
      }
      return square > limit * limit;
    });
    list.resize(list.size());
  }

  void cullPieces(const Extent& extent, const Corners& corners, List& list) const {
    std::int64_t lowest[8];
    kernels.findLowest(list.bounds.data(), list.size(), lowest);
    Position point[8];
    for (int k = 0; k < 8; ++k) {
      const PieceTerms& piece = tree.terms[std::size_t(list.entries[std::size_t(lowest[k])])];
      point[k] = footOf(piece, {corners.x[0][k], corners.x[1][k], corners.x[2][k]}).at;
    }
    putFirst(lowest, list);
    keep(witnesses(corners, point, extent.diagonalSquare()), list);
  }

  /// Moves the entries with the lowest bounds of the corners to the front.
  static void putFirst(const std::int64_t (&lowest)[8], List& list) {
    std::int64_t place[8];
    std::copy_n(lowest, 8, place);
    std::sort(place, place + 8);
    const std::int64_t count = std::unique(place, place + 8) - place;
    for (std::int64_t n = 0; n < count; ++n) {
      std::swap(list.entries[std::size_t(n)], list.entries[std::size_t(place[n])]);
      std::swap_ranges(&list.bounds[std::size_t(8 * n)], &list.bounds[std::size_t(8 * n)] + 8,
                       &list.bounds[std::size_t(8 * place[n])]);
    }
  }

  void keep(const Witnesses& w, List& list) const {
    list.resize(kernels.keepNear(list.entries.data(), list.bounds.data(), list.size(), w));
  }

  Points positionsOf(const grid::Box& points) const {
    Points p;
    for (std::size_t l = 0; l < 64; ++l) // positions beyond the box repeat its last points
      for (int a = 0; a < 3; ++a)
        p.x[a][l] =
            double(std::min(points.low[a] + offset[l][a], points.high[a] - 1)) * (grid.spacing()[a] / unit);
    return p;
  }

  void finish(const grid::Box& points, const Extent& extent, const List& list) const {
    Nearest nearest;
    for (int l = 0; l < 64; ++l) nearest.square[l] = infinity, nearest.number[l] = infinity;
    const Points at = positionsOf(points);
    kernels.lower(tree.terms.data(), tree.number.data(), list.entries.data(), list.size(), at,
                  rounding * extent.diagonalSquare(), nearest);
    std::int32_t number[64];
    for (int l = 0; l < 64; ++l) {
      const bool reached = nearest.square[l] <= limit * limit;
      number[l] = reached ? std::int32_t(nearest.number[l]) : -1;
      nearest.square[l] = reached ? nearest.square[l] * unit * unit : infinity;
    }
    give(points, nearest.square, number);
  }

  void give(const grid::Box& points, const double* square, const std::int32_t* number) const {
    take({points.low, {points.size(0), points.size(1), points.size(2)}, square, number, &offset});
  }

  void unreached(const GridIndex& low, int halvings) const {
    double square[64];
    std::int32_t number[64];
    std::fill_n(square, 64, infinity);
    std::fill_n(number, 64, -1);
    const grid::Box points = pointsOf(low, halvings);
    GridIndex part;
    for (part[2] = low[2]; part[2] < points.high[2]; part[2] += sides.part[2])
      for (part[1] = low[1]; part[1] < points.high[1]; part[1] += sides.part[1])
        for (part[0] = low[0]; part[0] < points.high[0]; part[0] += sides.part[0])
          give(pointsOf(part, sides.halvings), square, number);
  }
};

} // namespace

std::size_t workBytes(std::size_t pieces) { return PieceTree::bytesOf(pieces); }

bool findSquaredDistances(const ImageGrid& grid, const grid::Box& box, std::span<const Piece> pieces,
                          double maximumDistance, int threads, const Monitor& monitor,
                          const std::function<void(const PointBlock&)>& take) {
  if (pieces.size() >= std::size_t(std::numeric_limits<std::int32_t>::max()))
    fail("the surface has ", pieces.size(), " pieces, but at most 2^31 are possible: divide the image");
  requireHostMemory(workBytes(pieces.size()), "the surface of " + std::to_string(pieces.size()) + " pieces");
  const double unit = unitOf(grid);
  const PieceTree tree(pieces, unit);
  Search search(grid, box, tree, unit, maximumDistance, take);
  Workers workers(threads, monitor);
  return workers.run(search.tasks(), [&](std::int64_t task, int) { search.run(task); });
}

} // namespace isochrone::surface
