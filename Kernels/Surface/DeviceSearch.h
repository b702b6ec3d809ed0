// DeviceSearch.h - the nearest pieces of the points of a box, on any device.
#pragma once

#include "Backend.h"
#include "Surface/SearchTile.h"
#include "Surface/Surface.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace isochrone::surface {

/// Squared distances (world units) and nearest pieces of the points of a box, x fastest.
struct SearchResult {
  Values<double> square;
  Values<std::int32_t> piece;
  std::size_t workBytes = 0;
};

/// Returns the bytes of device memory for some points and pieces; tooManyForDevice if they cannot be
/// numbered.
inline std::size_t searchBytes(const grid::Box& box, std::size_t pieces) {
  const double tiles =
      double(box.points()) / SearchTile::Lanes::size + double(box.size(0) + box.size(1) + box.size(2));
  if (tiles > 1e9 || pieces >= std::size_t(std::numeric_limits<std::int32_t>::max())) return tooManyForDevice;
  return std::size_t(box.points()) * 12 + PieceTree::bytesOf(pieces) + (std::size_t(1) << 20);
}

/// Finds what findSquaredDistances finds, with the same bits. Returns false if the monitor requested a stop.
template <class Device>
bool searchOnDevice(Device& device, const ImageGrid& grid, const grid::Box& box,
                    std::span<const Piece> pieces, double maximumDistance, const Monitor& monitor,
                    SearchResult& result) {
  const double unit = unitOf(grid);
  const PieceTree tree(pieces, unit);
  TreeView view{};
  std::vector<PieceBox> boxes;
  view.pieces = int(tree.terms.size());
  view.levels = int(tree.levels.size());
  for (int level = 0; level < view.levels; ++level) {
    const std::vector<PieceBox>& those = tree.levels[std::size_t(level)];
    boxes.insert(boxes.end(), those.begin(), those.end());
    view.first[level + 1] = int(boxes.size());
  }
  auto terms = device.upload(std::span<const PieceTerms>(tree.terms));
  auto number = device.upload(std::span<const double>(tree.number));
  auto allBoxes = device.upload(std::span<const PieceBox>(boxes));
  view.terms = terms.data(), view.number = number.data(), view.boxes = allBoxes.data();

  const auto points = std::size_t(box.points());
  auto square = device.template allocate<double>(points);
  auto piece = device.template allocate<std::int32_t>(points);
  const double limit = limitOf(maximumDistance, unit);
  SearchTile tile{view, {}, limit * limit, square.data(), piece.data()};
  int tiles = 1;
  constexpr int lanes[] = {SearchTile::Lanes::nx, SearchTile::Lanes::ny, SearchTile::Lanes::nz};
  for (int a = 0; a < 3; ++a) {
    tile.points.low[a] = box.low[a];
    tile.points.size[a] = int(box.size(a));
    tile.points.step[a] = grid.spacing()[a] / unit;
    tiles *= (tile.points.size[a] + lanes[a] - 1) / lanes[a];
  }
  device.run(tile, tiles);
  device.wait();
  result.workBytes = square.bytes() + piece.bytes() + terms.bytes() + number.bytes() + allBoxes.bytes();
  if (!monitor.report(0.7)) return false;
  result.square.resize(points);
  result.piece.resize(points);
  device.download(square, result.square.data());
  device.download(piece, result.piece.data());
  for (double& s : result.square) s *= unit * unit;
  return true;
}

} // namespace isochrone::surface
