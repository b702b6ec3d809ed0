#include "ImageTravelTime/Tensors/TensorField.h"

#include "Bytes.h"
#include "Error.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/Numbering.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>

namespace isochrone::image {

namespace {

constexpr int sides = 2 * maxTerms;

/// Returns the sign of the step to neighbour `side` of a stencil; see TensorSees.
int signOf(int side) { return side < maxTerms ? 1 : -1; }

} // namespace

/// The distinct steps from a point to a user of it, numbered.
struct UserSteps {
  Numbering<grid::Offset> steps;
  std::array<std::uint16_t, 6> ofFace{}; ///< per face: from a user's neighbour there to the user
  std::vector<std::array<std::uint16_t, sides>> ofStencil; ///< per stencil and side
  std::int64_t longest = 0;                                ///< difference of indices

  UserSteps(const Grid& image, const std::vector<TensorOffsets>& stencils) : grid(image) {
    for (int face = 0; face < 6; ++face) {
      grid::Offset step{};
      step[face / 2] = face % 2 ? -1 : 1;
      if (grid.sizes()[face / 2] > 1) ofFace[face] = numberOf(step);
    }
    for (const TensorOffsets& stencil : stencils) {
      auto& numbersOfSides = ofStencil.emplace_back();
      for (int side = 0; side < sides; ++side) {
        grid::Offset step;
        for (int a = 0; a < 3; ++a) step[a] = -signOf(side) * int(stencil.component[a][side % maxTerms]);
        numbersOfSides[side] = numberOf(step);
      }
    }
  }

  /// Returns the difference of the indices of the two points.
  std::int64_t indexStep(const grid::Offset& step) const {
    return step[0] + grid.nx * (step[1] + grid.ny * step[2]);
  }

private:
  const Grid& grid;

  std::uint16_t numberOf(const grid::Offset& step) {
    longest = std::max(longest, std::abs(indexStep(step)));
    return std::uint16_t(steps.numberOf(step));
  }
};

TensorField::TensorField(const SolverInput& input, execution::RoundPool& pool)
    : grid(input.problem.grid), own(grid::ownPoints(grid, input.problem.part)) {
  for (const grid::PartLink& link : input.problem.part.links) shifts.push_back(link.shift);
  if (points() > std::numeric_limits<std::int32_t>::max())
    throw Error("tensors at " + std::to_string(points()) +
                " points: at most 2147483647 are possible; make the image smaller");
  unit = input.speed.timeUnit();
  largestSpeed = float(input.speed.fastest * unit);
  if (image::isTilted(input.problem)) {
    tilted = ThomsenPieces(input.problem, unit, pool);
    point.resize(points());
    pool.forEach(points(), [&](std::int64_t p) {
      point[p] = {{}, tilted.isBarrier(p) ? TensorPoint::barrier : 0, 0};
    });
  }
  const std::vector<StencilOffsets> stencils =
      isTilted() ? tilted.stencils : findStencils(input.problem, pool);
  addOffsets(stencils);
  findEdges(input.problem, stencils, pool);
  if (hasDrift(input.problem)) findDrift(input.problem, pool);
  findUsers(pool);
  value.resize(points());
  pool.forEach(points(), [&](std::int64_t p) { value[p] = never; });
}

/// Decomposes the tensors. Each row starts with the canonical superbase, so that the weights do not depend on
/// the threads.
std::vector<StencilOffsets> TensorField::findStencils(const Problem& problem, execution::RoundPool& pool) {
  Numbering<StencilOffsets> stencils;
  std::mutex mutex;
  point.resize(points());
  const auto findInRow = [&](std::int64_t row) {
    Decomposition decomposition(grid.nz == 1);
    std::uint32_t number = 0;
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      if (image::isBarrier(problem, p)) {
        point[p] = {{}, TensorPoint::barrier, 0};
        continue;
      }
      if (i > 0 && !isBarrier(p - 1) && sameMedium(problem, p, p - 1)) {
        point[p] = point[p - 1];
        continue;
      }
      const bool isNew = decomposition.advance(gridTensorAt(problem, p));
      const TensorStencil& stencil = decomposition.stencil();
      point[p] = {};
      for (int r = 0; r < stencil.count; ++r)
        point[p].weight[r] = float(stencil.term[r].weight * unit * unit);
      if (isNew) {
        StencilOffsets offsetsHere{};
        for (int r = 0; r < stencil.count; ++r) offsetsHere[r] = stencil.term[r].offset;
        const std::lock_guard lock(mutex);
        number = std::uint32_t(stencils.numberOf(offsetsHere));
      }
      point[p].stencil = number;
    }
  };
  pool.forEach(grid.ny * grid.nz, findInRow);
  return std::move(stencils.values);
}

