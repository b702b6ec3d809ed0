// TrailRelay.h - hands the traces of paths from part to part of a divided image.
#pragma once

#include "Grid/GridPart.h"
#include "Paths/Path.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace isochrone {

/// Each process traces the trails in its part. A trail that enters another part goes to its process, and back
/// by the same way once it has ended.
/// @tparam Trail  has a member `way`, a std::vector<int> of the processes that it came through, the first of
///                them first
template <class Trail>
class TrailRelay {
public:
  /// Follows the trails that start in this part to their ends. Returns false if the monitor requested a stop.
  /// Collective.
  /// @param trails  replaced by the same trails, ended, in any order
  /// @param trace  continues trails within this part; false: the monitor requested a stop
  bool follow(std::vector<Trail>& trails, const std::function<bool(std::vector<Trail>&)>& trace) const;

protected:
  using Numbers = std::vector<double>;

  explicit TrailRelay(const grid::GridPart& gridPart) : part(gridPart) {}
  ~TrailRelay() = default;

  virtual bool hasEnded(const Trail& trail) const = 0;
  /// Returns the point in the margin, in the indices of this grid, at which a trail goes on.
  virtual GridIndex next(const Trail& trail) const = 0;
  /// Appends a trail, without its way, to a message. Positions are relative to the whole image.
  virtual void put(const Trail& trail, Numbers& message) const = 0;
  /// Returns the trail that put() wrote, and moves the iterator behind it.
  virtual Trail taken(Numbers::const_iterator& at) const = 0;
  /// Moves a trail by a number of points, from the copy of a periodic image that it came from.
  virtual void move(Trail&, const GridIndex& /*by*/) const {}

private:
  std::size_t linkTo(const Trail& trail) const;
  std::vector<Trail> taken(const grid::Message& message, const grid::PartLink& from) const;

  const grid::GridPart& part;
};

/// Gives each path the status that the process of its tip found; other processes say TipOutside. Collective.
/// @tparam Traced  a path or another type with a member `status`
template <class Traced>
void agreeOnStatus(const grid::GridPart& part, std::span<Traced> paths) {
  // Of several statuses, the first one holds.
  constexpr std::array order{PathStatus::Complete,          PathStatus::TurnsTooTightly,
                             PathStatus::ExceedsTravelTime, PathStatus::Unreachable,
                             PathStatus::TipInWall,         PathStatus::TipOutside};
  std::vector<double> first;
  for (const Traced& path : paths)
    first.push_back(double(std::ranges::find(order, path.status) - order.begin()));
  part.allMin(first);
  for (std::size_t p = 0; p < paths.size(); ++p) paths[p].status = order[std::size_t(first[p])];
}

template <class Trail>
bool TrailRelay<Trail>::follow(std::vector<Trail>& trails,
                               const std::function<bool(std::vector<Trail>&)>& trace) const {
  std::vector<Trail> open = std::exchange(trails, {}), ended;
  for (;;) {
    // 1. Trace, and send each trail onward or back.
    if (!trace(open)) return false;
    std::vector<Numbers> numbers(part.links.size());
    double minusSent = 0;
    for (std::vector<Trail>* some : {&open, &ended})
      for (Trail& trail : *some) {
        if (hasEnded(trail) && trail.way.empty()) {
          trails.push_back(std::move(trail));
          continue;
        }
        const std::size_t link = linkTo(trail);
        if (hasEnded(trail)) trail.way.pop_back();
        Numbers& message = numbers.at(link);
        message.push_back(double(trail.way.size()));
        message.insert(message.end(), trail.way.begin(), trail.way.end());
        put(trail, message);
        --minusSent;
      }

    // 2. Receive, until no trail is on its way.
    std::vector<grid::Message> messages;
    for (const Numbers& some : numbers) {
      grid::Message& message = messages.emplace_back(some.size() * sizeof(double));
      if (!some.empty()) std::memcpy(message.data(), some.data(), message.size());
    }
    const std::vector<grid::Message> heard = part.exchange({&minusSent, 1}, messages);
    if (minusSent == 0) return true;
    open.clear(), ended.clear();
    for (std::size_t l = 0; l < heard.size(); ++l)
      for (Trail& trail : taken(heard[l], part.links[l]))
        (hasEnded(trail) ? ended : open).push_back(std::move(trail));
  }
}

/// Returns the link to the process that has the next point of a trail or, if it has ended, to the one it came
/// from.
template <class Trail>
std::size_t TrailRelay<Trail>::linkTo(const Trail& trail) const {
  const auto isWanted = [&](const grid::PartLink& link) {
    return hasEnded(trail) ? link.process == trail.way.back() : link.heard.contains(next(trail));
  };
  return std::size_t(std::ranges::find_if(part.links, isWanted) - part.links.begin());
}

/// Returns the trails of a message. Those that have not ended came from the process of the link.
template <class Trail>
std::vector<Trail> TrailRelay<Trail>::taken(const grid::Message& message, const grid::PartLink& from) const {
  Numbers numbers(message.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), message.data(), message.size());
  std::vector<Trail> trails;
  for (auto at = numbers.cbegin(); at != numbers.cend();) {
    std::vector<int> way;
    for (auto left = std::int64_t(*at++); left > 0; --left) way.push_back(int(*at++));
    Trail& trail = trails.emplace_back(taken(at));
    trail.way = std::move(way);
    if (part.periodic) move(trail, from.shift);
    if (!hasEnded(trail)) trail.way.push_back(from.process);
  }
  return trails;
}

} // namespace isochrone
