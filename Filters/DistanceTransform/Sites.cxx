#include "DistanceTransform/Sites.h"

#include "DistanceTransform/InParallel.h"
#include "Error.h"

#include <vtkArrayDispatch.h>
#include <vtkDataArray.h>
#include <vtkDataArrayRange.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace isochrone::filters {

namespace {

/// Site rule for one value type: values from `minimum` to `maximum`, or with `nonzero` all values except 0.
template <class T>
struct Band {
  T minimum = std::numeric_limits<T>::max(), maximum = std::numeric_limits<T>::lowest(); // empty
  bool nonzero = false;
};

/// Returns the integers of the type within a range.
template <class T>
Band<T> integersWithin(double lower, double upper) {
  using Limits = std::numeric_limits<T>;
  constexpr double bottom = double(Limits::min());       // a power of 2, or 0
  const double beyond = std::ldexp(1.0, Limits::digits); // the smallest integer that is too large
  const double first = std::ceil(lower), last = std::floor(upper);
  Band<T> band;
  if (!(first <= last && first < beyond && last >= bottom)) return band;
  band.minimum = first <= bottom ? Limits::min() : T(first);
  band.maximum = last >= beyond ? Limits::max() : T(last);
  return band;
}

template <class T>
Band<T> bandOf(const SiteRule& rule) {
  if (rule.mode == SiteRule::Mode::AnyNonzero) return {.nonzero = true};
  const bool label = rule.mode == SiteRule::Mode::Label;
  const double lower = label ? rule.label : rule.range[0], upper = label ? rule.label : rule.range[1];
  if constexpr (std::is_floating_point_v<T>) {
    // The ends may not be representable in the type: shrink the range to values that are.
    T minimum = T(lower), maximum = T(upper);
    if (double(minimum) < lower) minimum = std::nextafter(minimum, std::numeric_limits<T>::infinity());
    if (double(maximum) > upper) maximum = std::nextafter(maximum, -std::numeric_limits<T>::infinity());
    return {minimum, maximum};
  } else {
    return integersWithin<T>(lower, upper);
  }
}

/// Result of one thread.
struct Found {
  bool some = false, all = true;
  std::int64_t notANumber = 0;
};

template <class T>
Found mark(auto values, std::int64_t begin, std::int64_t end, const Band<T>& band,
           const unsigned char* ghosts, int hidden, std::uint8_t* marks) {
  Found found;
  constexpr std::int64_t block = 4096; // the counts of a block fit into 16 bits
  for (std::int64_t b = begin; b < end; b += block) {
    const std::int64_t stop = std::min(b + block, end);
    std::uint16_t notANumber = 0;
    if (band.nonzero) {
      for (std::int64_t n = b; n < stop; ++n) {
        const T value = values[n];
        marks[n] = std::uint8_t((value != 0) & (value == value));
        notANumber += std::uint16_t(value != value);
      }
    } else {
      for (std::int64_t n = b; n < stop; ++n) {
        const T value = values[n];
        marks[n] = std::uint8_t((value >= band.minimum) & (value <= band.maximum));
        notANumber += std::uint16_t(value != value);
      }
    }
    if (ghosts)
      for (std::int64_t n = b; n < stop; ++n) marks[n] &= std::uint8_t((ghosts[n] & hidden) == 0);
    std::uint8_t any = 0, every = 1;
    for (std::int64_t n = b; n < stop; ++n) any |= marks[n], every &= marks[n];
    found.some = found.some || any;
    found.all = found.all && every;
    found.notANumber += notANumber;
  }
  return found;
}

} // namespace

void validate(const SiteRule& rule) {
  constexpr double exact = 9007199254740992; // 2^53: larger integers are rounded
  std::ostringstream message;
  message << std::setprecision(17);
  if (rule.mode == SiteRule::Mode::Range && !(rule.range[0] <= rule.range[1]))
    message << "the Site Range must be ascending, got " << rule.range[0] << " to " << rule.range[1]
            << ": exchange its ends";
  else if (rule.mode == SiteRule::Mode::Label && !(std::abs(rule.label) <= exact))
    message << "the Site Label must be between -2^53 and 2^53, got " << rule.label << ": use smaller labels";
  else if (rule.mode == SiteRule::Mode::LevelSet && !std::isfinite(rule.isoValue))
    message << "the Iso Value must be finite, got " << rule.isoValue
            << ": choose one within the array's range";
  else
    return;
  throw Error(message.str());
}

Sites sitesOf(vtkDataArray* array, const SiteRule& rule, vtkUnsignedCharArray* ghosts, int hidden,
              int threads) {
  Sites sites;
  const std::int64_t size = array->GetNumberOfTuples();
  sites.marks.resize(size);
  const unsigned char* ghost = ghosts ? ghosts->GetPointer(0) : nullptr;
  std::vector<Found> found;
  const auto markAll = [&](auto* typed, int parts) {
    const auto values = vtk::DataArrayValueRange<1>(typed);
    using T = typename decltype(values)::ValueType;
    const Band<T> band = bandOf<T>(rule);
    found.resize(parts);
    inParallel(parts, size, [&](int part, std::int64_t begin, std::int64_t end) {
      found[part] = mark<T>(values.begin(), begin, end, band, ghost, hidden, sites.marks.data());
    });
  };
  const auto inAllThreads = [&](auto* typed) { markAll(typed, partsFor(threads, size)); };
  if (!vtkArrayDispatch::Dispatch::Execute(array, inAllThreads)) markAll(array, 1);
  sites.all = true;
  for (const Found& part : found) {
    sites.some = sites.some || part.some;
    sites.all = sites.all && part.all;
    sites.notANumber += part.notANumber;
  }
  return sites;
}

} // namespace isochrone::filters
