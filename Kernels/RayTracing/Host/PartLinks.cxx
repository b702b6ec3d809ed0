#include "RayTracing/Host/PartLinks.h"

#include "Bytes.h"
#include "RayTracing/Scheme/WeightFormulas.h"

#include <algorithm>
#include <utility>

namespace isochrone::rays {

namespace {

/// Returns the number of a point of a box, x fastest, and the reverse.
std::uint32_t numberIn(const grid::Box& box, const GridIndex& p) {
  return std::uint32_t(p[0] - box.low[0] +
                       box.size(0) * (p[1] - box.low[1] + box.size(1) * (p[2] - box.low[2])));
}
GridIndex pointOf(const grid::Box& box, std::uint32_t number) {
  const std::int64_t n = number, plane = box.size(0) * box.size(1);
  return {box.low[0] + n % box.size(0), box.low[1] + n % plane / box.size(0), box.low[2] + n / plane};
}

} // namespace

template <class Real>
PartLinks<Real>::PartLinks(const Problem& problem, const TilePlan<Real>& p, TileRun<Real>& r)
    : plan(p), run(r) {
  const std::array<int, 3> order = axisOrder(problem.grid);
  for (const grid::PartLink& other : problem.part.links) {
    Link& link = links.emplace_back();
    link.told = inOrder(other.told, order), link.heard = inOrder(other.heard, order);
    link.last.assign(std::size_t(link.told.points()), unreached<Real>);
    for (int tile = 0; tile < plan.tileCount(); ++tile) {
      const grid::Box points = grid::common(link.told, plan.boxOf(tile));
      if (!points.empty()) link.patches.push_back({tile, points, -1});
    }
  }
}

template <class Real>
grid::Message PartLinks<Real>::tell(std::size_t number, double& minimum) {
  Link& link = links[number];
  std::vector<std::pair<std::uint32_t, Real>> items;
  for (Patch& patch : link.patches) {
    if (patch.visits == run.visits(patch.tile)) continue;
    patch.visits = run.visits(patch.tile);
    grid::forEachPoint(patch.points, [&](const GridIndex& p) {
      const std::uint32_t n = numberIn(link.told, p);
      const Real time = run.time(plan.image.index(p));
      if (!(time < link.last[n])) return;
      link.last[n] = time;
      if (!mayLower(link, p, time)) return;
      items.push_back({n, time});
      minimum = std::min(minimum, double(time));
    });
  }
  std::sort(items.begin(), items.end());
  grid::News<Real> news;
  for (const auto& [point, time] : items) news.point.push_back(point), news.value.push_back(time);
  return grid::packed(news, link.told.points());
}

/// Returns whether an edge from a point may lower a time of the other process. Times there may have been
/// computed here, from this very point and over edges that are lost in rounding.
template <class Real>
bool PartLinks<Real>::mayLower(const Link& link, const GridIndex& p, Real time) const {
  grid::Box reached;
  for (int a = 0; a < 3; ++a)
    reached.low[a] = p[a] - plan.reach[a], reached.high[a] = p[a] + plan.reach[a] + 1;
  const grid::Box there = grid::common(reached, link.heard);
  GridIndex q;
  for (q[2] = there.low[2]; q[2] < there.high[2]; ++q[2])
    for (q[1] = there.low[1]; q[1] < there.high[1]; ++q[1])
      for (q[0] = there.low[0]; q[0] < there.high[0]; ++q[0])
        if (time <= run.time(plan.image.index(q))) return true;
  return false;
}

template <class Real>
void PartLinks<Real>::hear(std::size_t number, std::span<const char> message) {
  const Link& link = links[number];
  const grid::News<Real> news = grid::unpacked<Real>(message, link.heard.points());
  for (std::size_t n = 0; n < news.point.size(); ++n)
    run.lower(plan.image.index(pointOf(link.heard, news.point[n])), news.value[n]);
}

template <class Real>
std::size_t PartLinks<Real>::bytes() const {
  std::size_t sum = 0;
  for (const Link& link : links) sum += bytesOf(link.last, link.patches);
  return sum;
}

template class PartLinks<float>;
template class PartLinks<double>;

} // namespace isochrone::rays
