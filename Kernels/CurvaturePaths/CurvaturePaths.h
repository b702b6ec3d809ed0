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
#include <memory>
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

/// How near a solution comes to the travel time of the continuous problem. Half of the error of the scheme
/// arises next to the seeds, the rest everywhere (DESIGN.md, "Better than first order").
enum class Accuracy {
  FirstOrder,  ///< the plain scheme; a seed lies on the nearest state
  SeedBall,    ///< besides, better start values in a ball around each seed, which keeps its place and heading
  SecondOrder, ///< besides, differences corrected to second order, in one pass over the solution before
};

struct Problem {
  StateGrid grid;
  Model model = Model::Dubins;
  Field cost{1, {}};           ///< > 0, at most 1e28 times the least one; cost per world length
  Field turningRadius{1, {}};  ///< xi > 0, world length
  Field curvatureShift{0, {}}; ///< phi, 1 / world length, positive to the left (increasing heading)
  double relaxation = 0.1;     ///< epsilon of the stencils, 0.02 to 0.5
  /// Where paths turn at other rates than 1 / this radius, world length, turns are relaxed as much more than
  /// steps. 0: both alike everywhere. For turning rates that vary by a large factor, as in a drift.
  double balancedRadius = 0;
  std::span<const std::uint8_t> walls; ///< nx*ny, nonzero is wall; empty: none. No path touches a wall pixel.
  std::vector<Seed> seeds;
  Accuracy accuracy = Accuracy::FirstOrder; ///< the paper's scheme; who asks for no more gets no more
  /// Dubins, but for FirstOrder: keep paths from slipping through jumps of the travel time (DESIGN.md,
  /// "Jumps").
  bool stopsLeaks = true;
  /// What errors call point (i, j); empty: "point (i, j)".
  std::function<std::string(std::int64_t i, std::int64_t j)> pointName;
};

/// Keeps what solves compute next to seeds (SeedBall, SecondOrder), so that a change far from a seed does not
/// compute it again. At most 256 MB; any threads may share one.
class StartCache;
std::shared_ptr<StartCache> makeStartCache();

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;           ///< 0: all cores; never changes the answer
  std::vector<State> stopAt; ///< tips; if not empty, stop as soon as their values are final (not SecondOrder)
  std::shared_ptr<StartCache> startCache = nullptr; ///< may be null; never changes the answer
};

/// Where a seed or tip came to lie.
struct Placement {
  enum class Status { Inside, Outside, InWall } status = Status::Outside;
  std::int64_t i = 0, j = 0;
  int heading = -1; ///< heading index, -1 for any heading
  double moved = 0; ///< distance from the position asked for, world units
};

/// A state near a seed that may start with a travel time of its own.
struct BallState {
  std::int64_t state;
  std::int32_t seed; ///< index of the seed
  float travelTime;  ///< what it starts with: the solution there is never greater
};

struct Result {
  Values<float> travelTime;     ///< per state; +infinity where no path leads
  Values<float> uncorrected;    ///< SecondOrder: the solution that the corrections are made from; else empty
  std::vector<BallState> balls; ///< SeedBall and SecondOrder: by state, each at most once; else empty
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  int rounds = 0;
  double updatesPerPoint = 0;
  std::size_t workBytes = 0; ///< memory used besides travelTime
  bool aborted = false;      ///< the monitor said stop; travelTime is then empty
};

/// What is read of a solution by all that follows from it. Views the result, which must outlive it.
struct Solution {
  std::span<const float> travelTime, uncorrected;
  std::span<const BallState> balls;

  Solution(const Result& r) : travelTime(r.travelTime), uncorrected(r.uncorrected), balls(r.balls) {}
  /// One that was solved with FirstOrder.
  Solution(std::span<const float> values) : travelTime(values) {}
  Solution(const Values<float>& values) : travelTime(values) {}
  Solution(const std::vector<float>& values) : travelTime(values) {}
};

/// Minimum over headings of a state-space travel time. Next to a seed that keeps its place (SeedBall,
/// SecondOrder) headings between those of the grid count, too: at its own place the least time is its start
/// value, and within 3 steps of one with any heading that of a straight way (of round trips, with Reeds-Shepp
/// only; where the curvature shift bends ways much, within fewer).
struct PlanarResult {
  std::vector<float> travelTime;  ///< per plane point; +infinity where no heading is reached
  std::vector<float> heading;     ///< radians in [0, 2 pi) of the least value, 0 where unreached
  std::vector<std::int32_t> seed; ///< index of the seed whose path arrives first, -1 where unreached
};

