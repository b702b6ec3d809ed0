// MemoryHandlers.h - handlers that access memory. They check each lane's address and record the access.
#pragma once

#include "Handlers.h"

#include <algorithm>

namespace on_host {

/// Target of a lane's access; `memory` is null after a fault.
struct Located {
  u8* memory;
  u64 address; ///< global: device address; else relative to the begin of its space
  Space space;
};

// Defined in MemoryAccess.cxx.
Located locateElsewhere(Warp& w, int lane, u64 address, unsigned bytes, bool write, Space space);
/// Reports a fault or a finding for global bytes that are not all written. Returns false after a fault.
bool checkStates(Warp& w, int lane, u64 address, unsigned bytes, bool write);
/// Adds the cost of a warp instruction to the kernel's counts.
/// @param uncached  a store, or an access that other threads may see immediately
void countAccess(Warp& w, const u64 (&address)[32], unsigned bytes, Space declared, bool uncached);

template <Space declared>
[[gnu::always_inline]] inline Located locate(Warp& w, int lane, u64 address, unsigned bytes, bool write) {
  if (declared == Space::Global && (address & (bytes - 1)) == 0 && DeviceMemory::get().owns(address))
    return {DeviceMemory::get().host(address), address, Space::Global};
  return locateElsewhere(w, lane, address, bytes, write, declared);
}

template <unsigned bytes>
bool allWritten(const u8* states) {
  for (unsigned b = 0; b < bytes; ++b)
    if (states[b] != written) return false;
  return true;
}

/// Returns false after a fault.
template <unsigned bytes>
[[gnu::always_inline]] inline bool mayRead(Warp& w, int lane, const Located& at, const Instruction& i) {
  Block& b = *w.block;
  if (at.space == Space::Shared) {
    if (settings().sharedRaces) b.sharedRead(w, lane, u32(at.address), bytes, i.strong);
  } else if (at.space == Space::Global && settings().memory) {
    if (!allWritten<bytes>(DeviceMemory::get().states(at.address)) &&
        !checkStates(w, lane, at.address, bytes, false))
      return false;
    if (settings().globalRaces && !b.quietRead(at.address, bytes))
      b.globalRead(w, lane, at.address, bytes, i);
  }
  return true;
}
/// @param same  the written value equals the current one
template <unsigned bytes>
[[gnu::always_inline]] inline bool mayWrite(Warp& w, int lane, const Located& at, const Instruction& i,
                                            bool same) {
  Block& b = *w.block;
  if (at.space == Space::Shared) {
    if (settings().sharedRaces) b.sharedWrite(w, lane, u32(at.address), bytes, same, i.strong);
  } else if (at.space == Space::Global && settings().memory) {
    if (!allWritten<bytes>(DeviceMemory::get().states(at.address)) &&
        !checkStates(w, lane, at.address, bytes, true))
      return false;
    if (settings().globalRaces) b.globalWrite(w, lane, at.address, bytes, same, i);
  }
  return true;
}

/// Calls f(lane, where) for each lane that takes part, until the kernel fails. Address is the type of the
/// address register.
template <Space space, class Address, unsigned bytes, class F>
[[gnu::always_inline]] inline void access(Warp& w, const Instruction& i, bool write, F f) {
  Address address[32];
  const Address* base = w.reg<Address>(i.o[4]);
  for (int l = 0; l < 32; ++l) address[l] = Address(base[l] + Address(i.imm));
  if (settings().counts) {
    u64 wide[32];
    std::copy(address, address + 32, wide);
    countAccess(w, wide, bytes, space, write || i.strong);
  }
  forLanes(w.mask, [&](int l) {
    if (w.block->failed) return;
    const Located at = locate<space>(w, l, address[l], bytes, write);
    if (at.memory) f(l, at);
  });
}

/// Element is the type in memory, Register the type in registers.
template <Space space, class Address, class Element, class Register, int count>
void load(Warp& w, const Instruction& i) {
  constexpr unsigned bytes = sizeof(Element) * count;
  access<space, Address, bytes>(w, i, false, [&](int l, const Located& at) {
    if (!mayRead<bytes>(w, l, at, i)) return;
    Element values[count];
    std::memcpy(values, at.memory, bytes);
    for (int v = 0; v < count; ++v) w.reg<Register>(i.o[v])[l] = Register(values[v]);
  });
}
template <Space space, class Address, class Element, class Register, int count>
void store(Warp& w, const Instruction& i) {
  constexpr unsigned bytes = sizeof(Element) * count;
  access<space, Address, bytes>(w, i, true, [&](int l, const Located& at) {
    Element values[count];
    for (int v = 0; v < count; ++v) values[v] = Element(w.reg<Register>(i.o[v])[l]);
    const bool same = std::memcmp(at.memory, values, bytes) == 0;
    if (mayWrite<bytes>(w, l, at, i, same)) std::memcpy(at.memory, values, bytes);
  });
}

/// Loads a parameter at a constant offset, the same for all lanes.
template <class Element, class Register, int count>
void loadParameter(Warp& w, const Instruction& i) {
  const std::vector<u8>& params = w.block->launch->params;
  Element values[count];
  if (u64(i.imm) + sizeof values > params.size())
    return w.fault("out of bounds", std::countr_zero(w.mask), "parameters");
  std::memcpy(values, params.data() + i.imm, sizeof values);
  for (int v = 0; v < count; ++v)
    eachLane(w, w.reg<Register>(i.o[v]), [&](int) { return Register(values[v]); });
}

// Results of atomics from the old value and the operands.
inline constexpr auto atomicAdd = []<class T>(T old, T b, T) { return sum(old, b); };
inline constexpr auto atomicMin = []<class T>(T old, T b, T) { return b < old ? b : old; };
inline constexpr auto atomicMax = []<class T>(T old, T b, T) { return b > old ? b : old; };
inline constexpr auto atomicAnd = []<class T>(T old, T b, T) { return T(old & b); };
inline constexpr auto atomicOr = []<class T>(T old, T b, T) { return T(old | b); };
inline constexpr auto atomicXor = []<class T>(T old, T b, T) { return T(old ^ b); };
inline constexpr auto atomicExchange = []<class T>(T, T b, T) { return b; };
inline constexpr auto atomicCompareAndSwap = []<class T>(T old, T b, T c) { return old == b ? c : old; };
inline constexpr auto atomicIncrease = []<class T>(T old, T b, T) { return old >= b ? T(0) : T(old + 1); };
inline constexpr auto atomicDecrease = []<class T>(T old, T b, T) {
  return old == 0 || old > b ? b : T(old - 1);
};

template <Space space, class Address, class T, auto op>
void atomic(Warp& w, const Instruction& i) {
  access<space, Address, sizeof(T)>(w, i, true, [&](int l, const Located& at) {
    if (!mayRead<sizeof(T)>(w, l, at, i) || !mayWrite<sizeof(T)>(w, l, at, i, false)) return;
    T old;
    std::memcpy(&old, at.memory, sizeof old);
    const T value = op(old, w.reg<T>(i.o[1])[l], w.reg<T>(i.o[2])[l]);
    std::memcpy(at.memory, &value, sizeof value);
    if (i.o[0]) w.reg<T>(i.o[0])[l] = old;
  });
}

} // namespace on_host
