// SimdPair.h - two float vectors as one number: two independent chains of operations hide the latency of each
// other's divisions and roots.
#pragma once

#include "Execution/Simd.h"

namespace isochrone::execution::ISOCHRONE_ISA {

struct PairVec {
  using Half = Vector<float>;

  Half::Vec low, high;
  PairVec() = default;
  // Copies member by member: g++ 12 copies the whole in pieces of 16 bytes through memory.
  PairVec(const PairVec& other) : low(other.low), high(other.high) {}
  PairVec& operator=(const PairVec& other) {
    low = other.low;
    high = other.high;
    return *this;
  }
  PairVec(Half::Vec l, Half::Vec h) : low(l), high(h) {}
  PairVec(float a) : low(Half::broadcast(a)), high(low) {}
};
inline PairVec operator+(PairVec a, PairVec b) { return {a.low + b.low, a.high + b.high}; }
inline PairVec operator-(PairVec a, PairVec b) { return {a.low - b.low, a.high - b.high}; }
inline PairVec operator*(PairVec a, PairVec b) { return {a.low * b.low, a.high * b.high}; }
inline PairVec operator/(PairVec a, PairVec b) { return {a.low / b.low, a.high / b.high}; }
inline PairVec operator-(PairVec a) { return {-a.low, -a.high}; }
inline PairVec& operator+=(PairVec& a, PairVec b) { return a = a + b; }
inline PairVec& operator*=(PairVec& a, PairVec b) { return a = a * b; }

/// Operations of Vector<float>. Bit l of a mask: lane l of the pair.
struct Pair {
  using Half = PairVec::Half;
  using Vec = PairVec;
  struct Mask {
    Half::Mask low, high;
  };
  static constexpr int width = 2 * Half::width;

  static Vec load(const float* p) { return {Half::load(p), Half::load(p + Half::width)}; }
  static void store(float* p, Vec v) {
    Half::store(p, v.low);
    Half::store(p + Half::width, v.high);
  }
  static Vec broadcast(float a) { return a; }
  static Vec min(Vec a, Vec b) { return {Half::min(a.low, b.low), Half::min(a.high, b.high)}; }
  static Vec max(Vec a, Vec b) { return {Half::max(a.low, b.low), Half::max(a.high, b.high)}; }
  static Vec sqrt(Vec a) { return {Half::sqrt(a.low), Half::sqrt(a.high)}; }
  static Mask greater(Vec a, Vec b) { return {Half::greater(a.low, b.low), Half::greater(a.high, b.high)}; }
  static Mask both(Mask a, Mask b) { return {Half::both(a.low, b.low), Half::both(a.high, b.high)}; }
  static Mask without(Mask a, Mask b) { return {Half::without(a.low, b.low), Half::without(a.high, b.high)}; }
  static Vec select(Mask m, Vec a, Vec b) {
    return {Half::select(m.low, a.low, b.low), Half::select(m.high, a.high, b.high)};
  }
  static Vec loadWhere(Mask m, const float* p, Vec other) {
    return {Half::loadWhere(m.low, p, other.low), Half::loadWhere(m.high, p + Half::width, other.high)};
  }
  static bool any(Mask m) { return (Half::bits(m.low) | Half::bits(m.high)) != 0; }
  static std::uint32_t bits(Mask m) { return Half::bits(m.low) | Half::bits(m.high) << Half::width; }
  static Mask fromBits(std::uint32_t b) { return {Half::fromBits(b), Half::fromBits(b >> Half::width)}; }
};

} // namespace isochrone::execution::ISOCHRONE_ISA
