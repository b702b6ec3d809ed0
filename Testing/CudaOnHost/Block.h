// Block.h - what runs a kernel: blocks of warps of 32 lanes.
#pragma once

#include "DeviceMemory.h"
#include "Kernel.h"
#include "Operations.h"

#include <memory>
#include <string>
#include <vector>

namespace on_host {

inline constexpr u32 allLanes = ~0u;

/// CUDA_ON_HOST_CHECKS, ..._SHARED_RACES, ..._GLOBAL_RACES, ..._ORDER, ..._SMS; whether there is a trace
struct Settings {
  Settings();
  bool memory, sharedRaces, globalRaces, counts;
  long order; ///< 0 in order, 1 in reverse, else shuffled with that seed
  long processors;
};
const Settings& settings();

/// Lanes of a warp that are at the same instruction.
struct Fragment {
  u32 pc, lanes;
  bool waiting; ///< for other lanes of the warp
};

struct Warp {
  enum class State : u8 { Ready, AtBarrier, Done };

  u8* registers = nullptr;
  u32 mask = 0;   ///< lanes that the current instruction is for
  u32 active = 0; ///< lanes that are at it
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

  /// A finding at the current instruction.
  void finding(const char* kind, int lane, const std::string& detail);
  /// A finding after which the kernel cannot go on.
  void fault(const char* kind, int lane, const std::string& detail);
};

struct Block {
  enum class Result { Done, Yield, Failed };

  Kernel* kernel = nullptr;
  const Launch* launch = nullptr;
  u64 launchNumber = 0;
  u32 index[3] = {};
  u32 number = 0;
  u32 epoch = 1;       ///< counts barriers
  long long depth = 0; ///< see Counts
  u32 sharedBytes = 0;
  u64 cached[256] =
      {}; ///< sectors of its share of the first cache, 8 KB: 32 blocks share 256 KB; for counts only
  int threads = 0;
  bool failed = false;
  std::vector<u8> shared, local;
  std::vector<u32> writer, reader; ///< of each grain of shared memory: Races.cxx
  int grainShift = 2;
  std::vector<Warp> warps;

  void prepare(Kernel& k, const Launch& l);
  void start(u32 blockNumber, u64 launchCount);
  /// @param budget  instructions of warps after which it yields
  Result run(long budget);

  // Races.cxx: notes an access and reports what it conflicts with.
  void sharedRead(Warp& w, int lane, u32 offset, unsigned bytes, bool strong);
  void sharedWrite(Warp& w, int lane, u32 offset, unsigned bytes, bool same, bool strong);
  bool quietRead(u64 address, unsigned bytes) const;
  void globalRead(Warp& w, int lane, u64 address, unsigned bytes, const Instruction& i);
  void globalWrite(Warp& w, int lane, u64 address, unsigned bytes, bool same, const Instruction& i);

private:
  std::unique_ptr<u8[]> registerFile;

  void layOutRegisters();
  bool runWarp(Warp& w, long& budget); ///< false: its lanes wait for each other
  void addDepth();
  bool releaseBarrier();
};

} // namespace on_host
