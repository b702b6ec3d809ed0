// EdgeSlowness.h - the slowness along the edges: that of a wave in the direction of an edge, which is one
// number in an isotropic medium and depends on the direction in a tilted transversely isotropic one.
//
// There it is 1 / (group velocity): the time along a vector v is the maximum of <p, v> over the slowness
// surface (Grid/ThomsenMedium.h). All rules for weights apply to this slowness as to an isotropic one.
#pragma once

#include "Bytes.h"
#include "Execution/RoundPool.h"
#include "Monitor.h"
#include "RayTracing/RayTracing.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/Precision.h"
#include "Values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace isochrone::rays {

/// Returns the slowness of an element, as given: of a tilted medium that along its axis.
inline double slownessAt(const Problem& p, std::int64_t element) {
  return p.preciseSlowness.empty() ? double(p.slowness[element]) : p.preciseSlowness[element];
}

/// Returns by how much larger the slowness of an element along a vector in world units is than the one given:
/// 1 in isotropic media.
inline double slownessRatio(const Problem& p, std::int64_t element, const Position& along) {
  if (!p.tilted || std::isinf(slownessAt(p, element))) return 1;
  const double length = std::hypot(along[0], along[1], along[2]);
  return rayAlong(p.thomsen.at(p.grid, element, 1), along).time / length;
}

/// Returns the vector of an offset, world units; of an offset and its opposite the same one.
inline Position directionOf(const Grid& grid, const Offset& o) {
  const Position h = grid.spacing();
  const bool isForward = std::tuple(o[2], o[1], o[0]) > std::tuple(0, 0, 0);
  const double sign = isForward ? 1 : -1;
  return {sign * o[0] * h[0], sign * o[1] * h[1], sign * o[2] * h[2]};
}

/// The slowness of an element along a vector, rounded once, and its ratio to the one given.
template <class Real>
struct SlownessAlong {
  Real slowness;
  double ratio;
};
template <class Real>
SlownessAlong<Real> slownessAlong(const Problem& p, std::int64_t element, const Position& vector) {
  const double ratio = slownessRatio(p, element, vector);
  return {Real(slownessAt(p, element) * ratio), ratio};
}

/// The slowness of all elements along each direction of a forward star; an offset and its opposite have one
/// direction. In isotropic media there is one direction for all, with the slowness as given.
template <class Real>
class EdgeSlowness {
public:
  /// Finds the directions; a tilted medium has no slowness before compute().
  /// @param problemOfEdges  must outlive this
  EdgeSlowness(const Problem& problemOfEdges, const std::vector<EdgeTerms>& edges)
      : problem(problemOfEdges), given(slownessOf<Real>(problem)), directions(edges.size(), 0) {
    if (!problem.tilted) return;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Position to = directionOf(problem.grid, edges[e].offset);
      const auto found = std::ranges::find(along, to);
      directions[e] = int(found - along.begin());
      if (found == along.end()) along.push_back(to);
    }
  }

  /// Computes the slowness of a tilted medium, most of the work of a solve. Returns false if the monitor
  /// requested a stop: the slowness is then incomplete.
  bool compute(execution::RoundPool& pool, const Monitor& monitor) {
    if (!problem.tilted) return true;
    const auto elements = std::int64_t(given.size());
    table.resize(std::size_t(count()) * given.size());
    constexpr std::int64_t share = 16384; // between two questions to the monitor: some tenths of a second
    for (std::int64_t first = 0; first < elements; first += share) {
      pool.forRanges(std::min(share, elements - first), 1024,
                     [&](std::int64_t begin, std::int64_t end, int) { fill(first + begin, first + end); });
      if (!monitor.report(0)) return false;
    }
    return true;
  }

  int count() const { return std::max(int(along.size()), 1); } ///< of directions
  /// Returns the directions of a tilted medium, world units.
  std::span<const Position> vectors() const { return along; }
  int directionOfEdge(int edge) const { return directions[std::size_t(edge)]; }
  const Real* of(int direction) const {
    return table.empty() ? given.data() : table.data() + std::size_t(direction) * given.size();
  }
  /// Returns the memory, bytes: also before compute().
  std::size_t bytes() const { return along.size() * given.size() * sizeof(Real) + bytesOf(directions); }

private:
  const Problem& problem;
  std::span<const Real> given;
  std::vector<int> directions; ///< per edge
  std::vector<Position> along; ///< the directions of a tilted medium
  Values<Real> table;          ///< direction by direction; empty in isotropic media

  void fill(std::int64_t begin, std::int64_t end) {
    std::vector<double> ratios(along.size());
    std::int64_t last = -1; // the element of the ratios
    for (std::int64_t n = begin; n < end; ++n) {
      const Real own = given[std::size_t(n)];
      const bool blanked = std::isinf(own);
      if (!blanked && !(last >= 0 && problem.thomsen.areSame(problem.grid, n, last))) {
        for (std::size_t d = 0; d < along.size(); ++d) ratios[d] = slownessRatio(problem, n, along[d]);
        last = n;
      }
      for (std::size_t d = 0; d < along.size(); ++d)
        table[d * given.size() + std::size_t(n)] = blanked ? own : Real(double(own) * ratios[d]);
    }
  }
};

} // namespace isochrone::rays
