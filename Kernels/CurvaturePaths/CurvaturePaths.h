// CurvaturePaths.h - public interface: globally optimal planar paths with a penalty on curvature.
//
// A state is a position and a heading, p = (x, y, theta). A path moves along its heading and pays
//     integral of  cost(p) * C(xi(p) * (dtheta/dl - phi(p))) dl
// with the turning radius xi, the curvature shift phi and a function C chosen by the model. The travel time
// u(p) is the minimum of this integral over all paths from a seed to p. It solves F(grad u) = cost
// (DESIGN.md).
// Mirebeau, Gayraud, Barrere, Chen, Desquilbet: Massively parallel computation of globally optimal shortest
// paths with curvature penalization, 2022.
#pragma once

#include "Backend.h"
#include "Grid/GridPart.h"
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

namespace isochrone::curvature {

/// In this order: C(k) = sqrt(1+k^2) forward and backward, the same forward only, 1+k^2, and 1 for |k| <= 1
/// else infinite. Both Reeds-Shepp models may turn on the spot at cost * xi per radian.
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
  bool operator==(const StateGrid&) const = default;
};

/// A quantity on the grid: `constant` if `values` is empty, else one value per plane point (nx*ny) or per
/// state (nx*ny*headings). The caller owns the memory, which must outlive the call.
struct Field {
  double constant = 1;
  std::span<const float> values;

  /// Returns whether there is a value for each heading of a point.
  bool isPerState(const StateGrid& grid) const { return std::int64_t(values.size()) > grid.planePoints(); }
};

/// A position (world units, relative to grid point (0, 0)) with a heading in radians or with any heading.
struct State {
  double x = 0, y = 0, heading = 0;
  bool anyHeading = true;
  bool operator==(const State&) const = default;
};

/// A start point of paths. A path from another seed that arrives before the start value overruns the seed.
struct Seed {
  State state;
  double startValue = 0; ///< travel time at the seed, any finite value
  bool operator==(const Seed&) const = default;
};

/// Accuracy with respect to the travel time of the continuous problem. Half of the scheme's error arises next
/// to the seeds, the rest everywhere (DESIGN.md, "Better than first order").
enum class Accuracy {
  FirstOrder,  ///< the paper's scheme; a seed lies on the nearest state
  SeedBall,    ///< adds near-seed start values; a seed keeps its place and heading
  SecondOrder, ///< adds second-order corrections of the differences, in one pass over the previous solution
};

struct Problem {
  StateGrid grid;
  Model model = Model::Dubins;
  Field cost{1, {}};           ///< > 0, at most 1e28 times its minimum; cost per world length
  Field turningRadius{1, {}};  ///< xi > 0, world length
  Field curvatureShift{0, {}}; ///< phi, 1 / world length, positive to the left (increasing heading)
  double relaxation = 0.1;     ///< epsilon of the stencils, 0.02 to 0.5
  /// Relaxes turns in proportion to balancedRadius * abs(turning rate), for turning rates that vary by a
  /// large factor, as in a drift. World length; 0 treats turns and steps alike.
  double balancedRadius = 0;
  std::span<const std::uint8_t> walls; ///< nx*ny, nonzero is wall; empty: none. No path touches a wall pixel.
  std::vector<Seed> seeds;
  Accuracy accuracy = Accuracy::FirstOrder; ///< the paper's scheme by default
  /// Dubins, except with FirstOrder: keeps paths from slipping through jumps of the travel time (DESIGN.md,
  /// "Jumps").
  bool stopsLeaks = true;
  /// Returns the name of point (i, j) in error messages; empty: "point (i, j)".
  std::function<std::string(std::int64_t i, std::int64_t j)> pointName;
  /// The part of the plane whose states this process computes, with boxes of one point on the third axis. All
  /// processes have the same problem otherwise, with the fields of the whole plane (DESIGN.md, "In parts").
  grid::GridPart part;
  std::int64_t margin = 0; ///< of the part, points: at least marginOf(problem)
  /// Axes that are periodic: behind the last point follows the first, so that the period is the number of
  /// points times the spacing. Seeds and tips may lie beyond the image. Axes of one point are not periodic.
  /// Solved without drifts, round trips and derivatives, and not in parts.
  std::array<bool, 2> periodic{};
};

/// Returns whether any axis is periodic.
bool isPeriodic(const Problem& problem);

