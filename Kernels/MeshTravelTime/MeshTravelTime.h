// MeshTravelTime.h - public interface: first arrivals on a tetrahedral mesh, and the paths that realise them.
//
// The travel time u solves <grad u, M grad u> = 1 with a symmetric positive definite tensor M, the squared
// speed, constant in each cell, and equals the start time at the seeds. The time along a vector e within a
// cell is sqrt(<e, M^-1 e>). The result is the exact fixed point of the Hopf-Lax update over the cells around
// each vertex, whatever the mesh and the order of work: see DESIGN.md. Ganellari, Haase, Zumbusch: A
// massively parallel Eikonal solver on unstructured meshes, Comput. Visual Sci. 19 (2018).
#pragma once

#include "Backend.h"
#include "Grid/ImageGrid.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace isochrone::mesh {

using isochrone::Position;

/// An array of the mesh: tuples of numbers, one per cell or one per vertex.
struct Numbers {
  std::span<const float> single;   ///< one of the two is given
  std::span<const double> precise; ///< the other one
  int components = 1;
  bool ofVertices = false; ///< else of cells

  bool empty() const { return single.empty() && precise.empty(); }
  std::size_t size() const { return single.size() + precise.size(); }
  double operator[](std::size_t i) const { return single.empty() ? precise[i] : double(single[i]); }
};

/// What the speed is made from. A cell that has a NaN, is hidden, or whose speed is zero is a barrier:
/// nothing passes. Tensors of vertices are averaged over the vertices of a cell; a cell is a barrier, too, if
/// one of its vertices is.
enum class SpeedType {
  Constant, ///< `constantSpeed` everywhere
  Scalar,   ///< `speed`, one component: world length per time
  /// Along the fibre, the sheet, which is made perpendicular to it, and their normal: `velocities`, times
  /// `speed` if that has one component, or `speed` if it has two (without sheets) or three components.
  /// Without sheets the second velocity holds across the fibre.
  Fibres,
  Conductivities, ///< as Fibres, but of conductivities: a speed is velocityScale * sqrt(conductivity)
  Tensor          ///< M itself: `tensor`, components xx yy zz xy yz xz, world length^2 per time^2
};

/// Where a wave starts: at a vertex, or anywhere within a cell.
struct Seed {
  std::int64_t vertex = -1; ///< if not -1, this vertex
  std::int64_t cell = -1; ///< else this cell, or, if the mesh is shared and this is -1, in another part, ...
  Position at{};          ///< ... at this place in it; its vertices get the exact times from there
  double startTime = 0;   ///< any finite value
};

/// Part of a mesh of which other processes hold other cells: how they agree on the vertices that they share.
struct Sharing {
  std::vector<std::int64_t> vertices; ///< of this part, that another process has, too
  /// Called by all processes together, each time all of them are at rest. Lowers `times` (one per shared
  /// vertex, since Problem::timeOrigin; +infinity: not reached) to the least that any process has.
  /// @param pending  no time below it can change any more in this part; +infinity: nothing is left to do.
  ///                 NaN: this process stops, and so must all
  /// @param band     time that a wave takes along a long edge of this part
  /// @return up to where times are to be computed before the next call, later than the least pending time
  ///         of all; NaN: all is done, or one stopped, which this part is not told
  std::function<double(std::span<double> times, double pending, double band)> exchange;
  /// The same for numbers of seeds, which must be numbered alike in all processes; -1: not known yet. Sets
  /// each to the greatest that any process has, and returns whether that changed any in any process.
  std::function<bool(std::span<std::int32_t> seeds)> exchangeSeeds;
};

