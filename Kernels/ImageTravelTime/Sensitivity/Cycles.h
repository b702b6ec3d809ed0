// Cycles.h - points that depend on each other: with source factoring, those on the two sides of a plane
// through the seed. Each set of such points is a small linear system.
#pragma once

#include "Grid/Components.h"
#include "ImageTravelTime/Sensitivity/Dependences.h"

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace isochrone::image {

struct Cycles {
  std::vector<std::vector<std::int64_t>> members; ///< numbers, ascending
  std::vector<std::uint8_t> isLost;               ///< nothing leads out of it
  std::unordered_map<std::int64_t, int> cycleOf;

  /// Finds the cycles. Returns false if `goOn` does.
  /// @param points  all that depend on each other, and all that these depend on, ascending
  bool find(const Dependences& dependences, std::span<const std::int64_t> points,
            const std::function<bool()>& goOn);

  /// Returns whether two points are in one cycle.
  bool join(std::int64_t one, std::int64_t other) const {
    const auto a = cycleOf.find(one), b = cycleOf.find(other);
    return a != cycleOf.end() && b != cycleOf.end() && a->second == b->second;
  }
};

/// Returns the matrix of the linear system of a cycle, row after row. The right-hand side are the masses that
/// arrive from other points.
/// @param leadsOut  set if masses leave the cycle
std::vector<double> matrixOf(const Dependences& dependences, std::span<const std::int64_t> members,
                             bool* leadsOut = nullptr);

} // namespace isochrone::image