/// Returns the margin that a part of the plane needs, points: what its states and the flow around them depend
/// on.
/// @throws Error as solveCurvaturePaths
std::int64_t marginOf(const Problem& problem);

/// Returns the points of the plane whose states this process has: of its part with the margin, or all.
grid::Box windowOf(const Problem& problem);

/// Keeps near-seed solutions (SeedBall, SecondOrder), so that a change far from a seed does not recompute
/// them. Holds at most 256 MB. Threads may share one.
class StartCache;
std::shared_ptr<StartCache> makeStartCache();

/// Returns the number of seeds that take a solve on refined grids for their near-seed start values, an upper
/// bound: seeds with constant fields and no wall nearby share a solution for each heading, and Dubins' words
/// take none. The time of one grows with the number of headings (DESIGN.md, "Better than first order").
/// @throws Error as solveCurvaturePaths
std::int64_t refinedSolves(const Problem& problem);

struct Options {
  Backend backend = Backend::Automatic;
  int threads = 0;           ///< 0: chooseThreads(0); never changes the answer
  std::vector<State> stopAt; ///< tips; if given, stops once their values are final (not with SecondOrder)
  std::shared_ptr<StartCache> startCache = nullptr; ///< may be null; never changes the answer
};

/// Grid location assigned to a seed or tip.
struct Placement {
  enum class Status { Inside, Outside, InWall } status = Status::Outside;
  std::int64_t i = 0, j = 0;
  int heading = -1; ///< heading index, -1 for any heading
  double moved = 0; ///< distance from the requested position, world units
};

/// A state near a seed with a start value of its own.
struct BallState {
  std::int64_t state;
  std::int32_t seed; ///< index of the seed
  float travelTime;  ///< start value; the solution there is never greater
};

/// The parts of a problem that the solve and all post-processing read; private to the module.
class Discretisation;

/// The result for a part of the plane has the states of windowOf(problem).
struct Result {
  Values<float> travelTime;     ///< per state; +infinity where unreached
  Values<float> uncorrected;    ///< SecondOrder: the solution that the corrections are made from; else empty
  std::vector<BallState> balls; ///< SeedBall and SecondOrder: ascending, each state at most once; else empty.
                                ///< With periodic axes, states and seeds among the copies of the image
  std::vector<Placement> seeds; ///< one per seed of the problem
  BackendChoice ranOn;
  int rounds = 0;
  double updatesPerPoint = 0;
  int exchanges = 0;          ///< with other processes
  std::int64_t bytesSent = 0; ///< to them
  std::size_t workBytes = 0;  ///< memory used in addition to travelTime
  bool aborted = false;       ///< the monitor stopped the solve; travelTime is then empty
  /// Reused by later calls for the same problem, whose arrays must not change in place. Owns its data;
  /// DESIGN.md gives its size.
  std::shared_ptr<const Discretisation> discretisation;
};

/// The parts of a Result that post-processing reads. Views the result, which must outlive it.
struct Solution {
  std::span<const float> travelTime, uncorrected;
  std::span<const BallState> balls;
  std::shared_ptr<const Discretisation> discretisation; ///< may be null; it is then made anew

  Solution(const Result& r)
      : travelTime(r.travelTime), uncorrected(r.uncorrected), balls(r.balls),
        discretisation(r.discretisation) {}
  /// A solution with FirstOrder.
  Solution(std::span<const float> values) : travelTime(values) {}
  Solution(const Values<float>& values) : travelTime(values) {}
  Solution(const std::vector<float>& values) : travelTime(values) {}
};

/// Minimum over headings of a state-space travel time. Next to a seed that keeps its place (SeedBall,
/// SecondOrder), headings between grid headings are considered as well: the seed's own place has its start
/// value, and points within 3 steps of a seed with any heading have the straight-line time. A curvature shift
/// that bends paths strongly shortens this reach. On a round trip the straight-line time applies to
/// Reeds-Shepp only. In a part of the plane, the points are those of windowOf(problem).
struct PlanarResult {
  std::vector<float> travelTime;  ///< per plane point; +infinity where no heading is reached
  std::vector<float> heading;     ///< of the minimum, radians in [0, 2 pi); 0 where unreached
  std::vector<std::int32_t> seed; ///< index of the seed whose path arrives first, -1 where unreached
};

