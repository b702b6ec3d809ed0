// Problem.h - builds the solver's problem from images and settings.
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

/// User settings, in the units of the panel.
struct CurvatureSettings {
  curvature::Model model = curvature::Model::Dubins;
  curvature::Accuracy accuracy = curvature::Accuracy::SeedBall;
  bool roundTrip = false;        ///< through a tip and back to a seed
  double turningRadius = 0;      ///< world units; NaN: a tenth of the smaller extent
  double rightTurningRadius = 0; ///< of right turns, world units; 0: the same
  double curvatureShift = 0;     ///< 1 / world unit
  double relaxation = 0.1;
  int headings = 60; ///< an oriented cost has its own number
  ArrayChoice costArray, turningRadiusArray, curvatureShiftArray, wallArray, driftArray;
  double vehicleSpeed = 1;       ///< in the medium, world units per unit time; used with a drift
  bool wallsWithinRange = false; ///< false: where the wall array is nonzero
  std::array<double, 2> wallRange{};
  std::array<bool, 3> periodic{}; ///< axes of the image
};

/// A problem and the arrays that it points to. Moving keeps the spans of `problem` valid.
struct CurvatureProblem {
  CurvatureProblem() = default;
  CurvatureProblem(CurvatureProblem&&) = default;
  CurvatureProblem& operator=(CurvatureProblem&&) = default;

  curvature::Problem problem; ///< start values are relative to `origin`
  TimeOrigin origin;
  std::vector<float> cost, turningRadius, curvatureShift;
  std::vector<std::uint8_t> walls;
  double rightRadius = 0;                    ///< of right turns if different, else 0
  std::optional<curvature::Vehicle> vehicle; ///< set if there is a drift
  std::vector<float> driftX, driftY;         ///< drift of the vehicle
  bool roundTrip = false;
  std::string warning; ///< about dropped or unreliable input; may be empty
};

/// @param orientedCost  image of the cost over (first axis, second axis, heading), or null
/// @throws Error on unsuitable arrays; the solver checks their values
CurvatureProblem makeProblem(vtkImageData* image, vtkImageData* orientedCost, const ImagePlane& plane,
                             const CurvatureSettings& settings, const States& seeds);

/// Returns a warning, before the solve, if start values near the seeds will take long (Accuracy Seed Ball and
/// Second Order); else an empty string.
std::string longStarts(const CurvatureProblem& input);

/// Returns a warning about seeds that start so late after the earliest one that single precision blurs their
/// front; else an empty string.
std::string blurredStarts(const curvature::Problem& problem, const States& seeds);

/// Returns whether both have the same solution.
bool same(const CurvatureProblem& a, const CurvatureProblem& b);
bool same(const std::vector<curvature::State>& a, const std::vector<curvature::State>& b);

} // namespace isochrone::filters
