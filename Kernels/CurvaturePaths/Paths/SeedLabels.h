// SeedLabels.h - the seeds that states lead to.
#pragma once

#include "CurvaturePaths/Paths/DescentFlow.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace isochrone::curvature {

/// Labels states with the seed that their strongest edges lead to. Paths that meet go on together, so every
/// state is visited about once, and threads that meet write the same label.
class SeedLabels {
public:
  static constexpr std::int32_t unknown = -2; ///< until another process has answered

  /// Collective where the plane is divided.
  explicit SeedLabels(const DescentFlow& flow);

  /// Memory of one thread.
  struct Scratch {
    std::vector<std::int64_t> visited;
    std::vector<std::int64_t> needed; ///< states of other parts of the plane whose labels are needed
  };
  /// Returns the label of an own state, or `unknown`.
  std::int32_t at(GridState q, Scratch& scratch);

  /// Asks the other processes for the labels that are needed, and answers them. Returns whether no process
  /// needs any. Collective.
  bool exchange(std::vector<Scratch>& scratch);

private:
  /// States asked of each other by this process and the one of a link.
  struct Questions {
    std::unordered_set<std::int64_t> asked; ///< by this process
    std::vector<std::int64_t> open;         ///< of this process, not answered yet
  };

  GridState stateOf(std::int64_t index) const;
  std::int32_t& label(const GridState& q);
  std::size_t linkOf(const GridState& q) const;
  void moveStates(const GridIndex& by, std::vector<std::int64_t>& message) const;

  const DescentFlow& flow;
  std::int32_t only = -1;
  std::vector<std::int32_t> labels; ///< of the window; -1: leads nowhere; empty if only one seed starts
  std::vector<Questions> questions; ///< per link
};

} // namespace isochrone::curvature
