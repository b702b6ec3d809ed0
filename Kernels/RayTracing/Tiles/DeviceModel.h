// DeviceModel.h - data shared by all runs on one model, in the memory of any device: slowness and edges; and
// the transfer of times and predecessors to the host.
#pragma once

#include "Execution/RoundPool.h"
#include "Execution/Rounds.h"
#include "RayTracing/Scheme/Axes.h"
#include "RayTracing/Scheme/EdgeSlowness.h"
#include "RayTracing/Scheme/EdgeTerms.h"
#include "RayTracing/Scheme/Precision.h"
#include "RayTracing/Seeds/Starts.h"
#include "RayTracing/Tiles/PlaceTiltedSlowness.h"
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

/// Points or cells of a tilted medium whose slowness is computed at once.
inline constexpr std::int64_t tiltedAtOnce = 1 << 17;

/// Returns the number of bytes that a model and its results take in device memory, without small arrays.
template <class Real>
std::size_t modelBytes(const Problem& problem, const Options& options, const PaddedImage& image) {
  const std::size_t perPoint = sizeof(Real) + (options.predecessors || options.sourceIds ? 2 : 0);
  const std::size_t starts = problem.startTimes.size() + problem.preciseStartTimes.size();
  std::size_t slownesses = 1; // per point
  if (problem.tilted) {
    const ForwardStar neighbours = makeForwardStar(problem.grid, options.neighbours, options.radius);
    slownesses +=
        std::size_t(EdgeSlowness<Real>(problem, edgeTerms(problem.grid, options.rule, neighbours)).count());
  }
  return slownesses * image.size * sizeof(Real) + problem.grid.points() * perPoint +
         starts * sizeof(Start<Real>) + (std::size_t(16) << 20);
}

