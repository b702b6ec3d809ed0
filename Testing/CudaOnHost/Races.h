// Races.h - the records of the last accesses to memory, and the accesses that need no check by Races.cxx.
#pragma once

#include "Block.h"

namespace on_host {

inline std::string threadText(u32 thread) { return "thread " + std::to_string(thread); }

/// The last access to a grain of shared memory: epoch 20 bits | strong 1 | accessor 11. 0 means none, since
/// epochs start at 1. A barrier separates accesses in different epochs.
struct SharedTouch {
  static constexpr u32 everyone = 2047, warps = 1024; ///< accessor: a thread, warps + a warp, or everyone
  u32 word;

  SharedTouch(u32 w) : word(w) {}
  SharedTouch(u32 epoch, u32 who, bool strong) : word(epoch << 12 | u32(strong) << 11 | who) {}
  bool isIn(u32 epoch) const { return word >> 12 == epoch; }
  u32 who() const { return word & 2047; }
  bool strong() const { return word >> 11 & 1; }
  /// Returns the warp of all accessors, or a large number if there are several.
  u32 warp() const { return who() == everyone ? ~0u : who() >= warps ? who() - warps : who() / 32; }
  std::string text() const { return who() < warps ? threadText(who()) : "several threads"; }
};

/// The last access to four bytes of global memory: launch 14 bits | block 20 | epoch 14 | thread 11 | bytes 4
/// | flag 1. Accesses of different blocks of a launch are unordered. The flag marks a strong write, or a read
/// by several blocks. If the lanes of a warp are treated as ordered, its first thread represents all.
struct GlobalTouch {
  static constexpr u32 severalThreads = 2047;
  u64 word;

  GlobalTouch(u64 w) : word(w) {}
  GlobalTouch(const Block& b, u32 thread, unsigned bytes, bool flag)
      : word(b.launchNumber << 50 | u64(b.number & 0xfffff) << 30 | u64(b.epoch & 0x3fff) << 16 |
             u64(b.kernel->synchronisesWarps ? thread & ~31u : thread) << 5 | u64(bytes) << 1 | u64(flag)) {}
  u64 launch() const { return word >> 50; }
  u64 launchAndBlock() const { return word >> 30; }
  u64 untilEpoch() const { return word >> 16; }
  u32 block() const { return word >> 30 & 0xfffff; }
  u32 thread() const { return word >> 5 & 2047; }
  unsigned bytes() const { return word >> 1 & 15; }
  bool flag() const { return word & 1; }
  std::string text() const {
    return "block " + std::to_string(block()) +
           (thread() == severalThreads ? "" : ", " + threadText(thread()));
  }
};

/// Marks the bytes of an aligned group of four that an access covers.
inline unsigned bytesTouched(u64 address, unsigned bytes) {
  return bytes >= 4 ? 15 : ((1u << bytes) - 1) << (address & 3);
}

/// Returns whether an access to shared memory is ordered after an earlier one.
inline bool isOrdered(const Block& b, SharedTouch before, u32 thread, bool areStrong) {
  return !before.isIn(b.epoch) || before.who() == thread || areStrong ||
         (b.kernel->synchronisesWarps && before.warp() == thread / 32);
}

void reportSharedRead(Warp& w, int lane, u32 offset, SharedTouch wrote);
void reportSharedWrite(Warp& w, int lane, u32 offset, bool same, SharedTouch before, bool wasWrite);

/// Records reads of shared memory by the lanes of a warp. Holds what they have in common.
class SharedReads {
  Warp& warp;
  const bool strong;
  const u32 epoch;
  const int grainShift;
  const u32* const writer;
  u32* const reader;

public:
  SharedReads(Warp& w, bool areStrong)
      : warp(w), strong(areStrong), epoch(w.block->epoch), grainShift(w.block->grainShift),
        writer(w.block->writer.data()), reader(w.block->reader.data()) {}

  void record(int lane, u32 offset, unsigned bytes) const {
    const u32 thread = warp.thread(lane), last = (offset + bytes - 1) >> grainShift;
    const SharedTouch now(epoch, thread, false), byWarp(epoch, SharedTouch::warps + thread / 32, false),
        byMany(epoch, SharedTouch::everyone, false);
    for (u32 g = offset >> grainShift; g <= last; ++g) {
      const SharedTouch wrote = writer[g], read = reader[g];
      if (wrote.word == 0 ||
          (wrote.isIn(epoch) && !isOrdered(*warp.block, wrote, thread, strong && wrote.strong())))
        reportSharedRead(warp, lane, offset, wrote);
      if (strong || read.word == now.word || read.word == byWarp.word || read.word == byMany.word) continue;
      reader[g] = (!read.isIn(epoch) ? now : read.warp() == thread / 32 ? byWarp : byMany).word;
    }
  }
};

inline void Block::sharedWrite(Warp& w, int lane, u32 offset, unsigned bytes, bool same, bool strong) {
  const u32 thread = w.thread(lane), last = (offset + bytes - 1) >> grainShift;
  for (u32 g = offset >> grainShift; g <= last; ++g) {
    const SharedTouch wrote = writer[g], read = reader[g];
    if (!isOrdered(*this, wrote, thread, strong && wrote.strong()))
      reportSharedWrite(w, lane, offset, same, wrote, true);
    if (!isOrdered(*this, read, thread, strong)) reportSharedWrite(w, lane, offset, same, read, false);
    writer[g] = SharedTouch(epoch, thread, strong).word;
  }
}

/// Returns whether reads of the marked bytes need no check and no record: no write in this launch, and
/// already read by several blocks.
inline bool areQuiet(const Block& b, const Touch& t, unsigned bytes) {
  const GlobalTouch wrote = t.write, read = t.read;
  return wrote.launch() != b.launchNumber && read.launch() == b.launchNumber && read.flag() &&
         (read.bytes() & bytes) == bytes;
}

/// The same for an access. Words have the answer in an eighth of the memory.
template <unsigned bytes>
bool isQuietRead(const Block& b, u64 address) {
  const DeviceMemory& m = DeviceMemory::get();
  if constexpr (bytes < 4) return areQuiet(b, m.touch(address), bytesTouched(address, bytes));
  const std::uint16_t* launch = &m.quiet(address);
  for (unsigned i = 0; i < bytes / 4; ++i)
    if (launch[i] != b.launchNumber) return false;
  return true;
}

} // namespace on_host
