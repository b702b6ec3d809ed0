#include "CurvaturePaths/Host/SectorPlanes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>

namespace isochrone::curvature {

namespace {

constexpr std::size_t cacheLine = 64;
constexpr std::int64_t lineFloats = cacheLine / sizeof(float);

struct Shape {
  std::int64_t rows, columns, blocks, pitch, plane, border;
};

Shape shapeOf(const StateGrid& grid, int orientation, int reach) {
  Shape s;
  s.rows = orientation ? grid.ny : grid.nx;
  s.columns = orientation ? grid.nx : grid.ny;
  s.blocks = (s.columns + blockWidth - 1) / blockWidth;
  const std::int64_t lines =
      (std::max(s.columns + reach, s.blocks * blockWidth) + lineFloats - 1) / lineFloats;
  s.pitch = (lines | 1) * lineFloats; // an odd number of cache lines: rows spread over all cache sets
  s.plane = (s.rows + reach) * s.pitch;
  s.border = reach * s.pitch + 2 * lineFloats * ((reach + lineFloats - 1) / lineFloats);
  return s;
}

} // namespace

void SectorPlanes::Free::operator()(float* p) const { std::free(p); }

std::size_t SectorPlanes::bytesNeeded(const StateGrid& grid, int orientation, const std::vector<char>& copies,
                                      int reach) {
  const Shape s = shapeOf(grid, orientation, reach);
  const std::int64_t count = std::accumulate(copies.begin(), copies.end(), std::int64_t(0));
  return std::size_t(count * s.plane + s.border) * sizeof(float);
}

SectorPlanes::SectorPlanes(const StateGrid& grid, int orientation, const std::vector<char>& copies, int reach)
    : transposed(orientation == 0), first(copies.size(), -1), second(copies.size(), -1) {
  const Shape s = shapeOf(grid, orientation, reach);
  rows = int(s.rows), columns = int(s.columns), blocks = int(s.blocks), pitch = s.pitch;
  words = (blocks + wordBlocks - 1) / wordBlocks;
  // The border before the first plane. After the last plane, only the reach of its last row is needed.
  std::int64_t next = reach * pitch + (reach + lineFloats - 1) / lineFloats * lineFloats;
  for (std::size_t k = 0; k < copies.size(); ++k)
    for (int c = 0; c < copies[k]; ++c) {
      (c ? second : first)[k] = next;
      next += s.plane;
    }
  size = bytesNeeded(grid, orientation, copies, reach) / sizeof(float);
  memory.reset(static_cast<float*>(std::aligned_alloc(cacheLine, size * sizeof(float))));
  if (!memory) throw std::bad_alloc();
}

void SectorPlanes::fillWithInfinity(int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < size; ++i) memory[i] = std::numeric_limits<float>::infinity();
}

void gather(const StateGrid& grid, const SectorPlanes& byX, const SectorPlanes& byY, double scale,
            double offset, int threads, std::span<float> travelTime) {
  constexpr std::int64_t tile = 32; // keeps a tile of both source and target in cache
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int k = 0; k < grid.headings; ++k) {
    const bool alongRows = byY.has(k);
    const SectorPlanes& from = alongRows ? byY : byX;
    for (std::int64_t j0 = 0; j0 < grid.ny; j0 += tile)
      for (std::int64_t i0 = 0; i0 < grid.nx; i0 += alongRows ? grid.nx : tile)
        for (std::int64_t j = j0; j < std::min(j0 + tile, grid.ny); ++j)
          for (std::int64_t i = i0; i < (alongRows ? grid.nx : std::min(i0 + tile, grid.nx)); ++i)
            travelTime[grid.index(i, j, k)] = float(offset + scale * from.at(k, i, j));
  }
}

} // namespace isochrone::curvature
