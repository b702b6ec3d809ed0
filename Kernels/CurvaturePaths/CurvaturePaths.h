// CurvaturePaths.h - public interface: globally optimal planar paths with a penalty on curvature.
//
// A state is a position and a heading, p = (x, y, theta). A path moves along its heading and pays
//     integral of  cost(p) * C(xi(p) * (dtheta/dl - phi(p))) dl
// with xi the turning radius, phi the curvature shift and C chosen by the model. The travel time u(p), the
// least such integral over all paths from a seed to p, solves F(grad u) = cost; see spec and DESIGN.md here.
// Mirebeau, Gayraud, Barrere, Chen, Desquilbet: Massively parallel computation of globally optimal shortest
// paths with curvature penalization, 2022.
#pragma once

#include "Backend.h"
#include "Monitor.h"
#include "Paths/Path.h"
#include "Values.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace isochrone::curvature {

/// C(k) = sqrt(1+k^2) forward and backward, the same forward only, 1+k^2, and 1 for |k| <= 1 else infinite.
/// Both Reeds-Shepp models may turn on the spot at cost * xi per radian.
enum class Model { ReedsShepp, ReedsSheppForward, Elastica, Dubins };

/// Samples of state space. Point (i, j) lies at (i*hx, j*hy); heading k is the angle 2 pi k / headings,
/// radians, from the first axis towards the second. Values are stored x fastest, then y, then heading.
struct StateGrid {
  std::int64_t nx = 0, ny = 0;
  int headings = 60;
  double hx = 1, hy = 1; ///< world units

  std::int64_t planePoints() const { return nx * ny; }
  std::int64_t points() const { return nx * ny * headings; }
  double headingStep() const; ///< 2 pi / headings
  std::int64_t index(std::int64_t i, std::int64_t j, int k) const { return i + nx * (j + ny * k); }
};

/// A quantity on the grid: `constant` if `values` is empty, else one value per plane point (nx*ny) or per
/// state (nx*ny*headings). The memory belongs to the caller and must outlive the call.
struct Field {
  double constant = 1;
  std::span<const float> values;
};

/// A position (world units, relative to grid point (0, 0)) with a heading in radians or with any heading.
struct State {
  double x = 0, y = 0, heading = 0;
  bool anyHeading = true;
};

/// Where paths start. A seed that a path from another seed reaches before its own start value is overrun by
/// it.
struct Seed {
  State state;
  double startValue = 0; ///< travel time at the seed, any finite value
};

struct Problem {
  StateGrid grid;
  Model model = Model::Dubins;
  Field cost{1, {}};                   ///< > 0 and finite; cost per world length
  Field turningRadius{1, {}};          ///< xi > 0, world length
  Field curvatureShift{0, {}};         ///< phi, 1 / world length, positive to the left (increasing heading)
  double relaxation = 0.1;             ///< epsilon of the stencils, 0.02 to 0.5
  std::span<const std::uint8_t> walls; ///< nx*ny, nonzero is wall; empty: none. No path touches a wall pixel.
  std::vector<Seed> seeds;
  /// What errors call point (i, j); empty: "point (i, j)".
  std::function<std::string(std::int64_t i, std::int64_t j)> pointName;
};

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;           ///< 0: all cores; never changes the answer
  std::vector<State> stopAt; ///< tips; if not empty, stop as soon as their values are final
};

/// Where a seed or tip came to lie.
struct Placement {
  enum class Status { Inside, Outside, InWall } status = Status::Outside;
  std::int64_t i = 0, j = 0;
  int heading = -1; ///< heading index, -1 for any heading
  double moved = 0; ///< distance from the position asked for, world units
};

struct Result {
  Values<float> travelTime;     ///< per state; +infinity where no path leads
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  int rounds = 0;
  double updatesPerPoint = 0;
  std::size_t workBytes = 0; ///< memory used besides travelTime
  bool aborted = false;      ///< the monitor said stop; travelTime is then empty
};

/// Minimum over headings of a state-space travel time.
struct PlanarResult {
  std::vector<float> travelTime;  ///< per plane point; +infinity where no heading is reached
  std::vector<float> heading;     ///< radians in [0, 2 pi) of the least value, 0 where unreached
  std::vector<std::int32_t> seed; ///< index of the seed whose path arrives first, -1 where unreached
};

/// Travel time from the seeds to every state.
/// @throws Error on bad input (what, value, where, remedy), on too little memory, and if no seed is usable
Result solveCurvaturePaths(const Problem& problem, const Options& options, const Monitor& monitor);

PlanarResult reduceToPlane(const Problem& problem, std::span<const float> travelTime, int threads);

/// The fastest path to each tip, from the seed to the tip. One entry per tip, in order; where there is no
/// path the entry has no points and a status that says why.
/// @param travelTime  as solveCurvaturePaths returned it for the same problem
std::vector<Path> extractPaths(const Problem& problem, std::span<const float> travelTime,
                               std::span<const State> tips, int threads);

/// Nearest grid states of a seed or tip.
Placement place(const Problem& problem, const State& state);

/// Largest discrete residual |F u / cost - 1| / max(1, u / (500 h cost)) over the states that are reached and
/// no seed.
double residual(const Problem& problem, std::span<const float> travelTime, int threads);

} // namespace isochrone::curvature
