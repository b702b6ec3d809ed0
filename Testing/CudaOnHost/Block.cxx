// Block.cxx - runs blocks. Diverged lanes of a warp reconverge because the lanes at the lowest instruction
// run first.
#include "Block.h"
#include "Report.h"
#include "Trace.h"
#include "WarpHandlers.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <utility>

namespace on_host {

Settings::Settings() {
  memory = setting("CHECKS", 1) != 0;
  sharedRaces = memory && setting("SHARED_RACES", 1);
  globalRaces = memory && setting("GLOBAL_RACES", 1);
  counts = tracing();
  order = setting("ORDER", 0);
  processors = std::max(1L, setting("SMS", 64));
}

const Settings Settings::only;

void Warp::finding(const char* kind, int lane, const std::string& detail) {
  report(kind, block->kernel->place(pc),
         "block " + std::to_string(block->number) + ", thread " + std::to_string(thread(lane)) + ": " +
             detail);
}

void Warp::fault(const char* kind, int lane, const std::string& detail) {
  block->failed = true;
  finding(kind, lane, detail);
}

namespace {

u32 specialValue(const Block& b, const Warp& w, int lane, Special s) {
  const Launch& l = *b.launch;
  const u32 thread = w.thread(lane), nx = l.threads[0], ny = l.threads[1], bit = 1u << lane;
  const auto axis = [&](Special x) { return int(s) - int(x); };
  switch (s) {
  case Special::TidX:
    return thread % nx;
  case Special::TidY:
    return thread / nx % ny;
  case Special::TidZ:
    return thread / (nx * ny);
  case Special::NtidX:
  case Special::NtidY:
  case Special::NtidZ:
    return l.threads[axis(Special::NtidX)];
  case Special::CtaidX:
  case Special::CtaidY:
  case Special::CtaidZ:
    return b.index[axis(Special::CtaidX)];
  case Special::NctaidX:
  case Special::NctaidY:
  case Special::NctaidZ:
    return l.grid[axis(Special::NctaidX)];
  case Special::LaneId:
    return lane;
  case Special::WarpId:
    return w.index;
  case Special::NwarpId:
    return u32(b.warps.size());
  case Special::MaskEq:
    return bit;
  case Special::MaskLt:
    return bit - 1;
  case Special::MaskLe:
    return bit | (bit - 1);
  case Special::MaskGe:
    return ~(bit - 1);
  case Special::MaskGt:
    return ~(bit | (bit - 1));
  case Special::SmId:
    return u32(b.number % settings().processors);
  case Special::NsmId:
    return u32(settings().processors);
  case Special::DynamicShared:
    return l.dynamicShared;
  }
  return 0;
}

void setConstant(Warp& w, const Constant& c) {
  if (c.bits == 1) {
    *w.reg<u32>(c.offset) = c.value ? allLanes : 0;
    return;
  }
  for (int lane = 0; lane < 32; ++lane) switch (c.bits) {
    case 16:
      w.reg<u16>(c.offset)[lane] = u16(c.value);
      break;
    case 32:
      w.reg<u32>(c.offset)[lane] = u32(c.value);
      break;
    default:
      w.reg<u64>(c.offset)[lane] = c.value;
    }
}

} // namespace

void Block::layOutRegisters() {
  warps.assign((threads + 31) / 32, Warp{});
  constexpr std::size_t line = 64, page = 4096; // spreads the warps over the sets of the cache
  const std::size_t stride = (kernel->registerBytes + page - 1) / page * page + 5 * line;
  registerFile.reset(new u8[warps.size() * stride + line]());
  u8* at = registerFile.get() + (line - reinterpret_cast<std::uintptr_t>(registerFile.get()) % line) % line;
  for (std::size_t n = 0; n < warps.size(); ++n) {
    Warp& w = warps[n];
    w.registers = at + n * stride;
    w.block = this;
    w.index = int(n);
    for (const Constant& c : kernel->constants) setConstant(w, c);
  }
}

void Block::prepare(Kernel& k, const Launch& l) {
  const int wanted = int(l.threads[0] * l.threads[1] * l.threads[2]);
  const bool laidOut = kernel == &k && wanted == threads;
  kernel = &k;
  launch = &l;
  threads = wanted;
  sharedBytes = k.sharedBytes + l.dynamicShared;
  grainShift = std::countr_zero(unsigned(k.sharedGrain));
  shared.resize(sharedBytes + 16);
  writer.resize((sharedBytes >> grainShift) + 2);
  reader.resize(writer.size());
  local.resize(std::size_t(k.localBytes) * ((threads + 31) / 32 * 32));
  if (!laidOut) layOutRegisters();
}

void Block::start(u32 blockNumber, u64 launchCount) {
  number = blockNumber;
  launchNumber = launchCount;
  index[0] = number % launch->grid[0];
  index[1] = number / launch->grid[0] % launch->grid[1];
  index[2] = number / (launch->grid[0] * launch->grid[1]);
  epoch = 1;
  failed = false;
  if (settings().counts) std::ranges::fill(cached, ~u64(0));
  std::fill(shared.begin(), shared.end(), 0xff);
  std::fill(writer.begin(), writer.end(), 0);
  std::fill(reader.begin(), reader.end(), 0);
  for (Warp& w : warps) {
    const int lanes = std::min(32, threads - 32 * w.index);
    w.alive = lanes == 32 ? allLanes : (1u << lanes) - 1;
    w.state = Warp::State::Ready;
    w.fragments.assign(1, {0, w.alive, false});
    for (const SpecialRegister& s : kernel->specials)
      for (int lane = 0; lane < 32; ++lane) w.reg<u32>(s.offset)[lane] = specialValue(*this, w, lane, s.what);
  }
}

namespace {

/// The runnable lanes of a warp at its lowest instruction, removed from its fragments.
struct Front {
  u32 pc = ~0u, lanes = 0;
  u32 next = ~0u; ///< where other lanes wait for reconvergence

