// MemoryHandlers.h - handlers that access memory. They check each lane's address and record the access.
#pragma once

#include "Handlers.h"
#include "Races.h"

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
  if (address & (bytes - 1)) return locateElsewhere(w, lane, address, bytes, write, declared);
  if ((declared == Space::Global || declared == Space::Generic) && DeviceMemory::get().owns(address))
    return {DeviceMemory::get().host(address), address, Space::Global};
  if (declared == Space::Shared && u64(u32(address)) + bytes <= w.block->sharedBytes)
    return {w.block->shared.data() + u32(address), u32(address), Space::Shared};
  return locateElsewhere(w, lane, address, bytes, write, declared);
}

template <unsigned bytes>
bool allWritten(const u8* states) {
  u8 expected[bytes];
  std::memset(expected, written, bytes);
  return std::memcmp(states, expected, bytes) == 0;
}

/// Returns false after a fault.
template <unsigned bytes>
[[gnu::always_inline]] inline bool mayRead(Warp& w, int lane, const Located& at, const Instruction& i) {
  Block& b = *w.block;
  if (at.space == Space::Shared) {
    if (settings().sharedRaces) SharedReads(w, i.strong).record(lane, u32(at.address), bytes);
  } else if (at.space == Space::Global && settings().memory) {
    if (!allWritten<bytes>(DeviceMemory::get().states(at.address)) &&
        !checkStates(w, lane, at.address, bytes, false))
      return false;
    if (settings().globalRaces && !isQuietRead<bytes>(b, at.address))
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
  Located at{nullptr, 0, space};
  Address last{};
  forLanes(w.mask, [&](int l) {
    if (w.block->failed) return;
    if (!at.memory || at.space == Space::Local || address[l] != last) // lanes often share an address
      at = locate<space>(w, l, last = address[l], bytes, write);
    if (at.memory) f(l, at);
  });
}

// One instance for all types of a size, since they take long to compile.

/// Reads shared memory unless the address of a lane is wrong; returns false then. The most frequent access.
template <class Address, unsigned bytes>
bool readShared(Warp& w, const Instruction& i, void* values) {
  const Block& b = *w.block;
  const Address* base = w.reg<Address>(i.o[4]);
  u32 offset[32], wrong = 0;
  for (int l = 0; l < 32; ++l) {
    offset[l] = u32(base[l] + Address(i.imm));
    wrong |= u32(offset[l] & (bytes - 1) || u64(offset[l]) + bytes > b.sharedBytes) << l;
  }
  if (wrong & w.mask) return false;
  const u8* const memory = b.shared.data();
  const SharedReads reads(w, i.strong);
  forLanes(w.mask, [&](int l) {
    reads.record(l, offset[l], bytes);
    std::memcpy(static_cast<u8*>(values) + l * bytes, memory + offset[l], bytes);
  });
  return true;
}

/// Reads `bytes` bytes per lane.
template <Space space, class Address, unsigned bytes>
void read(Warp& w, const Instruction& i, void* values) {
  if (space == Space::Shared && settings().sharedRaces && !settings().counts && !w.block->failed &&
      readShared<Address, bytes>(w, i, values))
    return;
  access<space, Address, bytes>(w, i, false, [&](int l, const Located& at) {
    if (mayRead<bytes>(w, l, at, i)) std::memcpy(static_cast<u8*>(values) + l * bytes, at.memory, bytes);
  });
}
template <Space space, class Address, unsigned bytes>
void write(Warp& w, const Instruction& i, const void* values) {
  access<space, Address, bytes>(w, i, true, [&](int l, const Located& at) {
    const u8* value = static_cast<const u8*>(values) + l * bytes;
    const bool same = std::memcmp(at.memory, value, bytes) == 0;
    if (mayWrite<bytes>(w, l, at, i, same)) std::memcpy(at.memory, value, bytes);
  });
}
/// Calls f(lane, memory) for each lane that may change `bytes` bytes.
template <Space space, class Address, unsigned bytes>
void update(Warp& w, const Instruction& i, void (*f)(Warp&, const Instruction&, int, u8*)) {
  access<space, Address, bytes>(w, i, true, [&](int l, const Located& at) {
    if (mayRead<bytes>(w, l, at, i) && mayWrite<bytes>(w, l, at, i, false)) f(w, i, l, at.memory);
  });
}

template <Space space, class Address, class Element, class Register, int count>
void load(Warp& w, const Instruction& i) {
  Element values[32][count];
  read<space, Address, sizeof values[0]>(w, i, values);
  for (int v = 0; v < count; ++v)
    eachLane(w, w.reg<Register>(i.o[v]), [&](int l) { return Register(values[l][v]); });
}
template <Space space, class Address, class Element, class Register, int count>
void store(Warp& w, const Instruction& i) {
  Element values[32][count];
  for (int v = 0; v < count; ++v) {
    const Register* from = w.reg<Register>(i.o[v]);
    for (int l = 0; l < 32; ++l) values[l][v] = Element(from[l]);
  }
  write<space, Address, sizeof values[0]>(w, i, values);
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
  update<space, Address, sizeof(T)>(w, i, [](Warp& warp, const Instruction& a, int l, u8* memory) {
    T old;
    std::memcpy(&old, memory, sizeof old);
    const T value = op(old, warp.reg<T>(a.o[1])[l], warp.reg<T>(a.o[2])[l]);
    std::memcpy(memory, &value, sizeof value);
    if (a.o[0]) warp.reg<T>(a.o[0])[l] = old;
  });
}

} // namespace on_host
