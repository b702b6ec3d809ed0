// MeshTravelTime.h - public interface: first arrivals on a tetrahedral mesh, and the paths that realise them.
//
// The travel time u solves <grad u, M grad u> = 1 with a symmetric positive definite tensor M, the squared
// speed, constant in each cell, and equals the start time at the seeds. The time along a vector e within a
// cell is sqrt(<e, M^-1 e>). The result is the exact fixed point of the Hopf-Lax update over the cells around
// each vertex, for any mesh and any order of work: see DESIGN.md. Ganellari, Haase, Zumbusch: A massively
// parallel Eikonal solver on unstructured meshes, Comput. Visual Sci. 19 (2018).
#pragma once

#include "Backend.h"
#include "Grid/ImageGrid.h"
#include "MeshTravelTime/Sharing.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Paths/TimeMatrix.h"
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
  std::span<const float> single;   ///< one of the two arrays is given
  std::span<const double> precise; ///< the alternative to `single`
  int components = 1;
  bool ofVertices = false; ///< per vertex, else per cell

  bool empty() const { return single.empty() && precise.empty(); }
  std::size_t size() const { return single.size() + precise.size(); }
  double operator[](std::size_t i) const { return single.empty() ? precise[i] : double(single[i]); }
};

/// Source of the speed. A cell is a barrier, which no wave passes, if it is hidden, has a NaN, or its speed
/// is zero. Vertex data is averaged as a tensor over the vertices of a cell; the cell is also a barrier if
/// one of its vertices is.
enum class SpeedType {
  Constant, ///< `constantSpeed` everywhere
  Scalar,   ///< `speed`, one component: world length per time
  /// Speeds along the fibre, the sheet (orthogonalised against the fibre) and their normal: `velocities`,
  /// times `speed` if that has one component; or `speed` if it has two (without sheets) or three components.
  /// Without sheets the second velocity applies to all directions across the fibre.
  Fibres,
  Conductivities, ///< as Fibres, with conductivities: a speed is velocityScale * sqrt(conductivity)
  Tensor          ///< M itself: `tensor`, components xx yy zz xy yz xz, world length^2 per time^2
};

/// How travel times follow from the mesh.
enum class Accuracy {
  FirstOrder, ///< the fixed point of the update over cells, for any speed
  /// The lengths of the shortest paths on a surface of triangles, divided by the speed, by windows (Exact/).
  /// Needs SpeedType::Constant and triangles only, one process, and the host. Distances are computed in
  /// double precision, with a relative error below 1e-11, and rounded once.
  Exact
};

/// Start of a wave: a vertex, or a position within a cell.
struct Seed {
  std::int64_t vertex = -1; ///< if not -1, this vertex
  std::int64_t cell = -1;   ///< else this cell; also -1: the seed lies in another part of a shared mesh
  Position at{};            ///< position in the cell, whose vertices get the exact times from there
  double startTime = 0;     ///< any finite value
};

/// Input of the solver. The caller owns the memory behind the spans, which must outlive the call.
struct Problem {
  Numbers points;                       ///< per vertex, three components
  std::span<const std::int64_t> cells;  ///< four vertices per cell; the last one of a triangle is -1
  std::span<const std::uint8_t> hidden; ///< per cell, nonzero: a barrier; empty: none
  SpeedType speedType = SpeedType::Constant;
  double constantSpeed = 1;
  Numbers speed;
  Numbers fibre, sheet;                      ///< three components, any nonzero length; `sheet` may be empty
  std::array<double, 3> velocities{1, 1, 1}; ///< or conductivities
  double velocityScale = 1;                  ///< for conductivities
  Numbers tensor;                            ///< six components
  std::vector<Seed> seeds;                   ///< indexed 0, 1, ...
  Accuracy accuracy = Accuracy::FirstOrder;
  /// Whether obtuse angles of triangles also see the triangles behind their opposite edges
  /// (Scheme/Unfolding.h), which makes times more accurate. Parts of a shared mesh never do.
  bool unfolds = true;
  double ballRadius = 0; ///< world length; see Result::ballVertices; not used with Accuracy::Exact
  double timeOrigin = 0; ///< origin of computed times; the minimum start time is best for precision
  Sharing sharing;       ///< empty: the mesh is not distributed
  /// Names of a vertex, a cell and the start time of a seed in messages; empty: "point 7", "cell 7", "the
  /// start time of seed 7".
  std::function<std::string(std::int64_t)> vertexName, cellName, startName;

