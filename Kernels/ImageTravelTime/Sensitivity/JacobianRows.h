// JacobianRows.h - the derivatives of the times of tips with respect to the slowness of each point.
#pragma once

#include "ImageTravelTime/Sensitivity/MassPass.h"
#include "ImageTravelTime/Sensitivity/SecondOrderDependences.h"

#include <array>
#include <optional>

namespace isochrone::image {

/// A row of the Jacobian.
struct JacobianRow {
  Values<std::int64_t> point; ///< ascending
  Values<double> weight;      ///< derivative with respect to the slowness, world length
};

/// Computes rows on one thread, a few at a time.
class JacobianRows {
public:
  /// @param cycles       all
  /// @param secondOrder  null: the times are of first order
  /// All must outlive this. The dependences of all points that the tips depend on must be known.
  JacobianRows(const Problem& problem, const DependenceScheme& scheme, Dependences& dependences,
               const Cycles& cycles, const SecondOrderDependences* secondOrder = nullptr);

  /// Computes the rows of up to rowLanes tips. Returns nothing if the monitor requested a stop.
  /// @param tips  their points, each once
  std::vector<JacobianRow> of(std::span<const std::int64_t> tips, const Monitor& monitor);

private:
  using Lanes = std::array<double, rowLanes>;
  using Tip = MassPass<rowLanes>::Tip;
  /// The derivatives with respect to the slowness at seeds, at one of the points whose mean it is.
  struct SeedPart {
    std::int64_t point;
    Lanes weight;
  };

  const Problem& problem;
  const DependenceScheme& scheme;
  Dependences& dependences;
  const TileOrder& order;
  MassPass<rowLanes> pass;
  std::vector<SeedPart> seedParts; ///< by point
  const SecondOrderDependences* secondOrder;
  std::optional<OrderedPass<rowLanes>> secondPass;

  template <class Visit>
  void forRowsOfTiles(const Visit& visit) const;
  bool setWeights(std::int64_t number, Lanes& weights) const;
  std::array<std::size_t, rowLanes> countEntries();
  void findSeedParts(std::span<const Lanes> perSeedSlowness);
  std::vector<JacobianRow> firstOrderRows(std::vector<Tip> tips, const Monitor& monitor);
  std::vector<JacobianRow> secondOrderRows(std::vector<Tip>& tips, const Monitor& monitor);
};

} // namespace isochrone::image
