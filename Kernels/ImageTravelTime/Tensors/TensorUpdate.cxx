// The hot loop with tensors, compiled once per instruction set; see TensorUpdate.h.
#include "ImageTravelTime/Tensors/TensorUpdate.h"

namespace isochrone::image::ISOCHRONE_ISA {

namespace {

/// One lane per pair of neighbours; two lanes are idle.
typedef float Six __attribute__((vector_size(32)));
typedef std::int32_t SixMask __attribute__((vector_size(32)));

constexpr int terms = 6;

inline Six broadcast(float a) { return Six{} + a; }
inline Six min(Six a, Six b) { return a < b ? a : b; }
inline Six max(Six a, Six b) { return a > b ? a : b; }

inline Six sqrt(Six v) {
  for (int i = 0; i < 8; ++i) v[i] = __builtin_sqrtf(v[i]);
  return v;
}

template <class F>
inline float fold(Six v, F&& f) {
  v = f(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
  v = f(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
  v = f(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6));
  return v[0];
}
inline float sum(Six v) {
  return fold(v, [](Six a, Six b) { return a + b; });
}
inline float greatest(Six v) {
  return fold(v, [](Six a, Six b) { return max(a, b); });
}
inline float least(Six v) {
  return fold(v, [](Six a, Six b) { return min(a, b); });
}

/// Returns the equation's left-hand side at the value of each term. A term is used if this is below 1. The
/// test needs no root, and the terms used are always the earliest ones.
inline Six pressureOf(Six rise, Six weight) {
  Six pressure{};
#pragma GCC unroll 6
  for (int j = 0; j < terms; ++j) {
    const Six d = max(rise - broadcast(rise[j]), Six{});
    pressure += broadcast(weight[j]) * d * d;
  }
  return pressure;
}

/// Returns the minimum v with sum of weight * max(0, v - value)^2 = 1, in differences to the minimum value.
/// The term under the root, B^2 - A C of the quadratic equation, is a sum of non-negative terms.
inline float solve(Six value, Six weight, float base) {
  const Six rise = value - base, pressure = pressureOf(rise, weight);
  const Six w = pressure < 1.f ? weight : Six{};
  const float a = sum(w), b = sum(w * rise), root = sum(w * (1.f - pressure));
  return base + (b + __builtin_sqrtf(root)) / a;
}

/// Returns whether the equation's left-hand side at v is above 1: the update is then below v.
inline bool isAbove(Six value, Six weight, float v) {
  const Six d = max(v - value, Six{});
  return sum(weight * d * d) > 1.f;
}

/// One side of each pair in the equation.
struct Side {
  Six value; ///< value corrected by the remainder of T's Taylor series, which is not positive
  Six least; ///< lower bound of a solution that uses the side
};

class Point {
public:
  Point(const TensorView& view, std::int64_t p)
      : point(view.point[p]), offsets(view.offsets[point.stencil]), u(view.value + p) {
    const SixMask idle{0, 0, 0, 0, 0, 0, -1, -1};
    const Six raw = *reinterpret_cast<const Six*>(&point);
    weight = idle ? Six{} : raw;
  }

  float updated() const {
    const Six value = min(side<1>(), side<-1>());
    if (!isAbove(value, weight, *u)) return *u;
    return min(solve(value, weight, least(value)), *u);
  }

  float updated(const TensorSeed& seed) const;
  float leastFrom(const Side& up, const Side& down) const;

private:
  const TensorPoint& point;
  const TensorOffsets& offsets;
  const float* u;
  Six weight;

  static float min(float a, float b) { return a < b ? a : b; }
  static Six min(Six a, Six b) { return a < b ? a : b; }

  template <int sign>
  Six side() const {
    if ((point.clear & allClear) == allClear) {
      const auto at = [&](int r) { return u[sign * offsets.step[r]]; };
      return Six{at(0), at(1), at(2), at(3), at(4), at(5), never, never};
    }
    Six v = broadcast(never);
    for (int r = 0; r < terms; ++r)
      if (point.clear >> (sign > 0 ? r : r + terms) & 1) v[r] = u[sign * offsets.step[r]];
    return v;
  }
};

/// The straight line from the seed to the point, and the offsets, in the metric of the seed.
struct FromSeed {
  Six own;
  Six along;  ///< <point - seed, offset> in the metric
  Six square; ///< square of the offset, in the metric
  Six radius;
};

/// Corrects one side as FactoredUpdate.h does for neighbours along the axes: see DESIGN.md for `least`.
template <int sign>
inline Side corrected(const FromSeed& from, Six value, Six distance) {
  const Six way = -float(sign) * from.along; // towards the seed
  const Six squared = max(from.own * from.own - 2.f * way + from.square, Six{});
  const Six far = sqrt(squared), both = from.own + far, less = (2.f * way - from.square) / both;
  Side side;
  side.value = value + (way * less - from.own * from.square) / (from.own * both);
  const Six fromAxis = from.own * from.own * from.square - way * way;
  const SixMask beyond = (way > 0.f) & (far > from.own * 0.999f) & (distance < from.radius) &
                         (fromAxis > 0.999f * from.square * from.square);
  side.least = beyond ? side.value : value;
  return side;
}

inline float Point::updated(const TensorSeed& seed) const {
  const float x = seed.away[0], y = seed.away[1], z = seed.away[2];
  const float* length = seed.length;
  const float* g = seed.metric;
  const float gx = g[0] * x + g[3] * y + g[5] * z, gy = g[3] * x + g[1] * y + g[4] * z,
              gz = g[5] * x + g[4] * y + g[2] * z;
  const auto component = [&](int c) { return *reinterpret_cast<const Six*>(offsets.component[c]); };
  const Six ex = component(0), ey = component(1), ez = component(2);
  const auto distance = [&](float sign) {
    const Six dx = (x + sign * ex) * length[0], dy = (y + sign * ey) * length[1],
              dz = (z + sign * ez) * length[2];
    return dx * dx + dy * dy + dz * dz;
  };
  if (distance(0)[0] >= seed.radius * seed.radius) return updated();
  FromSeed from;
  from.own = broadcast(__builtin_sqrtf(gx * x + gy * y + gz * z));
  if (!(from.own[0] > 0)) return updated();
  from.along = gx * ex + gy * ey + gz * ez;
  from.square =
      ex * (g[0] * ex + 2 * g[3] * ey) + ey * (g[1] * ey + 2 * g[4] * ez) + ez * (g[2] * ez + 2 * g[5] * ex);
  from.radius = broadcast(seed.radius * seed.radius);
  const Side up = corrected<1>(from, side<1>(), distance(1)),
             down = corrected<-1>(from, side<-1>(), distance(-1));
  const Six value = min(up.value, down.value);
  if (!isAbove(value, weight, *u)) return *u;
  const float base = least(value), free = solve(value, weight, base);
  const SixMask used = (pressureOf(value - base, weight) < 1.f) & (weight > 0.f);
  const Six latest = up.value < down.value ? up.least : down.least;
  if (greatest(used ? latest : broadcast(-never)) <= free) return min(free, *u);
  return min(leastFrom(up, down), *u);
}

/// Returns the minimum solution with bounds. A side applies from its bound on: the solution uses all sides
/// whose bounds are not later than some bound, or equals that bound; see FactoredUpdate.h.
inline float Point::leastFrom(const Side& up, const Side& down) const {
  float best = never;
  for (int s = 0; s < 2; ++s)
    for (int r = 0; r < terms; ++r) {
      const float bound = (s ? down : up).least[r];
      if (!(weight[r] > 0) || bound >= best) continue;
      const Six early = broadcast(bound), none = broadcast(never);
      const Six value = min(up.least > early ? none : up.value, down.least > early ? none : down.value);
      const float v = solve(value, weight, least(value));
      best = min(best, v > bound ? v : bound);
    }
  return best;
}

} // namespace

float updateTensorPoint(const TensorView& view, std::int64_t p) { return Point(view, p).updated(); }
float updateTensorPointNearSeed(const TensorView& view, std::int64_t p, const TensorSeed& seed) {
  return Point(view, p).updated(seed);
}

} // namespace isochrone::image::ISOCHRONE_ISA
