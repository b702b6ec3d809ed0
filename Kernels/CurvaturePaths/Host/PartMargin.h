// PartMargin.h - the values near the border of a part of the plane, which several processes hold.
#pragma once

#include "CurvaturePaths/Host/SectorSystem.h"
#include "Grid/GridPart.h"

#include <vector>

namespace isochrone::curvature {

/// Sends the own values that other processes read, and receives theirs.
class PartMargin {
public:
  /// @param problem  in the window of a part
  PartMargin(const Problem& problem, SectorSystem& system);

  /// Returns one message for each link of the part, with the values up to `limit` that have fallen since they
  /// were last sent. Later ones wait, since they may still fall.
  /// @param minSent, minWaiting  lowered to the minimum of these values
  std::vector<grid::Message> send(float limit, float& minSent, float& minWaiting);

  /// Takes the values of other processes.
  void receive(const std::vector<grid::Message>& messages);

private:
  /// States that one process computes and another one reads.
  struct Border {
    grid::Box own;           ///< of this process, with the heading as third axis
    std::vector<float> sent; ///< per state, the value last sent
    grid::Box other;         ///< of the other process
  };

  SectorSystem& system;
  std::vector<Border> borders; ///< per link
};

} // namespace isochrone::curvature