  explicit Front(Warp& w) {
    for (const Fragment& f : w.fragments)
      if (!f.waiting) pc = std::min(pc, f.pc);
    if (pc == ~0u) return;
    std::erase_if(w.fragments, [&](const Fragment& f) {
      if (f.pc == pc) lanes |= f.lanes;
      if (f.pc > pc) next = std::min(next, f.pc);
      return f.pc == pc;
    });
  }
};

/// Executes instructions for the lanes of a front.
class Runner {
public:
  Runner(Warp& warp, const Front& front, long& instructions)
      : w(warp), code(w.block->kernel->code.data()), pc(front.pc), active(front.lanes), next(front.next),
        budget(instructions) {}

  /// Runs until the lanes diverge, reconverge with others, wait or exit, or the budget is used up.
  void run() {
    Counts* const counts = settings().counts ? &w.block->kernel->counts : nullptr;
    while (!parted && !w.block->failed) {
      if (pc == next || budget <= 0) return put(pc, active, false);
      --budget;
      const Instruction& i = code[pc];
      u32 mask = active;
      if (i.guard) {
        const u32 p = *w.reg<u32>(i.guard);
        mask &= i.negated ? ~p : p;
      }
      w.mask = mask, w.active = active, w.pc = pc;
      if (counts) {
        ++counts->instructions, counts->slots += i.slots, counts->lanes += std::popcount(mask);
        w.slots += i.slots;
      }
      if (i.flow == Flow::Plain) {
        if (mask) i.run(w, i);
        ++pc;
      } else {
        follow(i, mask);
      }
    }
  }

private:
  Warp& w;
  const Instruction* code;
  u32 pc, active, next;
  long& budget;
  bool parted = false;

  void put(u32 at, u32 lanes, bool waiting) {
    if (lanes) w.fragments.push_back({at, lanes, waiting});
    parted = true;
  }

  void follow(const Instruction& i, u32 mask) {
    switch (i.flow) {
    case Flow::Plain:
      return;
    case Flow::Branch:
      return branch(i, mask);
    case Flow::Exit:
      return exit(mask);
    case Flow::Barrier:
      return barrier(mask);
    case Flow::WarpSync:
      return synchroniseWarp(i, mask);
    case Flow::Sleep:
      ++pc;
      budget -= 2000;
    }
  }

  void branch(const Instruction& i, u32 mask) {
    if (mask == 0) {
      ++pc;
    } else if (mask == active && w.fragments.empty()) {
      pc = i.target;
    } else {
      put(i.target, mask, false);
      put(pc + 1, active & ~mask, false);
    }
  }

  void exit(u32 mask) {
    w.alive &= ~mask;
    for (Fragment& f : w.fragments) f.waiting = false; // lanes that waited for these lanes check again
    active &= ~mask;
    ++pc;
    if (!active) parted = true;
  }

