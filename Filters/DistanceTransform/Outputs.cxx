#include "DistanceTransform/Outputs.h"

#include "Common/Fields.h"
#include "Common/SharedArray.h"
#include "DistanceTransform/InParallel.h"
#include "DistanceTransform/Problem.h"

#include <vtkArrayDispatch.h>
#include <vtkDataArrayRange.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace isochrone::filters {

namespace {

template <class T>
bool counts(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::abs(value) <= std::numeric_limits<T>::max();
  return true;
}

/// Minimum and maximum of the finite values. Independent lanes, since the compiler may not reorder
/// floating-point minima.
template <class T>
struct Span {
  T minimum = std::numeric_limits<T>::max(), maximum = std::numeric_limits<T>::lowest();
  bool complete = true; ///< all are finite

  void add(const T* values, std::int64_t size) {
    constexpr int lanes = 64 / sizeof(T);
    std::array<T, lanes> low, high;
    std::array<T, lanes> bad{};
    low.fill(minimum);
    high.fill(maximum);
    std::int64_t n = 0;
    for (; n + lanes <= size; n += lanes)
      for (int l = 0; l < lanes; ++l) {
        const T v = values[n + l];
        const bool good = counts(v);
        const T small = good ? v : low[l], large = good ? v : high[l];
        low[l] = small < low[l] ? small : low[l];
        high[l] = large > high[l] ? large : high[l];
        bad[l] = good ? bad[l] : T(1);
      }
    for (; n < size; ++n) {
      if (!counts(values[n])) {
        bad[0] = T(1);
        continue;
      }
      low[0] = std::min(low[0], values[n]);
      high[0] = std::max(high[0], values[n]);
    }
    minimum = *std::min_element(low.begin(), low.end());
    maximum = *std::max_element(high.begin(), high.end());
    complete = complete && std::none_of(bad.begin(), bad.end(), [](T b) { return b != T(0); });
  }
};

/// Runs `work(begin, end)` in parallel blocks and finds the span of the values that it writes.
template <class T, class Work>
Span<T> spanAfter(const T* values, std::int64_t size, int threads, const Work& work) {
  constexpr std::int64_t block = 1 << 14; // stays in the cache between the work and the span
  const int parts = partsFor(threads, size);
  std::vector<Span<T>> spans(parts);
  inParallel(parts, size, [&](int part, std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; b += block) {
      const std::int64_t stop = std::min(b + block, end);
      work(b, stop);
      spans[part].add(values + b, stop - b);
    }
  });
  Span<T> all;
  for (const Span<T>& span : spans) {
    all.minimum = std::min(all.minimum, span.minimum);
    all.maximum = std::max(all.maximum, span.maximum);
    all.complete = all.complete && span.complete;
  }
  return all;
}

template <class T>
using ArrayOf = std::conditional_t<std::is_same_v<T, float>, vtkFloatArray, vtkDoubleArray>;

/// Returns the values without a copy if all are finite, else a copy with NaN in place of infinite values.
template <class T, class Work>
vtkSmartPointer<vtkDataArray> arrayOf(const char* name, const Values<T>& values,
                                      const std::shared_ptr<const distance::Result>& owner, int threads,
                                      const Work& work) {
  const auto size = std::int64_t(values.size());
  const Span<T> span = spanAfter(values.data(), size, threads, work);
  vtkSmartPointer<vtkDataArray> array;
  if (span.complete) {
    array = sharedArray(name, std::span<const T>(values), owner);
  } else {
    auto copy = named<ArrayOf<T>>(name, vtkIdType(size));
    T* out = copy->GetPointer(0);
    inParallel(partsFor(threads, size), size, [&](int, std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n)
        out[n] = counts(values[n]) ? values[n] : std::numeric_limits<T>::quiet_NaN();
    });
    array = copy;
  }
  rememberRange(array, double(span.minimum), double(span.maximum));
  return array;
}

template <class T>
void addDistance(const Values<T>& values, const std::shared_ptr<const distance::Result>& owner, int threads,
                 DistanceArrays& out) {
  auto reached = named<vtkUnsignedCharArray>("Reached", vtkIdType(values.size()));
  unsigned char* marks = reached->GetPointer(0);
  out.distance = arrayOf("Distance", values, owner, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) marks[n] = static_cast<unsigned char>(counts(values[n]));
  });
  const Span<unsigned char> span =
      spanAfter(marks, std::int64_t(values.size()), threads, [](std::int64_t, std::int64_t) {});
  rememberRange(reached, span.minimum, span.maximum);
  out.reached = reached;
}

