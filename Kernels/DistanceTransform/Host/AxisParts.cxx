#include "DistanceTransform/Host/AxisParts.h"

#include <algorithm>

namespace isochrone::distance {

AxisParts::AxisParts(int a, int self, const std::vector<Box>& own, const std::vector<Box>& all)
    : axis(a), u(a == 0 ? 1 : 0), v(a == 2 ? 1 : 2), process(self), owned(own), solved(all) {
  std::int64_t end = 0;
  for (const Box& box : owned) end = std::max(end, box.empty() ? 0 : box.end[axis]);
  for (const Box& box : owned)
    isDivided = isDivided || (!box.empty() && (box.begin[axis] > 0 || box.end[axis] < end));
}

LineRange AxisParts::linesIn(const Box& a, const Box& b) const {
  if (a.empty() || b.empty()) return {};
  return {std::max(a.begin[u], b.begin[u]), std::min(a.end[u], b.end[u]), std::max(a.begin[v], b.begin[v]),
          std::min(a.end[v], b.end[v])};
}

template <class Accept>
std::vector<Link> AxisParts::links(const Box& box, const std::vector<Box>& others,
                                   const Accept& accept) const {
  std::vector<Link> found;
  for (int p = 0; p < int(others.size()); ++p) {
    const LineRange lines = linesIn(box, others[p]);
    if (!lines.empty() && accept(p)) found.push_back({p, lines, others[p].begin[axis], others[p].end[axis]});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Link& a, const Link& b) { return a.begin < b.begin; });
  return found;
}

namespace {

/// Returns whether a piece of a line has points beyond another one.
bool exceeds(const Box& piece, const Box& other, int axis) {
  return piece.begin[axis] < other.begin[axis] || piece.end[axis] > other.end[axis];
}

} // namespace

std::vector<Link> AxisParts::targets() const {
  return links(owned[process], solved,
               [&](int p) { return p != process && exceeds(owned[process], solved[p], axis); });
}
std::vector<Link> AxisParts::sources() const {
  return links(solved[process], owned,
               [&](int p) { return p != process && exceeds(owned[p], solved[process], axis); });
}

std::vector<Link> AxisParts::coOwners() const {
  return links(owned[process], owned, [&](int p) { return p != process; });
}
std::vector<Link> AxisParts::relayTargets() const {
  return links(owned[process], solved, [](int) { return true; });
}
std::vector<Link> AxisParts::relaySources() const {
  return links(solved[process], owned, [](int) { return true; });
}

LineMergers::LineMergers(const LineRange& lines, const std::vector<Link>& owners) : range(lines) {
  for (std::int64_t v = lines.v0; v < lines.v1; ++v)
    for (std::int64_t u = lines.u0; u < lines.u1; ++u) {
      const auto isOwner = [&](const Link& link) { return link.lines.contains(u, v); };
      std::int64_t left = (u + v) % std::count_if(owners.begin(), owners.end(), isOwner);
      const auto merger = std::find_if(owners.begin(), owners.end(),
                                       [&](const Link& link) { return isOwner(link) && left-- == 0; });
      process.push_back(merger->process);
    }
}

std::vector<int> partnersOf(const std::vector<Link>& a, const std::vector<Link>& b, int self) {
  std::vector<int> all;
  for (const std::vector<Link>* links : {&a, &b})
    for (const Link& link : *links)
      if (link.process != self) all.push_back(link.process);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

} // namespace isochrone::distance
