// Problem.h - the solver's problem, built from an image and settings, with the arrays it
// points to.
#pragma once

#include "Common/ArrayBridge.h"
#include "Common/TimeOrigin.h"
#include "ImageTravelTime/ImageTravelTime.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

class vtkImageData;

namespace isochrone::filters {

class ImageFrame;
struct Places;

/// What the user set.
struct ImageTravelTimeSettings {
  image::SpeedType speedType = image::SpeedType::Speed;
  double constantSpeed = 1; ///< where there is no array
  ArrayChoice speedArray, barrierArray, seedRegionArray;
  bool averageCellData = false;     ///< whether they may be cell arrays
  bool barriersWithinRange = false; ///< else where the barrier array is not zero
  std::array<double, 2> barrierRange{};
  bool seedsFromRegion = false; ///< one seed: the points whose value lies in the range
  std::array<double, 2> seedRegionRange{};
};

/// The arrays of a problem.
struct Medium {
  std::vector<float> speed;
  std::vector<std::uint8_t> barriers;
  std::vector<std::int32_t> seedRegions;
};

/// A problem and its memory, which problems with other seeds share.
struct ImageTravelTimeProblem {
  image::Problem problem; ///< its start values count from the origin
  TimeOrigin origin;
  std::shared_ptr<const Medium> medium;
};

/// @param seeds  one place, which is not used, if the seed is a region
/// @throws Error on arrays that do not fit; their values are checked by the solver
ImageTravelTimeProblem makeProblem(vtkImageData* data, const ImageFrame& frame,
                                   const ImageTravelTimeSettings& settings, const Places& seeds);

/// The same medium with other seeds.
ImageTravelTimeProblem withSeeds(const ImageTravelTimeProblem& problem, const Places& seeds);

/// @throws Error, with numbers, if there is no room for a solve and the output arrays that follow from it
/// @param origin  of the times in the outputs
void requireMemory(const image::Problem& problem, const TimeOrigin& origin, bool twoWay);

/// What to say about Result::blurredSeed.
std::string blurredStart(const image::Problem& problem, std::int32_t seed);

/// The one place of a seed that is a region: nowhere.
Places placeOfRegion();

/// Do both have the same solution? Compares contents, so that an input that was recomputed to the same
/// values, changed elsewhere or merely touched is not solved again.
bool same(const image::Problem& a, const image::Problem& b);

} // namespace isochrone::filters
