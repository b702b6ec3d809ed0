#include "ImageTravelTime/Tensors/TensorField.h"

#include "Bytes.h"
#include "Error.h"
#include "FirstException.h"
#include "Grid/Supercover.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

namespace isochrone::image {

namespace {

using grid::Offset;

constexpr int sides = 2 * maxTerms;

/// Returns the sign of the step to neighbour `side` of a stencil; see TensorPoint::clear.
int signOf(int side) { return side < maxTerms ? 1 : -1; }

/// Returns the difference of the indices of neighbour `side` and the point.
std::int64_t stepOf(const TensorOffsets& stencil, int side) {
  return signOf(side) * stencil.step[side % maxTerms];
}

/// Numbers distinct values by their first use.
template <class Value>
struct Numbering {
  std::vector<Value> values;

  std::size_t numberOf(const Value& value) {
    const auto [at, isNew] = numbers.try_emplace(value, values.size());
    if (isNew) values.push_back(value);
    return at->second;
  }

private:
  std::map<Value, std::size_t> numbers;
};

} // namespace

/// The distinct steps from a point to a user of it, numbered.
struct UserSteps {
  Numbering<std::int64_t> steps;
  std::array<std::array<std::uint16_t, 2>, 3> ofFace;      ///< per axis: to the lower and to the upper user
  std::vector<std::array<std::uint16_t, sides>> ofStencil; ///< per stencil and side
  std::int64_t longest = 0;

  UserSteps(const Grid& grid, const std::vector<TensorOffsets>& stencils) {
    const GridIndex stride = grid.strides();
    for (int a = 0; a < 3; ++a) ofFace[a] = {numberOf(-stride[a]), numberOf(stride[a])};
    for (const TensorOffsets& stencil : stencils) {
      auto& numbersOfSides = ofStencil.emplace_back();
      for (int side = 0; side < sides; ++side) numbersOfSides[side] = numberOf(-stepOf(stencil, side));
    }
  }

private:
  std::uint16_t numberOf(std::int64_t step) {
    longest = std::max(longest, std::abs(step));
    return std::uint16_t(steps.numberOf(step));
  }
};

TensorField::TensorField(const SolverInput& input) : grid(input.problem.grid) {
  unit = std::exp2(std::round(-std::log2(input.speed.fastest)));
  largestSpeed = float(input.speed.fastest * unit);
  findClear(findStencils(input.problem, input.threads), input.threads);
  findFaceTimes(input.problem, input.threads);
  findUsers(input.threads);
  value.resize(points());
#pragma omp parallel for schedule(static) num_threads(input.threads)
  for (std::int64_t p = 0; p < points(); ++p) value[p] = never;
}

/// Decomposes the tensors. Each row starts with the canonical superbase, so that the weights do not depend on
/// the threads.
std::vector<StencilOffsets> TensorField::findStencils(const Problem& problem, int threads) {
  Numbering<StencilOffsets> stencils;
  std::mutex mutex;
  point.resize(points());
  const int components = componentsOf(problem);
  const auto findInRow = [&](std::int64_t row) {
    grid::Superbase base = grid::canonicalSuperbase;
    StencilOffsets last{};
    std::int32_t number = -1;
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      if (image::isBarrier(problem, p)) {
        point[p] = {{}, -1, 0};
        continue;
      }
      const float* tensor = problem.speed.data() + p * components;
      if (i > 0 && !isBarrier(p - 1) && std::equal(tensor, tensor + components, tensor - components)) {
        point[p] = point[p - 1];
        continue;
      }
      const TensorStencil stencil = decompose(gridTensorAt(problem, p), grid.nz == 1, base);
      StencilOffsets own{};
      point[p] = {{}, 0, allClear};
      for (int r = 0; r < stencil.count; ++r) {
        own[r] = stencil.term[r].offset;
        point[p].weight[r] = float(stencil.term[r].weight * unit * unit);
      }
      if (number < 0 || own != last) {
        const std::lock_guard lock(mutex);
        last = own, number = std::int32_t(stencils.numberOf(own));
      }
      point[p].stencil = number;
    }
  };
  FirstException failure;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row) failure.guard([&] { findInRow(row); });
  failure.rethrow();
  for (const StencilOffsets& stencil : stencils.values) {
    TensorOffsets& to = offsets.emplace_back(TensorOffsets{});
    for (int r = 0; r < maxTerms; ++r) {
      const Offset& e = stencil[r];
      to.step[r] = std::int32_t(e[0] + grid.nx * (e[1] + grid.ny * e[2]));
      for (int a = 0; a < 3; ++a) {
        to.component[a][r] = float(e[a]);
        reach[a] = std::max(reach[a], std::abs(e[a]));
      }
    }
  }
  return std::move(stencils.values);
}