  std::int64_t vertexCount() const { return std::int64_t(points.size() / 3); }
  std::int64_t cellCount() const { return std::int64_t(cells.size() / 4); }
};

enum class Method {
  Automatic,            ///< the fastest method, by measurement
  Band,                 ///< vertices within a moving band of times
  PlainFim,             ///< all active vertices at once: the paper's fast iterative method, without
                        ///< subdomains
  DecomposedManyBlocks, ///< the paper's first decomposition: many blocks share the work of active subdomains
  DecomposedOneBlock    ///< the second decomposition: one block per subdomain, with its own interface list
};

/// Memory layout on the host. Does not change the result.
enum class Memory {
  Automatic, ///< Fast if enough memory is available
  Fast,      ///< 118 bytes per tetrahedron during the solve, 176 during set-up
  Compact    ///< 62 and 120 bytes, slightly slower
};

/// The parts of a solve and of paths that depend on the mesh and its speeds, but not on the seeds: private to
/// the module.
struct Setup;

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;                   ///< 0: chooseThreads(0); does not change the result
  Method method = Method::Automatic; ///< does not change the result
  Memory memory = Memory::Automatic;
  int subdomains = 0;   ///< for the decompositions; 0: chosen for the mesh
  bool seedIds = false; ///< whether to fill Result::seed
  /// prepare() of the same problem with other seeds, and the same options; null: the solve makes its own.
  /// Does not change the result.
  std::shared_ptr<const Setup> setup = nullptr;
};

/// Cells that no wave passes, by reason.
struct Barriers {
  std::int64_t closed = 0;                               ///< hidden, speed zero or NaN
  std::int64_t noFrame = 0;                              ///< fibre of length zero, or sheet parallel to the
                                                         ///< fibre
  std::int64_t notDefinite = 0;                          ///< tensor not positive definite
  std::int64_t firstNoFrame = -1, firstNotDefinite = -1; ///< the first such cells
};

/// Cells with an edge shorter than 0.003 of their longest one, in travel time. From each other vertex of the
/// cell, the edges to both ends of the short edge are made equally long, which changes times across the cell
/// by up to the time along the short edge.
struct Straightened {
  std::int64_t count = 0, first = -1; ///< the first such cell
};

struct Result {
  Values<float> travelTime; ///< per vertex; +infinity where no wave arrives
  /// Per vertex: index of the seed whose wave arrives, the maximum index if several arrive at once; -1 where
  /// none does. The wave comes from the minimum point of the update: from the corner of the cell with the
  /// largest weight there, among the earlier corners.
  Values<std::int32_t> seed;
  Values<std::uint8_t> open; ///< per vertex, nonzero: touches a cell that is not a barrier
  std::vector<bool> usable;  ///< per seed: touches a cell that is not a barrier
  /// The first seed that starts so long after Problem::timeOrigin that rounding to single precision blurs the
  /// arrivals around it by more than a sixteenth of the time along its shortest edge; -1: none.
  std::int64_t blurredSeed = -1;
  std::int64_t ballVertices = 0; ///< vertices with their exact time, within ballRadius of a seed and
                                 ///< connected to it by a straight line through cells of one tensor
  Barriers barriers;
  Straightened straightened;
  /// Number of obtuse angles of triangles that were not unfolded because the mesh is shared.
  std::int64_t obtuseAngles = 0;
  BackendChoice ranOn;               ///< of the updates
  Method method = Method::Automatic; ///< the method that ran
  int rounds = 0;
  double updatesPerVertex = 0;
  std::size_t workBytes = 0; ///< memory used during the solve, in addition to the result
  double setupSeconds = 0, solveSeconds = 0;
  bool aborted = false; ///< the monitor requested a stop; the arrays are then empty
};

/// Position relative to the cells of a mesh.
struct Location {
  std::vector<std::int64_t> cells;    ///< that contain the position, ascending; cells without volume are
                                      ///< never listed
  std::vector<std::int64_t> vertices; ///< at the position; the nearest ones if it lies outside
  double distance = 0; ///< to the nearest vertex if outside; +infinity: no cells, or not a finite position
};

