// The first axis where the nearest sites are asked for: along each row, the nearest site on the left and on
// the right.
#include "DistanceTransform/Arena.h"
#include "DistanceTransform/Finish.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

constexpr std::int64_t noSite = std::int64_t(1) << 40; ///< farther than any

/// Index along the row of the nearest point of a kind, `noSite` or below -noSite / 2 where there is none.
void nearest(const std::uint8_t* sites, bool ofSites, std::int64_t nx, std::int64_t* at) {
  std::int64_t left = -noSite;
  for (std::int64_t x = 0; x < nx; ++x) {
    if ((sites[x] != 0) == ofSites) left = x;
    at[x] = left;
  }
  std::int64_t right = noSite;
  for (std::int64_t x = nx; x-- > 0;) {
    if ((sites[x] != 0) == ofSites) right = x;
    at[x] = x - at[x] <= right - x ? at[x] : right;
  }
}

} // namespace

template <class T>
std::int64_t rowScratch(std::int64_t nx) {
  Arena arena;
  arena.take<std::int64_t>(2 * nx);
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
  std::int64_t* at = arena.take<std::int64_t>(2 * nx);
  std::int64_t* atOther = kinds.both() ? at + nx : at;
  T* square = arena.take<T>(nx + chunk);
  if (kinds.sites) nearest(sites, true, nx, at);
  if (kinds.others) nearest(sites, false, nx, atOther);
  if (kinds.both())
    for (std::int64_t x = 0; x < nx; ++x) at[x] = sites[x] ? atOther[x] : at[x];
  for (std::int64_t x = 0; x < nx; ++x) {
    const std::int64_t steps = x < at[x] ? at[x] - x : x - at[x];
    const bool found = steps < noSite / 2;
    const T d = T(steps);
    square[x] = !found ? none<T> : sizeof(T) == 4 ? d * d : d * d * axis.weight;
    if (to.label)
      to.label[firstPoint + x] =
          found && !(isLast && double(square[x]) > out.limit) ? firstPoint + at[x] : -1;
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
