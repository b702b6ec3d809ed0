// PartsInProcess.h - an image divided into parts that are solved by threads of this process.
#pragma once

#include "Grid/GridPart.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace isochrone::grid {

using Boxes = std::vector<Box>;

/// Returns the boxes of a product of divisions of the axes.
inline Boxes boxesOf(const GridIndex& size, const std::array<int, 3>& parts) {
  Boxes boxes;
  std::array<int, 3> at;
  for (at[2] = 0; at[2] < parts[2]; ++at[2])
    for (at[1] = 0; at[1] < parts[1]; ++at[1])
      for (at[0] = 0; at[0] < parts[0]; ++at[0]) {
        Box& box = boxes.emplace_back();
        for (int a = 0; a < 3; ++a)
          box.low[a] = size[a] * at[a] / parts[a], box.high[a] = size[a] * (at[a] + 1) / parts[a];
      }
  return boxes;
}

/// Returns parts that meet at T-junctions, as VTK divides among 3 or 7 ranks.
inline Boxes junctions(const GridIndex& n) {
  return {{{0, 0, 0}, {n[0] / 3, n[1], n[2]}},
          {{n[0] / 3, 0, 0}, {n[0], n[1] / 2, n[2]}},
          {{n[0] / 3, n[1] / 2, 0}, {n[0], n[1], n[2]}}};
}

/// A division of an image, by name.
struct Division {
  std::string name;
  Boxes boxes;
};

/// Returns divisions of an image. Those of small images have parts that are narrower than a stencil, and
/// those of a plane have parts without points.
inline std::vector<Division> divisionsOf(const GridIndex& n) {
  return {{"Alone", boxesOf(n, {1, 1, 1})},    {"Halves", boxesOf(n, {2, 1, 1})},
          {"Quarters", boxesOf(n, {1, 2, 2})}, {"Columns", boxesOf(n, {5, 3, 1})},
          {"Cubes", boxesOf(n, {2, 3, 3})},    {"Junctions", junctions(n)}};
}

/// Exchanges between threads, one per part.
class PartsInProcess {
public:
  PartsInProcess(Boxes ownBoxes, const GridIndex& size, std::int64_t margin)
      : own(std::move(ownBoxes)), meeting(std::ptrdiff_t(own.size())) {
    for (int p = 0; p < count(); ++p) {
      GridPart& part = parts.emplace_back(partOf(p, own, size, margin));
      part.exchange = [this, p](std::span<double> minima, const std::vector<Message>& messages) {
        return exchange(p, minima, messages);
      };
    }
    said.resize(own.size());
  }

  int count() const { return int(own.size()); }
  const GridPart& part(int p) const { return parts[std::size_t(p)]; }

  /// Runs work(p) for each part on a thread of its own. Rethrows an exception after all threads have ended;
  /// work of the other parts ends with OtherPartStopped.
  template <class Work>
  void run(Work&& work) {
    std::vector<std::exception_ptr> failures(own.size());
    {
      std::vector<std::jthread> threads;
      for (int p = 0; p < count(); ++p)
        threads.emplace_back([&, p] {
          try {
            work(p);
          } catch (...) {
            failures[std::size_t(p)] = std::current_exception();
          }
          stopped = true; // a part that has ended cannot take part in a further exchange
          meeting.arrive_and_drop();
        });
    }
    for (const std::exception_ptr& failure : failures) {
      if (!failure) continue;
      try {
        std::rethrow_exception(failure);
      } catch (const OtherPartStopped&) { // another one failed
      }
    }
  }

private:
  struct Saying {
    std::vector<double> minima;
    std::vector<Message> messages;
  };

  std::vector<Message> exchange(int p, std::span<double> minima, const std::vector<Message>& messages) {
    said[std::size_t(p)] = {{minima.begin(), minima.end()}, messages};
    meeting.arrive_and_wait();
    if (stopped) throw OtherPartStopped();
    for (const Saying& other : said)
      for (std::size_t n = 0; n < minima.size(); ++n) minima[n] = std::min(minima[n], other.minima.at(n));
    std::vector<Message> heard;
    if (!messages.empty())
      for (const PartLink& link : part(p).links) {
        const auto& links = part(link.process).links;
        const auto back = std::ranges::find(links, p, &PartLink::process) - links.begin();
        heard.push_back(said[std::size_t(link.process)].messages.at(std::size_t(back)));
      }
    meeting.arrive_and_wait(); // before the next saying
    return heard;
  }

  Boxes own;
  std::vector<GridPart> parts;
  std::vector<Saying> said;
  std::barrier<> meeting;
  std::atomic<bool> stopped = false;
};

} // namespace isochrone::grid