/// Locates positions in the mesh, hidden cells included. Among equally near vertices those with the minimum
/// coordinates are taken, so that the result does not depend on the numbering or distribution of the mesh.
/// @param tolerance  world length up to which a position may lie away from a vertex, or beyond the faces of a
///                   cell
std::vector<Location> locate(const Problem& problem, std::span<const Position> places, double tolerance,
                             int threads);

/// Returns the travel time from the seeds to every vertex.
/// @throws Error on bad input (what, value, where, remedy), on insufficient memory, and, unless the mesh is
/// shared, if no seed is usable
Result solveMeshTravelTime(const Problem& problem, const Options& options, const Monitor& monitor);

/// Returns for each seed whether it touches a cell that is not a barrier, so that a wave starts there.
/// @throws Error as solveMeshTravelTime on bad input
std::vector<bool> usableSeeds(const Problem& problem);

/// Prepares solves with other seeds, one after the other or at the same time. Holds 192 bytes per tetrahedron
/// (136 in the compact layout). Null with Accuracy::Exact, which prepares nothing, and if the monitor
/// requested a stop.
/// @throws Error as solveMeshTravelTime
std::shared_ptr<const Setup> prepare(const Problem& problem, const Options& options,
                                     const Monitor& monitor = {});

/// Returns the maximum relative decrease, over all reached vertices, that one more update of first order, in
/// double precision and from the cells alone, would make. NaN if the monitor requested a stop.
double residual(const Problem& problem, std::span<const float> travelTime, int threads,
                const Monitor& monitor = {});

/// Direction and speed of waves in each cell, where the gradient of the travel time is constant.
struct ConductionField {
  /// Three per cell: unit vector of M grad u, the direction of propagation, in the plane of a triangle. Zero
  /// in barriers and in cells with an unreached vertex, equal times, or no volume.
  Values<float> direction;
  Values<float> speed; ///< 1 / |grad u| per cell: world length per time along the front normal, or NaN
};

/// Returns the direction and speed of waves in each cell; empty if the monitor requested a stop.
/// @param travelTime  of this problem; +infinity or NaN: not reached
ConductionField conduction(const Problem& problem, std::span<const float> travelTime, int threads,
                           const Monitor& monitor = {});

/// The point from which a path is traced back: a vertex, or a position within a cell.
struct Tip {
  std::int64_t vertex = -1; ///< if not -1, this vertex
  std::int64_t cell = -1;   ///< else this cell; both -1: the tip lies outside
  Position at{};            ///< position in the cell
};

/// Returns the path that the wave took to each tip: from the position of a seed, along the steepest descent
/// of the travel time interpolated in the cells, through open cells. Path::energy is the integral of the
/// metric along the path; x, y, z are mesh coordinates. Returns an empty vector if the monitor requested a
/// stop.
/// @param travelTime  of this problem; +infinity or NaN: not reached
/// @param setup       as in Options; does not change the result
std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Tip> tips, int threads, const Monitor& monitor = {},
                               const Setup* setup = nullptr);

struct WeightedTip {
  Tip at;
  double weight = 1; ///< finite
};

struct SensitivityOptions {
  Backend backend = Backend::Automatic; ///< of the updates of vertices and, for sums, of the masses
  int threads = 0;                      ///< 0: chooseThreads(0); does not affect the result
};

/// Derivatives of J = sum of weight * travelTime(tip) in the discrete equations (DESIGN.md, "Sensitivities").
/// With a speed J is startTime * dJ/dstartTime - speed * dJ/dspeed, summed over seeds and tuples.
struct Sensitivities {
  double objective = 0; ///< J of the exact solution: without the rounding of travelTime
  /// dJ with respect to the numbers that define the speed; 0 in barriers and where no tip depends on them.
  /// With SpeedType::Constant: to the speed of each cell, so that their sum is that of the constant. With
  /// Scalar: to `speed`. With Fibres and Conductivities: to `speed`, with its components; without it three
  /// per cell, to the velocities or conductivities there. With Tensor: to the six components of `tensor`,
  /// where xy stands for yx, too.
  Values<double> medium;
  int components = 1;      ///< of `medium`
  bool ofVertices = false; ///< `medium` is per vertex, else per cell
  Values<double> metric;   ///< dJ/dG per cell, six components like those of a tensor; G is the inverse of M
  std::vector<double> startTime; ///< per seed
  std::vector<bool> counts;      ///< per tip; others lie outside, in barriers or where no wave arrives
  double lostWeight = 0;         ///< sum of the weights that reach no seed because times are equal; mostly 0
  BackendChoice ranOn;           ///< of the updates and masses
  bool aborted = false;          ///< the monitor requested a stop; the arrays are then empty
};

