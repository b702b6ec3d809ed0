// ImageTravelTime.h - public interface: first arrivals on an image, and the paths that realise them.
//
// The travel time u solves |grad u| = 1 / f with a speed f per point, or <grad u, M grad u> = 1 with a tensor
// M, or the extremum of such equations in a tilted transversely isotropic medium, and equals the start value
// at the seeds. In a medium that drifts with the velocity V, f and M are
// relative to the medium: then f |grad u| + <grad u, V> = 1 (Zermelo's problem). The result is the exact
// fixed point of a first order upwind scheme, whatever the order of work: see DESIGN.md. Jeong, Whitaker: A
// fast iterative method for eikonal equations, SIAM J. Sci. Comput. 30 (2008).
#pragma once

#include "Backend.h"
#include "Grid/GridPart.h"
#include "Grid/ImageGrid.h"
#include "Grid/OrthogonalGrid.h"
#include "Grid/ThomsenArrays.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Paths/TimeMatrix.h"
#include "Surface/Surface.h"
#include "Values.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::image {

using Grid = ImageGrid;
using isochrone::Position;

/// Meaning of the values in `Problem::speed`.
enum class SpeedType {
  Speed,    ///< f: world length per time; 0 is a barrier
  Slowness, ///< 1 / f: time per world length; +infinity is a barrier
  /// Symmetric positive definite tensor G along the axes of the grid. The time along a vector e is sqrt(<e, G
  /// e>). Components xx yy zz xy yz xz, point after point; only xx yy xy if nz = 1. A tensor with a NaN, or
  /// with zeros only, is a barrier.
  MetricTensor,
  SquaredVelocityTensor, ///< as MetricTensor, but its inverse M: speed^2
  /// Speed of P waves along the symmetry axis of a tilted transversely isotropic medium (TTI), whose other
  /// parameters are in Problem::thomsen; 0 is a barrier. Order 1, factoring Off or Additive, no drift.
  TiltedTransverse,
};

/// Removal of the kink of u at a point seed from the differences of the scheme. The kink causes most of the
/// scheme's error, and factored values lie nearer to the true travel time. Multiplicative values depend
/// slightly on the order of work where the speed is rough, but not with tensors: see DESIGN.md.
enum class SourceFactoring {
  Off,           ///< the plain scheme
  Additive,      ///< differences of u - |x - seed| / f(seed), in a ball in which the speed varies little
  Multiplicative ///< differences of u / |x - seed|, everywhere: for smooth speeds
};

/// A start of the front, not necessarily on a grid point.
struct Seed {
  Position at{};
  double startValue = 0; ///< travel time at the seed, any finite value
  bool isRegion = false; ///< starts at its points in `Problem::seedRegions`, not at `at`
};

