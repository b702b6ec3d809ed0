// SharedLabels.h - values of the site array at nearest sites that other ranks have.
#pragma once

#include "Common/Extents.h"
#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Outputs.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::filters {

class Ranks;

/// Fetches the values at the nearest sites beyond this rank's samples from their owners. Collective.
/// @param array   of this rank's samples
/// @param isSite  likewise; sites keep their own value
/// @param owned   samples of each rank
ForeignValues foreignValues(const Ranks& ranks, vtkDataArray* array, std::span<const std::uint8_t> isSite,
                            const distance::Result& result, const Part& part,
                            const std::vector<Extent>& owned);

} // namespace isochrone::filters
