#include "DeviceMemory.h"
#include "Report.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace on_host {

namespace {

/// Reserves address space; pages are allocated on the first write.
template <class T>
T* reserve(std::size_t bytes, int protection) {
  void* p = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    std::fprintf(stderr, "cuda-on-host: cannot reserve %zu bytes of address space\n", bytes);
    std::abort();
  }
  return static_cast<T*>(p);
}

/// Returns the size with alignment (cudaMalloc aligns to 512 bytes here) and the red zone behind it.
std::size_t withRedZone(std::size_t bytes) {
  constexpr std::size_t grain = 512;
  return (bytes + grain - 1) / grain * grain + grain;
}

/// Returns the whole pages of a range to the system.
void dropPages(std::uint8_t* begin, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (at + page - 1) / page * page, last = (at + bytes) / page * page;
  if (last > first) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

} // namespace

DeviceMemory* const DeviceMemory::only = new DeviceMemory;

DeviceMemory::DeviceMemory() : maximum(std::size_t(setting("MEMORY_MB", 8192)) << 20) {
  base = top = reinterpret_cast<std::uint64_t>(reserve<void>(reserved, PROT_NONE));
  memory = reserve<std::uint8_t>(reserved, PROT_READ | PROT_WRITE);
  stateBytes = reserve<std::uint8_t>(reserved, PROT_READ | PROT_WRITE);
  touches = reserve<Touch>(reserved / 4 * sizeof(Touch), PROT_READ | PROT_WRITE);
  quietLaunches = reserve<std::uint16_t>(reserved / 4 * sizeof(std::uint16_t), PROT_READ | PROT_WRITE);
}

/// Returns new addresses as long as there are any, so that accesses to freed memory are recognised.
std::uint64_t DeviceMemory::place(std::size_t bytes) {
  if (top + bytes <= base + reserved) {
    top += bytes;
    return top - bytes;
  }
  for (const auto& [start, length] : gone) {
    if (length < bytes) continue;
    const std::uint64_t address = start;
    if (length > bytes) gone[start + bytes] = length - bytes;
    gone.erase(start);
    return address;
  }
  return 0;
}

std::size_t DeviceMemory::free(int device) const {
  const auto taken = used.find(device);
  return maximum - (taken == used.end() ? 0 : taken->second);
}

std::uint64_t DeviceMemory::allocate(std::size_t bytes, int device) {
  const std::size_t take = withRedZone(bytes);
  if (take < bytes || take > free(device)) return 0;
  const std::uint64_t address = place(take);
  if (!address) return 0;
  blocks[address] = bytes;
  devices[address] = device;
  used[device] += take;
  std::memset(host(address), 0xff, bytes);
  std::memset(states(address), notWritten, bytes);
  std::memset(states(address) + bytes, notAllocated, take - bytes);
  return address;
}

bool DeviceMemory::release(std::uint64_t address) {
  const auto block = blocks.find(address);
  if (block == blocks.end()) return false;
  const std::size_t take = withRedZone(block->second);
  std::memset(states(address), freed, block->second);
  dropPages(host(address), take);
  used[devices[address]] -= take;
  gone[address] = take;
  blocks.erase(block);
  devices.erase(address);
  return true;
}

void DeviceMemory::forgetTouches() {
  madvise(touches, reserved / 4 * sizeof(Touch), MADV_DONTNEED);
  madvise(quietLaunches, reserved / 4 * sizeof(std::uint16_t), MADV_DONTNEED);
}

bool DeviceMemory::valid(std::uint64_t address, std::size_t bytes) const {
  if (bytes == 0) return true;
  auto block = blocks.upper_bound(address);
  if (block == blocks.begin()) return false;
  --block;
  return address - block->first + bytes <= block->second;
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  constexpr std::uint64_t near = 1 << 20;
  const auto in = [&](const std::map<std::uint64_t, std::size_t>& all, std::uint64_t beyond,
                      const char* what) {
    auto block = all.upper_bound(address);
    if (block == all.begin() || address - (--block)->first >= block->second + beyond) return std::string();
    return "byte " + std::to_string(address - block->first) + " of an allocation of " +
           std::to_string(block->second) + " bytes" + what;
  };
  if (const std::string text = in(gone, 0, ", freed"); !text.empty()) return text;
  if (const std::string text = in(blocks, near, ""); !text.empty()) return text;
  const auto after = blocks.upper_bound(address);
  if (after != blocks.end() && after->first - address < near)
    return std::to_string(after->first - address) + " bytes before an allocation";
  char text[64];
  std::snprintf(text, sizeof text, "address 0x%llx, no device memory",
                static_cast<unsigned long long>(address));
  return text;
}

} // namespace on_host
