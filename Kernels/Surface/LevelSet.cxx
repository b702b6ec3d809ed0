#include "Error.h"
#include "Execution/RoundPool.h"
#include "Surface/CellContour.h"
#include "Surface/FineCell.h"
#include "Surface/Surface.h"

#include "Backend.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace isochrone::surface {

namespace {

/// What a point is, in bits.
constexpr std::uint8_t inside = 1, outside = 2, unknown = 4;

template <class T>
void classify(std::span<const T> values, const LevelSet& s, std::int64_t begin, std::int64_t end,
              std::uint8_t* kind) {
  const double iso = s.isoValue;
  for (std::int64_t i = begin; i < end; ++i) {
    const double v = double(values[std::size_t(i)]);
    const bool isFinite = std::abs(v) <= std::numeric_limits<double>::max();
    const bool in = s.insideBelow ? v <= iso : v >= iso;
    kind[i] = isFinite ? (in ? inside : outside) : unknown;
  }
  if (!s.hidden.empty())
    for (std::int64_t i = begin; i < end; ++i)
      if (s.hidden[std::size_t(i)]) kind[i] = unknown;
}

/// Returns what each point is; nothing if the monitor requests a stop.
/// @param end  completed share of the work after it
Values<std::uint8_t> kindsOf(const LevelSet& s, Workers& workers, double end) {
  constexpr std::int64_t share = 1 << 16; // points
  const std::int64_t points = s.grid.points();
  Values<std::uint8_t> kind(s.grid.points());
  const auto task = [&](std::int64_t i, int) {
    const std::int64_t first = i * share, last = std::min(first + share, points);
    s.floats.empty() ? classify(s.doubles, s, first, last, kind.data())
                     : classify(s.floats, s, first, last, kind.data());
  };
  if (!workers.run((points + share - 1) / share, 0, end, task)) return {};
  return kind;
}

int threadsFor(const LevelSet& s, int threads) {
  constexpr double time = 1; // ns for a point
  return chooseThreads(threads, time * double(s.grid.points()));
}

/// Checks the sizes and the iso value.
void validate(const LevelSet& s) {
  for (int a = 0; a < 3; ++a) {
    const std::int64_t n = s.grid.sizes()[a];
    const double h = s.grid.spacing()[a];
    if (n < 1 || n > std::int64_t(1) << 31)
      fail("a level set must have from 1 to 2^31 points on each axis, got ", n, " along ", "xyz"[a]);
    if (!(h >= 1e-140 && h <= 1e140 / double(n)))
      fail("the spacing must be positive, from 1e-140 to 1e140 / points, got ", text(h), " along ", "xyz"[a],
           ": use another unit of length");
  }
  const std::int64_t points = s.grid.points(), given = std::int64_t(s.floats.size() + s.doubles.size());
  if (given != points) fail("a level set must have a value for each of ", points, " points, got ", given);
  if (!s.hidden.empty() && std::int64_t(s.hidden.size()) != points)
    fail("a level set must have a mark for each of ", points, " points, got ", s.hidden.size());
  if (!std::isfinite(s.isoValue)) fail("the iso value must be finite, got ", text(s.isoValue));
}

/// The cells of a level set.
class Cells {
public:
  Cells(const LevelSet& s, const Values<std::uint8_t>& k) : levelSet(s), kind(k) {
    for (int a = 0; a < 3; ++a) {
      active[a] = s.grid.sizes()[a] > 1;
      if (active[a]) cell.axes[std::size_t(cell.dimensions++)] = a;
      size[a] = std::max<std::int64_t>(s.grid.sizes()[a] - 1, 1);
    }
    for (int c = 0; c < 1 << cell.dimensions; ++c) {
      offset[c] = 0;
      for (int a = 0; a < cell.dimensions; ++a)
        if (c >> a & 1) offset[c] += s.grid.strides()[cell.axes[std::size_t(a)]];
    }
  }

  GridIndex size; ///< number of cells on each axis

  /// Appends the pieces of a row of cells.
  void appendRow(std::int64_t j, std::int64_t k, Surface& to) {
    const std::int64_t first = levelSet.grid.index(0, j, k);
    const int corners = 1 << cell.dimensions;
    std::uint8_t some[blockLength];
    for (std::int64_t begin = 0; begin < size[0]; begin += blockLength) {
      const std::int64_t length = std::min<std::int64_t>(blockLength, size[0] - begin);
      for (std::int64_t i = 0; i < length; ++i) some[i] = 0;
      for (int c = 0; c < corners; ++c) {
        const std::uint8_t* at = kind.data() + first + begin + offset[c];
        for (std::int64_t i = 0; i < length; ++i) some[i] |= at[i];
      }
      for (std::int64_t i = 0; i < length; ++i)
        if (some[i] == (inside | outside) && (!levelSet.uses || levelSet.uses({begin + i, j, k})))
          append({begin + i, j, k}, to);
    }
  }

private:
  static constexpr std::int64_t blockLength = 256;

  const LevelSet& levelSet;
  const Values<std::uint8_t>& kind;
  std::array<bool, 3> active{};
  std::int64_t offset[8];
  ContourCell cell;

  void append(const GridIndex& at, Surface& to) {
    appendPieces(at, to.pieces);
    to.cells.resize(to.pieces.size(), levelSet.grid.index(at));
  }

