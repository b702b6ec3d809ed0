#include "ImageTravelTime/Sensitivity/MassPass.h"

#include "Execution/Progress.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace isochrone::image {

namespace {

/// Points per row of a tile, as `touched` counts them.
constexpr int rowShift = 3;

} // namespace

template <int lanes>
MassPass<lanes>::MassPass(Dependences& d, execution::RoundPool* workers, const Cycles* knownCycles)
    : dependences(d), order(d.order), pool(workers && workers->size() > 1 ? workers : nullptr),
      known(knownCycles), touched(std::size_t(order.tiles()), 0), slots(std::size_t(order.tiles()), -1),
      finds(std::size_t(pool ? pool->size() : 1)) {
  words.resize(std::size_t(order.size()));
  const auto zero = [this](std::int64_t begin, std::int64_t end, int) {
    std::fill(words.begin() + begin, words.begin() + end, 0);
  };
  pool ? pool->forRanges(order.size(), zero) : zero(0, order.size(), 0);
  if (known) mark(*known);
}

template <int lanes>
void MassPass<lanes>::mark(const Cycles& cycles) {
  for (std::size_t c = 0; c < cycles.members.size(); ++c)
    for (const std::int64_t n : cycles.members[c])
      words[std::size_t(n)] |= inCycle | (cycles.isLost[c] ? lost : 0);
}

template <int lanes>
void MassPass<lanes>::clear() {
  for (const std::int32_t tile : reached) {
    std::fill_n(words.begin() + order.firstOf(tile), order.tileSize(), 0);
    slots[std::size_t(tile)] = -1;
  }
  reached.clear();
  count = 0;
  mark(cycles());
}

/// Adds to a word of another tile, which other threads may change, too. Returns the word before.
template <int lanes>
auto MassPass<lanes>::fetchAdd(Word& word, Word change) const -> Word {
  if (pool) return std::atomic_ref(word).fetch_add(change, std::memory_order_relaxed);
  return std::exchange(word, word + change);
}

/// Sets bits of such a word.
template <int lanes>
template <class T>
T MassPass<lanes>::fetchOr(T& word, T bits) const {
  if (pool) return std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
  return std::exchange(word, word | bits);
}

/// Gives the tile of a point a turn.
template <int lanes>
void MassPass<lanes>::touch(std::int64_t number, Finds& from) {
  const int tile = order.tileOf(number);
  const std::uint64_t row = std::uint64_t(1) << ((number & (order.tileSize() - 1)) >> rowShift);
  if (fetchOr(touched[std::size_t(tile)], row) == 0) from.active.push_back(tile);
}

/// Visits tiles that have something to do, one colour of the checkerboard after the other, until there are
/// none. A visit changes its own tile, and others only by `fetchAdd` and `touch`. Returns false if the report
/// does.
/// @param band  earlier tiles wait: those whose latest time is before that of all waiting tiles by more than
///              this. Most of their users are then done in one turn.
template <int lanes>
bool MassPass<lanes>::takeTurns(const std::function<void(int, Finds&)>& visit,
                                const std::function<bool(std::int64_t)>& report, float band) {
  const auto collect = [this] {
    for (Finds& thread : finds) {
      for (const std::int32_t tile : thread.active) active[order.colourOf(tile)].push_back(tile);
      thread.active.clear();
    }
  };
  std::int64_t points = 0;
  std::vector<std::int32_t> turn;
  collect();
  for (int colour = 0; !active[0].empty() || !active[1].empty(); colour = 1 - colour) {
    float latest = -std::numeric_limits<float>::infinity();
    for (const auto& tiles : active)
      for (const std::int32_t tile : tiles) latest = std::max(latest, dependences.latest(tile));
    std::vector<std::int32_t>& tiles = active[colour];
    const auto later = std::partition(tiles.begin(), tiles.end(), [&](std::int32_t tile) {
      return dependences.latest(tile) < latest - band;
    });
    turn.assign(later, tiles.end());
    tiles.erase(later, tiles.end());
    constexpr std::int64_t slice = 1 << 12, batch = 4; // tiles between two reports, and per job
    for (std::int64_t first = 0; first < std::int64_t(turn.size()); first += slice) {
      const std::int64_t number = std::min(slice, std::int64_t(turn.size()) - first);
      const auto some = [&](std::int64_t begin, std::int64_t end, int thread) {
        for (std::int64_t t = first + begin; t < first + end; ++t)
          visit(turn[std::size_t(t)], finds[std::size_t(thread)]);
      };
      pool ? pool->forRanges(number, batch, some) : some(0, number, 0);
      for (Finds& thread : finds) points += std::exchange(thread.points, 0);
      if (!report(points)) return false;
    }
    turn.clear();
    for (Finds& thread : finds) solveCycles(thread);
    collect();
  }
  return true;
}