void TensorField::addOffsets(const std::vector<StencilOffsets>& stencils) {
  for (const StencilOffsets& stencil : stencils) {
    TensorOffsets& to = offsets.emplace_back(TensorOffsets{});
    for (int r = 0; r < maxTerms; ++r) {
      const grid::Offset& e = stencil[r];
      to.step[r] = std::int32_t(e[0] + grid.nx * (e[1] + grid.ny * e[2]));
      for (int a = 0; a < 3; ++a) to.component[a][r] = float(e[a]);
    }
  }
}

/// Finds the points with neighbours that lie outside the image or behind a barrier.
void TensorField::findEdges(const Problem& problem, const std::vector<StencilOffsets>& stencils,
                            execution::RoundPool& pool) {
  std::vector<std::uint8_t> barriers(points());
  pool.forEach(points(), [&](std::int64_t p) { barriers[p] = isBarrier(p); });
  const TensorSight sight(grid, barriers, stencils);
  if (isTilted()) tilted.limitTo(sight, pool);
  const std::int64_t rows = grid.ny * grid.nz;
  const int ranges = int(std::min<std::int64_t>(rows, 16 * pool.size()));
  std::vector<std::vector<TensorEdge>> found(ranges);
  pool.run(ranges, [&](int n, int) {
    for (std::int64_t row = rows * n / ranges; row < rows * (n + 1) / ranges; ++row)
      for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
        if (barriers[p]) continue;
        const TensorSees sees =
            isTilted() ? tilted.sees(p) : sight.of({i, row % grid.ny, row / grid.ny}, point[p].stencil);
        if (sees == seesAll) continue;
        point[p].stencil |= TensorPoint::edge;
        TensorEdge& edge = found[n].emplace_back(TensorEdge{sees, 0, {}});
        const std::array<float, 3> times = timesAlongAxes(problem, p, unit);
        std::ranges::copy(times, edge.time);
      }
  });
  std::vector<std::size_t> first(ranges + 1, 0);
  for (int n = 0; n < ranges; ++n) first[n + 1] = first[n] + found[n].size();
  edges.resize(first[ranges]);
  pool.run(ranges, [&](int n, int) {
    std::copy(found[n].begin(), found[n].end(), edges.begin() + std::ptrdiff_t(first[n]));
    std::size_t next = first[n];
    for (std::int64_t p = rows * n / ranges * grid.nx; p < rows * (n + 1) / ranges * grid.nx; ++p) {
      if (isEdge(p)) point[p].link = std::uint32_t(next++);
    }
  });
  peak = bytes() + bytesOf(barriers) + sight.bytes() + first[ranges] * sizeof(TensorEdge);
}

void TensorField::findDrift(const Problem& problem, execution::RoundPool& pool) {
  drift.resize(points());
  const Position h = grid.spacing();
  pool.forEach(points(), [&](std::int64_t p) {
    drift[p] = {};
    if (isBarrier(p)) return;
    const grid::Vector3 form = oneFormAt(problem, p);
    for (int a = 0; a < 3; ++a) drift[p].oneForm[a] = float(form[a] * h[a] / unit);
  });
}

float TensorField::fromFaces(std::int64_t p) const {
  const TensorEdge& edge = edges[point[p].link];
  const GridIndex stride = grid.strides();
  float minimum = never;
  for (std::uint32_t faces = edge.sees >> faceBits; faces; faces &= faces - 1) {
    const int face = std::countr_zero(faces), a = face / 2;
    const std::int64_t q = face % 2 ? p + stride[a] : p - stride[a];
    const float with = drift.empty() ? 0 : drift[p].oneForm[a];
    minimum = std::min(minimum, valueOf(q) + (face % 2 ? edge.time[a] - with : edge.time[a] + with));
  }
  return minimum;
}