/// Removes the neighbours that lie outside the image or behind a barrier.
void TensorField::findClear(const std::vector<StencilOffsets>& stencils, int threads) {
  std::vector<std::uint8_t> barriers(points());
  for (std::int64_t p = 0; p < points(); ++p) barriers[p] = isBarrier(p);
  const GridIndex sizes = grid.sizes();
  const std::vector<std::int32_t> distance = grid::distancesToBarriers(sizes, barriers);
  std::vector<std::array<std::vector<Offset>, maxTerms>> touched;
  for (const StencilOffsets& stencil : stencils) {
    auto& cells = touched.emplace_back();
    for (int r = 0; r < maxTerms; ++r) cells[r] = grid::supercover(stencil[r]);
  }
  const auto sees = [&](const GridIndex& from, int sign, const Offset& e, const std::vector<Offset>& cells) {
    for (int a = 0; a < 3; ++a)
      if (const std::int64_t to = from[a] + sign * e[a]; to < 0 || to >= sizes[a]) return false;
    return distance.empty() || std::none_of(cells.begin(), cells.end(), [&](const Offset& c) {
             return barriers[grid.index(from[0] + sign * c[0], from[1] + sign * c[1], from[2] + sign * c[2])];
           });
  };
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::int64_t row = 0; row < grid.ny * grid.nz; ++row)
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      if (isBarrier(p)) continue;
      const GridIndex at{i, row % grid.ny, row / grid.ny};
      bool inside = true;
      for (int a = 0; a < 3; ++a) inside &= at[a] >= reach[a] && at[a] + reach[a] < sizes[a];
      if (inside && (distance.empty() || distance[p] > reach[0] + reach[1] + reach[2])) continue;
      const std::int32_t stencil = point[p].stencil;
      for (int side = 0; side < sides; ++side) {
        const int r = side % maxTerms;
        if (!sees(at, signOf(side), stencils[stencil][r], touched[stencil][r]))
          point[p].clear &= ~(1u << side);
      }
    }
}

void TensorField::findFaceTimes(const Problem& problem, int threads) {
  const std::int64_t rows = grid.ny * grid.nz;
  firstFaceTime.assign(rows + 1, 0);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::uint32_t count = 0;
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p)
      if (!isBarrier(p) && takesFaces(p)) point[p].clear |= count++ << sides;
    firstFaceTime[row + 1] = firstFaceTime[row] + count;
  }
  faceTimes.resize(firstFaceTime[rows]);
  const Position step = grid.spacing();
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      if (isBarrier(p) || !takesFaces(p)) continue;
      const grid::Symmetric3 metric = metricAt(problem, p);
      auto& times = faceTimes[firstFaceTime[row] + (point[p].clear >> sides)];
      for (int a = 0; a < 3; ++a) times[a] = float(std::sqrt(metric[a]) * step[a] / unit);
    }
}

/// Calls f(neighbour, axis) for the neighbours on the axes that are not barriers.
template <class F>
void TensorField::forEachFace(std::int64_t p, F&& f) const {
  const GridIndex sizes = grid.sizes(), stride = grid.strides();
  for (int a = 0; a < 3; ++a) {
    const std::int64_t at = p / stride[a] % sizes[a];
    if (at > 0 && !isBarrier(p - stride[a])) f(p - stride[a], a);
    if (at + 1 < sizes[a] && !isBarrier(p + stride[a])) f(p + stride[a], a);
  }
}

float TensorField::fromFaces(std::int64_t p) const {
  if (!takesFaces(p)) return never;
  const auto& times = faceTimes[firstFaceTime[p / grid.nx] + (point[p].clear >> sides)];
  float minimum = never;
  forEachFace(p, [&](std::int64_t q, int axis) { minimum = std::min(minimum, value[q] + times[axis]); });
  return minimum;
}

/// Calls f(point, number of the step from it to q) for the points that the update of q uses.
template <class F>
void TensorField::forEachUsed(const UserSteps& numbers, std::int64_t q, F&& f) const {
  if (isBarrier(q)) return;
  const std::int32_t stencil = point[q].stencil;
  for (std::uint32_t clear = point[q].clear & allClear; clear; clear &= clear - 1) {
    const int side = std::countr_zero(clear);
    const std::int64_t step = stepOf(offsets[stencil], side);
    if (step != 0) f(q + step, numbers.ofStencil[stencil][side]);
  }
  if (takesFaces(q)) forEachFace(q, [&](std::int64_t p, int axis) { f(p, numbers.ofFace[axis][p < q]); });
}

/// Finds the users of all points. Each thread handles a part of the points, and reads the points within reach
/// of this part.
void TensorField::findUsers(int threads) {
  UserSteps numbers(grid, offsets);
  if (numbers.steps.values.size() > std::numeric_limits<std::uint16_t>::max() ||
      double(points()) * (sides + 6) > std::numeric_limits<std::uint32_t>::max())
    throw Error("the tensors of " + std::to_string(points()) + " points lead to " +
                std::to_string(numbers.steps.values.size()) +
                " different steps: at most 2e8 points and 65535 steps are possible; make the tensors less "
                "anisotropic or the image smaller");
  const auto forEachPair = [&](auto&& f) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int part = 0; part < threads; ++part) {
      const std::int64_t begin = points() * part / threads, end = points() * (part + 1) / threads;
      const std::int64_t first = std::max<std::int64_t>(0, begin - numbers.longest),
                         last = std::min(points(), end + numbers.longest);
      for (std::int64_t q = first; q < last; ++q)
        forEachUsed(numbers, q, [&](std::int64_t p, std::uint16_t number) {
          if (p >= begin && p < end) f(p, number);
        });
    }
  };
  users = ReverseAdjacency(points());
  forEachPair([&](std::int64_t p, std::uint16_t) { users.count(p); });
  users.allocate();
  forEachPair([&](std::int64_t p, std::uint16_t number) { users.fill(p, number); });
  steps = std::move(numbers.steps.values);
}

void TensorField::writeTo(std::span<float> travelTime, double offset, float latest, int threads) const {
  const float add = float(offset), factor = float(unit);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t p = 0; p < points(); ++p) {
    const bool arrived = value[p] < never && value[p] <= latest;
    travelTime[p] = arrived ? add + factor * value[p] : std::numeric_limits<float>::infinity();
  }
}

std::size_t TensorField::bytes() const {
  return bytesOf(point, value, offsets, steps, faceTimes, firstFaceTime) + users.bytes();
}

} // namespace isochrone::image
