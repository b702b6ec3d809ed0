// SurfaceSearch.h - distances to a surface on any device.
#pragma once

#include "DistanceTransform/Scheme/SurfaceWriter.h"
#include "Surface/DeviceSearch.h"

namespace isochrone::distance {

/// Returns the points of a problem in the whole image.
inline grid::Box searchedBox(const Problem& problem) {
  grid::Box box{problem.box().begin, problem.box().end};
  for (int a = 0; a < 3; ++a) box.low[a] += problem.first[a], box.high[a] += problem.first[a];
  return box;
}

/// Solves a validated problem with a surface. Sets all members of the result but ranOn.
template <class Device>
void solveSurface(Device& device, const Problem& problem, const Options& options, const Monitor& monitor,
                  Result& result) {
  SurfaceWriter writer(problem, options, result);
  auto timer = device.timer();
  timer.mark();
  surface::SearchResult found;
  result.aborted = !surface::searchOnDevice(device, problem.grid, searchedBox(problem),
                                            problem.surface->pieces, options.maximumDistance, monitor, found);
  if (result.aborted) return;
  for (std::size_t i = 0; i < found.square.size(); ++i)
    writer.write(std::int64_t(i), found.square[i], found.piece[i]);
  result.workBytes = found.workBytes;
  timer.mark();
  result.passes.push_back({"surface", timer.seconds()[0]});
}

} // namespace isochrone::distance
