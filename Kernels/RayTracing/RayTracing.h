// RayTracing.h - public interface: shortest-path tracing of seismic rays on the graph of an image.
//
// Each point is joined to the points at the offsets of a forward star. The weight of an edge is the travel
// time along its straight segment. The travel time of a point is the minimum over all paths from the sources,
// summed in the direction of travel. It has the same bits as the result of Dijkstra's algorithm, for any
// order of work, any number of threads and any device. See DESIGN.md. Monsegny, Agudelo: Shortest path ray
// tracing on parallel GPU devices, SEG Annual Meeting (2013).
#pragma once

#include "Backend.h"
#include "Grid/GridPart.h"
#include "Grid/ImageGrid.h"
#include "Grid/ThomsenArrays.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Paths/TimeMatrix.h"
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

/// Steps along x, y and z from a point to its neighbour.
using Offset = std::array<int, 3>;

enum class StarKind {
  Coprime,    ///< all offsets within the radius whose steps have no common divisor
  Full,       ///< all offsets within the radius
  Balanced24, ///< 24 plane offsets at about equal angles, up to 7 points long; ignores the radius
  Balanced48  ///< 48 such offsets
};

/// The neighbours of a point (the forward star). With each offset it contains the opposite one.
struct ForwardStar {
  std::vector<Offset> offsets; ///< in canonical order: by length, then by z, y and x
  /// Maximum relative excess length of a path over the straight line at constant slowness: 0.01 is 1 %. With
  /// balanced stars the excess can be larger within a few points of the ends of a path.
  double worstAngularError = 0;
};

/// Returns the maximum number of steps along any axis.
int reachOf(const ForwardStar& star);

/// Returns the neighbours of a point.
/// @param radius  reach along x, y and z in points, 1 to 8 in the plane and 1 to 4 in space; ignored along
///                axes with one point
/// @throws Error if the radius is out of range, or if a balanced star is requested for a grid that is not
/// a plane
ForwardStar makeForwardStar(const Grid& grid, StarKind kind, const std::array<int, 3>& radius);

/// Rule for the travel time along the straight segment of an edge.
enum class WeightRule {
  Accurate, ///< exact integral of the (bi, tri)linear interpolation of the point slowness; closed if a
            ///< blanked point takes part
  Fast,     ///< length times the mean slowness of both ends; closed where Accurate is
  Cells     ///< exact integral of a slowness per cell; a segment between cells takes their minimum
};

enum class Method {
  OrderedTiles,   ///< tiles in the order of their times, swept row by row
  PlainRelaxation ///< all points at once against all their neighbours, repeated, as in the paper
};

/// Start of a wave. The position may lie between grid points. It is relative to the first point of the whole
/// image, also in a part.
struct Source {
  Position at{};
  double startTime = 0; ///< any finite value
};

/// Input of the solver. The caller owns the memory behind the spans, which must outlive the call.
struct Problem {
  Grid grid;
  /// Time per world length, positive; +infinity: blanked, no wave passes. Per point, x fastest; with
  /// WeightRule::Cells per cell, where an axis of n > 1 points has n - 1 cells. Exactly one of the two is
  /// given: preciseSlowness with Options::doublePrecision, else slowness.
  std::span<const float> slowness;
  std::span<const double> preciseSlowness;
  /// Whether the slowness is that of P waves along the symmetry axis of a tilted transversely isotropic
  /// medium with the parameters `thomsen`, per point or cell as the slowness, or for all. An edge then has
  /// the slowness of the group velocity in its direction. OrderedTiles on the host.
  bool tilted = false;
  Thomsen thomsen;
  std::vector<Source> sources;
  /// Per point: additional start times, as on an interface where waves are reflected; +infinity: none.
  /// Ignored at blanked points. Empty, or in the precision of the slowness.
  std::span<const float> startTimes;
  std::span<const double> preciseStartTimes;
  /// The part of a divided image that this problem is: OrderedTiles on the host, with a margin of at least
  /// two points and the reach of the forward star. The arrays have the values of the margin, too. All
  /// processes solve at the same time, with the same sources.
  grid::GridPart part;
  /// Axes that are periodic: behind the last point follows the first, so that the period is the number of
  /// points times the spacing. With WeightRule::Cells behind the last cell follows the first, and the last
  /// point is the first one. Sources and receivers may lie beyond the image, up to 2^30 steps. Axes of one
  /// point are not periodic. Solved by OrderedTiles, and not in parts.
  std::array<bool, 3> periodic{};
  /// If not 0, source number s is a copy of source s % distinctSources, for the periodic axes of a part.
  int distinctSources = 0;
  /// Names of grid point (i, j, k) and of a position in messages; empty: the indices or coordinates.
  std::function<std::string(std::int64_t, std::int64_t, std::int64_t)> pointName;
  std::function<std::string(const Position&)> placeName;
};

