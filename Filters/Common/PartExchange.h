// PartExchange.h - the exchange between the ranks that solve the parts of an image together.
#pragma once

#include "Common/Ranks.h"
#include "Grid/GridPart.h"

#include <functional>
#include <span>
#include <vector>

namespace isochrone::filters {

/// One joint computation. A rank that fails says so in place of its next exchange: the others then throw
/// grid::OtherPartStopped, and no rank blocks.
class PartExchange {
public:
  explicit PartExchange(const Ranks& allRanks) : ranks(allRanks) {}
  /// Says that this rank has failed, unless the computation has ended.
  ~PartExchange();
  PartExchange(const PartExchange&) = delete;
  PartExchange& operator=(const PartExchange&) = delete;

  /// Adds the exchange to a part; valid while this object lives.
  void connect(grid::GridPart& part);

  /// Replaces each number by its minimum over all ranks. Collective.
  void allMin(std::span<double> values);
  /// Returns whether a condition is true on any rank. Collective.
  bool any(bool condition);
  /// Returns the maximum over all ranks. Collective.
  double max(double local);
  /// Returns the sum over all ranks. Collective.
  double sum(double local);
  /// Returns the values of each rank, in rank order. Collective.
  template <class T>
  std::vector<std::vector<T>> gather(std::span<const T> local) {
    allMin({}); // throws if another rank has failed
    return ranks.gather<T>(local);
  }

  /// Ends the computation. Collective.
  /// @param well  whether it succeeded on this rank
  /// @return whether it succeeded on all ranks
  bool finish(bool well);

private:
  enum class Step { Stop, Exchange, Finish };
  bool agree(Step step, std::span<double> minima);

  Ranks ranks;
  bool ended = false;
};

/// Runs a joint computation. Returns whether it succeeded on all ranks. Collective.
/// @param inParts  false: each rank computes for itself
/// @param work     returns whether it succeeded on this rank
/// @throws Error on all ranks if it failed on one
bool runTogether(const Ranks& ranks, bool inParts, const std::function<bool(PartExchange&)>& work);

} // namespace isochrone::filters
