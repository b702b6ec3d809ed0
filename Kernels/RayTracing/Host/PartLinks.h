// PartLinks.h - what one run of a part tells the other parts, and hears from them.
#pragma once

#include "Grid/GridPart.h"
#include "RayTracing/Host/TileRun.h"

#include <cstdint>
#include <vector>

namespace isochrone::rays {

/// A process tells the times in the margins of the others that have fallen since it last told them and that
/// can lower times of the other process: those not later than a point there within reach.
template <class Real>
class PartLinks {
public:
  PartLinks(const Problem& problem, const TilePlan<Real>& plan, TileRun<Real>& run);

  /// Returns the news for a link.
  /// @param minimum  lowered to the minimum time in the news
  grid::Message tell(std::size_t link, double& minimum);

  /// Lowers the times that another process told.
  void hear(std::size_t link, std::span<const char> message);

  std::size_t bytes() const;

private:
  /// The part of a link within a tile, along the axes of the plan.
  struct Patch {
    int tile;
    grid::Box points;
    int visits; ///< of the tile when it was last told; -1: never
  };
  struct Link {
    grid::Box told, heard;  ///< along the axes of the plan
    std::vector<Real> last; ///< the times last told
    std::vector<Patch> patches;
  };

  bool mayLower(const Link& link, const GridIndex& point, Real time) const;

  const TilePlan<Real>& plan;
  TileRun<Real>& run;
  std::vector<Link> links;
};

} // namespace isochrone::rays
