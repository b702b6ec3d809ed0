#include "CurvaturePaths/Host/WallVisibility.h"

#include <algorithm>
#include <cstdlib>

namespace isochrone::curvature {

PlanarOffsets::PlanarOffsets(const std::vector<std::vector<Offset>>& offsets) : ofHeading(offsets.size()) {
  for (std::size_t k = 0; k < offsets.size(); ++k)
    for (const Offset& e : offsets[k]) {
      const auto [at, isNew] = numbers.try_emplace({e[0], e[1]}, int(all.size()));
      if (isNew) all.push_back({e[0], e[1]});
      auto& used = ofHeading[k];
      if (std::find(used.begin(), used.end(), at->second) == used.end()) used.push_back(at->second);
    }
}

int PlanarOffsets::reach() const {
  int reach = 0;
  for (const auto& e : all) reach = std::max({reach, std::abs(e[0]), std::abs(e[1])});
  return reach;
}

namespace {

/// Wall bits in rows of 32-bit words, with a border of words and rows without walls.
class WallBits {
public:
  WallBits(const Walls& walls, std::int64_t rows, std::int64_t columns, int orientation, int border)
      : border(border), borderWords(border / blockWidth + 1),
        pitch((columns + blockWidth - 1) / blockWidth + 2 * borderWords),
        words((rows + 2 * border) * pitch, 0) {
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        if (orientation ? walls.isWall(c, r) : walls.isWall(r, c))
          words[at(r, c / blockWidth)] |= 1u << (c % blockWidth);
  }

  /// Returns the walls `columns` to the right of the lanes of a block, |columns| <= border.
  std::uint32_t shifted(std::int64_t row, std::int64_t block, int columns) const {
    const int word = (columns + borderWords * blockWidth) / blockWidth - borderWords; // rounded down
    const int bit = columns - word * blockWidth;
    const std::uint32_t* w = &words[at(row, block)] + word;
    return bit ? w[0] >> bit | w[1] << (blockWidth - bit) : w[0];
  }

private:
  std::int64_t at(std::int64_t row, std::int64_t block) const {
    return (row + border) * pitch + block + borderWords;
  }

  int border, borderWords;
  std::int64_t pitch;
  std::vector<std::uint32_t> words;
};

/// The pixels that an offset touches, with x across the rows and y along them, and the offset's Manhattan
/// length.
struct Touched {
  std::vector<Pixel> steps;
  int length;
};

std::vector<Touched> touchedPixels(const PlanarOffsets& offsets, int orientation) {
  std::vector<Touched> touched;
  for (const auto& e : offsets.all) {
    Touched t{{}, std::abs(e[0]) + std::abs(e[1])};
    appendSupercover(orientation ? e[1] : e[0], orientation ? e[0] : e[1], t.steps);
    touched.push_back(std::move(t));
  }
  return touched;
}

} // namespace

WallVisibility::WallVisibility(const Walls& walls, std::int64_t nx, std::int64_t ny, int orientation,
                               const PlanarOffsets& planar, execution::RoundPool& pool)
    : offsets(int(planar.all.size())), affectedWords((int(planar.ofHeading.size()) + 63) / 64) {
  const std::int64_t rows = orientation ? ny : nx, columns = orientation ? nx : ny;
  const std::int64_t blocks = (columns + blockWidth - 1) / blockWidth;
  const WallBits bits(walls, rows, columns, orientation, planar.reach());
  const std::vector<Touched> touched = touchedPixels(planar, orientation);
  int longest = 0;
  for (const Touched& t : touched) longest = std::max(longest, t.length);

  // 1. The blocks near walls.
  std::vector<std::int32_t> distances(rows * blocks); // of the nearest point of a block
  pool.run(int(rows), [&](int r, int) {
    for (std::int64_t b = 0; b < blocks; ++b) {
      int distance = 1 << 20;
      for (std::int64_t c = b * blockWidth; c < std::min((b + 1) * blockWidth, columns); ++c)
        distance = std::min(distance, orientation ? walls.distance(c, r) : walls.distance(r, c));
      distances[r * blocks + b] = distance;
    }
  });
  slot.assign(rows * blocks, -1);
  std::int32_t slots = 0;
  for (std::size_t i = 0; i < slot.size(); ++i)
    if (distances[i] <= longest) slot[i] = slots++;

  // 2. Their words.
  visible.resize(std::size_t(slots) * (offsets + 1));
  affected.resize(std::size_t(slots) * affectedWords);
  pool.run(int(rows), [&](int r, int) {
    std::vector<char> blocked(offsets);
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t i = r * blocks + b;
      if (slot[i] < 0) continue;
      std::uint32_t* const words = &visible[std::size_t(slot[i]) * (offsets + 1)];
      for (int e = 0; e < offsets; ++e) {
        std::uint32_t met = 0;
        if (distances[i] <= touched[e].length)
          for (const auto& step : touched[e].steps) met |= bits.shifted(r + step.x, b, step.y);
        words[e] = ~met;
        blocked[e] = met != 0;
      }
      const std::int64_t lanes = std::min<std::int64_t>(blockWidth, columns - b * blockWidth);
      const std::uint32_t here = bits.shifted(r, b, 0);
      const std::uint32_t points = lanes == blockWidth ? ~0u : (1u << lanes) - 1;
      words[offsets] = points & ~here;

      std::uint64_t* const headings = &affected[std::size_t(slot[i]) * affectedWords];
      for (std::size_t k = 0; k < planar.ofHeading.size(); ++k) {
        const auto& used = planar.ofHeading[k];
        if (here || std::any_of(used.begin(), used.end(), [&](int e) { return blocked[e]; }))
          headings[k / 64] |= std::uint64_t(1) << (k % 64);
      }
    }
  });
}

SectorWalls WallVisibility::view() const {
  return {slot.data(), visible.data(), affected.data(), offsets, affectedWords};
}

std::size_t WallVisibility::bytes() const {
  return slot.size() * sizeof slot[0] + visible.size() * sizeof visible[0] +
         affected.size() * sizeof affected[0];
}

} // namespace isochrone::curvature
