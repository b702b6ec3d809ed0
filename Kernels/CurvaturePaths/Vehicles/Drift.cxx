// Drift.cxx - a vehicle in a moving medium, as paths over ground (DESIGN.md, "Drift").
//
// A vehicle with heading theta and speed s in a medium with drift V has the velocity W = s n(theta) + V over
// ground. Let e(psi) be the direction of W, the track, and w its length. With delta = theta - psi,
//     s sin(delta) = -<V, e_perp>   since nothing moves across the track,   w = <V, e> + s cos(delta).
// Turning at dtheta/dt = s kappa through the medium turns the track by (W x dW/dt) / w^3, per length over
// ground
//     dpsi/dl = (s / w)^2 cos(delta) kappa + e x (DV e) / w,
// an affine function of kappa. So the paths over ground are the paths of a Problem with the same model. Its
// turning radius is xi / gain and its shift gain phi + e x (DV e) / w, with gain = (s / w)^2 cos(delta).
#include "CurvaturePaths/Paths/PathShape.h"
#include "CurvaturePaths/Validation.h"
#include "Workers.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace isochrone::curvature {

namespace {

struct Velocity {
  double x = 0, y = 0;
};

/// The vehicle's heading and ground speed when it keeps the track e.
struct Course {
  double sine, cosine; ///< of its heading relative to the track
  double speed;        ///< over ground

  Course(const Direction& e, const Velocity& drift, double vehicleSpeed) {
    sine = (e.y * drift.x - e.x * drift.y) / vehicleSpeed;
    cosine = std::sqrt(std::max(0., 1 - sine * sine));
    speed = e.x * drift.x + e.y * drift.y + vehicleSpeed * cosine;
  }
};

/// Rate at which the drift alone turns the track, times w: e x (DV e) = xx e_x^2 + xy e_x e_y + yy e_y^2.
struct Shear {
  double xx = 0, xy = 0, yy = 0;

  double across(const Direction& e) const { return xx * e.x * e.x + xy * e.x * e.y + yy * e.y * e.y; }
};

/// The drift at grid points. Values in walls are never read.
class DriftField {
public:
  DriftField(const Problem& p, const Vehicle& v) : problem(p), vehicle(v), grid(p.grid) {}

  bool isFree(std::int64_t i, std::int64_t j) const {
    return i >= 0 && j >= 0 && i < grid.nx && j < grid.ny &&
           (problem.walls.empty() || !problem.walls[i + grid.nx * j]);
  }

  Velocity at(std::int64_t i, std::int64_t j) const {
    return {vehicle.driftX[i + grid.nx * j], vehicle.driftY[i + grid.nx * j]};
  }

  /// Interpolates bilinearly between the free points around a world position. Positions outside the grid are
  /// moved to its border.
  Velocity between(double x, double y) const {
    const double px = std::clamp(x / grid.hx, 0., double(grid.nx - 1)),
                 py = std::clamp(y / grid.hy, 0., double(grid.ny - 1));
    const std::int64_t i = std::int64_t(px), j = std::int64_t(py);
    Velocity sum;
    double shares = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const int a = corner & 1, b = corner >> 1;
      const double share = std::abs(1 - a - (px - double(i))) * std::abs(1 - b - (py - double(j)));
      if (share == 0 || !isFree(i + a, j + b)) continue;
      const Velocity v = at(i + a, j + b);
      sum.x += share * v.x, sum.y += share * v.y, shares += share;
    }
    return shares > 0 ? Velocity{sum.x / shares, sum.y / shares} : sum;
  }

  Shear shear(std::int64_t i, std::int64_t j) const {
    const Velocity dx = difference(i, j, 1, 0, grid.hx), dy = difference(i, j, 0, 1, grid.hy);
    return {dx.y, dy.y - dx.x, -dy.x};
  }

private:
  /// Returns the derivative along (a, b): a central difference, one-sided where a neighbour is missing, zero
  /// where both are missing.
  Velocity difference(std::int64_t i, std::int64_t j, int a, int b, double step) const {
    const int after = isFree(i + a, j + b), before = isFree(i - a, j - b);
    if (after + before == 0) return {};
    const Velocity to = at(i + after * a, j + after * b), from = at(i - before * a, j - before * b);
    const double length = (after + before) * step;
    return {(to.x - from.x) / length, (to.y - from.y) / length};
  }

  const Problem& problem;
  const Vehicle& vehicle;
  const StateGrid& grid;
};

void requirePositive(double value, const char* name) {
  if (!(value > 0) || !std::isfinite(value)) fail("the ", name, " must be positive and finite, got ", value);
}

void validateDrift(const Problem& p, const Vehicle& v, const Velocity& drift, std::int64_t i,
                   std::int64_t j) {
  const double speed = std::hypot(drift.x, drift.y);
  if (!std::isfinite(speed))
    fail("the drift must be finite, got (", drift.x, ", ", drift.y, ") at ", pointName(p, i, j),
         ": mark places with an unknown drift as walls");
  if (speed >= v.speed)
    fail("the drift must be slower than the vehicle, got ", speed, " at ", pointName(p, i, j),
         " for a vehicle of speed ", v.speed,
         ": raise the speed of the vehicle, or mark such places as walls");
}

