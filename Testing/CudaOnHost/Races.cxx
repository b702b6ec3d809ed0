// Races.cxx - finds unordered accesses to the same memory by different threads, at least one of them a write.
#include "Block.h"

namespace on_host {

namespace {

std::string threadText(u32 thread) { return "thread " + std::to_string(thread); }

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

} // namespace

void Block::sharedRead(Warp& w, int lane, u32 offset, unsigned bytes, bool strong) {
  const u32 thread = w.thread(lane), last = (offset + bytes - 1) >> grainShift;
  for (u32 g = offset >> grainShift; g <= last; ++g) {
    const SharedTouch wrote = writer[g], read = reader[g];
    if (wrote.word == 0) {
      w.finding("read of shared memory that nobody wrote", lane, "byte " + std::to_string(offset));
    } else if (wrote.isIn(epoch) && wrote.who() != thread && !(strong && wrote.strong()) &&
               !(kernel->synchronisesWarps && wrote.warp() == thread / 32)) {
      w.finding("shared memory race: read after write", lane,
                "byte " + std::to_string(offset) + " was written by " + wrote.text());
    }
    if (strong || (read.isIn(epoch) && read.who() == thread)) continue;
    u32 who = thread;
    if (read.isIn(epoch) && read.word)
      who = read.warp() == thread / 32 ? SharedTouch::warps + thread / 32 : SharedTouch::everyone;
    reader[g] = SharedTouch(epoch, who, false).word;
  }
}

void Block::sharedWrite(Warp& w, int lane, u32 offset, unsigned bytes, bool same, bool strong) {
  const u32 thread = w.thread(lane), last = (offset + bytes - 1) >> grainShift;
  for (u32 g = offset >> grainShift; g <= last; ++g) {
    const SharedTouch wrote = writer[g], read = reader[g];
    const auto conflicts = [&](const SharedTouch& t) {
      return t.isIn(epoch) && t.who() != thread && !(strong && (t.strong() || &t == &read)) &&
             !(kernel->synchronisesWarps && t.warp() == thread / 32);
    };
    if (conflicts(wrote))
      w.finding(same ? "shared memory race: two writes of one value" : "shared memory race: two writes", lane,
                "byte " + std::to_string(offset) + " was written by " + wrote.text());
    if (conflicts(read))
      w.finding(same ? "shared memory race: write of the same value after read"
                     : "shared memory race: write after read",
                lane, "byte " + std::to_string(offset) + " was read by " + read.text());
    writer[g] = SharedTouch(epoch, thread, strong).word;
  }
}

// Global memory: as above, and also accesses of different blocks of one launch, which are unordered.

namespace {

/// launch 14 bits | block 20 | epoch 14 | thread 11 | bytes 4 | flag 1. The flag marks a strong write, or a
/// read by several blocks. If the lanes of a warp are treated as ordered, its first thread represents all.
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
unsigned bytesTouched(u64 address, unsigned bytes) {
  return bytes >= 4 ? 15 : ((1u << bytes) - 1) << (address & 3);
}

enum class Conflict { None, InBlock, BetweenBlocks };

/// @param before  an earlier access
/// @param now     this one
Conflict conflictOf(const GlobalTouch& before, const GlobalTouch& now, bool bySeveralBlocks) {
  if (before.launch() != now.launch() || !(before.bytes() & now.bytes())) return Conflict::None;
  if (before.launchAndBlock() != now.launchAndBlock() || bySeveralBlocks) return Conflict::BetweenBlocks;
  if (before.untilEpoch() != now.untilEpoch() || before.thread() == now.thread()) return Conflict::None;
  return Conflict::InBlock;
}

std::string raceText(Conflict c, const char* what) {
  return std::string("global memory race") + (c == Conflict::BetweenBlocks ? " between blocks: " : ": ") +
         what;
}

/// Returns the record after one more read.
u64 withRead(const GlobalTouch& before, const GlobalTouch& now) {
  const u64 common = before.bytes() & now.bytes();
  if (before.launch() != now.launch() || common == 0) return now.word;
  if (before.launchAndBlock() != now.launchAndBlock()) return (before.word & ~u64(31)) | common << 1 | 1;
  if (before.untilEpoch() != now.untilEpoch()) return now.word | before.flag(); // a later phase of the block
  if (before.thread() == now.thread()) return before.word | u64(now.bytes()) << 1;
  return (before.word & ~u64(31)) | u64(GlobalTouch::severalThreads) << 5 | common << 1 | before.flag();
}

} // namespace

/// Returns whether a read needs no check and no record: no write in this launch, and already read by several
/// blocks.
bool Block::quietRead(u64 address, unsigned bytes) const {
  const u64 known = launchNumber << 50 | u64(bytesTouched(address, bytes)) << 1 | 1;
  const u64 compared = ~u64(0) << 50 | 31;
  const Touch* t = &DeviceMemory::get().touch(address);
  for (unsigned b = 0; b < bytes; b += 4, ++t)
    if (t->write >> 50 == launchNumber || (t->read & known & compared) != known ||
        t->read >> 50 != launchNumber)
      return false;
  return true;
}

void Block::globalRead(Warp& w, int lane, u64 address, unsigned bytes, const Instruction& i) {
  DeviceMemory& m = DeviceMemory::get();
  const GlobalTouch now(*this, w.thread(lane), bytesTouched(address, bytes), false);
  for (u64 a = address & ~u64(3); a < address + bytes; a += 4) {
    Touch& t = m.touch(a);
    const GlobalTouch wrote = t.write;
    const Conflict c = conflictOf(wrote, now, false);
    if (c != Conflict::None && !(i.strong && wrote.flag()))
      w.finding(raceText(c, "read after write").c_str(), lane,
                m.describe(address) + " was written by " + wrote.text());
    if (i.constantCache && wrote.launch() == launchNumber && (wrote.bytes() & now.bytes()))
      w.finding("ld.global.nc of memory that this launch wrote", lane,
                m.describe(address) + " was written by " + wrote.text());
    if (!i.strong) t.read = withRead(t.read, now);
  }
}

void Block::globalWrite(Warp& w, int lane, u64 address, unsigned bytes, bool same, const Instruction& i) {
  DeviceMemory& m = DeviceMemory::get();
  const GlobalTouch now(*this, w.thread(lane), bytesTouched(address, bytes), i.strong);
  for (u64 a = address & ~u64(3); a < address + bytes; a += 4) {
    Touch& t = m.touch(a);
    const GlobalTouch wrote = t.write, read = t.read;
    if (const Conflict c = conflictOf(wrote, now, false); c != Conflict::None && !(i.strong && wrote.flag()))
      w.finding(raceText(c, same ? "two writes of one value" : "two writes").c_str(), lane,
                m.describe(address) + " was written by " + wrote.text());
    if (const Conflict c = conflictOf(read, now, read.flag()); c != Conflict::None)
      w.finding(raceText(c, same ? "write of the same value after read" : "write after read").c_str(), lane,
                m.describe(address) + " was read by " + read.text());
    const bool again = (wrote.word ^ now.word) >> 5 == 0 && wrote.flag() == now.flag();
    t.write = again ? wrote.word | now.word : now.word;
  }
}

} // namespace on_host
