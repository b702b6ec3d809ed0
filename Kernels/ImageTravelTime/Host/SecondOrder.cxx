#include "ImageTravelTime/Host/SecondOrder.h"

#include "ImageTravelTime/Host/CausalOrder.h"
#include "ImageTravelTime/Seeds/SecondOrderScheme.h"

namespace isochrone::image {

bool refineToSecondOrder(const SolverInput& input, const Monitor& monitor, std::span<float> travelTime) {
  const SecondOrderScheme scheme(input, travelTime);
  const SecondOrderView equations = scheme.view(travelTime);
  CausalOrder order(input.problem.grid, scheme.times());
  return order.run(input.pool, monitor,
                   [&](std::int64_t point) { travelTime[point] = float(equations.solve(point).value); });
}

} // namespace isochrone::image