/// Takes the points of a tile that are ready from the rows that other tiles touched.
/// @param stack  filled
template <int lanes>
template <class IsReady>
int MassPass<lanes>::takeTouched(int tile, Word mark, std::int64_t (&stack)[maxTilePoints],
                                 const IsReady& isReady) {
  int top = 0;
  for (std::uint64_t rows = std::exchange(touched[std::size_t(tile)], 0); rows != 0; rows &= rows - 1) {
    const std::int64_t first = order.firstOf(tile) + (std::countr_zero(rows) << rowShift);
    for (std::int64_t n = first; n < first + (1 << rowShift); ++n) {
      Word& word = words[std::size_t(n)];
      if (!(word & mark) && isReady(word)) word |= mark, stack[top++] = n;
    }
  }
  return top;
}

/// Marks the points of a tile that reached points depend on, and counts the users of points.
template <int lanes>
void MassPass<lanes>::floodTile(int tile, Finds& from) {
  if (!dependences.isEvaluated(tile)) dependences.evaluate(tile);
  if (slots[std::size_t(tile)] < 0) slots[std::size_t(tile)] = 0, from.reached.push_back(tile);
  std::int64_t stack[maxTilePoints];
  int top = takeTouched(tile, queued, stack, [](Word word) { return word & (usersMask | isCalled); });
  while (top > 0) {
    const std::int64_t n = stack[--top];
    const bool isMember = words[std::size_t(n)] & inCycle;
    ++from.points;
    forEachSide(dependences.sides(n), [&](Direction d) {
      const std::int64_t used = order.neighbour(n, d);
      Word& word = words[std::size_t(used)];
      const bool joins = isMember && cycles().join(n, used); // members have no order
      const Word user = joins ? 0 : oneOpen + userBit(d ^ 1);
      if (order.tileOf(used) == tile) {
        if (!(word & queued)) stack[top++] = used;
        word = (word + user) | queued;
      } else if (!(fetchAdd(word, user) & queued)) {
        if (joins) fetchOr(word, Word(isCalled));
        touch(used, from);
      }
    });
  }
}

template <int lanes>
bool MassPass<lanes>::flood(std::vector<Tip> from, const Monitor& monitor) {
  tips = std::move(from);
  for (const Tip& tip : tips) {
    words[std::size_t(tip.number)] |= isTip | isCalled;
    touch(tip.number, finds[0]);
  }
  execution::Progress progress(monitor);
  const double size = double(order.size());
  const bool done = takeTurns([this](int tile, Finds& thread) { floodTile(tile, thread); },
                              [&](std::int64_t points) {
                                count = points;
                                return progress.report([&] { return double(points) / size; });
                              },
                              std::numeric_limits<float>::infinity());
  if (!done) return false;
  for (Finds& thread : finds) {
    reached.insert(reached.end(), thread.reached.begin(), thread.reached.end());
    thread.reached.clear();
  }
  std::ranges::sort(reached);
  for (std::size_t t = 0; t < reached.size(); ++t) slots[std::size_t(reached[t])] = std::int32_t(t);
  return true;
}

/// Adds the masses that arrive at a point from its users. The order of the sum depends on positions alone.
template <int lanes>
void MassPass<lanes>::arrive(std::int64_t number, double* mass) const {
  const Word word = words[std::size_t(number)];
  const int tile = order.tileOf(number);
  double sum[lanes] = {};
  if (word & isTip) std::copy_n(mass, lanes, sum);
  forEachSide(word & usersMask, [&](Direction d) {
    const std::int64_t user = order.neighbour(number, d);
    const double share = dependences.share(user, d);
    const double* const from = order.tileOf(user) == tile ? mass + (user - number) * lanes : massesOf(user);
    for (int l = 0; l < lanes; ++l) sum[l] += share * from[l];
  });
  std::copy_n(sum, lanes, mass);
}

/// Tells the points that a point uses that it is done.
template <int lanes>
template <class Ready>
void MassPass<lanes>::release(std::int64_t number, int tile, Finds& from, const Ready& ready) {
  const bool isMember = words[std::size_t(number)] & inCycle;
  forEachSide(dependences.sides(number), [&](Direction d) {
    const std::int64_t used = order.neighbour(number, d);
    Word& word = words[std::size_t(used)];
    if (isMember && cycles().join(number, used)) return;
    if (order.tileOf(used) == tile) {
      word -= oneOpen;
      if (!(word & openMask)) ready(used, word);
    } else if ((fetchAdd(word, Word(0) - oneOpen) & openMask) == oneOpen) {
      touch(used, from);
    }
  });
}

