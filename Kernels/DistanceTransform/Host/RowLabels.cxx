// The first axis if nearest sites are requested: the nearest site on the left and on the right along each
// row.
#include "DistanceTransform/Host/Arena.h"
#include "DistanceTransform/Host/WriteResults.h"

namespace isochrone::distance::ISOCHRONE_ISA {

namespace {

constexpr std::int32_t noSite = 1 << 30;                       ///< steps if no site exists: rows are shorter
constexpr std::int32_t noLeft = -noSite, noRight = 0x7fffffff; ///< indices at that distance

using L = execution::ISOCHRONE_ISA::Vector<std::int32_t>;

/// Returns in each lane the maximum of the lanes up to it (step 1), or the minimum of the lanes from it on
/// (step -1).
template <int step>
L::Vec running(L::Vec v) {
  const L::Vec fill = L::broadcast(step > 0 ? noLeft : noRight);
  const auto nearer = [](L::Vec a, L::Vec b) { return step > 0 ? L::max(a, b) : L::min(a, b); };
  v = nearer(v, L::shifted<step>(v, fill));
  v = nearer(v, L::shifted<2 * step>(v, fill));
  if constexpr (L::width > 4) v = nearer(v, L::shifted<4 * step>(v, fill));
  if constexpr (L::width > 8) v = nearer(v, L::shifted<8 * step>(v, fill));
  return v;
}

/// Returns the indices of the points x ... of a row where they are of the kind, else `other`.
L::Vec indices(const std::uint8_t* sites, bool ofSites, std::int64_t x, std::int64_t nx, std::int32_t other) {
  typedef std::uint8_t Kinds __attribute__((vector_size(L::width)));
  Kinds kinds = Kinds{} + std::uint8_t(!ofSites);
  __builtin_memcpy(&kinds, sites + x, nx - x < L::width ? std::size_t(nx - x) : std::size_t(L::width));
  const L::Mask isOther = L::equal(__builtin_convertvector(kinds, L::Vec), L::broadcast(0));
  const L::Vec own = L::iota(std::int32_t(x)), others = L::broadcast(other);
  return ofSites ? L::select(isOther, others, own) : L::select(isOther, own, others);
}

/// Computes the steps from each point to the nearest one of a kind, negative to the left; at least `noSite`
/// in either direction if none exists.
/// @param steps  has room for one more vector
void nearest(const std::uint8_t* sites, bool ofSites, std::int64_t nx, std::int32_t* steps) {
  constexpr int last = L::width - 1;
  const std::int64_t whole = (nx + last) / L::width * L::width;
  L::Vec left = L::broadcast(noLeft);
  for (std::int64_t x = 0; x < whole; x += L::width) {
    const L::Vec here = running<1>(indices(sites, ofSites, x, nx, noLeft));
    const L::Vec at = L::max(here, left);
    L::store(steps + x, at);
    left = L::broadcast(at[last]);
  }
  L::Vec right = L::broadcast(noRight);
  for (std::int64_t x = whole - L::width; x >= 0; x -= L::width) {
    const L::Vec here = running<-1>(indices(sites, ofSites, x, nx, noRight));
    right = L::min(here, right);
    const L::Vec at = L::iota(std::int32_t(x)), before = at - L::load(steps + x), behind = right - at;
    L::store(steps + x, L::select(L::greater(before, behind), behind, -before));
    right = L::broadcast(right[0]);
  }
}

} // namespace

template <class T>
std::int64_t rowScratch(std::int64_t nx) {
  Arena arena;
  arena.take<std::int32_t>(2 * (nx + L::width));
  arena.take<T>(nx + chunk);
  return arena.used;
}
template std::int64_t rowScratch<std::int32_t>(std::int64_t);
template std::int64_t rowScratch<double>(std::int64_t);

template <class T>
void labelRow(const std::uint8_t* sites, const Kinds& kinds, const Axis<T>& axis, const Carrier<T>& to,
              bool isLast, const Output& out, std::int64_t firstPoint, std::int64_t firstLabel,
              Scratch memory) {
  const std::int64_t nx = axis.points;
  Arena arena{memory.memory, memory.fresh};
  std::int32_t *steps = arena.take<std::int32_t>(2 * (nx + L::width)),
               *others = kinds.both() ? steps + nx + L::width : steps;
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
      label[x] = square[x] < none<T> && double(square[x]) <= limit ? firstLabel + x + steps[x] : -1;
  }
  if (isLast)
    finish(square, sites, nx, out, firstPoint);
  else
    __builtin_memcpy(to.value + firstPoint, square, sizeof(T) * std::size_t(nx));
}
template void labelRow(const std::uint8_t*, const Kinds&, const Axis<std::int32_t>&,
                       const Carrier<std::int32_t>&, bool, const Output&, std::int64_t, std::int64_t,
                       Scratch);
template void labelRow(const std::uint8_t*, const Kinds&, const Axis<double>&, const Carrier<double>&, bool,
                       const Output&, std::int64_t, std::int64_t, Scratch);

} // namespace isochrone::distance::ISOCHRONE_ISA