/// The memory behind the spans belongs to the caller and must outlive the call.
struct Problem {
  Numbers points;                       ///< of vertices, three components
  std::span<const std::int64_t> cells;  ///< four vertices each; of a triangle the last one is -1
  std::span<const std::uint8_t> hidden; ///< per cell, nonzero: nothing passes; empty: none
  SpeedType speedType = SpeedType::Constant;
  double constantSpeed = 1;
  Numbers speed;
  Numbers fibre, sheet;                      ///< three components, any length but zero; `sheet` may be empty
  std::array<double, 3> velocities{1, 1, 1}; ///< or conductivities
  double velocityScale = 1;                  ///< of conductivities
  Numbers tensor;                            ///< six components
  std::vector<Seed> seeds;                   ///< numbers 0, 1, ...
  double ballRadius = 0;                     ///< world length; see Result::ballVertices
  double timeOrigin = 0; ///< times are computed from here: the least start time is best, to lose no digits
  Sharing sharing;       ///< empty: the whole mesh is here
  /// How messages call a vertex and a cell; empty: "point 7", "cell 7".
  std::function<std::string(std::int64_t)> vertexName, cellName;

  std::int64_t vertexCount() const { return std::int64_t(points.size() / 3); }
  std::int64_t cellCount() const { return std::int64_t(cells.size() / 4); }
};

enum class Method {
  Automatic,            ///< the fastest, by measurement
  Band,                 ///< vertices within a moving band of times
  PlainFim,             ///< all active vertices at once: the paper's fast iterative method, without domains
  DecomposedManyBlocks, ///< the paper's first decomposition: many blocks share the work of active subdomains
  DecomposedOneBlock    ///< the second one: a block a subdomain, with its own interface lists
};

/// How much memory the host may take. It never changes the answer.
enum class Memory {
  Automatic, ///< Fast if there is room for it
  Fast,      ///< 118 bytes a tetrahedron while it solves, 176 before
  Compact    ///< 62 and 120, a little slower
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;                   ///< 0: all cores; never changes the answer
  Method method = Method::Automatic; ///< never changes the answer
  Memory memory = Memory::Automatic;
  int subdomains = 0;   ///< of the decompositions; 0: as many as suit the mesh
  bool seedIds = false; ///< whether to fill Result::seed
};

/// Cells that nothing passes, by reason.
struct Barriers {
  std::int64_t closed = 0;                               ///< hidden, speed zero or NaN
  std::int64_t noFrame = 0;                              ///< fibre of length zero, or sheet along the fibre
  std::int64_t notDefinite = 0;                          ///< tensor not positive definite
  std::int64_t firstNoFrame = -1, firstNotDefinite = -1; ///< the first such cells
};

/// Cells with edges shorter than 0.003 of their longest one, in travel time, which lean against the others:
/// that lean is left out, so that times across the cell change by up to the time along the short edge.
struct Straightened {
  std::int64_t count = 0, first = -1; ///< the first such cell
};

struct Result {
  Values<float> travelTime; ///< per vertex; +infinity where nothing arrives
  /// Number of the seed whose wave arrives, the greatest if several arrive at once; -1 where none does. The
  /// wave comes from where the update has its least point: from the corner of the cell there that has the
  /// largest weight among those that are earlier.
  Values<std::int32_t> seed;
  Values<std::uint8_t> open; ///< per vertex, nonzero: it touches a cell that is no barrier
  std::vector<bool> usable;  ///< per seed: it touches a cell that is no barrier
  /// The first seed that starts so long after Problem::timeOrigin that single precision blurs the arrivals
  /// around it by more than a sixteenth of the time along its shortest edge; -1: none.
  std::int64_t blurredSeed = -1;
  std::int64_t ballVertices = 0; ///< vertices that got their exact time within ballRadius around a seed:
                                 ///< those that a straight line reaches through cells of one tensor
  Barriers barriers;
  Straightened straightened;
  BackendChoice ranOn;
  Method method = Method::Automatic; ///< that ran
  int rounds = 0;
  double updatesPerVertex = 0;
  std::size_t workBytes = 0; ///< memory used besides the result while it solves
  double setupSeconds = 0, solveSeconds = 0;
  bool aborted = false; ///< the monitor said stop; the arrays are then empty
};