/// Finds the masses of the points of a tile whose users are done.
template <int lanes>
void MassPass<lanes>::spreadTile(int tile, Finds& from) {
  std::int64_t stack[maxTilePoints];
  int top = takeTouched(tile, passed, stack, [](Word word) { return (word & queued) && !(word & openMask); });
  while (top > 0) {
    const std::int64_t n = stack[--top];
    arrive(n, massesAt(n));
    ++from.points;
    if (words[std::size_t(n)] & inCycle)
      from.waiting.push_back(n);
    else
      release(n, tile, from, [&](std::int64_t used, Word& word) {
        word |= passed;
        stack[top++] = used;
      });
  }
}

/// Solves the cycles to which all masses from other points have arrived.
template <int lanes>
void MassPass<lanes>::solveCycles(Finds& from) {
  for (const std::int64_t n : from.waiting)
    if (const int cycle = cycles().cycleOf.at(n); --missing[std::size_t(cycle)] == 0) solveCycle(cycle, from);
  from.waiting.clear();
}

template <int lanes>
void MassPass<lanes>::solveCycle(int cycle, Finds& from) {
  const std::vector<std::int64_t>& members = cycles().members[std::size_t(cycle)];
  if (cycles().isLost[std::size_t(cycle)]) return; // the masses stay
  const std::vector<double> matrix = matrixOf(dependences, members);
  std::vector<double> mass(members.size());
  for (int l = 0; l < lanes; ++l) {
    for (std::size_t m = 0; m < members.size(); ++m) mass[m] = massesOf(members[m])[l];
    std::vector<double> system = matrix;
    grid::solveDense(system, mass);
    for (std::size_t m = 0; m < members.size(); ++m) massesAt(members[m])[l] = mass[m];
  }
  for (const std::int64_t n : members) release(n, -1, from, [](std::int64_t, Word&) {});
}

/// Gives the tiles of those points in cycles a turn that have users in their cycle only.
template <int lanes>
void MassPass<lanes>::touchCycles() {
  for (const auto& members : cycles().members)
    for (const std::int64_t n : members)
      if (hasTile(order.tileOf(n)) && isReached(n) && !(words[std::size_t(n)] & openMask)) touch(n, finds[0]);
}

template <int lanes>
bool MassPass<lanes>::spread(const Monitor& monitor) {
  masses.resize(reached.size() * massesPerTile());
  missing.clear();
  for (const auto& members : cycles().members) missing.push_back(int(members.size()));
  for (const Tip& tip : tips) {
    std::copy_n(tip.mass, lanes, massesAt(tip.number));
    if (!(words[std::size_t(tip.number)] & openMask)) touch(tip.number, finds[0]);
  }
  touchCycles();
  execution::Progress progress(monitor);
  std::int64_t done = 0;
  double spans = 0;
  for (const std::int32_t tile : reached) spans += double(dependences.span(tile));
  const float band = float(spans / double(std::max<std::size_t>(reached.size(), 1)));
  const auto goOn = [&] {
    std::int64_t before = done;
    return takeTurns([this](int tile, Finds& thread) { spreadTile(tile, thread); },
                     [&, before](std::int64_t points) {
                       done = before + points;
                       return progress.report([&] { return double(done) / double(count); });
                     },
                     band);
  };
  if (!goOn()) return false;
  if (done == count || known) return true;

  // The others are in cycles, or give their time to points in cycles.
  std::vector<std::int64_t> left;
  for (const std::int32_t tile : reached)
    for (std::int64_t n = order.firstOf(tile); n < order.firstOf(tile + 1); ++n)
      if ((words[std::size_t(n)] & (queued | passed)) == queued) left.push_back(n);
  if (!found.find(dependences, left,
                  [&] { return progress.report([&] { return double(done) / double(count); }); }))
    return false;
  mark(found);
  for (const auto& members : found.members) {
    missing.push_back(int(members.size()));
    for (const std::int64_t n : members)
      forEachSide(dependences.sides(n), [&](Direction d) {
        const std::int64_t used = order.neighbour(n, d);
        if (found.join(n, used)) words[std::size_t(used)] -= oneOpen + userBit(d ^ 1);
      });
  }
  touchCycles();
  return goOn();
}

template class MassPass<1>;
template class MassPass<rowLanes>;

} // namespace isochrone::image
