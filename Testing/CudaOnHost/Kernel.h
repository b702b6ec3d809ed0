// Kernel.h - a kernel decoded into instructions with handlers.
#pragma once

#include "Ptx.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace on_host {

struct Warp;
struct Block;
struct Instruction;
using Handler = void (*)(Warp&, const Instruction&);

/// Effect of an instruction on the control flow of the lanes.
enum class Flow : std::uint8_t { Plain, Branch, Exit, Barrier, WarpSync, Sleep };
/// Reduction of the threads' predicates at a barrier.
enum class Reduce : std::uint8_t { None, Or, And, Count };
enum class Space : std::uint8_t { Global, Shared, Local, Param, Generic };

/// Generic addresses of spaces other than global memory.
inline constexpr std::uint64_t sharedWindow = 0x0100000000000000, localWindow = 0x0200000000000000,
                               paramWindow = 0x0300000000000000, windowMask = 0xff00000000000000;

/// Operands are byte offsets in the registers of a warp, which include constants; 0 means none.
struct Instruction {
  Handler run = nullptr;
  std::uint32_t o[8] = {}; ///< arithmetic: result, operands; memory: up to 4 values, the address in o[4]
  std::int64_t imm = 0;    ///< memory: offset; barrier: its number; warp instructions: predicate negated
  std::uint32_t guard = 0; ///< predicate of the lanes that take part
  std::uint32_t target = 0;
  std::uint32_t statement = 0; ///< of the function's body
  bool negated = false;        ///< negates the guard, or the predicate of a barrier
  Flow flow = Flow::Plain;
  Reduce reduce = Reduce::None;
  bool strong = false;        ///< memory: volatile, relaxed, acquire, release or atomic
  bool constantCache = false; ///< memory: ld.global.nc
  std::uint8_t mode = 0;      ///< variant of the handler
  std::uint8_t slots = 1;     ///< number of instructions that ptxas generates
};

enum class Special : std::uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NwarpId,
  MaskEq,
  MaskLe,
  MaskLt,
  MaskGe,
  MaskGt,
  SmId,
  NsmId,
  DynamicShared
};

/// A register with the same value in all lanes from the start.
struct Constant {
  std::uint32_t offset;
  int bits; ///< 1: a predicate
  std::uint64_t value;
};
struct SpecialRegister {
  std::uint32_t offset;
  Special what;
};

/// Work of a launch.
struct Counts {
  long long instructions = 0; ///< warp instructions
  long long slots = 0;        ///< weighted by the number of instructions that ptxas generates
  long long lanes = 0;        ///< lanes that took part in instructions
  long long sectors = 0;      ///< 32-byte sectors of global memory, once per instruction that accesses them
  long long fetched = 0;      ///< sectors missing in a block's share of the L1 cache (Block.h), and stores
  long long conflicts = 0;    ///< additional passes through shared memory because of its 32 banks
  long long depth = 0;        ///< maximum over blocks: slots of the slowest warp, summed between barriers
};

struct Kernel {
  Kernel();
  ~Kernel();

  Function function;
  const Module* module = nullptr;
  std::string shownName;
  std::vector<Instruction> code;
  std::vector<Constant> constants;
  std::vector<SpecialRegister> specials;
  std::uint32_t registerBytes = 0; ///< per warp
  std::uint32_t sharedBytes = 0, localBytes = 0, paramBytes = 0;
  int sharedGrain = 8;                      ///< size of the smallest access to shared memory, bytes
  bool synchronisesWarps = false;           ///< lanes of a warp are then treated as ordered
  std::vector<std::unique_ptr<Block>> idle; ///< reused by the next launch
  long launches = 0;
  Counts counts; ///< of the running launch

  std::string place(std::uint32_t pc) const; ///< "name File.cu:12 (PTX line 345: ...)"
};

/// @throws std::runtime_error for unknown instructions
std::unique_ptr<Kernel> decode(const Module& module, const std::string& name);

struct Launch {
  Kernel* kernel;
  std::uint32_t grid[3], threads[3];
  std::uint32_t dynamicShared; ///< bytes
  std::vector<std::uint8_t> params;
};

/// Runs all blocks. Returns false if the kernel failed.
bool execute(const Launch& launch);

} // namespace on_host