/// Where a place lies among the cells of a mesh.
struct Location {
  std::vector<std::int64_t> cells;    ///< that hold it, ascending; those without volume never do
  std::vector<std::int64_t> vertices; ///< where it lies; those nearest to it if it lies outside
  double distance = 0; ///< to the nearest vertex if it lies outside; +infinity: no cells, no place
};

/// Finds places in the mesh; hidden cells are cells, too. Of equally near vertices those with the least
/// coordinates are nearest, so that the answer does not depend on how the mesh is numbered or distributed.
/// @param tolerance  world length by which a place may lie beside a vertex, or beyond the faces of a cell
std::vector<Location> locate(const Problem& problem, std::span<const Position> places, double tolerance,
                             int threads);

/// Travel time from the seeds to every vertex.
/// @throws Error on bad input (what, value, where, remedy), on too little memory, and, unless the mesh is
///         shared, if no seed is usable
Result solveMeshTravelTime(const Problem& problem, const Options& options, const Monitor& monitor);

/// Largest relative decrease that one more update in double precision would make, over all vertices reached.
/// NaN if the monitor said stop.
double residual(const Problem& problem, std::span<const float> travelTime, int threads,
                const Monitor& monitor = {});

/// How waves move in each cell, where the gradient of the travel time is constant.
struct ConductionField {
  /// Three per cell: unit vector of M grad u, the way that the wave goes, in the plane of a triangle. Zero in
  /// barriers, in cells of which a vertex is not reached, of equal times, or without volume.
  Values<float> direction;
  Values<float>
      speed; ///< per cell: 1 / |grad u|, world length per time of the front along its normal, or NaN
};

/// Empty if the monitor said stop.
/// @param travelTime  of this problem; +infinity or NaN: not reached
ConductionField conduction(const Problem& problem, std::span<const float> travelTime, int threads,
                           const Monitor& monitor = {});

/// From where a path is followed back: from a vertex, or from within a cell.
struct Tip {
  std::int64_t vertex = -1; ///< if not -1, this vertex
  std::int64_t cell = -1;   ///< else this cell; both -1: the tip lies outside
  Position at{};            ///< in it
};

/// The paths that waves took to the tips, one per tip: from the very place of a seed along the steepest
/// descent of the travel time as it is interpolated in the cells, through cells that waves pass. Path::energy
/// is the integral of the metric along it; x, y, z are those of the mesh. Without entries if the monitor said
/// stop.
/// @param travelTime  of this problem; +infinity or NaN: not reached
std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Tip> tips, int threads, const Monitor& monitor = {});

/// A place on a path: on a vertex, an edge or a face, or within a cell.
struct PathHead {
  std::vector<std::int64_t> vertices; ///< of that vertex, edge, face or cell
  std::vector<double> weights; ///< positive, sum 1: the place is the mean of the vertices with these weights
  std::int32_t turns = 0;      ///< how often the path has gone from process to process
};

/// Part of a path within one part of a mesh that processes share.
struct PathPiece {
  Path path;     ///< from its end, on the side of the seed, to its begin; Complete: it starts at a seed
  PathHead head; ///< else, where it ends: all vertices are shared. None: it cannot go on
};

/// Follows paths where processes hold parts of the mesh (Sharing::vertices says what is shared): whenever a
/// path reaches a place that is shared, the process with the steepest way on must follow it, the first one
/// of equals. Then the path is that of the whole mesh. The problem and the times must outlive this.
class PathTracer {
public:
  PathTracer(const Problem& problem, std::span<const float> travelTime, int threads);
  ~PathTracer();

  /// Finds the place of a tip. Complete: it has one, and is reached in this part.
  PathStatus find(const Tip& tip, PathHead& head) const;
  /// How fast the travel time falls along the best way on from a place in this part, per time spent on it.
  /// +infinity: a seed lies there. -1: no way on.
  double steepness(const PathHead& head) const;
  /// Follows a path from a place, at least one step, up to a seed or to the next place that is shared.
  PathPiece follow(const PathHead& head) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace isochrone::mesh