vtkSmartPointer<vtkDataArray> siteArray(const std::shared_ptr<const distance::Result>& result,
                                        const Part& part, int threads) {
  const Values<std::int64_t>& sites = result->nearestSite;
  const auto size = std::int64_t(sites.size());
  vtkSmartPointer<vtkDataArray> array;
  Span<std::int64_t> span;
  if (part.isWhole()) {
    array = sharedArray("NearestSite", std::span<const std::int64_t>(sites), result);
    span = spanAfter(sites.data(), size, threads, [](std::int64_t, std::int64_t) {});
  } else {
    auto renumbered = named<Int64Array>("NearestSite", vtkIdType(size));
    auto* out = renumbered->GetPointer(0);
    span = spanAfter(out, size, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n) out[n] = sites[n] < 0 ? -1 : part.toWhole(sites[n]);
    });
    array = renumbered;
  }
  rememberRange(array, double(span.minimum), double(span.maximum));
  return array;
}

} // namespace

DistanceArrays arraysOf(const std::shared_ptr<const distance::Result>& result, const Part& part,
                        int threads) {
  DistanceArrays out;
  if (!result->preciseDistance.empty())
    addDistance(result->preciseDistance, result, threads, out);
  else
    addDistance(result->distance, result, threads, out);
  if (!result->squaredDistance.empty())
    out.squaredDistance = arrayOf("SquaredDistance", result->squaredDistance, result, threads,
                                  [](std::int64_t, std::int64_t) {});
  if (!result->nearestSite.empty()) out.nearestSite = siteArray(result, part, threads);
  return out;
}

vtkSmartPointer<vtkDataArray> nearestLabels(vtkDataArray* array, std::span<const std::uint8_t> isSite,
                                            const distance::Result& result, const Part& part,
                                            const ForeignValues* foreign, int threads) {
  const Values<std::int64_t>& nearest = result.nearestSite;
  const auto size = std::int64_t(nearest.size());
  vtkSmartPointer<vtkDataArray> labels;
  labels.TakeReference(array->NewInstance());
  labels->SetName("NearestLabel");
  allocate(labels, size);
  const auto copy = [&](auto* from, auto* to, auto* beyond, int parts) {
    const auto in = vtk::DataArrayValueRange<1>(from);
    const auto others = vtk::DataArrayValueRange<1>(beyond);
    auto out = vtk::DataArrayValueRange<1>(to);
    using T = typename decltype(in)::ValueType;
    const auto valueAt = [&](std::int64_t site) {
      if (!foreign) return T(in[site]);
      if (part.has(site)) return T(in[part.fromWhole(site)]);
      return T(others[std::lower_bound(foreign->sites.begin(), foreign->sites.end(), site) -
                      foreign->sites.begin()]);
    };
    inParallel(parts, size, [&](int, std::int64_t begin, std::int64_t end) {
      std::int64_t site = -1; // of `value`: neighbours often have the same one
      T value(0);
      for (std::int64_t n = begin; n < end; ++n) {
        if (!isSite[n] && nearest[n] >= 0 && nearest[n] != site) {
          site = nearest[n];
          value = valueAt(site);
        }
        out[n] = nearest[n] < 0 ? T(0) : isSite[n] ? T(in[n]) : value;
      }
    });
  };
  const auto inAllThreads = [&](auto* from, auto* to, auto* beyond) {
    copy(from, to, beyond, partsFor(threads, size));
  };
  vtkDataArray* beyond = foreign ? foreign->values.Get() : array;
  if (!vtkArrayDispatch::Dispatch3SameValueType::Execute(array, labels.Get(), beyond, inAllThreads))
    copy(array, labels.Get(), beyond, 1);
  return labels;
}

void blankUnreachedSamples(vtkDataArray* reached, bool onCells, vtkImageData* out) {
  std::vector<std::uint8_t> marks(reached->GetNumberOfTuples());
  const unsigned char* in = vtkUnsignedCharArray::SafeDownCast(reached)->GetPointer(0);
  std::transform(in, in + marks.size(), marks.begin(), [](unsigned char r) { return std::uint8_t(!r); });
  if (onCells)
    blankCells(marks, out);
  else
    blankPoints(std::move(marks), out);
}

} // namespace isochrone::filters
