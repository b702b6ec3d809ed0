// MemoryAccess.cxx - uncommon accesses: outside global memory, or invalid.
#include "MemoryHandlers.h"

#include <algorithm>
#include <iterator>

namespace on_host {

namespace {

std::string bytesText(unsigned bytes, const std::string& where) {
  return std::to_string(bytes) + " bytes at " + where;
}

Located outOfBounds(Warp& w, int lane, const std::string& what) {
  w.fault("out of bounds", lane, what);
  return {nullptr, 0, Space::Generic};
}

void globalFault(Warp& w, int lane, u64 address, unsigned bytes, bool write) {
  w.fault(write ? "write out of bounds" : "read out of bounds", lane,
          bytesText(bytes, DeviceMemory::get().describe(address)));
}

} // namespace

Located locateElsewhere(Warp& w, int lane, u64 address, unsigned bytes, bool write, Space space) {
  Block& b = *w.block;
  if (space == Space::Generic) {
    const u64 window = address & windowMask;
    space = window == sharedWindow  ? Space::Shared
            : window == localWindow ? Space::Local
            : window == paramWindow ? Space::Param
                                    : Space::Global;
    if (space != Space::Global) address &= ~windowMask;
  }
  if (address & (bytes - 1)) {
    w.fault("misaligned access", lane, bytesText(bytes, std::to_string(address)));
    return {nullptr, 0, space};
  }
  if (space == Space::Global) {
    if (DeviceMemory::get().owns(address)) return {DeviceMemory::get().host(address), address, space};
    globalFault(w, lane, address, bytes, write);
    return {nullptr, 0, space};
  }
  if (space == Space::Shared) {
    address = u32(address);
    if (address + bytes > b.sharedBytes)
      return outOfBounds(w, lane,
                         bytesText(bytes, std::to_string(address) + " of " + std::to_string(b.sharedBytes) +
                                              " bytes of shared memory"));
    return {b.shared.data() + address, address, space};
  }
  if (space == Space::Local) {
    const u32 size = b.kernel->localBytes;
    if (address + bytes > size) return outOfBounds(w, lane, "local memory");
    return {b.local.data() + u64(w.thread(lane)) * size + address, address, space};
  }
  const std::vector<u8>& params = b.launch->params;
  if (address + bytes > params.size() || write) return outOfBounds(w, lane, "parameters");
  return {const_cast<u8*>(params.data()) + address, address, space};
}

void countAccess(Warp& w, const u64 (&address)[32], unsigned bytes, Space declared, bool uncached) {
  constexpr unsigned banks = 32, bankBytes = 4, sectorBytes = 32;
  const u64 window = address[std::countr_zero(w.mask)] & windowMask;
  const bool shared = declared == Space::Shared || (declared == Space::Generic && window == sharedWindow),
             global = declared == Space::Global || (declared == Space::Generic && window == 0);
  Counts& counts = w.block->kernel->counts;
  u64 units[32 * 4], *end = units; // sectors or words
  const auto distinct = [&] {
    std::sort(units, end);
    end = std::unique(units, end);
  };
  if (global) { // aligned and at most 16 bytes each: within one sector
    forLanes(w.mask, [&](int l) { *end++ = address[l] / sectorBytes; });
    distinct();
    counts.sectors += end - units;
    for (const u64* sector = units; sector != end; ++sector) {
      u64& held = w.block->cached[*sector % std::size(w.block->cached)];
      counts.fetched += uncached || held != *sector;
      held = *sector;
    }
  } else if (shared) { // 128 bytes at a time: with 8 bytes per lane half of the lanes, with 16 bytes a
                       // quarter
    const int lanesAtOnce = bytes <= bankBytes ? 32 : int(banks * bankBytes / bytes);
    for (int first = 0; first < 32; first += lanesAtOnce) {
      end = units;
      for (int l = first; l < first + lanesAtOnce; ++l)
        for (u64 a = address[l]; (w.mask >> l & 1) && a < address[l] + bytes; a += bankBytes)
          *end++ = a / bankBytes;
      distinct();
      int passes[banks] = {};
      for (const u64* word = units; word != end; ++word) ++passes[*word % banks];
      counts.conflicts += std::max(0, *std::ranges::max_element(passes) - 1);
    }
  }
}

bool checkStates(Warp& w, int lane, u64 address, unsigned bytes, bool write) {
  u8* states = DeviceMemory::get().states(address);
  for (unsigned b = 0; b < bytes; ++b)
    if (states[b] == notAllocated || states[b] == freed) {
      globalFault(w, lane, address, bytes, write);
      return false;
    }
  if (write)
    std::memset(states, written, bytes);
  else
    w.finding("read of memory that nobody wrote", lane,
              bytesText(bytes, DeviceMemory::get().describe(address)));
  return true;
}

} // namespace on_host
