#include "CurvaturePaths/Problem.h"

#include "Common/ImagePlane.h"
#include "CurvaturePaths/Drift.h"
#include "CurvaturePaths/States.h"
#include "CurvaturePaths/Turning.h"
#include "Error.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace isochrone::filters {

namespace {

void requireSamePlane(vtkImageData* orientedCost, const ImagePlane& plane) {
  int n[3];
  orientedCost->GetDimensions(n);
  std::ostringstream message;
  if (n[2] == 1) {
    message << "the oriented cost has " << n[0] << " x " << n[1]
            << " x 1 points, but its third axis must be the heading: connect the first output of Isochrone "
               "Oriented "
               "Cost, or connect no oriented cost";
    throw Error(message.str());
  }
  if (n[0] == plane.nx() && n[1] == plane.ny()) return;
  message << "the planes of the oriented cost have " << n[0] << " x " << n[1] << " points, the image has "
          << plane.nx() << " x " << plane.ny()
          << ": resample one of them; the third axis of the oriented cost is the heading";
  throw Error(message.str());
}

/// Returns the cost array if the oriented image has one of that name, else its active scalars, else its only
/// array.
vtkDataArray* orientedCostArray(vtkImageData* image, const ArrayChoice& choice) {
  vtkPointData* points = image->GetPointData();
  ArrayChoice taken = choice;
  if (!choice.chosen() || !points->HasArray(choice.name.c_str())) {
    vtkAbstractArray* only = points->GetNumberOfArrays() == 1 ? points->GetAbstractArray(0) : nullptr;
    vtkAbstractArray* array = points->GetScalars() ? points->GetScalars() : only;
    if (!array || !array->GetName()) {
      throw Error(
          "the oriented cost has no active point scalars: give it one point array, or choose the cost "
          "array by name");
    }
    taken = {array->GetName(), false};
  }
  return pointArray(image, taken, "oriented cost");
}

/// Returns the values of an array of the oriented image, or of the image if the former has no such array.
std::vector<float> values(vtkImageData* image, vtkImageData* oriented, const ArrayChoice& choice,
                          const char* role) {
  if (!choice.chosen()) return {};
  const bool onOriented = oriented && oriented->GetPointData()->HasArray(choice.name.c_str());
  return toFloats(pointArray(onOriented ? oriented : image, choice, role));
}

bool same(const curvature::Field& a, const curvature::Field& b) {
  return a.constant == b.constant && sameBytes(a.values, b.values); // NaN is valid in walls
}

bool same(const curvature::State& a, const curvature::State& b) {
  return a.x == b.x && a.y == b.y && a.heading == b.heading && a.anyHeading == b.anyHeading;
}

bool same(const curvature::Problem& a, const curvature::Problem& b) {
  const auto sameSeed = [](const curvature::Seed& s, const curvature::Seed& t) {
    return same(s.state, t.state) && s.startValue == t.startValue;
  };
  const auto samePart = [](const grid::GridPart& p, const grid::GridPart& q) {
    return p.isDivided() == q.isDivided() && p.first == q.first && p.own.low == q.own.low &&
           p.own.high == q.own.high;
  };
  return samePart(a.part, b.part) && a.margin == b.margin && a.periodic == b.periodic &&
         a.grid.nx == b.grid.nx && a.grid.ny == b.grid.ny && a.grid.headings == b.grid.headings &&
         a.grid.hx == b.grid.hx && a.grid.hy == b.grid.hy && a.model == b.model && a.accuracy == b.accuracy &&
         a.relaxation == b.relaxation && same(a.cost, b.cost) && same(a.turningRadius, b.turningRadius) &&
         same(a.curvatureShift, b.curvatureShift) && std::ranges::equal(a.walls, b.walls) &&
         std::equal(a.seeds.begin(), a.seeds.end(), b.seeds.begin(), b.seeds.end(), sameSeed);
}

/// Returns the longest measured time of a solve on refined grids, per heading (DESIGN.md of the kernel, "Time
/// of start values").
double maxSecondsPerHeading(curvature::Model model) {
  switch (model) {
  case curvature::Model::ReedsSheppForward:
    return 2e-3;
  case curvature::Model::Dubins:
    return 5e-3;
  default:
    return 13e-3;
  }
}

void addWarning(std::string& all, const std::string& more) {
  all += (all.empty() || more.empty() ? "" : "; ") + more;
}

} // namespace

