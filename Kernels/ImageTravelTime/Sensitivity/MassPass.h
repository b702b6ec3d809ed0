// MassPass.h - masses that pass from tips to the points that give them their time.
//
// A mass placed on a tip moves to the points that give the tip its time, in their shares, until it arrives at
// start values. The mass that passes a point is the derivative of the objective with respect to its time.
// Tiles take turns: within a tile, points whose users (the points that depend on them) are done pass their
// masses on. Each point adds up the masses of its users in a fixed order, so the result does not depend on
// the order of the turns.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Sensitivity/Cycles.h"
#include "Monitor.h"

#include <functional>
#include <span>
#include <vector>

namespace isochrone::image {

/// Number of rows of a Jacobian that are computed together.
inline constexpr int rowLanes = 8;

/// The masses of several objectives, `lanes` of them, at the same time.
template <int lanes>
class MassPass {
public:
  struct Tip {
    std::int64_t number;
    double mass[lanes];
  };

  /// @param workers  threads; null: this one only
  /// @param known    all cycles; null: finds them
  /// All must outlive this.
  MassPass(Dependences& dependences, execution::RoundPool* workers, const Cycles* known = nullptr);

  /// Returns the memory of a pass, without the masses.
  static std::size_t bytesNeeded(const Problem& problem) {
    return std::size_t(TileOrder(problem).size()) * sizeof(Word);
  }
  /// And that of its masses.
  std::size_t massBytes() const { return reached.size() * massesPerTile() * sizeof(double); }

  /// Finds the points that the tips depend on. Returns false if the monitor requested a stop.
  /// @param tips  each point once
  bool flood(std::vector<Tip> tips, const Monitor& monitor);
  /// Finds their masses, after `flood`. Returns false if the monitor requested a stop.
  bool spread(const Monitor& monitor);
  /// Forgets the points, so that `flood` can begin again.
  void clear();

  const Cycles& cycles() const { return known ? *known : found; }
  /// Returns the tiles with reached points, ascending.
  const std::vector<std::int32_t>& tiles() const { return reached; }
  bool hasTile(int tile) const { return slots[std::size_t(tile)] >= 0; }
  /// For points of such a tile.
  bool isReached(std::int64_t number) const { return words[std::size_t(number)] & queued; }
  /// Returns whether the masses of a point go nowhere.
  bool isLost(std::int64_t number) const {
    return dependences.from(number) == TimeFrom::Nothing || (words[std::size_t(number)] & lost);
  }
  const double* massesOf(std::int64_t number) const {
    return &masses[std::size_t(slots[std::size_t(order.tileOf(number))]) * massesPerTile() +
                   std::size_t(number & (order.tileSize() - 1)) * lanes];
  }

private:
  /// Per point: its users (bits as in Sides), the number of those that are not done, and marks.
  using Word = std::uint32_t;
  static constexpr int openShift = directions;
  static constexpr Word usersMask = (1u << directions) - 1, oneOpen = 1u << openShift, openMask = 7 * oneOpen,
                        isTip = 1u << 16, ///< has a mass of its own
      isCalled = 1u << 17,                ///< reached without a user that counts
      queued = 1u << 18,                  ///< reached, and its tile knows
      passed = 1u << 19,                  ///< all users are done
      inCycle = 1u << 20, lost = 1u << 21;
  static Word userBit(Direction d) { return Word(1) << d; }

  /// What a thread finds.
  struct Finds {
    std::vector<std::int32_t> active;  ///< tiles that other tiles gave something to do
    std::vector<std::int32_t> reached; ///< tiles
    std::vector<std::int64_t> waiting; ///< points in cycles whose other users are done
    std::int64_t points = 0;
  };

  Dependences& dependences;
  const TileOrder& order;
  execution::RoundPool* pool;
  const Cycles* known;
  Cycles found;
  std::vector<Tip> tips;
  Values<Word> words;
  std::vector<std::uint64_t> touched; ///< per tile, the rows of eight points that may have something to do
  std::vector<std::int32_t> slots;    ///< per tile, its place among the masses; -1: not reached
  std::vector<std::int32_t> reached;
  Values<double> masses;
  std::vector<int> missing;            ///< per cycle, number of members whose other users are not done
  std::int64_t count = 0;              ///< reached points
  std::vector<std::int32_t> active[2]; ///< tiles with something to do, by colour
  std::vector<Finds> finds;            ///< per thread

  std::size_t massesPerTile() const { return std::size_t(order.tileSize()) * lanes; }
  double* massesAt(std::int64_t number) { return const_cast<double*>(massesOf(number)); }
  Word fetchAdd(Word& word, Word change) const;
  template <class T>
  T fetchOr(T& word, T bits) const;
  void touch(std::int64_t number, Finds& from);
  template <class IsReady>
  int takeTouched(int tile, Word mark, std::int64_t (&stack)[maxTilePoints], const IsReady& isReady);
  void floodTile(int tile, Finds& from);
  void spreadTile(int tile, Finds& from);
  void arrive(std::int64_t number, double* mass) const;
  template <class Ready>
  void release(std::int64_t number, int tile, Finds& from, const Ready& ready);
  bool takeTurns(const std::function<void(int, Finds&)>& visit,
                 const std::function<bool(std::int64_t)>& report, float band);
  void touchCycles();
  void solveCycles(Finds& from);
  void solveCycle(int cycle, Finds& from);
  void mark(const Cycles& cycles);
};

} // namespace isochrone::image
