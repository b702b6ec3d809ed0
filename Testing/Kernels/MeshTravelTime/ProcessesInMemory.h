// ProcessesInMemory.h - processes of a distributed mesh in one program: threads that exchange messages.
#pragma once

#include "MeshTravelTime/MeshTravelTime.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace isochrone::mesh {

class ProcessesInMemory {
public:
  explicit ProcessesInMemory(int count) : sent(std::size_t(count)) {}

  int count() const { return int(sent.size()); }
  /// Calls f(process) for every process, each in its own thread.
  void run(const std::function<void(const Processes&)>& f) {
    std::vector<std::thread> threads;
    for (int p = 0; p < count(); ++p) threads.emplace_back([&, p] { f(process(p)); });
    for (std::thread& t : threads) t.join();
  }
  /// Returns the bytes that a process has sent to others, without reductions. As in Filters/Common/Ranks, its
  /// size precedes each message.
  std::int64_t bytesSent(int process) const { return sent[std::size_t(process)]; }

private:
  Processes process(int index) {
    return {index, count(),
            [=, this](std::span<const int> partners, std::span<const Processes::Message> messages) {
              return exchange(index, partners, messages);
            },
            [this](std::span<double> values) { allMin(values); }};
  }

  std::vector<Processes::Message> exchange(int index, std::span<const int> partners,
                                           std::span<const Processes::Message> messages) {
    std::unique_lock lock(mutex);
    for (std::size_t i = 0; i < partners.size(); ++i) {
      sent[std::size_t(index)] += std::int64_t(sizeof(std::size_t) + messages[i].size());
      underWay[{index, partners[i]}].push_back(messages[i]);
    }
    changed.notify_all();
    std::vector<Processes::Message> received;
    for (const int partner : partners) {
      auto& queue = underWay[{partner, index}];
      changed.wait(lock, [&] { return !queue.empty(); });
      received.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    return received;
  }

  void allMin(std::span<double> values) {
    std::unique_lock lock(mutex);
    if (arrived == 0) minimum.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i) minimum[i] = std::min(minimum[i], values[i]);
    const int mine = reductions;
    if (++arrived == count()) {
      arrived = 0, ++reductions, result = minimum;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return reductions > mine; });
    std::ranges::copy(result, values.begin()); // the next result needs this process
  }

  std::vector<std::int64_t> sent; ///< bytes, by process
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::deque<Processes::Message>> underWay; ///< from, to
  std::vector<double> minimum, result;
  int arrived = 0, reductions = 0;
};

} // namespace isochrone::mesh