CurvatureProblem makeProblem(vtkImageData* image, vtkImageData* orientedCost, const ImagePlane& plane,
                             const CurvatureSettings& settings, const States& seeds) {
  CurvatureProblem out;
  curvature::Problem& problem = out.problem;
  problem.grid = {plane.nx(), plane.ny(), settings.headings, plane.hx(), plane.hy()};
  problem.pointName = [frame = plane.frame()](std::int64_t i, std::int64_t j) {
    return frame.pointName(i, j, 0);
  };
  if (orientedCost) {
    requireSamePlane(orientedCost, plane);
    problem.grid.headings = orientedCost->GetDimensions()[2];
    out.cost = toFloats(orientedCostArray(orientedCost, settings.costArray));
  } else {
    out.cost = values(image, nullptr, settings.costArray, "cost");
  }
  out.turningRadius = values(image, orientedCost, settings.turningRadiusArray, "turning radius");
  out.curvatureShift = values(image, orientedCost, settings.curvatureShiftArray, "curvature shift");
  if (settings.wallArray.chosen()) {
    vtkDataArray* array = pointArray(image, settings.wallArray, "wall");
    out.walls = settings.wallsWithinRange ? within(array, settings.wallRange[0], settings.wallRange[1])
                                          : nonzero(array);
  }
  addBlankedPoints(image, out.walls);

  problem.model = settings.model;
  problem.accuracy = settings.accuracy;
  problem.relaxation = settings.relaxation;
  problem.cost = {1, out.cost};
  problem.turningRadius = {std::isnan(settings.turningRadius) ? plane.smallerExtent() / 10
                                                              : settings.turningRadius,
                           out.turningRadius};
  problem.curvatureShift = {settings.curvatureShift, out.curvatureShift};
  problem.walls = out.walls;
  for (int a = 0; a < 2; ++a)
    problem.periodic[std::size_t(a)] = settings.periodic[std::size_t(plane.frame().imageAxis(a))];
  out.roundTrip = settings.roundTrip;
  if (settings.driftArray.chosen()) setAdrift(out, image, plane.frame(), settings);
  steer(out, settings.rightTurningRadius);
  out.origin = TimeOrigin(seeds.startValues, [&](std::size_t s) {
    return curvature::place(problem, seeds.states[s]).status == curvature::Placement::Status::Inside;
  });
  for (std::size_t s = 0; s < seeds.size(); ++s)
    problem.seeds.push_back({seeds.states[s], out.origin.since(seeds.startValues[s])});
  return out;
}

bool same(const std::vector<curvature::State>& a, const std::vector<curvature::State>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const curvature::State& s, const curvature::State& t) { return same(s, t); });
}

std::string blurredStarts(const curvature::Problem& problem, const States& seeds) {
  double cost = problem.cost.constant;
  if (!problem.cost.values.empty()) {
    cost = std::numeric_limits<double>::infinity();
    for (const float value : problem.cost.values) cost = value > 0 && value < cost ? value : cost;
  }
  constexpr double share = 1. / 16, half = std::numeric_limits<float>::epsilon() / 2;
  const double step = cost * std::min(problem.grid.hx, problem.grid.hy);
  const Faults late = faultsOf(seeds, "seed", [&](std::size_t s) -> std::string {
    const bool used =
        curvature::place(problem, seeds.states[s]).status == curvature::Placement::Status::Inside;
    if (!used || !(problem.seeds[s].startValue * half > share * step)) return {};
    std::ostringstream text;
    text << "starts " << problem.seeds[s].startValue << " after the earliest one";
    return text.str();
  });
  if (late.count == 0) return {};
  return "single precision blurs such late fronts by more than a sixteenth of a grid step: " + late.list +
         ": give start values closer together";
}

std::string longStarts(const CurvatureProblem& input) {
  const curvature::Problem& problem = input.problem;
  if (problem.accuracy == curvature::Accuracy::FirstOrder) return {};
  // In a drift the fields over ground vary.
  std::int64_t solves =
      input.vehicle ? std::int64_t(problem.seeds.size()) : curvature::refinedSolves(problem);
  if (input.roundTrip) solves *= 2;
  const double seconds = maxSecondsPerHeading(problem.model) * double(solves) * double(problem.grid.headings);
  if (seconds < 20) return {};
  std::ostringstream text;
  text << "start values near " << problem.seeds.size() << " seeds, for " << problem.grid.headings
       << " headings, take up to about " << std::lround(seconds < 100 ? seconds : seconds / 60)
       << (seconds < 100 ? " seconds" : " minutes")
       << " of processor time: Accuracy First Order does without them";
  return text.str();
}

bool same(const CurvatureProblem& a, const CurvatureProblem& b) {
  const auto sameVehicle = [&] {
    return a.vehicle->speed == b.vehicle->speed && a.vehicle->leftRadius == b.vehicle->leftRadius &&
           a.vehicle->rightRadius == b.vehicle->rightRadius &&
           sameBytes(a.vehicle->driftX, b.vehicle->driftX) && sameBytes(a.vehicle->driftY, b.vehicle->driftY);
  };
  return same(a.problem, b.problem) && a.roundTrip == b.roundTrip &&
         a.vehicle.has_value() == b.vehicle.has_value() && (!a.vehicle || sameVehicle());
}

} // namespace isochrone::filters
