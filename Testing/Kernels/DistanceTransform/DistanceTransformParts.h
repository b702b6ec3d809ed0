// DistanceTransformParts.h - images divided among processes, which are threads here.
#pragma once

#include "DistanceTransformCases.h"

#include <atomic>
#include <barrier>
#include <exception>
#include <memory>
#include <thread>

namespace isochrone::distance {

/// Boxes of the processes, as in Sharing.
struct Division {
  std::string name;
  std::vector<Box> owned, solved;
};

inline Box wholeBox(const Grid& g) { return {{0, 0, 0}, g.sizes()}; }

/// Divides each axis into equal parts, up to rounding.
inline std::vector<Box> blocks(const Grid& g, const GridIndex& counts) {
  std::vector<Box> boxes;
  for (std::int64_t k = 0; k < counts[2]; ++k)
    for (std::int64_t j = 0; j < counts[1]; ++j)
      for (std::int64_t i = 0; i < counts[0]; ++i) {
        const GridIndex at{i, j, k};
        Box box;
        for (int a = 0; a < 3; ++a)
          box.begin[a] = g.sizes()[a] * at[a] / counts[a],
          box.end[a] = g.sizes()[a] * (at[a] + 1) / counts[a];
        boxes.push_back(box);
      }
  return boxes;
}

/// Halves boxes at random places, so that faces of neighbours do not match (T-junctions).
inline std::vector<Box> halves(const Grid& g, int count, std::uint64_t seed) {
  std::vector<Box> boxes{wholeBox(g)};
  while (int(boxes.size()) < count) {
    const auto largest =
        std::ranges::max_element(boxes, {}, [](const Box& b) { return b.points(); }) - boxes.begin();
    Box below = boxes[largest], above = below;
    const int axis = int(noise(++seed) * 3);
    const std::int64_t length = below.end[axis] - below.begin[axis];
    const std::int64_t cut =
        below.begin[axis] + std::int64_t(noise(++seed) * double(length + 1)); // may be empty
    below.end[axis] = above.begin[axis] = cut;
    boxes[largest] = below;
    boxes.push_back(above);
  }
  return boxes;
}

/// Adds layers of points to each box: on the upper sides, as VTK's pieces have one, or on all sides.
inline std::vector<Box> extended(const std::vector<Box>& boxes, const Grid& g, int below, int above) {
  std::vector<Box> out = boxes;
  for (Box& box : out)
    if (!box.empty())
      for (int a = 0; a < 3; ++a) {
        box.begin[a] = std::max<std::int64_t>(0, box.begin[a] - below);
        box.end[a] = std::min(g.sizes()[a], box.end[a] + above);
      }
  return out;
}

/// Runs a function on each process with callbacks for Sharing. What fails on one stops all.
class Processes {
public:
  explicit Processes(int count) : values(count), lists(count), messages(count), all(count) {}

  Sharing sharing(const Division& division, int process) {
    Sharing s{process, division.owned, division.solved, {}, {}, {}};
    s.sum = [this, process](double value) { return sum(process, value); };
    s.exchange = [this, process](std::span<const int> partners, std::span<const std::vector<char>> sent) {
      return exchange(process, partners, sent);
    };
    s.minimum = [this, process](std::span<double> numbers) { minimum(process, numbers); };
    return s;
  }

  /// Calls solve(process), which returns whether it was completed, in a thread each. Rethrows the first
  /// error.
  template <class Solve>
  void run(const Solve& solve) {
    std::vector<std::exception_ptr> errors(values.size());
    {
      std::vector<std::jthread> threads;
      for (int p = 0; p < int(values.size()); ++p)
        threads.emplace_back([&, p] {
          bool well = false;
          try {
            well = solve(p);
          } catch (...) {
            errors[p] = std::current_exception();
          }
          sum(p, well ? 0 : std::nan("")); // the end, for all
        });
    }
    for (const std::exception_ptr& error : errors)
      if (error) std::rethrow_exception(error);
  }

private:
  double sum(int process, double value) {
    if (stopped) return std::nan("");
    values[process] = value;
    all.arrive_and_wait();
    double total = 0;
    for (const double v : values) total += v;
    all.arrive_and_wait();
    if (std::isnan(total)) stopped = true;
    return total;
  }

  std::vector<std::vector<char>> exchange(int process, std::span<const int> partners,
                                          std::span<const std::vector<char>> sent) {
    messages[process].assign(values.size(), {});
    for (std::size_t i = 0; i < partners.size(); ++i) messages[process][partners[i]] = sent[i];
    all.arrive_and_wait();
    std::vector<std::vector<char>> received;
    for (const int partner : partners) received.push_back(messages[partner][process]);
    all.arrive_and_wait();
    return received;
  }

  void minimum(int process, std::span<double> numbers) {
    lists[process].assign(numbers.begin(), numbers.end());
    all.arrive_and_wait();
    for (const std::vector<double>& list : lists)
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::min(numbers[i], list[i]);
    all.arrive_and_wait();
  }

  std::vector<double> values;
  std::vector<std::vector<double>> lists;
  std::vector<std::vector<std::vector<char>>> messages; ///< by sender and receiver
  std::barrier<> all;
  std::atomic<bool> stopped = false;
};

/// The sites of a box.
inline std::vector<std::uint8_t> sitesIn(const Case& c, const Box& box) {
  std::vector<std::uint8_t> sites;
  if (box.empty()) return sites;
  for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k)
    for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j)
      for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i)
        sites.push_back(c.sites[c.problem.grid.index(i, j, k)]);
  return sites;
}

/// Returns the result of each process.
inline std::vector<Result> solveInParts(const Case& c, const Options& options, const Division& division,
                                        const Monitor& monitor = {}) {
  std::vector<Result> results(division.owned.size());
  Processes processes(int(results.size()));
  processes.run([&](int p) {
    const std::vector<std::uint8_t> sites = sitesIn(c, division.solved[p]);
    const Problem part{c.problem.grid, sites, processes.sharing(division, p)};
    results[p] = solveDistanceTransform(part, options, p + 1 == int(results.size()) ? monitor : Monitor{});
    return !results[p].aborted;
  });
  return results;
}

} // namespace isochrone::distance
