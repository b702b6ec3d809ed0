#include "CurvaturePaths/SectorPlanes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace isochrone::curvature {

namespace {

constexpr std::size_t cacheLine = 64;

struct Shape {
  std::int64_t rows, columns, blocks, border, pitch, plane;
};

Shape shapeOf(const StateGrid& grid, int orientation, int reach) {
  Shape s;
  s.rows = orientation ? grid.ny : grid.nx;
  s.columns = orientation ? grid.nx : grid.ny;
  s.blocks = (s.columns + blockWidth - 1) / blockWidth;
  s.border = (reach + 7) / 8 * 8;
  s.pitch = s.blocks * blockWidth + 2 * s.border;
  s.plane = (s.rows + 2 * reach) * s.pitch;
  return s;
}

} // namespace

void SectorPlanes::Free::operator()(float* p) const { std::free(p); }

std::size_t SectorPlanes::bytesNeeded(const StateGrid& grid, int orientation, const std::vector<char>& holds,
                                      int reach) {
  const auto count = std::count(holds.begin(), holds.end(), 1);
  return std::size_t(shapeOf(grid, orientation, reach).plane) * count * sizeof(float) + cacheLine;
}

SectorPlanes::SectorPlanes(const StateGrid& grid, int orientation, const std::vector<char>& holds, int reach)
    : transposed(orientation == 0), first(holds.size(), -1) {
  const Shape s = shapeOf(grid, orientation, reach);
  rows = int(s.rows), columns = int(s.columns), blocks = int(s.blocks), pitch = s.pitch;
  words = (blocks + wordBlocks - 1) / wordBlocks;
  for (std::size_t k = 0; k < holds.size(); ++k)
    if (holds[k]) {
      first[k] = size + reach * pitch + s.border;
      size += s.plane;
    }
  const std::size_t bytes = bytesNeeded(grid, orientation, holds, reach) / cacheLine * cacheLine;
  memory.reset(static_cast<float*>(std::aligned_alloc(cacheLine, std::max(bytes, cacheLine))));
  if (!memory) throw std::bad_alloc();
}

void SectorPlanes::fillWithInfinity(int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t i = 0; i < size; ++i) memory[i] = std::numeric_limits<float>::infinity();
}

void gather(const StateGrid& grid, const SectorPlanes& byX, const SectorPlanes& byY, double scale,
            double offset, int threads, std::span<float> travelTime) {
  constexpr std::int64_t tile = 32; // a tile of both the source and the target stays in cache
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