/// Differentiates travel times. The time at a tip in a cell is interpolated between its vertices. Of a vertex
/// in the ball around a seed, the derivative is that of the time along the straight line.
/// @param travelTime  result of solveMeshTravelTime for the same problem
/// The backend does not change the result.
/// @throws Error as requireDifferentiable, on bad input, on insufficient memory, and if CUDA was requested
/// and cannot be used
Sensitivities differentiate(const Problem& problem, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor = {});

/// The rows of the derivatives of the travel times of single tips.
struct Jacobian {
  /// One row per tip, with the derivatives with respect to the slowness of the cells or vertices: 1 / speed
  /// with SpeedType::Constant and Scalar, otherwise a factor on the slowness in all directions, which is 1 in
  /// the given medium. Entries of 0 are left out. Rows of tips that lie outside, in barriers or where no wave
  /// arrives are empty. The travel time is the sum of weight * slowness plus the mean start time of the
  /// seeds, in their shares.
  TimeMatrix matrix;
  bool ofVertices = false;        ///< elements are vertices, as in Sensitivities, else cells
  std::vector<std::int32_t> seed; ///< per tip: the seed with the largest share; -1: none
  double lostWeight = 0;          ///< sum over the rows, each of weight 1; see Sensitivities
  BackendChoice ranOn;            ///< of the updates
  bool aborted = false;           ///< the monitor requested a stop; the matrix is then empty
};

/// Differentiates the travel time of each tip. The sum of the rows, times weights, agrees with
/// `differentiate`. Needs 208 bytes per vertex and 76 per cell, 8 for each vertex and element per thread, and
/// up to 32 bytes per entry.
/// @throws Error as differentiate
Jacobian differentiateEach(const Problem& problem, std::span<const float> travelTime,
                           std::span<const Tip> tips, const SensitivityOptions& options,
                           const Monitor& monitor = {});

/// Checks, before a solve, that its result can be differentiated.
/// @throws Error for Accuracy::Exact and for parts of a shared mesh, with the remedy
void requireDifferentiable(const Problem& problem);

/// A point on a path: on a vertex, an edge or a face, or within a cell.
struct PathHead {
  std::vector<std::int64_t> vertices; ///< vertices of this vertex, edge, face or cell
  std::vector<double> weights;        ///< positive, sum 1: the point is the weighted mean of the vertices
  std::int32_t turns = 0;             ///< number of times that the path has moved between processes
};

/// The piece of a path within one part of a shared mesh.
struct PathPiece {
  Path path;     ///< from its end on the seed side to its start; Complete: it starts at a seed
  PathHead head; ///< else, its end: all vertices are shared. Empty: the path cannot continue
};

struct PathField; // Paths/PathTrace.h

/// Traces paths on a mesh distributed over processes (Sharing::vertices lists the shared vertices). Whenever
/// a path reaches a shared point, the process with the steepest continuation must follow it; among equals,
/// the first one. The path is then the same as on the whole mesh. The problem and the times must outlive this
/// object.
class PathTracer {
public:
  PathTracer(const Problem& problem, std::span<const float> travelTime);
  explicit PathTracer(std::unique_ptr<PathField> field); ///< private to the module
  ~PathTracer();

  /// Finds the point of a tip. Complete: the point exists and is reached in this part.
  PathStatus find(const Tip& tip, PathHead& head) const;
  /// Returns the decrease of the travel time per time spent, along the steepest continuation from a point in
  /// this part. +infinity: a seed lies there. -1: no continuation.
  double steepness(const PathHead& head) const;
  /// Follows a path from a point, for at least one step, to a seed or to the next shared point.
  PathPiece follow(const PathHead& head) const;

private:
  std::unique_ptr<PathField> field;
};

} // namespace isochrone::mesh
