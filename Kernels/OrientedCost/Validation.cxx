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

void validatePart(const Problem& p) {
  const Box own = p.own(), given = p.given(), image{0, p.nx, 0, p.ny};
  const Margin margin = marginOfFilters(p);
  if (own.nx() < 1 || own.ny() < 1 || !image.contains(own)) fail("the part has no point of the image");
  if (!image.contains(given) || !given.contains(around(own, margin.x, margin.y, p.nx, p.ny)))
    fail("the part needs ", margin.x, " x ", margin.y, " points of the image around it");
}

} // namespace

void validateSettings(const Problem& p) {
  validateGrid(p);
  validateFilters(p);
  validateCost(p);
}

void validate(const Problem& p) {
  validateSettings(p);
  validatePart(p);
  const std::int64_t given = p.given().points();
  if (std::int64_t(p.intensity.size()) != given)
    fail("the intensity has ", p.intensity.size(), " values, but the image has ", given, " points");
  if (!p.outside.empty() && std::int64_t(p.outside.size()) != given)
    fail("the mask has ", p.outside.size(), " values, but the image has ", given, " points");
  const Box own = p.own();
  const std::string what = "the oriented cost of " + std::to_string(own.nx()) + " x " +
                           std::to_string(own.ny()) + " points x " + std::to_string(p.headings) + " headings";
  const double bytes = 4. * double(own.points()) * (p.headings + 4.) + strengthBytes(p);
  requireHostMemory(std::size_t(std::min(bytes, 9e18)), what);
}

} // namespace isochrone::oriented
