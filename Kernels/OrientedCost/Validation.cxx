#include "OrientedCost/Validation.h"

#include "Backend.h"
#include "Error.h"
#include "OrientedCost/TubeStrength.h"

#include <algorithm>
#include <cmath>

namespace isochrone::oriented {

namespace {

constexpr int fewestHeadings = 4;            // as in the curvature solver
constexpr double maxSteps = 10000;           // maximum width or length, in grid steps
constexpr double maxAddressable = 9e18 / 16; // maximum number of states: their bytes fit into 63 bits

void validateGrid(const Problem& p) {
  if (p.nx < 1 || p.ny < 1)
    fail("the image must have at least one point along each axis, got ", p.nx, " x ", p.ny);
  for (double h : {p.hx, p.hy})
    if (!(h > 0) || !std::isfinite(h))
      fail("the spacing of the image must be positive and finite, got ", p.hx, " x ", p.hy);
  constexpr double smallest = 1e-303, largest = 1e303; // room for the limits of widths and length
  if (std::min(p.hx, p.hy) < smallest || std::max(p.hx, p.hy) > largest)
    fail("the spacing of the image must be from ", smallest, " to ", largest, ", got ", p.hx, " x ", p.hy,
         ": use another unit of length");
  if (p.headings < fewestHeadings)
    fail("the number of headings must be at least ", fewestHeadings, ", got ", p.headings);
  if (double(p.nx) * double(p.ny) * p.headings > maxAddressable)
    fail(p.nx, " x ", p.ny, " points x ", p.headings,
         " headings are more than can be addressed: use a "
         "smaller image or fewer headings");
}

void validateFilters(const Problem& p) {
  const double minimum = std::max(p.hx, p.hy) / 2, maximum = maxSteps * std::min(p.hx, p.hy);
  if (p.widths.empty()) fail("there is no width: give at least one, about the half width of a tube");
  for (double width : p.widths)
    if (!(width >= minimum && width <= maximum && std::isfinite(width)))
      fail("a width must be at least half the spacing of the image and at most ", maxSteps,
           " times it, so from ", minimum, " to ", maximum, " world units, got ", width);
  if (!(p.length >= 0 && p.length <= maximum && std::isfinite(p.length)))
    fail("the length must be from 0 to ", maxSteps, " times the spacing, ", maximum, " world units, got ",
         p.length);
}

void validateCost(const Problem& p) {
  // Range of single precision, with room for derived values.
  constexpr double minimum = 1e-30, maximum = 1e30, minExponent = 1e-3, maxExponent = 1e3;
  if (!(p.halfStrength >= minimum && p.halfStrength <= maximum))
    fail("the half strength must be positive and finite, from ", minimum, " to ", maximum, ", got ",
         p.halfStrength, ": it is a share of the typical strength, such as 0.2");
  if (!(p.exponent >= minExponent && p.exponent <= maxExponent))
    fail("the contrast exponent must be positive and finite, from ", minExponent, " to ", maxExponent,
         ", got ", p.exponent, ": try 2");
  if (!(p.floor >= minimum && p.floor <= p.ceiling && p.ceiling <= maximum))
    fail("the cost floor must be greater than 0, at least ", minimum,
         ", and at most the cost ceiling, which must be at most ", maximum, ", got floor ", p.floor,
         " and ceiling ", p.ceiling);
}

} // namespace

void validate(const Problem& p) {
  validateGrid(p);
  validateFilters(p);
  validateCost(p);
  if (std::int64_t(p.intensity.size()) != p.points())
    fail("the intensity has ", p.intensity.size(), " values, but the image has ", p.points(), " points");
  if (!p.outside.empty() && std::int64_t(p.outside.size()) != p.points())
    fail("the mask has ", p.outside.size(), " values, but the image has ", p.points(), " points");
  const std::string what = "the oriented cost of " + std::to_string(p.nx) + " x " + std::to_string(p.ny) +
                           " points x " + std::to_string(p.headings) + " headings";
  const double result = 4. * double(p.points()) * (p.headings + 4.);
  requireHostMemory(std::size_t(result), what); // before the filters of all headings are examined
  requireHostMemory(std::size_t(result + strengthBytes(p)), what);
}

} // namespace isochrone::oriented
