// The hot loop with tensors, compiled once per instruction set: a point per lane. See TensorUpdate.h.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include "Execution/Simd.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

using Lanes = execution::ISOCHRONE_ISA::Vector<float>;
using Vec = Lanes::Vec;
constexpr int width = Lanes::width;

using Eight = execution::ISOCHRONE_ISA::CompilerVector<std::int32_t, 32>;
using EightFloats = execution::ISOCHRONE_ISA::CompilerVector<float, 32>;

constexpr int batch = tensorBatch;

/// What the update of a point reads. Per pair, the value of the earlier neighbour; [6]: of the point itself;
/// from [8] on the weights. In a drift the values of the neighbours up, after the shift by the drift; [7]:
/// the earliest value of all neighbours; from [16] on the values of the neighbours down.
template <bool drifts>
struct alignas(64) Terms {
  static constexpr int count = drifts ? 32 : 16;
  float number[count];
};

using Bits [[gnu::may_alias]] = std::int32_t;

/// Stores the values of both sides after the shift by the drift. They may be negative, so the lanes compare
/// them.
inline void storeShifted(Eight::Vec up, Eight::Vec down, const TensorDrift& drift,
                         const TensorOffsets& offsets, Terms<true>& to) {
  const auto component = [&](int a) { return EightFloats::load(offsets.component[a]); };
  const EightFloats::Vec shift =
      component(0) * drift.oneForm[0] + component(1) * drift.oneForm[1] + component(2) * drift.oneForm[2];
  const std::int32_t earliest = Eight::fold(Eight::min(up, down), Eight::min);
  EightFloats::Vec above, below;
  __builtin_memcpy(&above, &up, sizeof above);
  __builtin_memcpy(&below, &down, sizeof below);
  above -= shift, below += shift;
  __builtin_memcpy(to.number, &above, sizeof above);
  __builtin_memcpy(to.number + 7, &earliest, sizeof earliest);
  __builtin_memcpy(to.number + 16, &below, sizeof below);
}

/// Loads a point, while other threads may mark values and change flags. The bits of numbers that are not
/// negative have the order of the numbers.
template <int terms, bool drifts>
inline void load(const TensorView& view, std::uint32_t p, Terms<drifts>& to) {
  const TensorPoint& point = view.point[p];
  const std::uint32_t stencil = __atomic_load_n(&point.stencil, __ATOMIC_RELAXED);
  const std::int32_t* const step = view.offsets[stencil & TensorPoint::number].step;
  const auto* const u = reinterpret_cast<const Bits*>(view.value + p);
  constexpr std::int32_t withoutSign = 0x7fffffff;
  const auto at = [&](std::int64_t distance) { return __atomic_load_n(u + distance, __ATOMIC_RELAXED); };
  Eight::Vec up, down;
  std::int32_t none;
  __builtin_memcpy(&none, &never, sizeof none);
  const std::int32_t idle = drifts ? none : 0; // the lanes without a pair
  if (!(stencil & TensorPoint::edge)) {
    if constexpr (terms == 3) {
      up = Eight::Vec{at(step[0]), at(step[1]), at(step[2]), idle, idle, idle, at(0), idle};
      down = Eight::Vec{at(-step[0]), at(-step[1]), at(-step[2]), idle, idle, idle, up[6], idle};
    } else {
      up = Eight::Vec{at(step[0]), at(step[1]), at(step[2]), at(step[3]),
                      at(step[4]), at(step[5]), at(0),       idle};
      down = Eight::Vec{at(-step[0]), at(-step[1]), at(-step[2]), at(-step[3]),
                        at(-step[4]), at(-step[5]), up[6],        idle};
    }
  } else {
    up = down = idle - Eight::Vec{};
    const TensorSees sees = view.edge[point.link].sees;
    for (int r = 0; r < terms; ++r) {
      up[r] = sees >> r & 1 ? at(step[r]) : none;
      down[r] = sees >> (6 + r) & 1 ? at(-step[r]) : none;
    }
    up[6] = down[6] = at(0);
  }
  up &= withoutSign, down &= withoutSign;
  if constexpr (drifts) {
    storeShifted(up, down, view.drift[p], view.offsets[stencil & TensorPoint::number], to);
  } else {
    const Eight::Vec earlier = Eight::min(up, down);
    __builtin_memcpy(to.number, &earlier, sizeof earlier);
  }
  __builtin_memcpy(to.number + 8, point.weight, sizeof point.weight);
}

