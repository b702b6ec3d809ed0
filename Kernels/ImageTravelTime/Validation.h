// Validation.h - requirements on a problem, and the messages to the user if it does not meet them.
#pragma once

#include "Execution/RoundPool.h"
#include "ImageTravelTime/Scheme/Medium.h"

#include <string>

namespace isochrone::image {

/// Returns the range of the speed; the default if all points are barriers.
/// @throws Error on a problem or options that cannot be solved, whatever the seeds' positions
SpeedRange validate(const Problem& problem, const Options& options, execution::RoundPool& pool);

/// Returns the name in messages of what `Problem::speed` holds.
const char* quantity(const Problem& problem);

/// @throws Error unless an array is empty or has a value for each point
void requireSize(std::size_t size, const Grid& grid, const char* what);

/// @throws Error unless there are tensors for each point
void requireTensorSize(const Problem& problem);

/// @throws Error unless the drift, if there is one, has values for each point
void requireDriftSize(const Problem& problem);

/// @throws Error unless the arrays of a problem with periodic axes fit its image, and such a problem can be
/// solved
void requirePeriodic(const Problem& problem);

/// @throws Error unless the arrays of a problem with an orthogonal grid fit it, and such a problem can be
/// solved
void requireOrthogonal(const Problem& problem);

/// Returns the name of a point in messages.
std::string nameOf(const Problem& problem, std::int64_t point);

/// @throws Error always: no seed or seed region lies on a point that the front can leave
[[noreturn]] void rejectSeeds(const Problem& problem, const std::vector<Placement>& seeds);

} // namespace isochrone::image
