// ElementWeights.h - the slowness of elements, and the derivatives of times along straight pieces with
// respect to it.
//
// Elements are the cells, or the vertices if the array that defines the speed has vertex data. The slowness
// of an element is 1 / speed if the speed is isotropic. Otherwise it is a factor on the slowness in all
// directions, 1 in the given medium.
#pragma once

#include "MeshTravelTime/Sensitivity/MassFlow.h"
#include "MeshTravelTime/Sensitivity/SolvedMesh.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::mesh {

struct ElementWeight {
  std::uint32_t element;
  double weight; ///< derivative with respect to the slowness
};

/// The weights of the pieces that lead to each vertex, from its minimum point or from a seed.
class ElementWeights {
public:
  /// Fills the weights of the ranked vertices. Returns false if the monitor requested a stop.
  bool fill(const Problem& problem, const SolvedMesh& solved, std::span<const std::int32_t> ranked,
            execution::RoundPool& pool, const Monitor& monitor);

  std::span<const ElementWeight> of(std::int64_t rank) const {
    const auto& part = parts[std::size_t(rank / length)];
    const std::size_t begin = rank % length == 0 ? 0 : ends[std::size_t(rank) - 1];
    return std::span(part).subspan(begin, ends[std::size_t(rank)] - begin);
  }

private:
  static constexpr std::int64_t length = 1024;   ///< ranks of a part
  std::vector<std::vector<ElementWeight>> parts; ///< of consecutive ranks
  Values<std::uint32_t> ends;                    ///< per rank, in its part
};

} // namespace isochrone::mesh