/// Returns the grid of the whole image.
Grid wholeGrid(const Problem& problem);

/// Returns the number of steps of a period along each axis: that of the points, or of the cells along
/// periodic axes with WeightRule::Cells.
GridIndex periodOf(const Problem& problem, WeightRule rule);

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: chooseThreads(0); does not change the result
  StarKind neighbours = StarKind::Coprime;
  std::array<int, 3> radius{3, 3, 3}; ///< see makeForwardStar
  WeightRule rule = WeightRule::Accurate;
  Method method = Method::OrderedTiles;
  bool doublePrecision = false;
  bool separateSources = false; ///< one field per source, else one for all sources
  bool predecessors = false;    ///< whether to fill Field::predecessor
  bool sourceIds = false;       ///< whether to fill Field::source
  /// With separate sources: the number of the field of each source, from 0 on, so that sources of one field
  /// run together; empty: each has its own.
  std::vector<std::int32_t> fieldOfSource;
};

/// Travel times of one run, also in the margin of a part. Parts that were not requested are empty.
struct Field {
  Values<float> travelTime;         ///< per point; +infinity where no wave arrives
  Values<double> preciseTravelTime; ///< replaces travelTime in double precision
  /// Per point: index into ForwardStar::offsets of the offset to the predecessor; noOffset at unreached
  /// points and at starts. In a part with roundingRisk also there without a request: the rays need it.
  Values<std::uint16_t> predecessor;
  Values<std::int32_t> source; ///< index into Problem::sources of the source of the wave; -1 at unreached
                               ///< points and for waves from Problem::startTimes
};
inline constexpr std::uint16_t noOffset = 0xffff;

struct Result {
  std::vector<Field> fields; ///< one, or with separate sources one per source or Options::fieldOfSource
  BackendChoice ranOn;
  double relaxationsPerPoint = 0; ///< relaxed edges over edges of the (own) points, averaged over the runs
  int exchanges = 0;              ///< with other processes, during the runs
  /// Of the processes together: the sum over the exchanges of the maximum number of edges that one of them
  /// relaxed before it. The relaxed edges of an undivided solve over this are the speedup, exchanges apart.
  double criticalRelaxations = 0;
  std::int64_t bytesTold = 0; ///< to other processes, during the runs
  std::size_t workBytes = 0;  ///< memory used in addition to the result
  /// Some edge is so short, compared to the latest time, that adding it may not change the time. The last
  /// digits of times are then wrong; double precision helps.
  bool roundingRisk = false;
  bool aborted = false; ///< the monitor requested a stop; fields is then empty
};

/// Returns the travel time to every point.
/// @throws Error on bad input (what, value, where, remedy) and on insufficient memory
Result solveRayTracing(const Problem& problem, const Options& options, const Monitor& monitor);