/// The memory behind the spans belongs to the caller and must outlive the call.
struct Problem {
  Grid grid;
  SpeedType speedType = SpeedType::Speed;
  double constantSpeed = 1;               ///< speed or slowness if `speed` is empty; not for tensors
  std::span<const float> speed;           ///< per point, as speedType specifies, >= 0; NaN is a barrier
  std::span<const std::uint8_t> barriers; ///< per point, nonzero: impassable; empty: no barriers
  /// Velocity of the medium along the axes of the grid, world length per time, point after point: x y z, only
  /// x y if nz = 1. NaN is a barrier; elsewhere it must be below 0.999 of the speed, which is relative to the
  /// medium. Empty, or zero everywhere: no drift. Order 1, factoring Off or Additive. Values are final only
  /// at the end of a solve, so the stopping time and stopAt have no effect.
  std::span<const float> drift;
  Thomsen thomsen;           ///< of SpeedType::TiltedTransverse
  bool towardsSeeds = false; ///< with a drift: the time from each point to the seeds, not from them
  /// Axes that are periodic: behind the last point follows the first, so that the period is the number of
  /// points times the spacing. Positions may lie anywhere along them. Order 1, factoring Off or Additive, not
  /// divided. Seeds on a surface, and paths in the medium, are not possible.
  std::array<bool, 3> periodic{};
  /// With periodic axes, Result::reach of a solve of the same problem, so that what follows the solve need
  /// not find it again; zeros: it is found.
  GridIndex reach{};
  /// A rectilinear or spherical grid; null: an image. `grid` then has its sizes, and spacings of 1. Positions
  /// (of seeds, tips and paths) are in grid steps: OrthogonalGrid converts. Lengths, gradients and ball radii
  /// are those of space, gradients along the axes of the grid at the point. Around the full circle of
  /// longitudes, positions may lie anywhere. Isotropic speeds, order 1, factoring Off or Additive, not
  /// divided; no periodic axes and no seed surface.
  const grid::OrthogonalGrid* orthogonal = nullptr;
  std::vector<Seed> seeds; ///< seeds 0, 1, ...
  /// Per point, the number of the region seed that contains it, or -1; empty: no regions.
  std::span<const std::int32_t> seedRegions;
  /// The surface of a level set, with its cells, at which the only seed, a region, starts on both sides;
  /// null: none. Relative to point (0, 0, 0) of the whole image. The cells are numbered in `grid`.
  const surface::Surface* seedSurface = nullptr;
  /// The part of a divided image that this problem is: isotropic speeds, order 1, factoring Off or Additive,
  /// on the host, with a margin of at least two points. All processes solve at the same time.
  grid::GridPart part;
  /// If not 0, seed number s is a copy of seed number s % distinctSeeds, for the periodic axes of a part.
  int distinctSeeds = 0;
  /// Returns the name of grid point (i, j, k) in messages; empty: "point (i, j, k)".
  std::function<std::string(std::int64_t, std::int64_t, std::int64_t)> pointName;
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: chooseThreads(0); does not affect the result
  SourceFactoring factoring = SourceFactoring::Off;
  int order = 1;                ///< 1, or 2: three-point differences in the order of the first order times
  double stoppingTime = 0;      ///< later arrivals are not computed; 0: no limit
  std::vector<Position> stopAt; ///< tips; if not empty, stops as soon as their values are final
  bool seedIds = false;         ///< whether to fill Result::seed
  bool updateCounts = false;    ///< whether to fill Result::updates
  bool keepFirstOrder = false;  ///< whether to fill Result::firstOrder, if there is memory for it
};

/// Grid location assigned to a seed or tip.
struct Placement {
  enum class Status { Inside, Outside, InBarrier, Region } status = Status::Outside;
  std::int64_t point = -1; ///< nearest grid point; -1 in a Result also if another process owns it
};

/// Of a part: the arrays with the values of all points, those in the margin included.
struct Result {
  Values<float> travelTime;     ///< per point; +infinity where unreached
  Values<std::int32_t> seed;    ///< per point, number of the seed that arrives first, -1 where unreached
  Values<std::int32_t> updates; ///< per point, number of updates
  Values<float> firstOrder;     ///< see Options::keepFirstOrder
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  std::vector<double> ballRadius; ///< per usable point seed if factoring is additive, world units
  double largestDrift = 0;        ///< maximum drift, as a share of the speed in its direction
  bool roughSpeed = false;        ///< factoring is multiplicative, but the speed is rough: choose another
  /// The first seed with a start value so large that rounding to single precision changes the arrivals around
  /// it by more than a sixteenth of the shortest grid step's time; -1: none. Start values should be relative
  /// to the earliest one.
  std::int32_t blurredSeed = -1;
  /// With periodic axes and tensors, a drift or a tilted medium: the maximum offsets of the stencils.
  GridIndex reach{};
  int rounds = 0;
  double updatesPerPoint = 0;
  int exchanges = 0;          ///< with other processes, during the rounds
  std::int64_t bytesTold = 0; ///< to other processes, during the rounds
  std::size_t workBytes = 0;  ///< work memory, without the result
  bool aborted = false;       ///< the monitor requested a stop; the arrays are then empty
};

/// Computes the travel time from the seeds to every point.
/// @throws Error on invalid input, with value, place and remedy, on insufficient memory, and if no seed is
/// usable
Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor);

/// Extracts the fastest path from a seed to each tip. Returns one entry per tip, in order. Along periodic
/// axes a path goes on beyond the image from its tip. An entry without a path has no points and a status with
/// the reason. No path touches a barrier. Returns no entries if the monitor requested a stop. The processes
/// of a divided image extract them together, with a margin of at least pathMargin points; the process that
/// owns the grid point nearest to a tip gets the path, the others the status.
/// @param travelTime  result of solveImageTravelTime for the same problem
std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Position> tips, int threads, const Monitor& monitor = {});

/// Margin with which the parts of an image can trace paths: beyond the last point of a path, the straight end
/// at its seed reaches back by 8 points, and a step depends on 2 points around it.
inline constexpr int pathMargin = 11;