/// Solves for the travel time from the seeds to every state. Collective where the plane is divided.
/// @throws Error on bad input (what, value, where, remedy), on too little memory, and if no seed is usable
/// @throws grid::OtherPartStopped if another process failed or was stopped
Result solveCurvaturePaths(const Problem& problem, const Options& options, const Monitor& monitor);

/// Collective where the plane is divided.
PlanarResult reduceToPlane(const Problem& problem, const Solution& solution, int threads);

/// Extracts the fastest path to each tip, from the seed to the tip. Returns one entry per tip, in order. An
/// entry without a path has no points and a status with the reason. A Dubins path that is Complete keeps its
/// turning radius and costs at most a tenth and a grid step more than its travel time; TurnsTooTightly and
/// ExceedsTravelTime mark the others. Returns no entries if the monitor stopped the extraction. Where the
/// plane is divided, this is collective, and the process of the tip has the path; the others know its status.
/// Along periodic axes a path goes on beyond the image, from its tip.
/// @param solution  as solveCurvaturePaths returned it for the same problem
std::vector<Path> extractPaths(const Problem& problem, const Solution& solution, std::span<const State> tips,
                               int threads, const Monitor& monitor = {});

/// Returns the grid location nearest to a seed or tip.
Placement place(const Problem& problem, const State& state);

/// Returns the maximum discrete residual |F u / cost - 1| / max(1, u / (500 h cost)) over reached states
/// other than seeds and prescribed near-seed states. NaN if the monitor stopped it. Collective where the
/// plane is divided.
double residual(const Problem& problem, const Solution& solution, int threads, const Monitor& monitor = {});

// ------------------------------------------------------------------------------------- drift

/// Turning rates between -1 / rightRadius and 1 / leftRadius, as the turning radius and the curvature shift
/// of a Problem.
struct Turning {
  double radius = 1, shift = 0;
};
Turning turningBetween(double leftRadius, double rightRadius);

/// A vehicle in a moving medium (Dubins-Zermelo-Markov; paper, section 3.4). Speed and turning radii are
/// relative to the medium.
struct Vehicle {
  double speed = 1;                       ///< > 0, world length / time
  double leftRadius = 1, rightRadius = 1; ///< > 0, world length; left: towards increasing heading
  /// Velocity of the medium per plane point, nx*ny values each, world length / time; slower than the vehicle
  /// at every free point. Values in walls are ignored.
  std::span<const float> driftX, driftY;
};

/// Cost, turning radius and curvature shift of the paths over ground. They are stored per state of a grid
/// whose heading axis is the direction of the track, not of the vehicle (DESIGN.md, "Drift").
struct GroundFields {
  std::vector<float> cost, turningRadius, curvatureShift;
  double balancedRadius = 0; ///< turning radius in the medium, for the problem over ground
};

/// Rewrites a problem posed in the moving medium (cost per unit time, curvature shift in the medium) as a
/// problem over ground. Takes the turning radius from the vehicle, not from the problem. Headings of fields
/// per state are track directions.
/// @throws Error where the drift is not finite or not slower than the vehicle, and for models that turn on
///         the spot
GroundFields groundFields(const Problem& problem, const Vehicle& vehicle, int threads);

/// Returns the track direction of a vehicle heading, or the vehicle heading of a track direction, at world
/// position (x, y); radians. The drift is interpolated between the free points of the grid.
double trackDirection(const Problem& problem, const Vehicle& vehicle, double x, double y, double heading);
double vehicleHeading(const Problem& problem, const Vehicle& vehicle, double x, double y, double track);

/// A path over ground in the frame of the vehicle, one value per path point.
struct VehiclePath {
  std::vector<double> heading; ///< of the vehicle, radians, unwrapped
  /// Time that the vehicle takes from the seed along the path. With unit cost per time it equals the travel
  /// time at the tip, up to the errors of the scheme and of the path.
  std::vector<double> time;
  /// The path in the medium: the position minus the drift since the seed.
  std::vector<double> mediumX, mediumY;
  std::vector<double> curvature; ///< of the path in the medium, 1 / world length, positive to the left
};
VehiclePath seenFromVehicle(const Problem& problem, const Vehicle& vehicle, const Path& path);

// -------------------------------------------------------------------------------- round trips