/// The fastest path from a source to a receiver: a straight line from the source to the first point, edges
/// between points, and a straight line from the last point to the receiver. A source or receiver on a grid
/// point is that point.
struct Ray {
  PathStatus status = PathStatus::Unreachable;
  std::int32_t source = -1; ///< index into Problem::sources; -1: starts at a point with a start time
  Position receiver{};
  double startTime = 0, travelTime = 0; ///< at the source and at the receiver
  /// Points from the source on, by their numbers in the whole image; empty if source and receiver share a
  /// cell and the straight line between them is the fastest path.
  std::vector<std::int64_t> points;
  std::vector<double> times; ///< travel times of these points, equal to the field's
  /// With periodic axes: the steps from each of these points to the copy of it that the ray passes on its way
  /// to the receiver, and last, from the source to its copy. Else empty.
  std::vector<GridIndex> shift;
};

/// Returns the ray to each receiver, in the order of the receivers. The travel time of a receiver within a
/// cell is the minimum, over the corners, of the corner's time plus the time along the straight line from it;
/// times are not interpolated. Returns an empty vector if the monitor requested a stop. Of a part: all rays
/// have their status, and only those to receivers in this part have a source and points. Collective.
/// @param field  result of solveRayTracing for the same problem and options
/// @param sources  indices of the sources of the field
/// @throws Error if the field belongs to another problem
std::vector<Ray> traceRays(const Problem& problem, const Options& options, const Field& field,
                           std::span<const std::int32_t> sources, std::span<const Position> receivers,
                           const Monitor& monitor = {});

/// Returns the polyline of a ray from the source to the receiver, with the time at each of its points. It has
/// at least two points, or none if the ray belongs to another part. Along periodic axes it goes on beyond the
/// image, from the receiver.
/// @param merge  omits points within straight stretches
Path pathOf(const Problem& problem, const Ray& ray, bool merge);

/// Joins the two legs of a reflected or converted wave: from its source to an interface, and from the
/// interface, where the second ray has its start time, to a receiver. Returns an empty path if either leg is
/// empty.
Path join(const Path& toInterface, const Path& fromInterface);

/// Dependence of travel times on the slowness, in a tilted medium on that along the axis: travelTime -
/// startTime = sum of weight * slowness[element]. In single precision rounding makes times drift; the lengths
/// of each ray are scaled by a few millionths to keep this equation. One row per ray; its elements are
/// points, or cells with WeightRule::Cells, by their numbers in the whole image.
using RayMatrix = TimeMatrix;

/// Returns the matrix of the rays. Returns an empty matrix, with an empty `row`, if the monitor requested a
/// stop. Of a part: rays to receivers in other parts have no
/// entries. Collective.
RayMatrix rayMatrix(const Problem& problem, const Options& options, std::span<const Ray> rays,
                    const Monitor& monitor = {});

/// Random paths from the sources to receivers: all paths whose edges lead away from the sources, each with a
/// probability in proportion to exp(-time / temperature), where time is its travel time at the receiver. See
/// DESIGN.md, "Path probability".
struct PathProbability {
  /// Per point: the probability that the random path to a receiver passes it, mean over the receivers that
  /// are reached; 0 if none is.
  Values<double> probability;
  std::vector<double> expectedTime; ///< per receiver: mean time of its random path; +infinity: not reached
};

/// Does nothing if pathProbability takes these receivers and this temperature, so that they can be checked
/// before a solve.
/// @throws Error otherwise, as pathProbability does
void requireRandomPaths(std::span<const Position> receivers, double temperature);

/// Returns the probabilities of the paths of a field. The same bits for any number of threads. Returns empty
/// arrays if the monitor requested a stop.
/// @param field, sources  as for traceRays
/// @param receivers  at least one
/// @param temperature  unit of time, positive and finite
/// @throws Error also for start times of points, in parts, and where rounding hides that times grow along an
/// edge
PathProbability pathProbability(const Problem& problem, const Options& options, const Field& field,
                                std::span<const std::int32_t> sources, std::span<const Position> receivers,
                                double temperature, const Monitor& monitor = {});

} // namespace isochrone::rays
