// TensorField.h - an image of tensors prepared for the updates: stencils, values, and the users of each
// point.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/TensorSight.h"
#include "ImageTravelTime/Seeds/SolverInput.h"
#include "ImageTravelTime/Seeds/ThomsenPieces.h"
#include "ImageTravelTime/Tensors/TensorUpdate.h"
#include "ImageTravelTime/Tensors/UserLists.h"

#include <array>
#include <atomic>
#include <cmath>
#include <vector>

namespace isochrone::image {

struct UserSteps;

class TensorField {
public:
  /// @throws Error if the stencils differ too much
  TensorField(const SolverInput& input, execution::RoundPool& pool);

  double unit = 1;        ///< unit of time, a power of two
  float largestSpeed = 0; ///< maximum speed, grid steps per unit of time, up to a factor of two
  Values<float> value;    ///< travel times, `never` where not yet known; the solver marks points by the sign
  Values<TensorPoint> point;
  std::vector<std::int32_t> steps; ///< the distinct steps from a point to a user of it

  std::int64_t points() const { return grid.points(); }
  bool isPlane() const { return grid.nz == 1; }
  TensorView view() const {
    return {value.data(), point.data(), edges.data(), offsets.data(), drift.empty() ? nullptr : drift.data()};
  }
  bool isTilted() const { return !tilted.empty(); }
  ThomsenView thomsenView() const {
    return {value.data(), tilted.point.data(), tilted.piece.data(), offsets.data()};
  }
  /// Returns the maximum offset of the stencils of a tilted medium on each axis.
  std::array<int, 3> reach() const { return tilted.reach(); }
  bool isBarrier(std::int64_t p) const { return point[p].stencil & TensorPoint::barrier; }
  bool isEdge(std::int64_t p) const {
    return std::atomic_ref(const_cast<std::uint32_t&>(point[p].stencil)).load(std::memory_order_relaxed) &
           TensorPoint::edge;
  }
  /// Returns a value while other threads may mark it.
  float valueOf(std::int64_t p) const {
    return std::abs(std::atomic_ref(const_cast<float&>(value[p])).load(std::memory_order_relaxed));
  }
  /// Returns the minimum value that comes straight from a neighbour on an axis, for an edge.
  float fromFaces(std::int64_t p) const;

  /// Returns the points whose update uses p, as indices into `steps`.
  std::span<const std::uint16_t> usersOf(std::int64_t p) const {
    const std::uint32_t link = point[p].link;
    return users.of(isEdge(p) ? edges[link].users : link);
  }

  bool drifts() const { return !drift.empty(); }
  /// Returns the minimum that the update of q may have from the value u of a point, in a drift.
  /// @param number  of the step from the point to q
  float leadingTo(std::uint32_t q, std::uint16_t number, float u) const {
    const auto& step = stepComponents[number];
    const float* const form = drift[q].oneForm;
    return std::min(u, u + (form[0] * step[0] + form[1] * step[1] + form[2] * step[2]));
  }

  /// Calls f(copy) for the points in the margin of a periodic image that repeat a point of it. Their values
  /// are those of the point; updates are for the points of the image alone.
  template <class F>
  void forEachCopy(std::int64_t p, F&& f) const {
    if (shifts.empty()) return;
    const GridIndex at = grid.indices(p);
    if (!own.contains(at)) return;
    for (const GridIndex& shift : shifts) {
      const GridIndex to{at[0] + shift[0], at[1] + shift[1], at[2] + shift[2]};
      if (grid::Box{{0, 0, 0}, grid.sizes()}.contains(to)) f(grid.index(to));
    }
  }

  void prefetchUsers(std::int64_t p) const { __builtin_prefetch(&point[p]), __builtin_prefetch(&value[p]); }

  /// Writes offset + unit * value; +infinity where unreached or where the value exceeds `latest`.
  void writeTo(std::span<float> travelTime, double offset, float latest, execution::RoundPool& pool) const;
  std::size_t bytes() const;
  /// Returns the maximum while the field was prepared.
  std::size_t peakBytes() const { return peak; }

private:
  /// Returns the distinct stencils of the image.
  std::vector<StencilOffsets> findStencils(const Problem& problem, execution::RoundPool& pool);
  void findEdges(const Problem& problem, const std::vector<StencilOffsets>& stencils,
                 execution::RoundPool& pool);
  void addOffsets(const std::vector<StencilOffsets>& stencils);
  void findDrift(const Problem& problem, execution::RoundPool& pool);
  void findUsers(execution::RoundPool& pool);
  template <class F>
  void forEachUsed(const UserSteps& numbers, std::int64_t q, F&& f) const;
  template <class F>
  void forEachUsedByPieces(const UserSteps& numbers, std::int64_t q, F&& f) const;

  Grid grid;
  grid::Box own; ///< the points that are updated: all but those in the margin of a periodic image
  std::vector<GridIndex> shifts; ///< of a periodic image, from its points to those of its copies
  std::vector<TensorEdge> edges;
  std::vector<TensorOffsets> offsets;
  Values<TensorDrift> drift;                        ///< empty: no drift
  std::vector<std::array<float, 3>> stepComponents; ///< of `steps`, in grid steps
  ThomsenPieces tilted;                             ///< empty: tensors
  std::size_t peak = 0;
  UserLists users; ///< lists of indices into `steps`
};

} // namespace isochrone::image
