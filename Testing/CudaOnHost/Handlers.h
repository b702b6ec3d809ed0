// Handlers.h - handlers of instructions without side effects. Each is a vectorisable loop over the 32 lanes.
// Operands as in Instruction; `op` is from Operations.h.
#pragma once

#include "Block.h"

#include <cstring>

namespace on_host {

/// Sets the result in the lanes of the mask; the other lanes keep their value.
template <class D, class G>
[[gnu::always_inline]] inline void eachLane(Warp& w, D* d, G g) {
  const u32 mask = w.mask;
  if (mask == allLanes) {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) d[l] = g(l);
  } else {
#pragma GCC ivdep
    for (int l = 0; l < 32; ++l) d[l] = mask >> l & 1 ? g(l) : d[l];
  }
}

/// Calls f(lane) for the lanes of a mask.
template <class F>
[[gnu::always_inline]] inline void forLanes(u32 mask, F f) {
  if (mask == allLanes)
    for (int l = 0; l < 32; ++l) f(l);
  else
    for (; mask; mask &= mask - 1) f(std::countr_zero(mask));
}

/// Predicates are words with one bit per lane.
inline void setPredicate(Warp& w, u32 offset, u32 bits) {
  u32& d = *w.reg<u32>(offset);
  d = (d & ~w.mask) | (bits & w.mask);
}

template <class T, auto op>
void unary(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) -> T { return op(a[l]); });
}
template <class T, auto op>
void binary(Warp& w, const Instruction& i) {
  const T *a = w.reg<T>(i.o[1]), *b = w.reg<T>(i.o[2]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) -> T { return op(a[l], b[l]); });
}
template <class T, auto op>
void ternary(Warp& w, const Instruction& i) {
  const T *a = w.reg<T>(i.o[1]), *b = w.reg<T>(i.o[2]), *c = w.reg<T>(i.o[3]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) -> T { return op(a[l], b[l], c[l]); });
}
/// The shift distance has 32 bits.
template <class T, auto op>
void shift(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  const u32* b = w.reg<u32>(i.o[2]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) -> T { return op(a[l], b[l]); });
}
template <class D, class S, auto op>
void convert(Warp& w, const Instruction& i) {
  const S* a = w.reg<S>(i.o[1]);
  eachLane(w, w.reg<D>(i.o[0]), [&](int l) -> D { return op.template operator()<D>(a[l]); });
}
template <class T, auto op>
void compare(Warp& w, const Instruction& i) {
  const T *a = w.reg<T>(i.o[1]), *b = w.reg<T>(i.o[2]);
  u32 bits = 0;
  for (int l = 0; l < 32; ++l) bits |= op(a[l], b[l]) ? 1u << l : 0u;
  setPredicate(w, i.o[0], bits);
}
template <auto op>
void predicates(Warp& w, const Instruction& i) {
  setPredicate(w, i.o[0], op(*w.reg<u32>(i.o[1]), *w.reg<u32>(i.o[2])));
}
template <class T>
void select(Warp& w, const Instruction& i) {
  const T *a = w.reg<T>(i.o[1]), *b = w.reg<T>(i.o[2]);
  const u32 p = *w.reg<u32>(i.o[3]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) -> T { return p >> l & 1 ? a[l] : b[l]; });
}

/// mul.wide and mad.wide: the product has twice as many bits as its factors.
template <class D, class S, bool addsThird>
void wide(Warp& w, const Instruction& i) {
  const S *a = w.reg<S>(i.o[1]), *b = w.reg<S>(i.o[2]);
  const D* c = w.reg<D>(i.o[3]);
  eachLane(w, w.reg<D>(i.o[0]), [&](int l) -> D {
    const D p = product(D(a[l]), D(b[l]));
    return addsThird ? sum(p, c[l]) : p;
  });
}

template <class T>
void bitFieldInsert(Warp& w, const Instruction& i) {
  const T *a = w.reg<T>(i.o[1]), *b = w.reg<T>(i.o[2]);
  const u32 *at = w.reg<u32>(i.o[3]), *count = w.reg<u32>(i.o[4]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) { return insertField(a[l], b[l], at[l], count[l]); });
}
template <class T>
void bitFieldExtract(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  const u32 *at = w.reg<u32>(i.o[2]), *count = w.reg<u32>(i.o[3]);
  eachLane(w, w.reg<T>(i.o[0]), [&](int l) { return extractField(a[l], at[l], count[l]); });
}

/// Runs a handler with three word operands.
template <class F>
void fromWords(Warp& w, const Instruction& i, F f) {
  const u32 *a = w.reg<u32>(i.o[1]), *b = w.reg<u32>(i.o[2]), *c = w.reg<u32>(i.o[3]);
  eachLane(w, w.reg<u32>(i.o[0]), [&](int l) -> u32 { return f(a[l], b[l], c[l]); });
}
/// mode: 1 right, 2 clamp distances to 32, 3 both
inline void funnel(Warp& w, const Instruction& i) {
  fromWords(w, i, [&](u32 a, u32 b, u32 c) { return funnelShift(a, b, c, i.mode & 1, i.mode & 2); });
}
inline void logic(Warp& w, const Instruction& i) {
  fromWords(w, i, [&](u32 a, u32 b, u32 c) { return logic3(a, b, c, u32(i.imm)); });
}
inline void permute(Warp& w, const Instruction& i) { fromWords(w, i, permuteBytes); }

/// testp; mode: index in testedProperties.
inline constexpr const char* testedProperties[] = {"finite",     "infinite", "number",
                                                   "notanumber", "normal",   "subnormal"};
template <class T>
void testProperty(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  u32 bits = 0;
  for (int l = 0; l < 32; ++l) {
    const int c = std::fpclassify(a[l]);
    const bool has[] = {c != FP_INFINITE && c != FP_NAN,
                        c == FP_INFINITE,
                        c != FP_NAN,
                        c == FP_NAN,
                        c == FP_NORMAL,
                        c == FP_SUBNORMAL};
    bits |= has[i.mode] ? 1u << l : 0u;
  }
  setPredicate(w, i.o[0], bits);
}

/// mov.b64 d, {a, b}: the parts are in o[1], ...
template <class Whole, class Part>
void pack(Warp& w, const Instruction& i) {
  eachLane(w, w.reg<Whole>(i.o[0]), [&](int l) -> Whole {
    Whole r = 0;
    for (u32 k = 0; k < sizeof(Whole) / sizeof(Part); ++k)
      r |= Whole(w.reg<Part>(i.o[1 + k])[l]) << (bitsOf<Part> * k);
    return r;
  });
}
/// mov.b64 {a, b}, c: the parts are in o[0], ..., the whole in o[4]
template <class Whole, class Part>
void unpack(Warp& w, const Instruction& i) {
  Whole whole[32]; // a part may overlap its source
  std::memcpy(whole, w.reg<Whole>(i.o[4]), sizeof whole);
  for (u32 k = 0; k < sizeof(Whole) / sizeof(Part); ++k)
    if (i.o[k])
      eachLane(w, w.reg<Part>(i.o[k]), [&](int l) -> Part { return Part(whole[l] >> (bitsOf<Part> * k)); });
}

/// Reads a clock that advances by one per read.
template <class T>
void readClock(Warp& w, const Instruction& i) {
  static u64 time = 0;
  const T now = T(++time);
  eachLane(w, w.reg<T>(i.o[0]), [&](int) { return now; });
}
inline void nothing(Warp&, const Instruction&) {}

} // namespace on_host