  void barrier(u32 mask) {
    if (mask != active)
      return w.fault("barrier under a predicate", std::countr_zero(active), "not supported");
    put(pc, active, active != w.alive);
    if (active == w.alive) w.state = Warp::State::AtBarrier;
  }

  void synchroniseWarp(const Instruction& i, u32 mask) {
    if (mask == 0) {
      ++pc;
      return;
    }
    const int lane = std::countr_zero(mask);
    const u32 wanted = members(w, i);
    if (wanted & ~w.alive) w.finding("warp instruction names lanes that have left", lane, "");
    if (mask & ~wanted) w.finding("lane is not in the mask of its warp instruction", lane, "");
    if (wanted & w.alive & ~mask) return put(pc, active, true);
    i.run(w, i);
    ++pc;
  }
};

} // namespace

bool Block::runWarp(Warp& w, long& budget) {
  while (!failed && budget > 0 && w.state == Warp::State::Ready) {
    if (w.fragments.empty()) {
      w.state = Warp::State::Done;
      break;
    }
    const Front front(w);
    if (!front.lanes) return false;
    Runner(w, front, budget).run();
  }
  return true;
}

void Block::addDepth() {
  long long maximum = 0;
  for (Warp& w : warps) maximum = std::max(maximum, std::exchange(w.slots, 0));
  depth += maximum;
}

bool Block::releaseBarrier() {
  addDepth();
  const Instruction* first = nullptr;
  u32 yes = 0, present = 0;
  for (Warp& w : warps) {
    if (w.state != Warp::State::AtBarrier) continue;
    const Fragment& f = w.fragments.front();
    const Instruction& i = kernel->code[f.pc];
    if (!first) first = &i;
    w.pc = f.pc;
    if (i.imm != first->imm || i.reduce != first->reduce) {
      w.fault("warps wait at different barriers", 0, kernel->place(u32(first - kernel->code.data())));
      return false;
    }
    if (&i != first)
      w.finding("warps meet at different barrier instructions", 0,
                kernel->place(u32(first - kernel->code.data())));
    const u32 p = i.reduce == Reduce::None ? 0 : *w.reg<u32>(i.o[1]);
    yes += std::popcount((i.negated ? ~p : p) & f.lanes);
    present += std::popcount(f.lanes);
  }
  if (++epoch == 1u << 20) { // the records have 20 bits
    for (u32& touch : writer) touch = touch ? 1u : 0u;
    std::fill(reader.begin(), reader.end(), 0);
    epoch = 2;
  }
  for (Warp& w : warps) {
    if (w.state != Warp::State::AtBarrier) continue;
    Fragment& f = w.fragments.front();
    const Instruction& i = kernel->code[f.pc];
    w.mask = f.lanes;
    if (i.reduce == Reduce::Count)
      eachLane(w, w.reg<u32>(i.o[0]), [&](int) { return yes; });
    else if (i.reduce != Reduce::None)
      setPredicate(w, i.o[0], (i.reduce == Reduce::Or ? yes != 0 : yes == present) ? allLanes : 0);
    ++f.pc;
    w.state = Warp::State::Ready;
  }
  return true;
}

Block::Result Block::run(long budget) {
  const long order = settings().order;
  static std::minstd_rand random{unsigned(order)};
  std::vector<int> turn(warps.size());
  std::iota(turn.begin(), turn.end(), 0);
  if (order == 1) std::reverse(turn.begin(), turn.end());
  while (true) {
    if (order > 1) std::shuffle(turn.begin(), turn.end(), random);
    bool ready = false, waiting = false;
    for (const int n : turn) {
      Warp& w = warps[n];
      if (w.state == Warp::State::Ready) {
        const long slice = order > 1 ? 1 + long(random() % 300) : std::min(budget, 100000L);
        long left = std::max(slice, 1L);
        if (!runWarp(w, left)) {
          for (const Fragment& f : w.fragments) {
            w.pc = f.pc;
            w.fault("lanes of a warp wait for each other", std::countr_zero(f.lanes), "");
          }
        }
        budget -= slice - left;
        if (failed) return Result::Failed;
      }
      ready |= w.state == Warp::State::Ready;
      waiting |= w.state == Warp::State::AtBarrier;
    }
    if (!ready && !waiting) {
      addDepth();
      kernel->counts.depth = std::max(kernel->counts.depth, std::exchange(depth, 0));
      return Result::Done;
    }
    if (!ready && !releaseBarrier()) return Result::Failed;
    if (budget <= 0) return Result::Yield;
  }
}

} // namespace on_host
