// Loops along rows, compiled once per instruction set.
#include "OrientedCost/Rows.h"

#include "Execution/Simd.h"

namespace isochrone::oriented::ISOCHRONE_ISA {

namespace {

using Floats = execution::ISOCHRONE_ISA::Vector<float>;
constexpr int width = Floats::width;

/// Computes n vectors at once, as n independent sums.
template <int n, bool greater>
void sums(const float* in, const Taps& taps, float* out) {
  Floats::Vec sum[n] = {};
  for (int t = 0; t < taps.count; ++t) {
    const Floats::Vec weight = Floats::broadcast(taps.weight[t]);
    const float* from = in + taps.offset[t];
    for (int v = 0; v < n; ++v) sum[v] = sum[v] + weight * Floats::load(from + v * width);
  }
  for (int v = 0; v < n; ++v)
    Floats::store(out + v * width, greater ? Floats::max(sum[v], Floats::load(out + v * width)) : sum[v]);
}

template <bool greater>
void sumsOfRow(const float* in, const Taps& taps, float* out, std::int64_t n) {
  constexpr int together = 4;
  std::int64_t i = 0;
  for (; i + together * width <= n; i += together * width) sums<together, greater>(in + i, taps, out + i);
  for (; i < n; i += width) sums<1, greater>(in + i, taps, out + i);
}

} // namespace

void weigh(const float* in, const Taps& taps, float* out, std::int64_t n) {
  sumsOfRow<false>(in, taps, out, n);
}

void raise(const float* in, const Taps& taps, float* out, std::int64_t n) {
  sumsOfRow<true>(in, taps, out, n);
}

void steer(const float* const in[3], const float weight[3], float* out, std::int64_t n) {
  for (std::int64_t i = 0; i < n; i += width) {
    Floats::Vec sum = Floats::broadcast(weight[0]) * Floats::load(in[0] + i);
    for (int a = 1; a < 3; ++a) sum = sum + Floats::broadcast(weight[a]) * Floats::load(in[a] + i);
    Floats::store(out + i, sum);
  }
}

} // namespace isochrone::oriented::ISOCHRONE_ISA
