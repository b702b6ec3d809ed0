// Block.h - execution state of a kernel: blocks of warps of 32 lanes.
#pragma once

#include "DeviceMemory.h"
#include "Kernel.h"
#include "Operations.h"

#include <memory>
#include <string>
#include <vector>

namespace on_host {

inline constexpr u32 allLanes = ~0u;

/// Values of CUDA_ON_HOST_CHECKS, ..._SHARED_RACES, ..._GLOBAL_RACES, ..._ORDER and ..._SMS. `counts` is set
/// with a trace.
struct Settings {
  static const Settings only;

  Settings();
  bool memory, sharedRaces, globalRaces, counts;
  long order; ///< 0 in order, 1 in reverse, else the seed of a shuffle
  long processors;
};
inline const Settings& settings() { return Settings::only; }

/// Lanes of a warp at the same instruction.
struct Fragment {
  u32 pc, lanes;
  bool waiting; ///< for other lanes of the warp
};

struct Warp {
  enum class State : u8 { Ready, AtBarrier, Done };

  u8* registers = nullptr;
  u32 mask = 0;   ///< lanes that execute the current instruction
  u32 active = 0; ///< lanes at the current instruction
  u32 alive = 0, pc = 0;
  Block* block = nullptr;
  int index = 0; ///< in the block
  State state = State::Ready;
  long long slots = 0; ///< since the last barrier
  std::vector<Fragment> fragments;

  template <class T>
  T* reg(u32 offset) {
    return reinterpret_cast<T*>(registers + offset);
  }
  int thread(int lane) const { return 32 * index + lane; }

  /// Reports a finding at the current instruction.
  void finding(const char* kind, int lane, const std::string& detail);
  /// Reports a finding after which the kernel cannot continue.
  void fault(const char* kind, int lane, const std::string& detail);
};

struct Block {
  enum class Result { Done, Yield, Failed };

  Kernel* kernel = nullptr;
  const Launch* launch = nullptr;
  u64 launchNumber = 0;
  u32 index[3] = {};
  u32 number = 0;
  u32 epoch = 1;       ///< number of the barrier phase, from 1
  long long depth = 0; ///< see Counts
  u32 sharedBytes = 0;
  u64 cached[256] =
      {}; ///< sectors in its 8 KB share of the L1 cache (256 KB for 32 blocks); used for counts only
  int threads = 0;
  bool failed = false;
  std::vector<u8> shared, local;
  std::vector<u32> writer, reader; ///< per grain of shared memory, see Races.cxx
  int grainShift = 2;
  std::vector<Warp> warps;

  void prepare(Kernel& k, const Launch& l);
  void start(u32 blockNumber, u64 launchCount);
  /// @param budget  number of warp instructions after which it yields
  Result run(long budget);

  // Races.h, Races.cxx: these record an access and report conflicts with earlier ones.
  void sharedWrite(Warp& w, int lane, u32 offset, unsigned bytes, bool same, bool strong);
  void globalRead(Warp& w, int lane, u64 address, unsigned bytes, const Instruction& i);
  void globalWrite(Warp& w, int lane, u64 address, unsigned bytes, bool same, const Instruction& i);

private:
  std::unique_ptr<u8[]> registerFile;

  void layOutRegisters();
  bool runWarp(Warp& w, long& budget); ///< returns false if its lanes wait for each other
  void addDepth();
  bool releaseBarrier();
};

} // namespace on_host