/// Travel time from the seeds to every state.
/// @throws Error on bad input (what, value, where, remedy), on too little memory, and if no seed is usable
Result solveCurvaturePaths(const Problem& problem, const Options& options, const Monitor& monitor);

PlanarResult reduceToPlane(const Problem& problem, const Solution& solution, int threads);

/// The fastest path to each tip, from the seed to the tip. One entry per tip, in order; where there is no
/// path the entry has no points and a status that says why. A Dubins path that is Complete keeps its turning
/// radius and costs at most a tenth and a grid step more than its travel time; TurnsTooTightly and
/// ExceedsTravelTime name the others. Without entries if the monitor said stop.
/// @param solution  as solveCurvaturePaths returned it for the same problem
std::vector<Path> extractPaths(const Problem& problem, const Solution& solution, std::span<const State> tips,
                               int threads, const Monitor& monitor = {});

/// Nearest grid states of a seed or tip.
Placement place(const Problem& problem, const State& state);

/// Largest discrete residual |F u / cost - 1| / max(1, u / (500 h cost)) over the states that are reached and
/// no seed and no ball's. NaN if the monitor said stop.
double residual(const Problem& problem, const Solution& solution, int threads, const Monitor& monitor = {});

// ------------------------------------------------------------------------------------- drift

/// Turning rates between -1 / rightRadius and 1 / leftRadius, as the turning radius and the curvature shift
/// of a Problem.
struct Turning {
  double radius = 1, shift = 0;
};
Turning turningBetween(double leftRadius, double rightRadius);

/// A vehicle in a medium that moves (Dubins-Zermelo-Markov; paper, section 3.4). Speed and turning radii are
/// those relative to the medium.
struct Vehicle {
  double speed = 1;                       ///< > 0, world length / time
  double leftRadius = 1, rightRadius = 1; ///< > 0, world length; left: towards increasing heading
  /// Velocity of the medium per plane point, nx*ny values each, world length / time; everywhere slower than
  /// the vehicle. In walls it may be anything.
  std::span<const float> driftX, driftY;
};

/// Cost, turning radius and curvature shift of the paths over ground, per state of a grid whose heading axis
/// is the direction of the track, not of the vehicle (spec, section 12, formulation B).
struct GroundFields {
  std::vector<float> cost, turningRadius, curvatureShift;
  double balancedRadius = 0; ///< for the problem over ground: the turning radius in the medium
};

/// What a problem whose cost is per time, and whose curvature shift is that in the medium, is over ground.
/// Its turning radius is that of the vehicle instead. Per state, its fields count the headings of the track.
/// @throws Error where the drift is at least as fast as the vehicle, or not finite; for models that turn on
///         the spot
GroundFields groundFields(const Problem& problem, const Vehicle& vehicle, int threads);

/// Direction of the track of a vehicle heading `heading` at world position (x, y), and the other way round;
/// radians. The drift is interpolated between the free points of the grid.
double trackDirection(const Problem& problem, const Vehicle& vehicle, double x, double y, double heading);
double vehicleHeading(const Problem& problem, const Vehicle& vehicle, double x, double y, double track);

/// What a path over ground is to its vehicle, per point of the path.
struct VehiclePath {
  std::vector<double> heading; ///< of the vehicle, radians, unwrapped
  /// Since the seed: how long the vehicle takes to follow the path. With a cost of 1 per time the travel time
  /// at the tip is that, but for the errors of the scheme and of the path.
  std::vector<double> time;
  /// The position less the drift since the seed: the path in the medium.
  std::vector<double> mediumX, mediumY;
  std::vector<double> curvature; ///< of the path in the medium, 1 / world length, positive to the left
};
VehiclePath seenFromVehicle(const Problem& problem, const Vehicle& vehicle, const Path& path);

// -------------------------------------------------------------------------------- round trips

/// The problem whose paths are those of another one driven backwards in time, with the arrays that it views:
/// its travel time at heading k + headings/2 is that of the way back from heading k. A seed with a heading is
/// come back to with that heading, and its start value counts on the way there alone.
struct ReversedProblem {
  Problem problem;
  std::vector<float> cost, turningRadius, curvatureShift;

  ReversedProblem() = default;
  ReversedProblem(ReversedProblem&&) = default;
  ReversedProblem& operator=(ReversedProblem&&) = default;
};

