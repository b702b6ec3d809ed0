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

/// One side of each pair in the equation with source factoring.
struct Side {
  Six value; ///< the neighbour's value, corrected by the remainder of T's Taylor series
  Six bound; ///< minimum solution that may use the side
};

/// T(x), the time of the straight line from the seed to x in the metric M of the seed: of the point x and of
/// its neighbours x + e and x - e. See "Seeds and source factoring" in DESIGN.md.
struct SeedLine {
  Six time;                 ///< T(x)
  Six slope;                ///< <x - seed, M e>: T(x) times the derivative of T along e
  Six offset;               ///< <e, M e>, the square of T along e
  Six lengthUp, lengthDown; ///< squared world lengths from the seed to the neighbours
  float length;             ///< the same for the point
  float radius;             ///< squared radius of the factoring ball

  SeedLine(const TensorOffsets& offsets, const TensorSeed& seed) {
    const float x = seed.away[0], y = seed.away[1], z = seed.away[2];
    const float* g = seed.metric;
    const float gx = g[0] * x + g[3] * y + g[5] * z, gy = g[3] * x + g[1] * y + g[4] * z,
                gz = g[5] * x + g[4] * y + g[2] * z;
    const auto component = [&](int c) { return *reinterpret_cast<const Six*>(offsets.component[c]); };
    const Six ex = component(0), ey = component(1), ez = component(2);
    const auto squaredLength = [&](float sign) {
      const Six dx = (x + sign * ex) * seed.length[0], dy = (y + sign * ey) * seed.length[1],
                dz = (z + sign * ez) * seed.length[2];
      return dx * dx + dy * dy + dz * dz;
    };
    time = Lanes::broadcast(__builtin_sqrtf(gx * x + gy * y + gz * z));
    slope = gx * ex + gy * ey + gz * ez;
    offset = ex * (g[0] * ex + 2 * g[3] * ey) + ey * (g[1] * ey + 2 * g[4] * ez) +
             ez * (g[2] * ez + 2 * g[5] * ex);
    lengthUp = squaredLength(1), lengthDown = squaredLength(-1);
    length = squaredLength(0)[0];
    radius = seed.radius * seed.radius;
  }
  /// Returns whether the point is in the factoring ball, and not the seed itself.
  bool applies() const { return length < radius && time[0] > 0; }
};

/// Corrects the neighbours x + e (sign 1) or x - e (sign -1), for differences of u - T.
template <int sign>
inline Side corrected(const SeedLine& line, Six value) {
  const Six towards = -float(sign) * line.slope; // positive if the neighbour lies towards the seed
  const Six squared = line.time * line.time - 2.f * towards + line.offset;
  const Six time = Lanes::sqrt(Lanes::max(squared, Six{})), sum = line.time + time;
  const Six decrease = (2.f * towards - line.offset) / sum; // T(x) - T(neighbour), without cancellation
  Side side;
  side.value = value + (towards * decrease - line.time * line.offset) / (line.time * sum);
  // A neighbour beyond the plane through the seed is later than the point, and is used nevertheless: inside
  // the ball, an offset or more from the line through the seed along e.
  const Six fromAxis = line.time * line.time * line.offset - towards * towards;
  const Six length = sign > 0 ? line.lengthUp : line.lengthDown;
  const Lanes::Mask beyond =
      Lanes::both(Lanes::both(Lanes::greater(towards, Six{}), Lanes::greater(time, line.time * 0.999f)),
                  Lanes::both(Lanes::less(length, Lanes::broadcast(line.radius)),
                              Lanes::greater(fromAxis, 0.999f * line.offset * line.offset)));
  side.bound = Lanes::select(beyond, side.value, value);
  return side;
}

class Point {
public:
  /// Reads while other threads may mark values and change flags.
  Point(const TensorView& view, std::int64_t p)
      : stencil(__atomic_load_n(&view.point[p].stencil, __ATOMIC_RELAXED)),
        offsets(view.offsets[stencil & TensorPoint::number]), u(view.value + p), own(at(0)) {
    const TensorPoint& point = view.point[p];
    if (stencil & TensorPoint::edge) clear = view.edge[point.link].clear;
    for (int r = 0; r < terms; ++r) weight[r] = point.weight[r];
  }

  float updated() const {
    const Six value = Lanes::min(side<1>(), side<-1>());
    if (!isAbove(value, weight, own)) return own;
    return minimum(solve(value, weight, minimum(value)), own);
  }

  float updated(const TensorSeed& seed) const {
    const SeedLine line(offsets, seed);
    if (!line.applies()) return updated();
    return solveSides(corrected<1>(line, side<1>()), corrected<-1>(line, side<-1>()));
  }

private:
  std::uint32_t stencil;
  const TensorOffsets& offsets;
  const float* u;
  float own; ///< the present value
  std::uint32_t clear = allClear;
  Six weight{};

  float at(std::int64_t distance) const {
    float value;
    __atomic_load(u + distance, &value, __ATOMIC_RELAXED);
    return __builtin_fabsf(value);
  }

  template <int sign>
  Six side() const {
    const auto value = [&](int r) { return at(sign * offsets.step[r]); };
    if ((clear & allClear) == allClear) {
      return Six{value(0), value(1), value(2), value(3), value(4), value(5), never, never};
    }
    Six v = Lanes::broadcast(never);
    for (int r = 0; r < terms; ++r)
      if (clear >> (sign > 0 ? r : r + terms) & 1) v[r] = value(r);
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
