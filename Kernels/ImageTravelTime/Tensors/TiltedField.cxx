// The part of TensorField for tilted media: the pieces of the slowness curve of each point.
#include "ImageTravelTime/Tensors/TensorField.h"

#include "Error.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Tensors/Numbering.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

namespace isochrone::image {

std::vector<StencilOffsets> TensorField::findPieces(const Problem& problem, execution::RoundPool& pool) {
  Numbering<StencilOffsets> stencils;
  std::mutex mutex;
  point.resize(points());
  tilted.resize(points());
  const std::int64_t rows = grid.ny * grid.nz;
  std::vector<std::vector<ThomsenTerms>> ofRow(rows);
  pool.forEach(rows, [&](std::int64_t row) {
    std::vector<ThomsenTerms>& found = ofRow[row];
    std::map<StencilOffsets, std::uint32_t> numbers; // without the lock
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      point[p] = {}, tilted[p] = {};
      if (image::isBarrier(problem, p)) {
        point[p].stencil = TensorPoint::barrier;
        continue;
      }
      if (i > 0 && !isBarrier(p - 1) && sameMedium(problem, p, p - 1)) {
        tilted[p] = tilted[p - 1];
        continue;
      }
      const ThomsenScheme scheme = thomsenScheme(problem, p);
      const ThomsenCurve<double>& curve = scheme.medium.curve;
      tilted[p] = {{float(curve.across), float(curve.shear), float(curve.coupling)},
                   curve.isMaximum(),
                   std::uint32_t(found.size()),
                   std::uint32_t(scheme.pieces.size())};
      for (const ThomsenPiece& piece : scheme.pieces) {
        ThomsenTerms& to = found.emplace_back();
        to = {{}, {}, float(piece.first), float(piece.last), 0, seesAll};
        for (int r = 0; r < piece.count; ++r)
          to.across[r] = float(piece.across[r] * unit * unit),
          to.along[r] = float(piece.along[r] * unit * unit);
        const auto [at, isNew] = numbers.try_emplace(piece.offset, 0);
        if (isNew) {
          const std::lock_guard lock(mutex);
          at->second = std::uint32_t(stencils.numberOf(piece.offset));
        }
        to.stencil = at->second;
      }
    }
  });
  std::vector<std::size_t> first(rows + 1, 0);
  for (std::int64_t row = 0; row < rows; ++row) first[row + 1] = first[row] + ofRow[row].size();
  resizePieces(first[rows]);
  pool.forEach(rows, [&](std::int64_t row) {
    std::ranges::copy(ofRow[row], pieces.begin() + std::ptrdiff_t(first[row]));
    for (std::int64_t p = row * grid.nx; p < (row + 1) * grid.nx; ++p)
      tilted[p].first += std::uint32_t(first[row]);
  });
  addOffsets(stencils.values);
  return std::move(stencils.values);
}

void TensorField::resizePieces(std::size_t count) {
  if (count > std::numeric_limits<std::uint32_t>::max())
    throw Error("the tilted medium of " + std::to_string(points()) + " points has " + std::to_string(count) +
                " stencils: at most 4294967295 are possible; make the image smaller");
  pieces.resize(count);
}

/// Adds the pieces of a point with what they see to `seen`, if one does not see all of its stencil; the
/// point's pieces then begin there. Returns the neighbours on the axes, else `seesAll`.
TensorSees TensorField::findSeen(const TensorSight& sight, const GridIndex& at, std::int64_t p,
                                 std::vector<ThomsenTerms>& seen) {
  const std::size_t first = seen.size();
  ThomsenPoint& here = tilted[p];
  TensorSees faces = 0;
  bool all = true;
  for (std::uint32_t k = 0; k < here.count; ++k) {
    ThomsenTerms& piece = seen.emplace_back(pieces[here.first + k]);
    piece.sees = sight.of(at, piece.stencil);
    all = all && piece.sees == seesAll;
    faces |= piece.sees & ~seesAll;
  }
  if (all) {
    seen.resize(first);
    return seesAll;
  }
  here.first = std::uint32_t(first);
  return faces;
}

} // namespace isochrone::image
