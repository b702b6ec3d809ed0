// The update with source factoring, compiled once per instruction set; see TensorUpdate.h. The six pairs of
// neighbours of a point lie in the lanes of one vector.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

#include "Execution/SimdOperations.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// One lane per pair of neighbours; two lanes are idle.
using Lanes = execution::ISOCHRONE_ISA::CompilerVector<float, 32>;
using Six = Lanes::Vec;

constexpr int terms = 6;

inline float sum(Six v) {
  return Lanes::fold(v, [](Six a, Six b) { return a + b; });
}
inline float maximum(Six v) { return Lanes::fold(v, Lanes::max); }
inline float minimum(Six v) { return Lanes::fold(v, Lanes::min); }
inline float minimum(float a, float b) { return a < b ? a : b; }
inline float maximum(float a, float b) { return a > b ? a : b; }

/// Returns the equation's left-hand side at the value of each term. A term is used if this is below 1. The
/// test needs no root, and the terms used are always the earliest ones.
inline Six pressureOf(Six rise, Six weight) {
  Six pressure{};
#pragma GCC unroll 6
  for (int j = 0; j < terms; ++j) {
    const Six d = Lanes::max(rise - Lanes::broadcast(rise[j]), Six{});
    pressure += Lanes::broadcast(weight[j]) * d * d;
  }
  return pressure;
}

/// Returns the minimum v with sum of weight * max(0, v - value)^2 = 1, in differences to the minimum value.
/// The term under the root, B^2 - A C of the quadratic equation, is a sum of non-negative terms.
inline float solve(Six value, Six weight, float base) {
  const Six rise = value - base, pressure = pressureOf(rise, weight);
  const Six w = Lanes::select(Lanes::less(pressure, Lanes::broadcast(1)), weight, Six{});
  const float a = sum(w), b = sum(w * rise), root = sum(w * (1.f - pressure));
  return base + (b + __builtin_sqrtf(root)) / a;
}

/// Returns whether the equation's left-hand side at v is above 1: the update is then below v.
inline bool isAbove(Six value, Six weight, float v) {
  const Six d = Lanes::max(v - value, Six{});
  return sum(weight * d * d) > 1.f;
}

using Side = TensorSide<Lanes>;

SeedLine<Lanes> lineFrom(const TensorSeed& seed, const TensorOffsets& offsets) {
  const auto component = [&](int c) { return *reinterpret_cast<const Six*>(offsets.component[c]); };
  return {component(0), component(1), component(2), seed};
}

class Point {
public:
  /// Reads while other threads may mark values and change flags.
  Point(const TensorView& view, std::int64_t p)
      : stencil(__atomic_load_n(&view.point[p].stencil, __ATOMIC_RELAXED)),
        offsets(view.offsets[stencil & TensorPoint::number]), u(view.value + p), own(at(0)) {
    const TensorPoint& point = view.point[p];
    if (stencil & TensorPoint::edge) sees = view.edge[point.link].sees;
    for (int r = 0; r < terms; ++r) weight[r] = point.weight[r];
    if (view.drift) setShift(view.drift[p]);
  }

  float updated(const TensorSeed& seed) const {
    const Six up = side<1>(), down = side<-1>();
    const SeedLine<Lanes> line = lineFrom(seed, offsets);
    const float v = line.applies
                        ? solveSides(corrected<1>(line, up - shift), corrected<-1>(line, down + shift))
                        : solvePlain(Lanes::min(up - shift, down + shift));
    return drifts ? maximum(v, minimum(own, minimum(Lanes::min(up, down)))) : v;
  }

private:
  std::uint32_t stencil;
  const TensorOffsets& offsets;
  const float* u;
  float own; ///< the present value
  TensorSees sees = seesAll;
  Six weight{};
  Six shift{}; ///< by the drift, from the point along each offset
  bool drifts = false;

  void setShift(const TensorDrift& drift) {
    drifts = true;
    for (int a = 0; a < 3; ++a) shift += Lanes::load(offsets.component[a]) * drift.oneForm[a];
  }

  float solvePlain(Six value) const {
    if (!isAbove(value, weight, own)) return own;
    return minimum(solve(value, weight, minimum(value)), own);
  }

  float at(std::int64_t distance) const {
    float value;
    __atomic_load(u + distance, &value, __ATOMIC_RELAXED);
    return __builtin_fabsf(value);
  }

  template <int sign>
  Six side() const {
    const auto value = [&](int r) { return at(sign * offsets.step[r]); };
    if ((sees & seesAll) == seesAll) {
      return Six{value(0), value(1), value(2), value(3), value(4), value(5), never, never};
    }
    Six v = Lanes::broadcast(never);
    for (int r = 0; r < terms; ++r)
      if (sees >> (sign > 0 ? r : r + terms) & 1) v[r] = value(r);
    return v;
  }

  /// Solves with the earlier side of each pair; if the solution is below a bound that it uses, with the
  /// bounds.
  float solveSides(const Side& up, const Side& down) const {
    const Six value = Lanes::min(up.value, down.value);
    if (!isAbove(value, weight, own)) return own;
    const float base = minimum(value), free = solve(value, weight, base);
    const Lanes::Mask used = Lanes::both(Lanes::less(pressureOf(value - base, weight), Lanes::broadcast(1)),
                                         Lanes::greater(weight, Six{}));
    const Six bound = Lanes::select(Lanes::less(up.value, down.value), up.bound, down.bound);
    const bool isLate = maximum(Lanes::select(used, bound, Lanes::broadcast(-never))) > free;
    return minimum(isLate ? solveWithBounds(up, down) : free, own);
  }

  /// Returns the minimum solution with bounds. A side applies from its bound on: the solution uses all sides
  /// whose bounds are not later than some bound, or equals that bound; see FactoredUpdate.h.
  float solveWithBounds(const Side& up, const Side& down) const {
    float best = never;
    for (const Side* side : {&up, &down})
      for (int r = 0; r < terms; ++r) {
        const float bound = side->bound[r];
        if (!(weight[r] > 0) || bound >= best) continue;
        const Six limit = Lanes::broadcast(bound), none = Lanes::broadcast(never);
        const Six value = Lanes::min(Lanes::select(Lanes::greater(up.bound, limit), none, up.value),
                                     Lanes::select(Lanes::greater(down.bound, limit), none, down.value));
        const float v = solve(value, weight, minimum(value));
        best = minimum(best, v > bound ? v : bound);
      }
    return best;
  }
};

} // namespace

float updateTensorPointNearSeed(const TensorView& view, std::int64_t p, const TensorSeed& seed) {
  return Point(view, p).updated(seed);
}

} // namespace isochrone::image::ISOCHRONE_ISA
