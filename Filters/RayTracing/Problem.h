// Problem.h - builds the problem of the ray tracer from an image and settings.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/TiltedMedium.h"
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
class PartExchange;
struct ImagePart;
struct Places;

/// User settings of the medium.
struct RaySettings {
  bool slowness = false; ///< velocity arrays and constant hold slowness
  double constantVelocity = 1;
  bool tilted = false; ///< velocities are those of P waves along the axis of a tilted medium
  TiltedSettings tilt;
  ArrayChoice velocityArray, secondVelocityArray, barrierArray, interfaceArray;
  bool barriersWithinRange = false; ///< false: where the barrier array is nonzero
  std::array<double, 2> barrierRange{};
  enum class Interface { None, Mask, LabelBoundary } interface = Interface::None;
  double interfaceLabel = 1;
  bool stayInLabel = false;       ///< applies to both legs of a reflection
  std::array<bool, 3> periodic{}; ///< axes of the image
  bool pathProbability = false;   ///< is computed after the solve
};

/// Medium of one leg, with the slowness in the requested precision.
struct RayMedium {
  std::vector<float> slowness;
  std::vector<double> preciseSlowness;
  bool isTilted = false;
  TiltedMedium tilt;
};

/// Start times of a second leg, in the requested precision.
struct RayStarts {
  std::vector<float> times;
  std::vector<double> preciseTimes;
};

/// A problem and its memory.
struct RayProblem {
  rays::Problem problem;
  TimeOrigin origin; ///< start times are relative to it
  /// Per field of separate sources: its own origin, so that it has the bits of a run of its own. Empty for
  /// sources that run together and in double precision.
  std::vector<TimeOrigin> origins;
  std::shared_ptr<const RayMedium> medium;
  std::shared_ptr<const RayStarts> starts; ///< null for a first leg

  const TimeOrigin& originOf(std::size_t field) const { return origins.empty() ? origin : origins[field]; }
};

/// @param sources  relative to the whole image
/// @param ranks  valid while the problem is solved
/// @throws Error on unsuitable arrays and invalid velocities
RayProblem makeRayProblem(const ImagePart& image, const RaySettings& settings, const rays::Options& options,
                          const Places& sources, PartExchange& ranks);

/// Returns the sources of each field; one per source with separate sources unless they have groups.
std::vector<std::vector<std::size_t>> sourcesOfFields(const rays::Options& options, std::size_t sources);

/// Sets the sources of a problem, and the origins.
void setSources(const Places& sources, const rays::Options& options, RayProblem& input);

/// Reflecting points and the medium of the second leg.
struct RayReflector {
  std::vector<std::uint8_t> interface;     ///< one mark per point
  std::shared_ptr<const RayMedium> medium; ///< null: as in the first leg
};

/// Collective.
/// @throws Error if the interface has no point in any part, and like makeRayProblem
RayReflector reflectorOf(vtkImageData* data, const RaySettings& settings, const rays::Options& options,
                         PartExchange& ranks);

/// Returns the leg that starts at the interface at the arrival times of the first leg.
RayProblem secondLeg(const RayProblem& first, const RayReflector& reflector, const rays::Field& field);

/// Returns the memory for the arrays of a solve with `fields` fields.
/// @param origin  of the output times
double bytesOf(const ImageFrame& frame, const RaySettings& settings, const TimeOrigin& origin,
               const rays::Options& options, int fields);

/// @throws Error, with numbers, if that memory does not suffice
void requireMemory(const ImageFrame& frame, const RaySettings& settings, const TimeOrigin& origin,
                   const rays::Options& options, int fields);

/// Returns whether both have the same solution. Compares contents, so that an input that was recomputed to
/// the same values, changed elsewhere or only touched is not solved again.
bool same(const rays::Problem& a, const rays::Problem& b);

/// Returns whether a result computed with options `a` serves a request with options `b`.
bool answers(const rays::Options& a, const rays::Options& b);

} // namespace isochrone::filters
