// DeviceMemory.h - device memory. Its addresses are not readable by the host: a host access faults at once.
// Every byte has a state, so that kernels cannot read what nobody wrote, nor touch what is not allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace on_host {

enum ByteState : std::uint8_t { notAllocated = 0, notWritten = 1, written = 2, freed = 3 };

/// Who touched four bytes last in this launch; the words are those of Races.cxx.
struct Touch {
  std::uint64_t write, read;
};

class DeviceMemory {
public:
  /// The one of the process. It outlives static destructors of the program.
  static DeviceMemory& get() { return *only; }

  /// Memory full of NaN and -1; 0 where there is not enough left, or where CUDA_ON_HOST_FAIL_ALLOCATION names
  /// this allocation (1: the first one).
  std::uint64_t allocate(std::size_t bytes);
  /// False where no allocation begins at the address.
  bool release(std::uint64_t address);

  bool owns(std::uint64_t address) const { return address - base < reserved; }
  /// Whether all bytes belong to one allocation.
  bool valid(std::uint64_t address, std::size_t bytes) const;
  /// "byte 12 of an allocation of 64 bytes"
  std::string describe(std::uint64_t address) const;

  /// Where the host holds a byte, its state, and its last touch. The address must be owned.
  std::uint8_t* host(std::uint64_t address) const { return memory + (address - base); }
  std::uint8_t* states(std::uint64_t address) const { return stateBytes + (address - base); }
  Touch& touch(std::uint64_t address) const { return touches[(address - base) / 4]; }
  void forgetTouches();

  std::size_t total() const { return most; }
  std::size_t free() const { return most - used; }

private:
  static constexpr std::uint64_t reserved = std::uint64_t(1) << 36; ///< bytes of address space

  DeviceMemory();
  std::uint64_t place(std::size_t bytes);

  static DeviceMemory* const only;
  std::uint64_t base = 0, top = 0;
  std::size_t most, used = 0;
  std::uint8_t* memory = nullptr;
  std::uint8_t* stateBytes = nullptr;
  Touch* touches = nullptr;
  std::map<std::uint64_t, std::size_t> blocks; ///< bytes by address
  std::map<std::uint64_t, std::size_t> gone;   ///< freed, with the red zone behind them
};

} // namespace on_host
