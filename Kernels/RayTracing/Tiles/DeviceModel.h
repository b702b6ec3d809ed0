// DeviceModel.h - data shared by all runs on one model, in the memory of any device: slowness and edges; and
// the transfer of times and predecessors to the host.
#pragma once

#include "Execution/Rounds.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Tiles/PointKernels.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace isochrone::rays {

/// Calls run(std::integral_constant, Real{}) with the weight rule and the precision of the options.
template <class Run>
auto withTypes(const Options& options, Run&& run) {
  using R = WeightRule;
  const auto withReal = [&](auto rule) {
    return options.doublePrecision ? run(rule, double{}) : run(rule, float{});
  };
  switch (options.rule) {
  case R::Fast:
    return withReal(std::integral_constant<R, R::Fast>{});
  case R::Cells:
    return withReal(std::integral_constant<R, R::Cells>{});
  case R::Accurate:
    break;
  }
  return withReal(std::integral_constant<R, R::Accurate>{});
}

using execution::blocksOf;

/// Points of a tile along each axis.
using TileSize = std::array<int, 3>;
inline constexpr TileSize noTiles{1, 1, 1};

/// Returns the padded image of a problem: long axes first, in whole tiles.
inline PaddedImage paddedImage(const Grid& grid, const ForwardStar& neighbours, const TileSize& tile) {
  const std::array<int, 3> axes = axisOrder(grid);
  PaddedImage image{};
  for (int a = 0; a < 3; ++a) {
    image.n[a] = grid.sizes()[axes[a]];
    for (const Offset& o : neighbours.offsets) image.reach[a] = std::max(image.reach[a], o[axes[a]]);
    image.tiles[a] = int((image.n[a] + tile[a] - 1) / tile[a]);
  }
  const auto padded = [&](int a) { return std::int64_t(image.tiles[a]) * tile[a] + 2 * image.reach[a]; };
  image.pitch = padded(0);
  image.slab = image.pitch * padded(1);
  image.size = image.slab * padded(2);
  return image;
}

/// Returns the number of bytes that a model and its results take in device memory, without small arrays.
template <class Real>
std::size_t modelBytes(const Problem& problem, const Options& options, const PaddedImage& image) {
  const std::size_t perPoint = sizeof(Real) + (options.predecessors || options.sourceIds ? 2 : 0);
  const std::size_t starts = problem.startTimes.size() + problem.preciseStartTimes.size();
  return image.size * sizeof(Real) + problem.grid.points() * perPoint + starts * sizeof(Start<Real>) +
         (std::size_t(16) << 20);
}

/// Edges and their terms in canonical order, in device memory.
template <class Device, class EdgesOfKernel>
class DeviceEdges {
  using Real = typename EdgesOfKernel::Real;
  using Step = typename EdgesOfKernel::Step;
  using ListedEdge = Edge<Real, Step>;
  using ListedTerm = EdgeTerm<EdgesOfKernel::rule, Real, Step>;

public:
  /// @param pitch, slab  values from row to row and from plane to plane
  DeviceEdges(Device& device, const Grid& grid, const std::vector<EdgeTerms>& all, Step pitch, Step slab) {
    const auto step = [&, axes = axisOrder(grid)](const Offset& offset) {
      const Offset o = inOrder(offset, axes);
      return Step(sizeof(Real)) * (o[0] + pitch * o[1] + slab * o[2]);
    };
    std::vector<ListedEdge> edgeList;
    std::vector<ListedTerm> termList;
    for (const EdgeTerms& edge : all) {
      const int first = int(termList.size());
      for (const Term& term : edge.terms) {
        ListedTerm listed{Real(term.length), {}};
        for (int s = 0; s < ListedTerm::samples; ++s) listed.at[s] = step(term.samples[s]);
        termList.push_back(listed);
      }
      edgeList.push_back({step(edge.offset), Real(0.5 * edge.length), first, int(termList.size())});
    }
    list = device.upload(std::span(std::as_const(edgeList)));
    terms = device.upload(std::span(std::as_const(termList)));
  }
  EdgesOfKernel edges() { return {list.data(), terms.data()}; }

private:
  typename Device::template Array<ListedEdge> list;
  typename Device::template Array<ListedTerm> terms;
};

