// WarpHandlers.h - instructions that exchange values between the lanes of a warp. The member mask is in o[5].
#pragma once

#include "Handlers.h"

namespace on_host {

/// Returns the lanes that the instruction waits for.
inline u32 members(Warp& w, const Instruction& i) { return w.reg<u32>(i.o[5])[std::countr_zero(w.mask)]; }

/// Returns the lanes whose predicate holds; imm 1 negates it.
inline u32 votes(Warp& w, const Instruction& i) {
  const u32 p = *w.reg<u32>(i.o[1]);
  return (i.imm ? ~p : p) & members(w, i) & w.mask;
}
/// mode: 0 all, 1 any, 2 all equal
inline void votePredicate(Warp& w, const Instruction& i) {
  const u32 yes = votes(w, i), who = members(w, i) & w.mask;
  const bool all = yes == who, any = yes != 0;
  setPredicate(w, i.o[0], (i.mode == 0 ? all : i.mode == 1 ? any : all || !any) ? allLanes : 0);
}
inline void voteBallot(Warp& w, const Instruction& i) {
  const u32 bits = votes(w, i);
  eachLane(w, w.reg<u32>(i.o[0]), [&](int) { return bits; });
}
inline void activeMask(Warp& w, const Instruction& i) {
  const u32 bits = w.mask;
  eachLane(w, w.reg<u32>(i.o[0]), [&](int) { return bits; });
}

/// shfl.sync: result, predicate or none, value, lane, clamp; mode: 0 up, 1 down, 2 bfly, 3 idx
inline void shuffle(Warp& w, const Instruction& i) {
  u32 from[32], result[32], inRange = 0;
  std::memcpy(from, w.reg<u32>(i.o[2]), sizeof from);
  const u32 *b = w.reg<u32>(i.o[3]), *c = w.reg<u32>(i.o[4]);
  for (int l = 0; l < 32; ++l) {
    const int step = b[l] & 31, clamp = c[l] & 31, segment = c[l] >> 8 & 31;
    const int last = (l & segment) | (clamp & ~segment), first = l & segment;
    const int other = i.mode == 0   ? l - step
                      : i.mode == 1 ? l + step
                      : i.mode == 2 ? l ^ step
                                    : first | (step & ~segment);
    const bool in = i.mode == 0 ? other >= last : other <= last;
    const int source = in ? other : l;
    result[l] = from[source];
    inRange |= u32(in) << l;
    if ((w.mask >> l & 1) && !(w.mask >> source & 1))
      w.finding("shuffle from a lane that is not there", l, "lane " + std::to_string(source));
  }
  eachLane(w, w.reg<u32>(i.o[0]), [&](int l) { return result[l]; });
  if (i.o[1]) setPredicate(w, i.o[1], inRange);
}

template <class T>
void matchAny(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  u32 same[32] = {};
  forLanes(w.mask, [&](int l) { forLanes(w.mask, [&](int m) { same[l] |= a[m] == a[l] ? 1u << m : 0u; }); });
  eachLane(w, w.reg<u32>(i.o[0]), [&](int l) { return same[l]; });
}
template <class T, auto op>
void warpReduce(Warp& w, const Instruction& i) {
  const T* a = w.reg<T>(i.o[1]);
  T value = a[std::countr_zero(w.mask)];
  forLanes(w.mask & (w.mask - 1), [&](int l) { value = op(value, a[l]); });
  eachLane(w, w.reg<T>(i.o[0]), [&](int) { return value; });
}

} // namespace on_host