/// Calls f(point, number of the step from it to q) for the points that the update of q uses.
template <class F>
void TensorField::forEachUsed(const UserSteps& numbers, std::int64_t q, F&& f) const {
  const TensorPoint& user = point[q];
  if (user.stencil & TensorPoint::barrier) return;
  if (!shifts.empty() && !own.contains(grid.indices(q))) return;
  const GridIndex stride = grid.strides();
  const auto useFaces = [&](TensorSees sees) {
    for (int face = 0; face < 6; ++face)
      if (sees >> (faceBits + face) & 1)
        f(face % 2 ? q + stride[face / 2] : q - stride[face / 2], numbers.ofFace[face]);
  };
  if (isTilted()) {
    forEachUsedByPieces(numbers, q, f);
    if (user.stencil & TensorPoint::edge) useFaces(edges[user.link].sees);
    return;
  }
  const std::uint32_t stencil = user.stencil & TensorPoint::number;
  const auto& ofSide = numbers.ofStencil[stencil];
  const std::int32_t* const step = offsets[stencil].step;
  if (!(user.stencil & TensorPoint::edge)) {
    for (int r = 0; r < maxTerms && step[r] != 0; ++r)
      f(q + step[r], ofSide[r]), f(q - step[r], ofSide[maxTerms + r]);
    return;
  }
  const TensorSees sees = edges[user.link].sees;
  for (int side = 0; side < sides; ++side) {
    const int r = side % maxTerms;
    if (sees >> side & 1 && step[r] != 0) f(q + signOf(side) * step[r], ofSide[side]);
  }
  useFaces(sees);
}

/// Calls f in the same way for the stencils of all pieces, once for each point.
template <class F>
void TensorField::forEachUsedByPieces(const UserSteps& numbers, std::int64_t q, F&& f) const {
  const std::span<const ThomsenTerms> all = tilted.of(q);
  const auto uses = [&](const ThomsenTerms& piece, std::uint16_t number) {
    for (int side = 0; side < sides; ++side)
      if (piece.sees >> side & 1 && numbers.ofStencil[piece.stencil][side] == number) return true;
    return false;
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    const ThomsenTerms& piece = all[k];
    const std::int32_t* const step = offsets[piece.stencil].step;
    for (int side = 0; side < sides; ++side) {
      const std::uint16_t number = numbers.ofStencil[piece.stencil][side];
      if (!(piece.sees >> side & 1) || step[side % maxTerms] == 0) continue;
      if (std::none_of(all.begin(), all.begin() + std::ptrdiff_t(k),
                       [&](const ThomsenTerms& before) { return uses(before, number); }))
        f(q + signOf(side) * step[side % maxTerms], number);
    }
  }
}

/// Finds the users of all points. Each task handles a part of the points, and reads the points within reach
/// of this part.
void TensorField::findUsers(execution::RoundPool& pool) {
  UserSteps numbers(grid, offsets);
  if (numbers.steps.values.size() > std::numeric_limits<std::uint16_t>::max())
    throw Error("the tensors of " + std::to_string(points()) + " points lead to " +
                std::to_string(numbers.steps.values.size()) +
                " different steps: at most 65535 are possible; make the tensors less anisotropic");
  std::atomic<std::size_t> ofWriters = 0;
  const std::int64_t share = points() / pool.size() + 1; // each reads the points within reach of its own
  pool.forRanges(points(), share, [&](std::int64_t begin, std::int64_t end, int) {
    UserListWriter writer(users, begin, numbers.longest);
    const std::int64_t first = std::max<std::int64_t>(0, begin - numbers.longest);
    for (std::int64_t q = first; q < end + numbers.longest; ++q) {
      if (q < points())
        forEachUsed(numbers, q, [&](std::int64_t p, std::uint16_t number) {
          if (p >= begin && p < end) writer.add(p, number);
        });
      const std::int64_t p = q - numbers.longest;
      if (p < begin || isBarrier(p)) continue;
      (isEdge(p) ? edges[point[p].link].users : point[p].link) = writer.finish(p);
    }
    ofWriters += writer.bytes();
  });
  peak = std::max(peak, bytes() + ofWriters);
  for (const grid::Offset& step : numbers.steps.values) {
    steps.push_back(std::int32_t(numbers.indexStep(step)));
    stepComponents.push_back({float(step[0]), float(step[1]), float(step[2])});
  }
}

void TensorField::writeTo(std::span<float> travelTime, double offset, float latest,
                          execution::RoundPool& pool) const {
  const float add = float(offset), factor = float(unit);
  pool.forEach(points(), [&](std::int64_t p) {
    const bool arrived = value[p] < never && value[p] <= latest;
    travelTime[p] = arrived ? add + factor * value[p] : std::numeric_limits<float>::infinity();
  });
}

std::size_t TensorField::bytes() const {
  return bytesOf(point, value, offsets, steps, edges, drift) + tilted.bytes() + users.bytes();
}

} // namespace isochrone::image
