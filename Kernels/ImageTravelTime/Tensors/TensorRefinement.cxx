#include "ImageTravelTime/Tensors/TensorRefinement.h"

#include "ImageTravelTime/Seeds/RefinedTensors.h"
#include "ImageTravelTime/Tensors/TimeOrder.h"

namespace isochrone::image {

bool refineTensors(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime) {
  const RefinedTensors equations(input, travelTime);
  TimeOrder visits(equations.times(), input.pool);
  const auto timeOf = [&](std::int64_t point) {
    visits.waitFor(point);
    return double(travelTime[std::size_t(point)]);
  };
  return visits.run(monitor, [&](std::int64_t p) {
    float& time = travelTime[std::size_t(p)];
    time = float(equations.solve(p, double(time), timeOf).value);
  });
}

} // namespace isochrone::image
