// JacobianRows.h - the derivatives of the time of one tip with respect to the slowness of each element.
#pragma once

#include "Grid/NumberSet.h"
#include "MeshTravelTime/Sensitivity/ElementWeights.h"
#include "MeshTravelTime/Sensitivity/MassFlow.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"

#include <cstdint>
#include <vector>

namespace isochrone::mesh {

struct JacobianRow {
  std::vector<ElementWeight> entries; ///< by element
  std::int32_t seed = -1; ///< with the largest share in the time, the last of equal ones; -1: none
  double lostWeight = 0;
};

/// Computes rows on one thread.
class JacobianRows {
public:
  /// All must outlive this.
  JacobianRows(std::int64_t elements, const SolvedMesh& solved, const MassFlow& flow,
               const ElementWeights& weights);

  /// Returns nothing of use if goOn() returned false, after which no more rows can be computed.
  JacobianRow of(const SolvedMesh::TipPlace& tip, const MassFlow::GoOn& goOn);

private:
  const SolvedMesh& solved;
  const MassFlow& flow;
  const ElementWeights& weights;
  std::vector<double> mass;        ///< per vertex; 0 between calls
  std::vector<double> perSlowness; ///< per element; 0 between calls
  grid::NumberSet waiting;         ///< ranks
  grid::NumberSet passed;          ///< vertices
  grid::NumberSet touched;         ///< elements

  bool pass(std::int64_t rank, double& lost, const MassFlow::GoOn& goOn);
};

} // namespace isochrone::mesh
