// ImageTravelTime.h - public interface: first arrivals on an image.
//
// The travel time u solves |grad u| = 1 / f with the speed f at every point, or |grad u|_(D) = 1 with a
// symmetric tensor D (squared velocities), and equals the start value at the seeds. First order upwind
// (Godunov), the exact fixed point: see DESIGN.md. Jeong, Whitaker: A fast iterative method for eikonal
// equations, SIAM J. Sci. Comput. 30 (2008).
#pragma once

#include "Backend.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Values.h"

#include <cstdint>
#include <span>
#include <vector>

namespace isochrone::image {

/// Points of a 2D or 3D image, x fastest. Point (i, j, k) lies at (i*hx, j*hy, k*hz); a 2D image has nz = 1.
struct Grid {
  std::int64_t nx = 1, ny = 1, nz = 1;
  double hx = 1, hy = 1, hz = 1; ///< world units

  std::int64_t points() const { return nx * ny * nz; }
  std::int64_t index(std::int64_t i, std::int64_t j, std::int64_t k) const { return i + nx * (j + ny * k); }
};

/// What `Problem::speed` holds at a point.
enum class SpeedType {
  Speed,    ///< f: world length per time; 0 is a barrier
  Slowness, ///< 1 / f: time per world length; +infinity is a barrier
};

/// Where the front starts. It need not lie on a point of the grid.
struct Seed {
  double x = 0, y = 0, z = 0; ///< world units, relative to point (0, 0, 0)
  double startValue = 0;      ///< travel time at the seed, any finite value
};

struct Problem {
  Grid grid;
  SpeedType speedType = SpeedType::Speed;
  double constantSpeed = 1;                  ///< where `speed` is empty
  std::span<const float> speed;              ///< per point, >= 0; NaN is a barrier
  std::span<const std::uint8_t> barriers;    ///< per point, nonzero: nothing passes; empty: none
  std::vector<Seed> seeds;                   ///< numbers 0, 1, ...
  std::span<const std::int32_t> seedRegions; ///< per point: the number of the seed that it belongs to, or -1
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;         ///< 0: all cores; never changes the answer
  double stoppingTime = 0; ///< values above it are not computed; 0: no limit
  bool seedIds = false;    ///< whether to fill Result::seed
};

/// Where a seed came to lie.
struct Placement {
  enum class Status { Inside, Outside, InBarrier } status = Status::Outside;
  std::int64_t point = -1; ///< nearest grid point
};

struct Result {
  Values<float> travelTime;     ///< per point; +infinity where nothing arrives
  Values<std::int32_t> seed;    ///< number of the seed that arrives first, -1 where none does
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  int rounds = 0;
  double updatesPerPoint = 0;
  std::size_t workBytes = 0; ///< memory used besides the result
  bool aborted = false;      ///< the monitor said stop; the other members are then empty
};

/// @throws Error on bad input (what, value, where, remedy), on too little memory, and if no seed is usable
Result solveImageTravelTime(const Problem& problem, const Options& options, const Monitor& monitor);

} // namespace isochrone::image
