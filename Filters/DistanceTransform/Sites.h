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
  enum class Mode { Range, Label, AnyNonzero, LevelSet, Surface } mode = Mode::Range; ///< values of SiteMode
  std::array<double, 2> range{};                                                      ///< both ends included
  double label = 0;
  double isoValue = 0;
  bool insideBelow = false; ///< of the level set
  int interpolation = 0;    ///< of the level set, in surface::Interpolation

  bool operator==(const SiteRule&) const = default;
};

/// Returns whether distances are measured to a surface between the samples.
inline bool measuresToSurface(const SiteRule& rule) {
  return rule.mode == SiteRule::Mode::LevelSet || rule.mode == SiteRule::Mode::Surface;
}

/// @throws Error if the range is reversed, the label is too large to be exact, or the iso value is not finite
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