void validateVehicle(const Problem& p, const Vehicle& v, const DriftField& drift) {
  if (p.model != Model::Dubins && p.model != Model::Elastica)
    fail("a Reeds-Shepp vehicle turns on the spot while a drift moves it, so its path over ground does not "
         "follow this model: choose Dubins or the elastica with a drift");
  requirePositive(v.speed, "speed of the vehicle");
  requirePositive(v.leftRadius, "left turning radius");
  requirePositive(v.rightRadius, "right turning radius");
  for (const std::size_t size : {v.driftX.size(), v.driftY.size()})
    if (std::int64_t(size) != p.grid.planePoints())
      fail("the drift has ", size, " values per component, but the image has ", p.grid.planePoints(),
           " points: give one velocity per point");
  for (std::int64_t j = 0; j < p.grid.ny; ++j)
    for (std::int64_t i = 0; i < p.grid.nx; ++i)
      if (drift.isFree(i, j)) validateDrift(p, v, drift.at(i, j), i, j);
}

/// Returns the turning over ground for a turning in the medium.
/// @param shear  the drift's, across the track
Turning overGround(const Turning& medium, const Course& course, double vehicleSpeed, double shear) {
  const double faster = vehicleSpeed / course.speed, gain = faster * faster * course.cosine;
  return {medium.radius / gain, gain * medium.shift + shear / course.speed};
}

/// Measures the curvature in the medium over a window around each point.
void addCurvature(const StateGrid& g, const Vehicle& vehicle, VehiclePath& path) {
  const std::ptrdiff_t last = std::ptrdiff_t(path.time.size()) - 1;
  const double minimum = minRun * std::min(g.hx, g.hy);
  for (std::ptrdiff_t n = 0; n <= last; ++n) {
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, n - curvatureWindow),
                         end = std::min(last, n + curvatureWindow);
    const double run = vehicle.speed * (path.time[end] - path.time[begin]);
    path.curvature.push_back((path.heading[end] - path.heading[begin]) / std::max(run, minimum));
  }
}

} // namespace

Turning turningBetween(double leftRadius, double rightRadius) {
  return {2 / (1 / leftRadius + 1 / rightRadius), (1 / leftRadius - 1 / rightRadius) / 2};
}

GroundFields groundFields(const Problem& problem, const Vehicle& vehicle, int threads) {
  const StateGrid& g = problem.grid;
  const DriftField drift(problem, vehicle);
  requireNotPeriodic(problem, "paths in a drift");
  validate(problem);
  validateVehicle(problem, vehicle, drift);
  requireHostMemory(3 * sizeof(float) * std::size_t(g.points()), "the cost, turning radius and curvature "
                                                                 "shift of the paths over ground");
  const Turning turning = turningBetween(vehicle.leftRadius, vehicle.rightRadius);
  GroundFields ground; // values in walls are arbitrary
  ground.balancedRadius = turning.radius;
  ground.cost.assign(g.points(), 1);
  ground.turningRadius.assign(g.points(), 1);
  ground.curvatureShift.assign(g.points(), 0);

  std::vector<Direction> tracks;
  for (int k = 0; k < g.headings; ++k) tracks.push_back(headingDirection(k, g.headings));
  Workers(chooseThreads(threads, 10 * double(g.points())), {}).run(g.ny, [&](std::int64_t j, int) {
    std::vector<Shear> shear(g.nx);
    for (std::int64_t i = 0; i < g.nx; ++i)
      if (drift.isFree(i, j)) shear[i] = drift.shear(i, j);
    for (int k = 0; k < g.headings; ++k)
      for (std::int64_t i = 0; i < g.nx; ++i) {
        if (!drift.isFree(i, j)) continue;
        const std::int64_t state = g.index(i, j, k);
        const Course course(tracks[k], drift.at(i, j), vehicle.speed);
        const Turning medium{turning.radius, turning.shift + valueAt(problem.curvatureShift, state)};
        const Turning turn = overGround(medium, course, vehicle.speed, shear[i].across(tracks[k]));
        ground.cost[state] = float(valueAt(problem.cost, state) / course.speed);
        ground.turningRadius[state] = float(turn.radius);
        ground.curvatureShift[state] = float(turn.shift);
      }
  });
  return ground;
}

double trackDirection(const Problem& problem, const Vehicle& vehicle, double x, double y, double heading) {
  const Velocity drift = DriftField(problem, vehicle).between(x, y);
  const double along = vehicle.speed + drift.x * std::cos(heading) + drift.y * std::sin(heading),
               across = drift.y * std::cos(heading) - drift.x * std::sin(heading);
  return heading + std::atan2(across, along);
}

double vehicleHeading(const Problem& problem, const Vehicle& vehicle, double x, double y, double track) {
  const Velocity drift = DriftField(problem, vehicle).between(x, y);
  const Course course({std::cos(track), std::sin(track)}, drift, vehicle.speed);
  return track + std::atan2(course.sine, course.cosine);
}

VehiclePath seenFromVehicle(const Problem& problem, const Vehicle& vehicle, const Path& path) {
  const DriftField drift(problem, vehicle);
  VehiclePath seen;
  double time = 0, driftedX = 0, driftedY = 0;
  for (std::size_t n = 0; n < path.size(); ++n) {
    const double dx = n > 0 ? path.x[n] - path.x[n - 1] : 0, dy = n > 0 ? path.y[n] - path.y[n - 1] : 0;
    const double length = std::hypot(dx, dy);
    if (length > 0) { // direction of the segment: the vehicle then keeps its speed in the medium
      const Velocity v = drift.between(path.x[n] - dx / 2, path.y[n] - dy / 2);
      const double dt = length / Course({dx / length, dy / length}, v, vehicle.speed).speed;
      time += dt, driftedX += v.x * dt, driftedY += v.y * dt;
    }
    seen.heading.push_back(vehicleHeading(problem, vehicle, path.x[n], path.y[n], path.heading[n]));
    seen.time.push_back(time);
    seen.mediumX.push_back(path.x[n] - driftedX);
    seen.mediumY.push_back(path.y[n] - driftedY);
  }
  addCurvature(problem.grid, vehicle, seen);
  return seen;
}

} // namespace isochrone::curvature