  void appendPieces(const GridIndex& at, std::vector<Piece>& pieces) {
    const Position h = levelSet.grid.spacing();
    for (int a = 0; a < 3; ++a) {
      cell.low[a] = double(at[a] + levelSet.first[a]) * h[a];
      cell.high[a] = active[a] ? double(at[a] + levelSet.first[a] + 1) * h[a] : cell.low[a];
    }
    if (levelSet.interpolation == Interpolation::Linear) {
      const std::int64_t first = levelSet.grid.index(at);
      for (int c = 0; c < 1 << cell.dimensions; ++c)
        cell.value[std::size_t(c)] = valueAt(levelSet, first + offset[c]);
      surface::appendPieces(cell, pieces);
      return;
    }
    const FineCell fine(levelSet, at);
    for (int part = 0; part < 1 << cell.dimensions; ++part)
      surface::appendPieces(fine.part(cell, part), pieces);
  }
};

} // namespace

Surface extractLevelSet(const LevelSet& levelSet, int threads, const Monitor& monitor) {
  validate(levelSet);
  constexpr double afterKinds = 0.2; // share of the work
  Surface surface;
  surface.aborted = true;
  Workers workers(threadsFor(levelSet, threads), monitor);
  const Values<std::uint8_t> kind = kindsOf(levelSet, workers, afterKinds);
  if (kind.empty()) return surface;
  const Cells cells(levelSet, kind);
  const std::int64_t rows = cells.size[1] * cells.size[2];
  constexpr std::int64_t share = 64; // rows
  std::vector<Surface> found(std::size_t((rows + share - 1) / share));
  const auto task = [&](std::int64_t i, int) {
    Cells mine = cells;
    for (std::int64_t row = i * share; row < std::min(rows, (i + 1) * share); ++row)
      mine.appendRow(row % cells.size[1], row / cells.size[1], found[std::size_t(i)]);
  };
  if (!workers.run(std::int64_t(found.size()), afterKinds, 1, task)) return surface;
  std::size_t count = 0;
  for (const Surface& part : found) count += part.pieces.size();
  requireHostMemory(count * (sizeof(Piece) + sizeof(std::int64_t)),
                    "the surface of " + std::to_string(count) + " pieces");
  surface.aborted = false;
  surface.pieces.reserve(count);
  surface.cells.reserve(count);
  for (Surface& part : found) {
    surface.pieces.insert(surface.pieces.end(), part.pieces.begin(), part.pieces.end());
    surface.cells.insert(surface.cells.end(), part.cells.begin(), part.cells.end());
    part = {};
  }
  return surface;
}

Values<std::uint8_t> insideOf(const LevelSet& levelSet, int threads, std::int64_t& count) {
  validate(levelSet);
  const Monitor silent;
  Workers workers(threadsFor(levelSet, threads), silent);
  Values<std::uint8_t> marks = kindsOf(levelSet, workers, 1);
  execution::RoundPool pool(workers.threads);
  count = pool.reduce(
      std::int64_t(marks.size()), std::int64_t(0),
      [&](std::int64_t begin, std::int64_t end, int) {
        std::int64_t some = 0;
        for (std::int64_t i = begin; i < end; ++i) {
          const bool isHidden = !levelSet.hidden.empty() && levelSet.hidden[std::size_t(i)];
          some += marks[std::size_t(i)] == unknown && !isHidden;
          marks[std::size_t(i)] = marks[std::size_t(i)] == inside;
        }
        return some;
      },
      [](std::int64_t& all, std::int64_t part) { all += part; });
  return marks;
}

void sample(const LevelSet& levelSet, int components, const std::function<double(std::int64_t, int)>& valueOf,
            int threads, Surface& surface) {
  const auto count = std::int64_t(surface.pieces.size());
  requireHostMemory(std::size_t(count) * 3 * std::size_t(components) * sizeof(double),
                    "the arrays on the surface of " + std::to_string(count) + " pieces");
  const ImageGrid& grid = levelSet.grid;
  surface.components = components;
  surface.values.resize(std::size_t(count) * 3 * std::size_t(components));
  execution::RoundPool pool(chooseThreads(threads, 100. * double(count)));
  pool.forEach(count, [&](std::int64_t i) {
    for (int corner = 0; corner < 3; ++corner) {
      std::int64_t first = 0;
      std::array<double, 3> share{};
      for (int a = 0; a < 3; ++a) {
        if (grid.sizes()[a] == 1) continue;
        const double steps = surface.pieces[std::size_t(i)][std::size_t(corner)][a] / grid.spacing()[a];
        const std::int64_t begin = levelSet.first[a];
        const auto low = std::clamp<std::int64_t>(std::int64_t(steps), begin, begin + grid.sizes()[a] - 2);
        share[a] = steps - double(low);
        first += (low - begin) * grid.strides()[a];
      }
      for (int c = 0; c < components; ++c) {
        double value = 0;
        for (int k = 0; k < 8; ++k) {
          double weight = 1;
          std::int64_t point = first;
          for (int a = 0; a < 3; ++a) {
            weight *= k >> a & 1 ? share[a] : 1 - share[a];
            if (k >> a & 1) point += grid.strides()[a];
          }
          if (weight != 0) value += weight * valueOf(point, c);
        }
        surface.values[std::size_t((3 * i + corner) * components + c)] = value;
      }
    }
  });
}

} // namespace isochrone::surface
