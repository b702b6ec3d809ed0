#include "ImageTravelTime/Seeds/ThomsenPieces.h"

#include "Error.h"
#include "ImageTravelTime/Scheme/Medium.h"
#include "ImageTravelTime/Scheme/Numbering.h"
#include "ImageTravelTime/Scheme/ThomsenStencil.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <string>

namespace isochrone::image {

ThomsenPieces::ThomsenPieces(const Problem& problem, double unit, execution::RoundPool& pool)
    : grid(problem.grid) {
  Numbering<StencilOffsets> numbering;
  std::mutex mutex;
  point.resize(std::size_t(grid.points()));
  const std::int64_t rows = grid.ny * grid.nz;
  std::vector<std::vector<ThomsenTerms>> ofRow(static_cast<std::size_t>(rows));
  pool.forEach(rows, [&](std::int64_t row) {
    std::vector<ThomsenTerms>& found = ofRow[std::size_t(row)];
    std::map<StencilOffsets, std::uint32_t> numbers; // without the lock
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      ThomsenPoint& here = point[std::size_t(p)] = {};
      if (image::isBarrier(problem, p)) continue;
      if (i > 0 && !isBarrier(p - 1) && sameMedium(problem, p, p - 1)) {
        here = point[std::size_t(p - 1)];
        continue;
      }
      const ThomsenScheme scheme = thomsenScheme(problem, p);
      const ThomsenCurve<double>& curve = scheme.medium.curve;
      here = {{float(curve.across), float(curve.shear), float(curve.coupling)},
              curve.isMaximum(),
              std::uint32_t(found.size()),
              std::uint32_t(scheme.pieces.size())};
      for (const ThomsenPiece& part : scheme.pieces) {
        ThomsenTerms& to = found.emplace_back();
        to = {{}, {}, float(part.first), float(part.last), 0, seesAll};
        for (int r = 0; r < part.count; ++r)
          to.across[r] = float(part.across[r] * unit * unit),
          to.along[r] = float(part.along[r] * unit * unit);
        const auto [at, isNew] = numbers.try_emplace(part.offset, 0);
        if (isNew) {
          const std::lock_guard lock(mutex);
          at->second = std::uint32_t(numbering.numberOf(part.offset));
        }
        to.stencil = at->second;
      }
    }
  });
  const std::vector<std::size_t> first = addPieces(ofRow, pool);
  pool.forEach(grid.points(), [&](std::int64_t p) {
    point[std::size_t(p)].first += std::uint32_t(first[std::size_t(p / grid.nx)]);
  });
  stencils = std::move(numbering.values);
}

/// Adds lists of pieces one after the other. Returns where each begins.
std::vector<std::size_t> ThomsenPieces::addPieces(const std::vector<std::vector<ThomsenTerms>>& ofRow,
                                                  execution::RoundPool& pool) {
  std::vector<std::size_t> first{piece.size()};
  for (const auto& list : ofRow) first.push_back(first.back() + list.size());
  if (first.back() > std::numeric_limits<std::uint32_t>::max())
    throw Error("the tilted medium of " + std::to_string(grid.points()) + " points has " +
                std::to_string(first.back()) +
                " stencils: at most 4294967295 are possible; make the image smaller");
  piece.resize(first.back());
  pool.forEach(std::int64_t(ofRow.size()), [&](std::int64_t row) {
    std::ranges::copy(ofRow[std::size_t(row)], piece.begin() + std::ptrdiff_t(first[std::size_t(row)]));
  });
  return first;
}

void ThomsenPieces::limitTo(const TensorSight& sight, execution::RoundPool& pool) {
  const std::int64_t rows = grid.ny * grid.nz;
  std::vector<std::vector<ThomsenTerms>> ofRow(static_cast<std::size_t>(rows));
  std::vector<std::vector<std::int64_t>> edges(ofRow.size());
  pool.forEach(rows, [&](std::int64_t row) {
    std::vector<ThomsenTerms>& own = ofRow[std::size_t(row)];
    for (std::int64_t i = 0, p = row * grid.nx; i < grid.nx; ++i, ++p) {
      const std::size_t before = own.size();
      bool all = true;
      for (const ThomsenTerms& terms : of(p)) {
        ThomsenTerms& limited = own.emplace_back(terms);
        limited.sees = sight.of({i, row % grid.ny, row / grid.ny}, terms.stencil);
        all = all && limited.sees == seesAll;
      }
      if (all) {
        own.resize(before);
        continue;
      }
      point[std::size_t(p)].first = std::uint32_t(before);
      edges[std::size_t(row)].push_back(p);
    }
  });
  const std::vector<std::size_t> first = addPieces(ofRow, pool);
  pool.forEach(rows, [&](std::int64_t row) {
    for (const std::int64_t p : edges[std::size_t(row)])
      point[std::size_t(p)].first += std::uint32_t(first[std::size_t(row)]);
  });
}

TensorSees ThomsenPieces::sees(std::int64_t p) const {
  TensorSees faces = 0;
  bool all = true;
  for (const ThomsenTerms& terms : of(p)) {
    all = all && terms.sees == seesAll;
    faces |= terms.sees & ~seesAll;
  }
  return all ? seesAll : faces;
}

std::array<int, 3> ThomsenPieces::reach() const {
  std::array<int, 3> maximum{};
  for (const StencilOffsets& stencil : stencils)
    for (const grid::Offset& offset : stencil)
      for (std::size_t a = 0; a < 3; ++a) maximum[a] = std::max(maximum[a], std::abs(int(offset[a])));
  return maximum;
}

} // namespace isochrone::image
