// The first axis where the nearest sites are asked for: along each row, the nearest site on the left and on
// the right.
#include "DistanceTransform/Arena.h"
#include "DistanceTransform/Finish.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

constexpr std::int32_t noSite = 1 << 30; ///< farther than any: rows are shorter

/// Steps from each point to the nearest one of a kind: negative to the left, `noSite` or more either way
/// where there is none.
void nearest(const std::uint8_t* sites, bool ofSites, std::int64_t nx, std::int32_t* steps) {
  // All bits set unless x is of the kind: a jump would be guessed wrong at every other point.
  const auto goesOn = [&](std::int64_t x) { return -std::int32_t((sites[x] != 0) != ofSites); };
  std::int32_t left = noSite; // steps to it
  for (std::int64_t x = 0; x < nx; ++x) {
    left = (left + (left < noSite)) & goesOn(x);
    steps[x] = left;
  }
  std::int32_t right = noSite;
  for (std::int64_t x = nx; x-- > 0;) {
    right = (right + (right < noSite)) & goesOn(x);
    steps[x] = steps[x] <= right ? -steps[x] : right;
  }
}

} // namespace

template <class T>
std::int64_t rowScratch(std::int64_t nx) {
  Arena arena;
  arena.take<std::int32_t>(2 * nx);
  arena.take<T>(nx + chunk);
  return arena.used;
}
template std::int64_t rowScratch<std::int32_t>(std::int64_t);
template std::int64_t rowScratch<double>(std::int64_t);

template <class T>
void labelRow(const std::uint8_t* sites, const Kinds& kinds, const Axis<T>& axis, const Carrier<T>& to,
              bool isLast, const Output& out, std::int64_t firstPoint, Scratch memory) {
  const std::int64_t nx = axis.points;
  Arena arena{memory.memory, memory.fresh};
  std::int32_t *steps = arena.take<std::int32_t>(2 * nx), *others = kinds.both() ? steps + nx : steps;
  T* square = arena.take<T>(nx + chunk);
  if (kinds.sites) nearest(sites, true, nx, steps);
  if (kinds.others) nearest(sites, false, nx, others);
  if (kinds.both())
    for (std::int64_t x = 0; x < nx; ++x) steps[x] = sites[x] ? others[x] : steps[x];
  const T weight = axis.weight;
  for (std::int64_t x = 0; x < nx; ++x) {
    const bool found = steps[x] > -noSite && steps[x] < noSite;
    const T d = T(found ? steps[x] : 0), value = sizeof(T) == 4 ? d * d : d * d * weight;
    square[x] = found ? value : none<T>;
  }
  if (std::int64_t* label = to.label ? to.label + firstPoint : nullptr) {
    const double limit = isLast ? out.limit : double(none<T>);
    for (std::int64_t x = 0; x < nx; ++x)
      label[x] = square[x] < none<T> && double(square[x]) <= limit ? firstPoint + x + steps[x] : -1;
  }
  if (isLast)
    finish(square, sites, nx, out, firstPoint);
  else
    __builtin_memcpy(to.value + firstPoint, square, sizeof(T) * std::size_t(nx));
}
template void labelRow(const std::uint8_t*, const Kinds&, const Axis<std::int32_t>&,
                       const Carrier<std::int32_t>&, bool, const Output&, std::int64_t, Scratch);
template void labelRow(const std::uint8_t*, const Kinds&, const Axis<double>&, const Carrier<double>&, bool,
                       const Output&, std::int64_t, Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
