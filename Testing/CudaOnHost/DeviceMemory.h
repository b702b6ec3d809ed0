// DeviceMemory.h - device memory. The host cannot read its addresses: an access faults immediately. The state
// of every byte detects kernels that read uninitialised or unallocated memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace on_host {

enum ByteState : std::uint8_t { notAllocated = 0, notWritten = 1, written = 2, freed = 3 };

/// Last accesses to four bytes in this launch; Races.cxx defines the words.
struct Touch {
  std::uint64_t write, read;
};

class DeviceMemory {
public:
  /// Returns the instance of the process, which outlives static destructors of the program.
  static DeviceMemory& get() { return *only; }

  /// Allocates memory of a device, filled with NaN and -1. Returns 0 if there is not enough left, or if
  /// CUDA_ON_HOST_FAIL_ALLOCATION is the number of this allocation (from 1).
  std::uint64_t allocate(std::size_t bytes, int device);
  /// Frees an allocation. Returns false if none begins at the address.
  bool release(std::uint64_t address);

  bool owns(std::uint64_t address) const { return address - base < reserved; }
  /// Returns whether all bytes belong to one allocation.
  bool valid(std::uint64_t address, std::size_t bytes) const;
  /// Returns "byte 12 of an allocation of 64 bytes".
  std::string describe(std::uint64_t address) const;

  /// Return the host address, the state, the last accesses of a byte, and the launch in which they are quiet
  /// (Races.h). The address must be owned.
  std::uint8_t* host(std::uint64_t address) const { return memory + (address - base); }
  std::uint8_t* states(std::uint64_t address) const { return stateBytes + (address - base); }
  Touch& touch(std::uint64_t address) const { return touches[(address - base) / 4]; }
  std::uint16_t& quiet(std::uint64_t address) const { return quietLaunches[(address - base) / 4]; }
  void forgetTouches();

  /// Bytes of each device.
  std::size_t total() const { return maximum; }
  std::size_t free(int device) const;

private:
  static constexpr std::uint64_t reserved = std::uint64_t(1) << 36; ///< bytes of address space

  DeviceMemory();
  std::uint64_t place(std::size_t bytes);

  static DeviceMemory* const only;
  std::uint64_t base = 0, top = 0;
  std::size_t maximum;
  std::uint8_t* memory = nullptr;
  std::uint8_t* stateBytes = nullptr;
  Touch* touches = nullptr;
  std::uint16_t* quietLaunches = nullptr;
  std::map<std::uint64_t, std::size_t> blocks; ///< sizes by address
  std::map<std::uint64_t, int> devices;        ///< of the blocks
  std::map<int, std::size_t> used;             ///< bytes by device
  std::map<std::uint64_t, std::size_t> gone;   ///< freed, including the red zone
};

} // namespace on_host
