// Races.cxx - finds unordered accesses to the same memory by different threads, at least one of them a write.
#include "Races.h"

namespace on_host {

void reportSharedRead(Warp& w, int lane, u32 offset, SharedTouch wrote) {
  const std::string place = "byte " + std::to_string(offset);
  if (wrote.word == 0)
    w.finding("read of shared memory that nobody wrote", lane, place);
  else
    w.finding("shared memory race: read after write", lane, place + " was written by " + wrote.text());
}

void reportSharedWrite(Warp& w, int lane, u32 offset, bool same, SharedTouch before, bool wasWrite) {
  const char* const what = wasWrite ? "two writes"
                           : same   ? "write of the same value after read"
                                    : "write after read";
  w.finding(
      (std::string("shared memory race: ") + what + (wasWrite && same ? " of one value" : "")).c_str(), lane,
      "byte " + std::to_string(offset) + (wasWrite ? " was written by " : " was read by ") + before.text());
}

namespace {

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
    if (areQuiet(*this, t, 15)) m.quiet(a) = std::uint16_t(launchNumber);
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
    m.quiet(a) = 0;
  }
}

} // namespace on_host