/// Returns paths over ground as seen in a medium that drifts: each position minus the drift since the seed.
/// Their direction is that of the vehicle.
/// @param paths  result of extractPaths for the same problem
/// Returns no paths if the monitor requested a stop.
std::vector<Path> mediumPaths(const Problem& problem, std::span<const Path> paths, int threads,
                              const Monitor& monitor = {});

/// The fastest paths between two sets of seeds through each point.
struct TwoWay {
  Values<float> time;         ///< time of the fastest path between the sets through a point; +infinity: none
  Values<float> connectivity; ///< minimum time / time: 1 on the fastest path, 0 where no path exists (and off
                              ///< the fastest path if the minimum time is not positive)
  /// Position of the first point with the minimum time, which may lie in another part of the image; nothing:
  /// no path joins the sets.
  std::optional<Position> meeting;
};

/// Combines the travel times from two sets of seeds. Collective.
/// @param fromSeeds, fromTargets  travel times of the same problem with the two sets
/// @param origin                  added to their sum for the connectivity, if both are relative to a time
///                                other than 0
TwoWay combine(const Problem& problem, std::span<const float> fromSeeds, std::span<const float> fromTargets,
               int threads, double origin = 0);

/// Joins two paths that end at the same point into one from the first seed to the second.
Path join(const Path& fromSeed, const Path& fromTarget);

/// Returns the gradient of a travel time, 3 numbers per point in world units, from the scheme's differences
/// to earlier neighbours. Its length is the slowness, except at seeds (with tensors about 1, measured by M;
/// not in a drift).
/// 0 where unreached. Empty if the monitor requested a stop.
Values<float> gradient(const Problem& problem, std::span<const float> travelTime, int threads,
                       const Monitor& monitor = {});

/// Returns the nearest grid point of a seed or tip.
Placement place(const Problem& problem, const Position& position);

/// Returns the maximum relative deviation of a value from its reference, over all reached points. The
/// reference is one more update of the plain scheme in double precision, or the start value that a seed gives
/// the point, whichever is less. A value that no neighbour and no seed supports deviates by 1. A value that
/// is not a number, or in a barrier, deviates by +infinity. Returns NaN if the monitor requested a stop.
/// @param plain  false with source factoring or second order, where true values lie below the plain scheme.
///               Only values above the reference, or before all neighbours and starts, then deviate.
double residual(const Problem& problem, std::span<const float> travelTime, int threads, bool plain = true,
                const Monitor& monitor = {});

// ------------------------------------------------------------------------------ sensitivities

/// A term weight * travelTime(tip) of an objective. The travel time of a tip is that of its nearest grid
/// point.
struct WeightedTip {
  Position at{};
  double weight = 1;
};

struct SensitivityOptions {
  /// Of `differentiate`; differentiateEach runs on the host.
  Backend backend = Backend::Automatic;
  SourceFactoring factoring = SourceFactoring::Off; ///< of the solve
  int order = 1;                                    ///< of the solve
  int threads = 0;                                  ///< 0: chooseThreads(0); does not affect the result
  /// Of a solve with Options::keepFirstOrder, Result::firstOrder. Empty: these times are solved again, on the
  /// host.
  std::span<const float> firstOrder{};
};

/// Derivatives of J = sum of weight * travelTime(tip) in the discrete equations, exact up to rounding
/// (DESIGN.md, "Sensitivities"). The points in a factoring ball and the neighbours that updates use are
/// treated as constants. A few multiplicative times depend on the order of work; their derivatives are those
/// of the equation that comes nearest to them. So J is
///     sum of slowness * dJ/dslowness + startValue * dJ/dstartValue,
/// with a metric tensor 2 * component * dJ/dcomponent in place of the first term, with a squared velocity -2
/// times it. Where a weight of the scheme for tensors vanishes, as with isotropic tensors, the time has a
/// kink, and the derivative is a mean of those of both sides.
struct Sensitivities {
  /// J of the exact solution: without the rounding of travelTime, and of equations in place of multiplicative
  /// times that depend on the order of work.
  double objective = 0;
  /// dJ/dspeed or dJ/dslowness per point, as Problem::speedType specifies; 0 in barriers and where no tip
  /// depends on it. That of a constant speed is their sum. With tensors dJ with respect to each of their
  /// components, in the same layout, where xy stands for yx, too.
  Values<double> speed;
  std::vector<double> startValue; ///< dJ/dstartValue per seed
  /// Grid location of each tip. Tips outside the grid, in barriers or unreached contribute nothing (point =
  /// -1).
  std::vector<Placement> tips;
  /// Sum of the weights that reach no seed, because travel times are equal up to single-precision rounding.
  /// The derivatives lack the part between there and the seeds. Mostly 0.
  double lostWeight = 0;
  BackendChoice ranOn;  ///< of the derivatives
  bool aborted = false; ///< the monitor requested a stop; the arrays are then empty
};

