// Problem.h - builds the solver's problem from an image and settings.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/TiltedMedium.h"
#include "Common/TimeOrigin.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <vtkDataArray.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkImageData;

namespace isochrone::filters {

class ImageFrame;
class PartExchange;
struct Places;

/// User settings.
struct ImageTravelTimeSettings {
  image::SpeedType speedType = image::SpeedType::Speed;
  double constantSpeed = 1; ///< used without a speed array
  ArrayChoice speedArray, barrierArray, seedRegionArray, driftArray;
  std::array<bool, 3> periodic{};   ///< axes of the image
  TiltedSettings tilted;            ///< with SpeedType::TiltedTransverse
  bool averageCellData = false;     ///< accept cell arrays
  bool barriersWithinRange = false; ///< false: where the barrier array is nonzero
  std::array<double, 2> barrierRange{};
  bool seedsFromRegion = false; ///< one seed: the points with a value in the range
  std::array<double, 2> seedRegionRange{};
  bool seedsFromLevelSet = false; ///< one seed: where the seed region array has the iso value, between points
  double seedIsoValue = 0;
};

/// Arrays of a problem.
struct Medium {
  std::span<const float> speed;
  std::vector<float> ownSpeed;         ///< memory of `speed`, unless it is that of an input array:
  vtkSmartPointer<vtkDataArray> input; ///< keeps it
  vtkMTimeType inputTime = 0;          ///< of the input array when it was read
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> seedRegions;
  std::optional<surface::Surface> seedSurface;
  std::int64_t seedsNotFinite = 0; ///< values of its array that are not finite
  std::vector<float> drift;        ///< along the axes of the grid
  TiltedMedium tilted;
  std::string warning; ///< about the drift; may be empty
};

/// A problem and its memory, shared by problems with other seeds.
struct ImageTravelTimeProblem {
  image::Problem problem; ///< start values are relative to `origin`
  TimeOrigin origin;
  std::shared_ptr<const Medium> medium;
  std::shared_ptr<const grid::OrthogonalGrid> axes; ///< memory of `problem.orthogonal`
};

/// @param seeds  a single, unused place if the seed is a region
/// @param part   of a divided image
/// @param monitor  if it requests a stop, the seed surface is marked as aborted
/// @throws Error on unsuitable arrays; the solver checks their values
ImageTravelTimeProblem makeProblem(vtkImageData* data, const ImageFrame& frame,
                                   const ImageTravelTimeSettings& settings, const Places& seeds,
                                   const grid::GridPart& part, const Monitor& monitor);

/// Returns the array of the tensors, of points or, if cells are averaged, of cells; null with other speeds.
/// @throws Error if none is chosen or it is missing
vtkDataArray* tensorArray(vtkImageData* data, const ImageTravelTimeSettings& settings);

/// Sets the seeds of a problem whose medium is set. Collective.
void setSeeds(const Places& places, ImageTravelTimeProblem& input);

/// Returns a warning about values of the level set that are not finite; empty if there are none. Collective.
std::string missingValues(const ImageTravelTimeProblem& problem, const std::string& array,
                          PartExchange& ranks);

/// Returns the problem of the same medium with the targets as seeds: the times from each point to them.
ImageTravelTimeProblem towardsTargets(const ImageTravelTimeProblem& problem, const Places& targets);

/// @throws Error, with numbers, if the memory does not suffice for a solve and its output arrays
/// @param origin  of the output times
void requireMemory(const image::Problem& problem, const TimeOrigin& origin, bool twoWay);

/// Returns the memory of a solve and its output arrays, bytes.
/// @param origin  of the output times
double bytesOf(const image::Problem& problem, const TimeOrigin& origin, bool twoWay);

/// Returns a warning about the first Result::blurredSeed of all parts; empty if none has one. Collective.
/// @param seed  of this part, or -1
std::string blurredStart(const image::Problem& problem, std::int32_t seed, PartExchange& ranks);

/// Returns a warning about a drift too fast for accurate travel times; empty if there is none.
std::string strongDrift(const image::Result& result);

/// Returns the placeholder for a seed that is a region, with a position of NaN.
Places placeOfRegion();

/// Returns whether both have the same solution. Compares contents, so that an input that was recomputed to
/// the same values or changed elsewhere is not solved again.
bool same(const ImageTravelTimeProblem& a, const ImageTravelTimeProblem& b);

} // namespace isochrone::filters
