// RayTracing.h - public interface: shortest paths on the graph of an image, as seismologists trace bent rays.
//
// A point is joined to the points at the offsets of a template; an edge takes the travel time along its
// straight segment. The travel time of a point is the least over all paths from the sources, summed in the
// direction of travel: the same bits as Dijkstra's algorithm gives, for any order of work, any number of
// threads and on any device. See DESIGN.md. Monsegny, Agudelo: Shortest path ray tracing on parallel GPU
// devices, SEG Annual Meeting (2013).
#pragma once

#include "Backend.h"
#include "Grid/ImageGrid.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::rays {

using Grid = ImageGrid;
using isochrone::Position;

/// From a point to its neighbour, in steps along x, y and z.
using Offset = std::array<int, 3>;

enum class TemplateKind {
  Coprime,    ///< all offsets within the radius whose steps have no common divisor
  Full,       ///< all offsets within the radius
  Balanced24, ///< 24 offsets in the plane at about equal angles, reaching 7 points; the radius is not used
  Balanced48  ///< 48 of them
};

/// The neighbours of a point. With an offset it has the opposite one.
struct Template {
  std::vector<Offset> offsets; ///< in canonical order: by length, then by z, y and x
  /// How much longer than the straight line a path can be at worst where the slowness is constant: 0.01 is
  /// 1 %. With balanced templates it can be longer within a few points of its ends.
  double worstAngularError = 0;
};

/// @param radius  reach along x, y and z in points, 1 to 8 in the plane and 1 to 4 in space; axes with one
///                point have none
/// @throws Error if the radius is out of range or the kind is of the plane and the grid is not
Template makeTemplate(const Grid& grid, TemplateKind kind, const std::array<int, 3>& radius);

/// Travel time along the straight segment of an edge.
enum class WeightRule {
  Accurate, ///< exact integral of the (bi, tri)linear interpolation of the slowness of the points; closed if
            ///< a blanked point takes part
  Fast,     ///< length times the mean slowness of both ends; closed as Accurate is
  Cells     ///< exact integral of a slowness per cell; between cells the least of theirs counts
};

enum class Method {
  OrderedTiles,   ///< tiles in the order of their times, swept row by row
  PlainRelaxation ///< all points at once against all their neighbours, again and again, as in the paper
};

/// Where waves start. It need not lie on a point of the grid.
struct Source {
  Position at{};
  double startTime = 0; ///< any finite value
};

/// The memory behind the spans belongs to the caller and must outlive the call.
struct Problem {
  Grid grid;
  /// Time per world length, positive; +infinity: blanked, nothing passes. Per point, x fastest; with
  /// WeightRule::Cells per cell, of which an axis of n > 1 points has n - 1. One of the two is given, the
  /// precise one for Options::doublePrecision.
  std::span<const float> slowness;
  std::span<const double> preciseSlowness;
  std::vector<Source> sources;
  /// Per point: more starts, as on the interface where waves are reflected; +infinity: none; blanked points
  /// start none. Empty, or in the precision of the slowness.
  std::span<const float> startTimes;
  std::span<const double> preciseStartTimes;
  /// How messages call grid point (i, j, k), and a place; empty: just that.
  std::function<std::string(std::int64_t, std::int64_t, std::int64_t)> pointName;
  std::function<std::string(const Position&)> placeName;
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: all cores; never changes the answer
  TemplateKind neighbours = TemplateKind::Coprime;
  std::array<int, 3> radius{3, 3, 3}; ///< as makeTemplate takes it
  WeightRule rule = WeightRule::Accurate;
  Method method = Method::OrderedTiles;
  bool doublePrecision = false;
  bool separateSources = false; ///< a field for each source, else one for all
  bool predecessors = false;    ///< whether to fill Field::predecessor
  bool sourceIds = false;       ///< whether to fill Field::source
};

/// Travel times of one run. What was not asked for is empty.
struct Field {
  Values<float> travelTime;         ///< per point; +infinity where no wave arrives
  Values<double> preciseTravelTime; ///< instead, in double precision
  /// Per point: the number of the offset, in Template::offsets, to the point that its wave comes from;
  /// noOffset where no wave arrives and where one starts.
  Values<std::uint16_t> predecessor;
  Values<std::int32_t> source; ///< whose wave arrives: a number of Problem::sources, -1 for none and for
                               ///< waves from Problem::startTimes
};
inline constexpr std::uint16_t noOffset = 0xffff;

struct Result {
  std::vector<Field> fields; ///< one, or with separate sources one for each
  BackendChoice ranOn;
  double relaxationsPerPoint = 0; ///< edges looked at, over those that the graph has (mean over the runs)
  std::size_t workBytes = 0;      ///< memory used besides the result
  /// Some edge is so short, compared to the latest time, that adding it may change nothing: times are then
  /// wrong in the last digits, and precise ones are better.
  bool roundingRisk = false;
  bool aborted = false; ///< the monitor said stop; there are then no fields
};

/// Travel time to every point.
/// @throws Error on bad input (what, value, where, remedy) and on too little memory
Result solveRayTracing(const Problem& problem, const Options& options, const Monitor& monitor);

/// The fastest way from a source to a receiver: straight from the source to the first of its points, along
/// edges, and straight from the last one to the receiver. A source or receiver on a point is that point.
struct Ray {
  PathStatus status = PathStatus::Unreachable;
  std::int32_t source = -1; ///< of the problem; -1: it starts at a point with a start time
  Position receiver{};
  double startTime = 0, travelTime = 0; ///< at both its ends
  std::vector<std::int64_t> points; ///< grid points, from the source on; none if source and receiver share a
                                    ///< cell and nothing is faster than the straight line
  std::vector<double> times;        ///< travel times of these points, as the field has them
};

/// The ray to each receiver, in order. A receiver within a cell gets the least, over the corners, of the time
/// there and on the straight line from there; time is not interpolated. Without entries if the monitor said
/// stop.
/// @param field  as solveRayTracing returned it for the same problem and options
/// @param sources  numbers of the sources that the field is of
/// @throws Error if the field is of another problem
std::vector<Ray> traceRays(const Problem& problem, const Options& options, const Field& field,
                           std::span<const std::int32_t> sources, std::span<const Position> receivers,
                           const Monitor& monitor = {});

/// The polyline of a ray, from the source to the receiver, with the time at its points; of two points at
/// least.
/// @param merge  leave out points amid a straight stretch
Path pathOf(const Problem& problem, const Ray& ray, bool merge);

/// A reflected or converted wave: from its source to an interface, and from there, where the second ray has
/// its start time, to a receiver. Empty if one of them is.
Path join(const Path& toInterface, const Path& fromInterface);

/// How travel times depend on the slowness: travelTime - startTime = sum of weight * slowness[element]. For
/// this to hold in single precision, where times drift by rounding, the lengths of a ray are scaled by as
/// much, a few millionths.
struct RayMatrix {
  std::vector<std::int64_t> row;     ///< where the entries of a ray begin, and their number at the end
  std::vector<std::int64_t> element; ///< point, or cell with WeightRule::Cells; ascending within a ray
  std::vector<double> weight;        ///< world length
};

/// Empty, without the number of entries too, if the monitor said stop.
RayMatrix rayMatrix(const Problem& problem, const Options& options, std::span<const Ray> rays,
                    const Monitor& monitor = {});

} // namespace isochrone::rays