/// Differentiates travel times. Host and device differ by the rounding of sums, with tensors not at all. The
/// device needs 65 bytes per point (92 with order 2, 196 with tensors), 7 more if factored, and the arrays of
/// the problem. Multiplicative factoring, and tensors with order 2, run on the host. Isotropic speeds or
/// tensors on images that are not divided and have no periodic axes; no drift and no seed surface. With order
/// 2 or tensors fewer than 2^31 points.
///     With order 2, which sides and how many points each update uses are constants, too. They follow from
/// the first order times. If these are not given, they are solved again on the host, up to the latest tip;
/// values of order 2 that a CUDA device solved may then have used another side where two sides are equally
/// early up to rounding. Tensors with multiplicative factoring start from first order times, too, those with
/// additive factoring.
/// @param travelTime  result of solveImageTravelTime for the same problem and options, also with a stopping
///                    time
/// @throws Error on invalid input, with value, place and remedy, on insufficient memory, and if CUDA was
/// requested and cannot be used
Sensitivities differentiate(const Problem& problem, std::span<const float> travelTime,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor = {});

/// The rows of the derivatives of the travel times of single tips.
struct Jacobian {
  /// One row per tip, with the derivatives with respect to the slowness of the points, also where the problem
  /// has speeds; with tensors to a factor on the slowness in all directions, which is 1 in the given medium.
  /// Entries of 0 are left out. Rows of tips that contribute nothing (see Sensitivities::tips) are empty. The
  /// travel time is the sum of weight * slowness plus the start value of the seed; if the tip depends on
  /// several seeds, plus their mean in the shares of its weight.
  TimeMatrix matrix;
  std::vector<Placement> tips; ///< as Sensitivities::tips
  double lostWeight = 0;       ///< of all points of tips, each with weight 1; see Sensitivities
  bool aborted = false;        ///< the monitor requested a stop; the matrix is then empty
};

/// Differentiates the travel time of each tip, on the host; for the same problems as `differentiate`. The sum
/// of the rows, times weights, is Sensitivities::speed of a problem with slownesses up to rounding. Needs 50
/// bytes per point (58 if factored) and 4 more per thread, 64 per thread for each point in the tiles that
/// eight neighbouring tips depend on, and 32 bytes per entry, of which 16 remain. With order 2 it needs 80
/// more per point (168 while masses pass), 4 more per thread, and 144 per thread for each point that eight
/// tips depend on. With tensors 200 bytes for each point that a tip depends on (255 if factored; with order 2
/// or multiplicative 396 more) and 8 more per thread.
/// @param travelTime  as for `differentiate`
/// @throws Error on invalid input, with value, place and remedy, and on insufficient memory
Jacobian differentiateEach(const Problem& problem, std::span<const float> travelTime,
                           std::span<const Position> tips, const SensitivityOptions& options,
                           const Monitor& monitor = {});

/// Checks, before a solve, that its result can be differentiated.
/// @throws Error with the reason and the remedy
void requireDifferentiable(const Problem& problem, const SensitivityOptions& options);

/// Returns whether a tensor, three or six components as in Problem::speed, is positive definite.
bool isPositiveDefinite(std::span<const float> tensor);

using Matrix3 = std::array<std::array<double, 3>, 3>;

/// Returns whether the matrix is symmetric up to rounding. True for NaN, which marks a barrier.
bool isSymmetric(const Matrix3& matrix);

/// Returns a tensor along world axes as one along the axes of a grid.
/// @param axes  unit vectors of the grid's axes in world coordinates
Matrix3 alongAxes(const Matrix3& world, const Matrix3& axes);

/// Returns the squared velocity in the plane of the first two axes that gives the same times along the plane
/// as the tensor in space; only the components xx, yy and xy are meaningful. The metric of the plane is a
/// block of the metric in space; the same does not hold for its inverse. A tensor with a NaN or with zeros
/// only stays a barrier; one whose zz is not positive gets a negative xx, and is refused by the solver.
Matrix3 inPlane(const Matrix3& squaredVelocity);

} // namespace isochrone::image