/// In space the values around a point lie in many cache lines.
inline void prefetchValues(const TensorView& view, std::uint32_t p) {
  const std::int32_t* const step =
      view.offsets[__atomic_load_n(&view.point[p].stencil, __ATOMIC_RELAXED) & TensorPoint::number].step;
  const float* const u = view.value + p;
  for (int r = 0; r < 6; ++r) __builtin_prefetch(u + step[r]), __builtin_prefetch(u - step[r]);
}

/// Returns the value after one update, never above the present value u.
template <int terms>
inline Vec solve(const Vec (&value)[terms], const Vec (&weight)[terms], Vec u) {
  const Vec solution = solveTerms<Lanes, false>(value, weight, value).value;
  return Lanes::select(isAbove<Lanes>(value, weight, u), Lanes::min(solution, u), u);
}

template <int terms, bool drifts>
void updateAll(const TensorView& view, const std::uint32_t* points, std::int64_t count, float* updated) {
  constexpr int columns = Terms<drifts>::count;
  Terms<drifts> of[batch]{}; // beyond the last point: whatever points were there before
  for (std::int64_t first = 0; first < count; first += batch) {
    const std::int64_t size = count - first < batch ? count - first : batch;
    alignas(64) float result[batch];
    for (std::int64_t l = 0; l < size; ++l) {
      const std::int64_t n = first + l;
      if (n + 2 * batch < count) __builtin_prefetch(&view.point[points[n + 2 * batch]]);
      if (terms == 6 && n + batch < count) prefetchValues(view, points[n + batch]);
      load<terms, drifts>(view, points[n], of[l]);
    }
    for (int part = 0; part < size; part += width) {
      Vec column[columns];
      for (int c = 0; c < columns; c += width) {
        Vec rows[width];
        for (int l = 0; l < width; ++l) rows[l] = Lanes::load(of[part + l].number + c);
        Lanes::transpose(rows);
        for (int l = 0; l < width; ++l) column[c + l] = rows[l];
      }
      Vec value[terms], weight[terms];
      for (int r = 0; r < terms; ++r) value[r] = column[r], weight[r] = column[8 + r];
      if constexpr (drifts)
        for (int r = 0; r < terms; ++r) value[r] = Lanes::min(value[r], column[16 + r]);
      Vec updated = solve<terms>(value, weight, column[6]);
      if constexpr (drifts) updated = Lanes::max(updated, column[7]);
      Lanes::store(result + part, updated);
    }
    for (std::int64_t l = 0; l < size; ++l) updated[first + l] = result[l];
  }
}

} // namespace

void updateTensorsInPlane(const TensorView& view, const std::uint32_t* points, std::int64_t count,
                          float* updated) {
  updateAll<3, false>(view, points, count, updated);
}
void updateTensorsInSpace(const TensorView& view, const std::uint32_t* points, std::int64_t count,
                          float* updated) {
  updateAll<6, false>(view, points, count, updated);
}
void updateTensorsInPlaneDrift(const TensorView& view, const std::uint32_t* points, std::int64_t count,
                               float* updated) {
  updateAll<3, true>(view, points, count, updated);
}
void updateTensorsInSpaceDrift(const TensorView& view, const std::uint32_t* points, std::int64_t count,
                               float* updated) {
  updateAll<6, true>(view, points, count, updated);
}

} // namespace isochrone::image::ISOCHRONE_ISA