/// Slowness and edges of a model, shared by its runs, and the transfer of results to the host.
template <WeightRule rule, class Real, class Device>
class Model {
public:
  using EdgesFromPoints = Edges<rule, Real, std::int64_t>;
  Model(Device& d, const Problem& p, const Options& o, const TileSize& tile)
      : device(d), problem(p), options(o), neighbours(makeForwardStar(p.grid, o.neighbours, o.radius)),
        allTerms(edgeTerms(p.grid, rule, neighbours)),
        image(paddedImage(p.grid, neighbours, tile)), blocks{image},
        slowness(device.template array<Real>(image.size, unreached<Real>)),
        edges(device, p.grid, allTerms, image.pitch, image.slab) {
    auto values = device.upload(slownessOf<Real>(problem));
    const auto [nx, ny, nz] = inOrder(elementsOf(p.grid, rule), axisOrder(p.grid)).sizes();
    device.run(PlaceSlowness<Real>{blocks, {nx, ny, nz}, values.data(), slowness.data()},
               int(blocks.count()));
    device.wait(); // `values` is released at the end of this scope
  }

  /// Returns the starts of a run from some sources, by their indices in the padded image, each point once. In
  /// an image with periodic axes also at the copies of the points.
  std::vector<Start<Real>> starts(std::span<const std::int32_t> sources) const {
    std::vector<Start<Real>> starts = startsOf<Real>(problem, options, sources);
    const std::size_t own = starts.size();
    for (std::size_t s = 0; s < own; ++s)
      for (const grid::PartLink& copy : problem.part.links) {
        GridIndex at = problem.grid.indices(starts[s].point);
        for (int a = 0; a < 3; ++a) at[a] += copy.shift[a];
        if (!copy.heard.contains(at)) continue;
        starts.push_back(starts[s]);
        starts.back().point = problem.grid.index(at);
      }
    for (Start<Real>& start : starts) {
      const std::int64_t x = start.point % image.n[0], row = start.point / image.n[0];
      start.point = image.index(x, row % image.n[1], row / image.n[1]);
    }
    std::ranges::sort(starts, {}, [](const Start<Real>& s) { return std::tuple(s.point, s.time); });
    const auto same = [](const Start<Real>& a, const Start<Real>& b) { return a.point == b.point; };
    starts.erase(std::unique(starts.begin(), starts.end(), same), starts.end());
    return starts;
  }

  /// Downloads the times of a run and, if requested, its predecessors to the result.
  void fetch(Real* times, Field& field) {
    const std::int64_t points = image.points();
    auto values = device.template allocate<Real>(points);
    device.run(FetchTimes<Real>{blocks, times, values.data()}, int(blocks.count()));
    Values<Real>& fieldTimes = timesOf<Real>(field);
    fieldTimes.resize(points);
    device.download(values, fieldTimes.data());
    if (!options.predecessors && !options.sourceIds) return;
    auto predecessor = device.template allocate<std::uint16_t>(points);
    device.run(FindPredecessors<EdgesFromPoints>{blocks, edges.edges(), edgeCount(), slowness.data(), times,
                                                 predecessor.data()},
               int(blocks.count()));
    field.predecessor.resize(points);
    device.download(predecessor, field.predecessor.data());
  }

  int edgeCount() const { return int(allTerms.size()); }

  Device& device;
  const Problem& problem;
  const Options& options;
  const ForwardStar neighbours;
  const std::vector<EdgeTerms> allTerms; ///< in canonical order
  const PaddedImage image;
  const PointBlocks blocks;
  typename Device::template Array<Real> slowness; ///< padded
  DeviceEdges<Device, EdgesFromPoints> edges;
};

} // namespace isochrone::rays
