// PassMemory.h - the memory of a result, and between the passes.
#pragma once

#include "DistanceTransform/DistanceTransform.h"
#include "DistanceTransform/Host/Passes.h"
#include "DistanceTransform/Scheme/Units.h"
#include "DistanceTransform/Validation.h"

#include <algorithm>
#include <vector>

namespace isochrone::distance {

/// Scratch memory for one kind of pass, one part per thread.
struct ScratchOfThreads {
  std::vector<Values<std::uint8_t>> parts;
  std::vector<std::uint8_t> used;

  ScratchOfThreads(int threads, std::int64_t bytes) : parts(threads), used(threads) {
    for (auto& p : parts) p.resize(bytes);
  }
  Scratch of(int thread) {
    const bool fresh = !used[thread];
    used[thread] = true;
    return {parts[thread].data(), fresh};
  }
};

template <class T>
struct PassMemory {
  Output out{};
  Carrier<T> carrier{};
  Values<T> own; ///< values between the passes, unless the result has numbers of their size

  /// Allocates the result and, for more than one pass, the memory between the passes.
  /// @param moreBytes  that the solver needs in addition
  /// @throws Error if memory is insufficient
  void allocate(const Problem& problem, const Options& options, const Measure& measure, bool carries,
                std::size_t moreBytes, Result& result) {
    const auto points = std::size_t(problem.box().points());
    const bool precise = options.distance && options.doublePrecision;
    const bool inResult =
        sizeof(T) == 4 ? options.distance && !options.doublePrecision : precise || options.squaredDistance;
    const std::size_t between = carries && !inResult ? points : 0;
    requireHostMemory(resultBytes(problem, options) + between * sizeof(T) + moreBytes, nameOf(problem));
    if (options.distance && !precise) result.distance.resize(points);
    if (precise) result.preciseDistance.resize(points);
    if (options.squaredDistance) result.squaredDistance.resize(points);
    if (options.nearestSite) result.nearestSite.resize(points);
    const auto memoryOf = [](auto& values) { return values.empty() ? nullptr : values.data(); };
    out = {memoryOf(result.distance),
           memoryOf(result.preciseDistance),
           memoryOf(result.squaredDistance),
           measure.unit,
           measure.limit,
           options.region == Region::Signed};
    carrier.label = memoryOf(result.nearestSite);
    if (!carries) return;
    own.resize(between);
    if (!inResult)
      carrier.value = own.data();
    else if (sizeof(T) == 4)
      carrier.value = (T*)out.distance;
    else
      carrier.value = (T*)(out.precise ? out.precise : out.squared);
    result.workBytes += between * sizeof(T);
  }
};

} // namespace isochrone::distance
