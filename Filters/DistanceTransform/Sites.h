// Sites.h - marks the points or cells of an image that are sites.
#pragma once

#include "Values.h"

#include <array>
#include <cstdint>

class vtkDataArray;
class vtkUnsignedCharArray;

namespace isochrone::filters {

/// Criterion for the value of a site. NaN never is one.
struct SiteRule {
  enum class Mode { Range, Label, AnyNonzero } mode = Mode::Range; ///< values of SiteMode
  std::array<double, 2> range{};                                   ///< both ends included
  double label = 0;

  bool operator==(const SiteRule&) const = default;
};

/// @throws Error if the range is reversed, or the label is too large to be exact
void validate(const SiteRule& rule);

struct Sites {
  Values<std::uint8_t> marks; ///< 1 at sites, else 0
  bool some = false, all = false;
  std::int64_t notANumber = 0; ///< number of NaN values
};

/// Marks the sites at the speed of the memory. Integers are compared as integers.
/// @param ghosts  may be null; samples with one of the bits `hidden` are not sites
Sites sitesOf(vtkDataArray* array, const SiteRule& rule, vtkUnsignedCharArray* ghosts, int hidden,
              int threads);

} // namespace isochrone::filters
