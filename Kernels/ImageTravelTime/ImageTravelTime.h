// ImageTravelTime.h - public interface: first arrivals on an image, and the paths that realise them.
//
// The travel time u solves |grad u| = 1 / f with a speed f at every point, or <grad u, M grad u> = 1 with a
// tensor M, and equals the start value at the seeds. The result is the exact fixed point of a first order
// upwind scheme, whatever the order of work: see DESIGN.md. Jeong, Whitaker: A fast iterative method for
// eikonal equations, SIAM J. Sci. Comput. 30 (2008).
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

namespace isochrone::image {

using Grid = ImageGrid;
using isochrone::Position;

/// What `Problem::speed` holds at a point.
enum class SpeedType {
  Speed,    ///< f: world length per time; 0 is a barrier
  Slowness, ///< 1 / f: time per world length; +infinity is a barrier
  /// Symmetric positive definite tensor G, along the axes of the grid: the time along a vector e is
  /// sqrt(<e, G e>). Its components xx yy zz xy yz xz, point after point; where nz = 1 only xx yy xy. A
  /// tensor with a NaN, or of zeros only, is a barrier.
  MetricTensor,
  SquaredVelocityTensor, ///< as MetricTensor, but its inverse M: speed^2
};

/// How the kink of u at a point seed, half of the error of the scheme, is taken out of its differences.
/// Factored values lie nearer to the true travel time, but depend a little on the order of work where the
/// speed is rough: see DESIGN.md.
enum class SourceFactoring {
  Off,           ///< the plain scheme
  Additive,      ///< differences of u - |x - seed| / f(seed), in a ball in which the speed varies little
  Multiplicative ///< differences of u / |x - seed|, everywhere: for smooth speeds
};

/// Where the front starts. It need not lie on a point of the grid.
struct Seed {
  Position at{};
  double startValue = 0; ///< travel time at the seed, any finite value
  bool isRegion = false; ///< it starts at the points that `Problem::seedRegions` gives it, not at `at`
};

/// The memory behind the spans belongs to the caller and must outlive the call.
struct Problem {
  Grid grid;
  SpeedType speedType = SpeedType::Speed;
  double constantSpeed = 1;                  ///< speed or slowness where `speed` is empty; no tensor
  std::span<const float> speed;              ///< per point, as speedType says, >= 0; NaN is a barrier
  std::span<const std::uint8_t> barriers;    ///< per point, nonzero: nothing passes; empty: none
  std::vector<Seed> seeds;                   ///< numbers 0, 1, ...
  std::span<const std::int32_t> seedRegions; ///< per point: the number of the seed, a region, that holds it,
                                             ///< or -1; empty: none
  /// How messages call grid point (i, j, k); empty: just that.
  std::function<std::string(std::int64_t, std::int64_t, std::int64_t)> pointName;
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0; ///< 0: all cores; never changes the answer
  SourceFactoring factoring = SourceFactoring::Off;
  int order = 1;                ///< 1, or 2: three-point differences along the order of the first order times
  double stoppingTime = 0;      ///< later arrivals are not computed; 0: no limit
  std::vector<Position> stopAt; ///< tips; if not empty, stop as soon as their values are final
  bool seedIds = false;         ///< whether to fill Result::seed
  bool updateCounts = false;    ///< whether to fill Result::updates
};

/// Where a seed or tip came to lie.
struct Placement {
  enum class Status { Inside, Outside, InBarrier, Region } status = Status::Outside;
  std::int64_t point = -1; ///< nearest grid point
};

struct Result {
  Values<float> travelTime;     ///< per point; +infinity where nothing arrives
  Values<std::int32_t> seed;    ///< number of the seed that arrives first, -1 where none does
  Values<std::int32_t> updates; ///< per point: how often it was computed
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  std::vector<double> ballRadius; ///< of each usable point seed where factoring is additive, world units
  bool roughSpeed = false;        ///< factoring is multiplicative, but the speed is rough: choose another
  /// The first seed whose start value is so large that single precision blurs the arrivals around it by more
  /// than a sixteenth of a grid step, -1: none. Start values should count from the earliest one.
  std::int32_t blurredSeed = -1;
  int rounds = 0;
  double updatesPerPoint = 0;
  std::size_t workBytes = 0; ///< memory used besides the result
  bool aborted = false;      ///< the monitor said stop; the arrays are then empty
};

/// Travel time from the seeds to every point.
/// @throws Error on bad input (what, value, where, remedy), on too little memory, and if no seed is usable
Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor);

/// The fastest path to each tip, from the seed to the tip: one entry per tip, in order; where there is no
/// path the entry has no points and a status that says why. No path touches a barrier.
/// Without entries if the monitor said stop.
/// @param travelTime  as solveImageTravelTime returned it for the same problem
std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const Position> tips, int threads, const Monitor& monitor = {});

/// How far points lie from the shortest way between two sets of seeds.
struct TwoWay {
  Values<float> time;         ///< of the fastest way between the sets through a point; +infinity: none
  Values<float> connectivity; ///< least time / time: 1 on the fastest way, 0 where there is none
                              ///< (and beside it, where the least time is not positive)
  std::int64_t meeting = -1;  ///< the first point with the least time; -1: no way joins the sets
};

/// @param fromSeeds, fromTargets  travel times of the same problem with two sets of seeds
/// @param origin  what is to be added to their sum for the connectivity, where both count from another time
///                than 0
TwoWay combine(std::span<const float> fromSeeds, std::span<const float> fromTargets, int threads,
               double origin = 0);

/// The path from the seed of one path to that of the other, both ending at the same point.
Path join(const Path& fromSeed, const Path& fromTarget);

/// Gradient of a travel time, 3 numbers per point in world units, from the differences to earlier neighbours
/// that the scheme takes: its length is the slowness, but at seeds (with tensors about 1, measured by M). 0
/// where nothing arrives. Empty if the monitor said stop.
Values<float> gradient(const Problem& problem, std::span<const float> travelTime, int threads,
                       const Monitor& monitor = {});

/// Nearest grid point of a seed or tip.
Placement place(const Problem& problem, const Position& position);

/// By what share of itself a value differs most from what it should be, over all points reached: the lesser
/// of one more update of the plain scheme in double precision and of the start value that a seed gives the
/// point. 1 where a value comes from no neighbour and no seed, +infinity where it is not a number or lies in
/// a barrier. NaN if the monitor said stop.
/// @param plain  false with source factoring or of second order, where true values lie below those of the
///               plain scheme: then only values above it count, and those before all neighbours and starts
double residual(const Problem& problem, std::span<const float> travelTime, int threads, bool plain = true,
                const Monitor& monitor = {});

} // namespace isochrone::image
