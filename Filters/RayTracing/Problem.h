// Problem.h - the problem of the ray tracer, built from an image and settings, with the arrays it points
// to.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/TimeOrigin.h"
#include "RayTracing/RayTracing.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame;
struct Places;

/// What the user set about the medium.
struct RaySettings {
  bool slowness = false; ///< what the velocity arrays and the constant hold
  double constantVelocity = 1;
  ArrayChoice velocityArray, secondVelocityArray, barrierArray, interfaceArray;
  bool barriersWithinRange = false; ///< else where the barrier array is not zero
  std::array<double, 2> barrierRange{};
  enum class Interface { None, Mask, LabelBoundary } interface = Interface::None;
  double interfaceLabel = 1;
  bool stayInLabel = false; ///< both legs of a reflection
};

/// Slowness of one leg, in the precision that was asked for.
struct RayMedium {
  std::vector<float> slowness;
  std::vector<double> preciseSlowness;
};

/// Times that a second leg starts from, in that precision.
struct RayStarts {
  std::vector<float> times;
  std::vector<double> preciseTimes;
};

/// A problem and its memory.
struct RayProblem {
  rays::Problem problem;
  TimeOrigin origin; ///< that start times count from
  std::shared_ptr<const RayMedium> medium;
  std::shared_ptr<const RayStarts> starts; ///< null for a first leg
};

/// @throws Error on arrays that do not fit and on values that are no velocities
RayProblem makeRayProblem(vtkImageData* data, const ImageFrame& frame, const RaySettings& settings,
                          const rays::Options& options, const Places& sources);

/// Where waves are reflected, and what they travel through then.
struct RayReflector {
  std::vector<std::uint8_t> interface;     ///< a mark per point
  std::shared_ptr<const RayMedium> medium; ///< null: that of the first leg
};

/// @throws Error if there is no point on the interface, and as makeRayProblem
RayReflector reflectorOf(vtkImageData* data, const RaySettings& settings, const rays::Options& options);

/// The leg that starts at the interface at the times when the first one arrives there.
RayProblem secondLeg(const RayProblem& first, const RayReflector& reflector, const rays::Field& field);

/// @throws Error, with numbers, if there is no room for the arrays around a solve of so many fields
/// @param origin  of their times
void requireMemory(const ImageFrame& frame, const TimeOrigin& origin, const rays::Options& options,
                   int fields);

/// Do both have the same solution? Compares contents, so that an input that was recomputed to the same
/// values, changed elsewhere or merely touched is not solved again.
bool same(const rays::Problem& a, const rays::Problem& b);

/// Does a solve that was asked for `a` answer `b`?
bool answers(const rays::Options& a, const rays::Options& b);

} // namespace isochrone::filters
