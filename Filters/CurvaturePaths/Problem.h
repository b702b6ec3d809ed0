// Problem.h - the solver's problem, built from images and settings, with the arrays it points to.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/TimeOrigin.h"
#include "CurvaturePaths/CurvaturePaths.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImagePlane;
struct States;

/// What the user set, in the units of the panel except for angles (none here).
struct CurvatureSettings {
  curvature::Model model = curvature::Model::Dubins;
  curvature::Accuracy accuracy = curvature::Accuracy::SeedBall;
  bool roundTrip = false;        ///< through a tip and back, else one way to it
  double turningRadius = 0;      ///< world units; NaN: a tenth of the smaller extent
  double rightTurningRadius = 0; ///< of turns to the right, world units; 0: the same
  double curvatureShift = 0;     ///< 1 / world unit
  double relaxation = 0.1;
  int headings = 60; ///< an oriented cost has its own number
  ArrayChoice costArray, turningRadiusArray, curvatureShiftArray, wallArray, driftArray;
  double vehicleSpeed = 1;       ///< in the medium, world units / time; counts where there is a drift
  bool wallsWithinRange = false; ///< else where the wall array is not zero
  std::array<double, 2> wallRange{};
};

/// A problem and its memory. Moving keeps the spans of `problem` valid.
struct CurvatureProblem {
  CurvatureProblem() = default;
  CurvatureProblem(CurvatureProblem&&) = default;
  CurvatureProblem& operator=(CurvatureProblem&&) = default;

  curvature::Problem problem; ///< its start values count from the origin
  TimeOrigin origin;
  std::vector<float> cost, turningRadius, curvatureShift;
  std::vector<std::uint8_t> walls;
  double rightRadius = 0;                    ///< of turns to the right, if it is another one, else 0
  std::optional<curvature::Vehicle> vehicle; ///< if there is a drift
  std::vector<float> driftX, driftY;         ///< that of the vehicle
  bool roundTrip = false;
  std::string warning; ///< about what is left out or cannot be relied on; empty if nothing
};

/// @param orientedCost  (first axis, second axis, heading) image of the cost, or null
/// @throws Error on arrays that do not fit; their values are checked by the solver
CurvatureProblem makeProblem(vtkImageData* image, vtkImageData* orientedCost, const ImagePlane& plane,
                             const CurvatureSettings& settings, const States& seeds);

/// Do both have the same solution?
bool same(const CurvatureProblem& a, const CurvatureProblem& b);
bool same(const std::vector<curvature::State>& a, const std::vector<curvature::State>& b);

} // namespace isochrone::filters