/// Edges and their terms in canonical order, in device memory.
template <class Device, class EdgesOfKernel>
class DeviceEdges {
  using Real = typename EdgesOfKernel::Real;
  using Step = typename EdgesOfKernel::Step;
  using SlownessStep = typename EdgesOfKernel::SlownessStep;
  using ListedEdge = typename EdgesOfKernel::ListedEdge;
  using ListedTerm = typename EdgesOfKernel::ListedTerm;

public:
  /// @param slowness  the directions of the edges
  /// @param pitch, slab  values from row to row and from plane to plane, among the times
  DeviceEdges(Device& device, const Grid& grid, const std::vector<EdgeTerms>& all,
              const EdgeSlowness<Real>& slowness, const PaddedImage& image, Step pitch, Step slab) {
    const std::array<int, 3> axes = axisOrder(grid);
    const auto step = [&](const Offset& offset, auto rows, auto planes) {
      const Offset o = inOrder(offset, axes);
      return decltype(rows)(sizeof(Real)) * (o[0] + rows * o[1] + planes * o[2]);
    };
    const auto slownessStep = [&](const Offset& offset) {
      if constexpr (EdgesOfKernel::tilted)
        return step(offset, SlownessStep(image.pitch), SlownessStep(image.slab));
      return step(offset, SlownessStep(pitch), SlownessStep(slab));
    };
    std::vector<ListedEdge> edgeList;
    std::vector<ListedTerm> termList;
    for (std::size_t e = 0; e < all.size(); ++e) {
      const EdgeTerms& edge = all[e];
      const int first = int(termList.size());
      for (const Term& term : edge.terms) {
        ListedTerm listed{Real(term.length), {}};
        for (int s = 0; s < ListedTerm::samples; ++s) listed.at[s] = slownessStep(term.samples[s]);
        termList.push_back(listed);
      }
      ListedEdge& listed = edgeList.emplace_back();
      listed.step = step(edge.offset, pitch, slab), listed.half = Real(0.5 * edge.length);
      listed.firstTerm = first, listed.endTerm = int(termList.size());
      if constexpr (EdgesOfKernel::tilted) {
        listed.direction = std::int64_t(sizeof(Real)) * image.size * slowness.directionOfEdge(int(e));
        listed.slownessStep = slownessStep(edge.offset);
      }
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
/// @tparam tilted  whether the medium is
template <WeightRule rule, class Real, bool tilted, class Device>
class Model {
public:
  using EdgesFromPoints = Edges<rule, Real, std::int64_t, tilted>;
  template <class EdgesOfKernel>
  using EdgesOf = DeviceEdges<Device, EdgesOfKernel>;

  /// The model has no slowness before place().
  Model(Device& d, const Problem& p, const Options& o, const TileSize& tile)
      : device(d), problem(p), options(o), neighbours(makeForwardStar(p.grid, o.neighbours, o.radius)),
        allTerms(edgeTerms(p.grid, rule, neighbours)),
        image(paddedImage(p.grid, neighbours, tile)), blocks{image}, directions(problem, allTerms),
        slowness(device.template array<Real>(image.size, unreached<Real>)),
        edges(device, p.grid, allTerms, directions, image, image.pitch, image.slab) {
    if constexpr (tilted)
      slownessAlong =
          device.template array<Real>(std::size_t(directions.count()) * image.size, unreached<Real>);
  }

  /// Fills in the slowness. Returns false if the monitor requested a stop.
  bool place(const Monitor& monitor) {
    auto values = device.upload(slownessOf<Real>(problem));
    const auto [nx, ny, nz] = inOrder(elementsOf(problem.grid, rule), axisOrder(problem.grid)).sizes();
    bool goesOn = true;
    if constexpr (tilted)
      goesOn = placeTilted({nx, ny, nz}, values.data(), monitor);
    else
      device.run(PlaceSlowness<Real>{blocks, {nx, ny, nz}, values.data(), slowness.data()},
                 int(blocks.count()));
    device.wait(); // `values` is released at the end of this scope
    return goesOn;
  }

  /// Returns the edges for times in tiles.
  EdgesOf<Edges<rule, Real, int, tilted>> edgesInTiles(int pitch, int slab) {
    return {device, problem.grid, allTerms, directions, image, pitch, slab};
  }
  /// Returns the slownesses that edges from points use, padded, in a tilted medium direction by direction.
  const Real* slownessOfEdges() { return tilted ? slownessAlong.data() : slowness.data(); }
  std::size_t bytes() const { return slowness.bytes() + slownessAlong.bytes(); }

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
    device.run(FindPredecessors<EdgesFromPoints>{blocks, edges.edges(), edgeCount(), slownessOfEdges(), times,
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
  const EdgeSlowness<Real> directions;
  typename Device::template Array<Real>
      slowness; ///< padded; in a tilted medium the minimum of all directions
  typename Device::template Array<Real> slownessAlong; ///< of a tilted medium, direction by direction
  EdgesOf<EdgesFromPoints> edges;

private:
  /// Returns the media of some points or cells, those of blanked ones undefined.
  std::vector<TiltedElement> mediaOf(std::int64_t first, std::int64_t count,
                                     execution::RoundPool& pool) const {
    std::vector<TiltedElement> media(static_cast<std::size_t>(count));
    pool.forRanges(count, 1024, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t n = begin; n < end; ++n) {
        if (std::isinf(slownessAt(problem, first + n))) continue;
        const ThomsenMedium m = problem.thomsen.at(problem.grid, first + n, 1);
        media[std::size_t(n)] = {m.curve, m.speed, {m.axis[0], m.axis[1], m.axis[2]}};
      }
    });
    return media;
  }

  /// @param given  the slowness along the axis
  bool placeTilted(const std::array<std::int64_t, 3>& sizes, const Real* given, const Monitor& monitor) {
    const std::int64_t elements = sizes[0] * sizes[1] * sizes[2];
    execution::RoundPool pool(chooseThreads(options.threads, 50. * double(elements))); // ns for an element
    std::vector<EdgeVector> list;
    for (const Position& v : directions.vectors())
      list.push_back({{v[0], v[1], v[2]}, std::hypot(v[0], v[1], v[2])});
    auto vectors = device.upload(std::span(std::as_const(list)));
    for (std::int64_t first = 0; first < elements; first += tiltedAtOnce) {
      if (!monitor.report(0)) return false;
      const std::int64_t count = std::min(tiltedAtOnce, elements - first);
      const std::vector<TiltedElement> media = mediaOf(first, count, pool);
      auto onDevice = device.upload(std::span(media));
      const PlaceTiltedSlowness<Real> place{image,           {sizes[0], sizes[1], sizes[2]},
                                            first,           int(count),
                                            given,           onDevice.data(),
                                            vectors.data(),  int(list.size()),
                                            slowness.data(), slownessAlong.data()};
      device.run(place, blocksOf<PlaceTiltedSlowness<Real>>(std::size_t(count)));
      device.wait(); // `onDevice` is released at the end of this scope
    }
    return true;
  }
};

} // namespace isochrone::rays
