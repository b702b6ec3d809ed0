// Sites.h - which points of an image, or which of its cells, are sites.
#pragma once

#include "Values.h"

#include <array>
#include <cstdint>

class vtkDataArray;
class vtkUnsignedCharArray;

namespace isochrone::filters {

/// What makes a value a site. NaN never does.
struct SiteRule {
  enum class Mode { Range, Label, AnyNonzero } mode = Mode::Range; ///< values of SiteMode
  std::array<double, 2> range{};                                   ///< both ends included
  double label = 0;

  bool operator==(const SiteRule&) const = default;
};

/// @throws Error if the range goes down, or the label is too large to be the one that was meant
void validate(const SiteRule& rule);

struct Sites {
  Values<std::uint8_t> marks; ///< 1: a site, else 0
  bool some = false, all = false;
  std::int64_t notANumber = 0; ///< how many values are NaN
};

/// Integers are compared as integers, at the speed of the memory.
/// @param ghosts  may be null; samples with one of the bits `hidden` are no sites
Sites sitesOf(vtkDataArray* array, const SiteRule& rule, vtkUnsignedCharArray* ghosts, int hidden,
              int threads);

} // namespace isochrone::filters
