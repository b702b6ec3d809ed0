// OrderedPass.h - masses that pass from tips to earlier points, in descending order of given times.
//
// For rows of the Jacobian in schemes in which a point depends on points that lie anywhere but are earlier. A
// mass placed on a tip moves to the points that the tip uses, in shares that may be negative. The mass that
// passes a point is the derivative of the objective with respect to its value.
#pragma once

#include "Error.h"
#include "Execution/Progress.h"
#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/TimeKeys.h"
#include "Monitor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace isochrone::image {

/// The places of the points of an image in the order of their times.
class TimeRanks {
public:
  using Rank = std::uint32_t;
  static constexpr Rank none = std::numeric_limits<Rank>::max(); ///< of points at +infinity or NaN

  /// @throws Error with 2^32 points or more
  TimeRanks(std::span<const float> times, execution::RoundPool& pool);

  /// Returns the memory that sorting takes, of which three quarters remain.
  static std::size_t bytesNeeded(std::size_t points) {
    return points * (3 * sizeof(std::uint64_t) / 2 + sizeof(Rank));
  }
  Rank size() const { return Rank(sorted.size()); }
  Rank rankOf(std::int64_t point) const { return ranks[std::size_t(point)]; }
  std::int64_t pointAt(Rank rank) const { return pointOfKey(sorted[rank]); }

private:
  std::vector<std::uint64_t> sorted; ///< time in the upper half, point in the lower
  std::vector<Rank> ranks;           ///< per point
};

/// The masses of several objectives, `lanes` of them, at the same time. Several threads may each have a pass
/// of their own with the same ranks.
template <int lanes>
class OrderedPass {
public:
  using Mass = std::array<double, lanes>;
  struct Tip {
    std::int64_t point; ///< one that has a rank
    Mass mass;
  };

  /// @param timeRanks  must outlive this
  explicit OrderedPass(const TimeRanks& timeRanks)
      : ranks(timeRanks), reached(timeRanks.size() / 64 + 1, 0), slots(timeRanks.size()) {}

  /// Returns the memory of a pass, without the masses on the front of reached points.
  static std::size_t bytesNeeded(std::size_t points) { return points * sizeof(std::uint32_t) + points / 8; }

  /// Passes the masses of tips on, from the latest point to the earliest, until none is left. Returns false
  /// if the monitor requested a stop. May be called again for other tips.
  /// @param graph  has forUsed(point, f), which calls f(used, share) for each point that a point uses
  /// @param visit  called as visit(point, mass) for each reached point, latest first
  /// @throws Error if a point depends on one that is not earlier
  template <class Graph, class Visit>
  bool run(std::span<const Tip> tips, const Graph& graph, const Visit& visit, const Monitor& monitor);

private:
  using Rank = TimeRanks::Rank;

  const TimeRanks& ranks;
  std::vector<std::uint64_t> reached; ///< one bit per rank: a mass waits there
  std::vector<std::uint32_t> slots;   ///< per such rank, its place among the masses
  std::vector<Mass> masses;           ///< only those that wait
  std::vector<std::uint32_t> unused;  ///< places

  void give(Rank rank, const Mass& mass, double share) {
    std::uint64_t& word = reached[rank / 64];
    if (!(word & bitOf(rank))) {
      word |= bitOf(rank);
      if (unused.empty()) unused.push_back(std::uint32_t(masses.size())), masses.emplace_back();
      slots[rank] = unused.back();
      unused.pop_back();
      masses[slots[rank]].fill(0);
    }
    Mass& to = masses[slots[rank]];
    for (std::size_t l = 0; l < lanes; ++l) to[l] += share * mass[l];
  }
  Mass take(Rank rank) {
    unused.push_back(slots[rank]);
    return masses[slots[rank]];
  }
  /// Returns the last rank with a bit in a word.
  static Rank lastOf(std::size_t word, std::uint64_t bits) {
    return Rank(word * 64 + 63 - std::size_t(std::countl_zero(bits)));
  }
  static std::uint64_t bitOf(Rank rank) { return std::uint64_t(1) << (rank % 64); }
};

template <int lanes>
template <class Graph, class Visit>
bool OrderedPass<lanes>::run(std::span<const Tip> tips, const Graph& graph, const Visit& visit,
                             const Monitor& monitor) {
  std::ranges::fill(reached, 0);
  masses.clear(), unused.clear();
  for (const Tip& tip : tips) give(ranks.rankOf(tip.point), tip.mass, 1);

  constexpr std::size_t checked = 128; // words between two questions
  execution::Progress progress(monitor);
  std::size_t all = reached.size();
  while (all > 0 && reached[all - 1] == 0) --all;
  for (std::size_t word = all; word-- > 0;) {
    while (reached[word] != 0) {
      const Rank rank = lastOf(word, reached[word]);
      reached[word] ^= bitOf(rank);
      const std::int64_t point = ranks.pointAt(rank);
      const Mass mass = take(rank);
      visit(point, mass);
      graph.forUsed(point, [&](std::int64_t used, double share) {
        if (share == 0) return;
        const Rank upstream = ranks.rankOf(used);
        if (upstream >= rank)
          throw Error("point " + std::to_string(point) + " depends on point " + std::to_string(used) +
                      ", which is not earlier");
        give(upstream, mass, share);
      });
    }
    if (word % checked == 0 && !progress.report([&] { return double(all - word) / double(all); }))
      return false;
  }
  return true;
}

} // namespace isochrone::image