/// The problem whose paths are another problem's paths driven backwards in time, with the arrays that it
/// views. Its travel time at heading k + headings/2 is the return time from heading k. Trips return to a seed
/// with the seed's own heading, if it has one. Start values apply to the outward leg only.
struct ReversedProblem {
  Problem problem;
  std::vector<float> cost, turningRadius, curvatureShift;

  ReversedProblem() = default;
  ReversedProblem(ReversedProblem&&) = default;
  ReversedProblem& operator=(ReversedProblem&&) = default;
};

/// Paths from a seed through a point and back to a seed (DESIGN.md, "Round trips").
struct RoundTrip {
  Result out;               ///< outward leg
  Result back;              ///< return leg, solved for `reversed`; empty if `out` serves both legs
  ReversedProblem reversed; ///< if `back` is not empty
  bool aborted = false;

  /// Problem and solution of the return leg. Heading k of the trip is heading k + headings/2 there.
  const Problem& problemBack(const Problem& problem) const {
    return back.travelTime.empty() ? problem : reversed.problem;
  }
  const Result& solutionBack() const { return back.travelTime.empty() ? out : back; }
};

/// Solves once if a path driven backwards costs the same: no curvature shift, cost and turning radius equal
/// at opposite headings, and seeds with any heading and start value 0. Solves twice otherwise.
/// @throws Error as solveCurvaturePaths, and if the number of headings is odd
RoundTrip solveRoundTrip(const Problem& problem, const Options& options, const Monitor& monitor);

/// Returns the minimum total travel time of round trips through each point, the heading there, and the seed
/// where the trip begins.
PlanarResult reduceToPlane(const Problem& problem, const RoundTrip& trip, int threads);

/// Extracts the fastest round trip through each point, both legs in one path. If the point has a heading, the
/// trip passes it with that heading. Returns no entries if the monitor stopped the extraction.
std::vector<Path> extractPaths(const Problem& problem, const RoundTrip& trip, std::span<const State> vias,
                               int threads, const Monitor& monitor = {});

// ------------------------------------------------------------------------------ sensitivities

/// A term weight * travelTime(tip) of an objective. A tip with any heading uses the heading with the minimum.
struct WeightedTip {
  State tip;
  double weight = 1;
};

struct SensitivityOptions {
  Backend backend = Backend::Automatic;
  int threads = 0;
  bool radiusAndShift = false; ///< adds derivatives with respect to turning radius and curvature shift
  std::shared_ptr<StartCache> startCache =
      nullptr; ///< of the solve; without it, near-seed solutions are recomputed
};

/// Derivatives of J = sum of weight * travelTime(tip) in the discrete equations, exact up to rounding
/// (DESIGN.md, "Sensitivities"), including the dependence through near-seed start values. The factors of
/// corrected differences are treated as constants: in SecondOrder, and in the refined grids behind near-seed
/// start values (with SeedBall too, but not for start values from Dubins' words). So J is
///     sum of cost * dJ/dcost + startValue * dJ/dstartValue.
struct Sensitivities {
  double objective = 0; ///< J of the exact solution: without the rounding of travelTime
  Values<double> cost;  ///< dJ/dcost per state; a cost shared by several states has their sum
  Values<double> turningRadius, curvatureShift; ///< likewise, if requested
  Values<double> rightTurningRadius; ///< likewise, after toVehicle or toSides; turningRadius is the left one
  Values<double> balancedRadius;     ///< with these, if the problem has one: the share of each state
  std::vector<double> startValue;    ///< dJ/dstartValue per seed
  /// Grid location of each tip, with the heading used. Tips outside the grid, in walls or unreached
  /// contribute nothing (heading = -1).
  std::vector<Placement> tips;
  /// Sum of the weights that reach no seed, because travel times are equal up to single-precision rounding.
  /// The derivatives lack the part between there and the seeds. Mostly 0.
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
/// @param costPerTime  the cost of the problem passed to groundFields
/// @param bothSides    whether the left and the right turning radius vary independently
void toVehicle(Sensitivities& sensitivities, const Problem& ground, const Field& costPerTime,
               const Vehicle& vehicle, bool bothSides);

/// Rewrites sensitivities with respect to turning radius and curvature shift as sensitivities with respect to
/// the left and the right turning radius, for a problem whose fields come from turningBetween.
void toSides(Sensitivities& sensitivities, const Problem& problem, double rightRadius);

} // namespace isochrone::curvature
