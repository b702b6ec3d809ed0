// TravelTimeSeeds.h - the seeds of a travel time, in the field data beside it.
//
// The array is named after that of the times: TravelTimeSeeds belongs to TravelTime. It has one tuple per
// seed, with named components: X, Y, Z, StartValue, Slowness, BallRadius, Label. In the ball the time minus
// StartValue + Slowness * distance to the seed has no kink, so that it can be interpolated and differenced.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

class vtkDataObject;

namespace isochrone::filters {

struct TravelTimeSeed {
  std::array<double, 3> at{}; ///< world coordinates
  double startValue = 0;
  double slowness = 0; ///< NaN: not known, or the time along a line is not of this form
  double radius = 0;   ///< of the ball; 0: none
  std::int32_t label = 0;
};

/// Adds the seeds of a travel time to the field data, in place of others under this name.
void attachSeedsOf(const std::string& travelTime, std::span<const TravelTimeSeed> seeds, vtkDataObject* out);

/// Removes the seeds of another travel time, which came with the input.
void removeSeedsOf(const std::string& travelTime, vtkDataObject* out);

bool hasSeedsOf(const std::string& travelTime, vtkDataObject* data);

/// Reads the seeds of a travel time from the field data.
/// @throws Error if the array is missing or no such array
std::vector<TravelTimeSeed> seedsOf(const std::string& travelTime, vtkDataObject* data);

} // namespace isochrone::filters