/// Paths from a seed through a point and back to a seed (spec, section 13).
struct RoundTrip {
  Result out;               ///< the way there
  Result back;              ///< the way back, solved for `reversed`; empty if `out` serves both ways
  ReversedProblem reversed; ///< if `back` is not empty
  bool aborted = false;

  /// Problem and solution of the way back, from heading k at heading k + headings/2.
  const Problem& problemBack(const Problem& problem) const {
    return back.travelTime.empty() ? problem : reversed.problem;
  }
  const Result& solutionBack() const { return back.travelTime.empty() ? out : back; }
};

/// Solves once where a path driven backwards costs the same: no curvature shift, cost and turning radius
/// equal at opposite headings, and seeds with any heading and no start value; else twice.
/// @throws Error besides those of solveCurvaturePaths if the number of headings is odd
RoundTrip solveRoundTrip(const Problem& problem, const Options& options, const Monitor& monitor);

/// Least total travel time of the round trips through each point, the heading there, and the seed where the
/// trip begins.
PlanarResult reduceToPlane(const Problem& problem, const RoundTrip& trip, int threads);

/// The fastest round trip through each point, there and back in one path. Where the point has a heading, the
/// trip passes it with that heading. Without entries if the monitor said stop.
std::vector<Path> extractPaths(const Problem& problem, const RoundTrip& trip, std::span<const State> vias,
                               int threads, const Monitor& monitor = {});

// ------------------------------------------------------------------------------ sensitivities

/// A term weight * travelTime(tip) of an objective. A tip with any heading counts with its cheapest one.
struct WeightedTip {
  State tip;
  double weight = 1;
};

struct SensitivityOptions {
  Backend backend = Backend::Automatic;
  int threads = 0;
  bool radiusAndShift = false; ///< also those with respect to turning radius and curvature shift
  std::shared_ptr<StartCache> startCache = nullptr; ///< of the solve; without it what it computed next to
                                                    ///< seeds is computed again
};

/// Derivatives of J = sum of weight * travelTime(tip) in the discrete equations, exact but for rounding
/// (spec, section 11), those that the travel times in balls are made by included. The factors of corrected
/// differences count as constants: in SecondOrder, and in the fine grids that balls are solved on (SeedBall
/// too; not where Dubins' words make them). So  sum of cost * dJ/dcost + startValue * dJ/dstartValue  is J.
struct Sensitivities {
  double objective = 0; ///< J of the exact solution: without the rounding of travelTime
  Values<double> cost;  ///< dJ/dcost per state; sum over what shares a value of cost
  Values<double> turningRadius, curvatureShift; ///< likewise, if asked for
  Values<double>
      rightTurningRadius;         ///< with these, after toVehicle or toSides; turningRadius is the left one
  Values<double> balancedRadius;  ///< with these, if the problem has one: the share of each state
  std::vector<double> startValue; ///< dJ/dstartValue per seed
  /// With the heading that counts. Those that are not Inside or not reached count for nothing; heading -1.
  std::vector<Placement> tips;
  /// Sum of the weights that reach no seed, where travel times are equal but for the rounding of single
  /// precision: what lies between there and the seeds is missing in the derivatives. Mostly 0.
  double lostWeight = 0;
  BackendChoice ranOn;
  bool aborted = false; ///< the arrays are then empty
};

Sensitivities differentiate(const Problem& problem, const Solution& solution,
                            std::span<const WeightedTip> tips, const SensitivityOptions& options,
                            const Monitor& monitor);
Sensitivities differentiate(const Problem& problem, const RoundTrip& trip, std::span<const WeightedTip> vias,
                            const SensitivityOptions& options, const Monitor& monitor);

/// Rewrites sensitivities with respect to the fields of a problem over ground (groundFields) as sensitivities
/// with respect to the vehicle's cost per time, turning radius and curvature shift in the medium.
/// @param costPerTime  the cost of the problem that groundFields had
/// @param bothSides    whether the left and the right turning radius vary independently
void toVehicle(Sensitivities& sensitivities, const Problem& ground, const Field& costPerTime,
               const Vehicle& vehicle, bool bothSides);

/// Rewrites sensitivities with respect to turning radius and curvature shift of a problem, where these come
/// from turningBetween, as sensitivities with respect to the left and the right turning radius.
void toSides(Sensitivities& sensitivities, const Problem& problem, double rightRadius);

} // namespace isochrone::curvature
