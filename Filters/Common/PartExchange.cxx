#include "Common/PartExchange.h"

#include <algorithm>
#include <array>

namespace isochrone::filters {

PartExchange::~PartExchange() {
  if (!ended) agree(Step::Stop, {});
}

void PartExchange::connect(grid::GridPart& part) {
  std::vector<int> partners;
  for (const grid::PartLink& link : part.links) partners.push_back(link.process);
  part.exchange = [this, partners](std::span<double> minima, const std::vector<grid::Message>& messages) {
    allMin(minima);
    if (messages.empty()) return std::vector<grid::Message>();
    return ranks.exchange(partners, messages);
  };
}

void PartExchange::allMin(std::span<double> values) {
  if (!agree(Step::Exchange, values)) throw grid::OtherPartStopped();
}

bool PartExchange::any(bool condition) {
  double none = condition ? 0 : 1;
  allMin({&none, 1});
  return none == 0;
}

double PartExchange::max(double local) {
  double minus = -local;
  allMin({&minus, 1});
  return -minus;
}

double PartExchange::sum(double local) {
  allMin({}); // throws if another rank has failed
  return ranks.sum(local);
}

bool PartExchange::finish(bool well) { return agree(well ? Step::Finish : Step::Stop, {}); }

/// Takes the minima of all ranks if all of them are at the same step, and returns whether they are. All ranks
/// send the same number of values even so: the first reduction has room for the minima of a round.
bool PartExchange::agree(Step step, std::span<double> minima) {
  if (ended) return false;
  std::array<double, 6> first{double(step), -double(step)};
  const std::size_t room = std::min(first.size() - 2, minima.size());
  std::copy_n(minima.begin(), room, first.begin() + 2);
  ranks.allMin(first);
  ended = first[0] != -first[1] || step == Step::Stop || step == Step::Finish;
  if (first[0] != -first[1] || step == Step::Stop) return false;
  std::copy_n(first.begin() + 2, room, minima.begin());
  ranks.allMin(minima.subspan(room));
  return true;
}

bool runTogether(const Ranks& ranks, bool inParts, const std::function<bool(PartExchange&)>& work) {
  bool done = false;
  ranks.rethrowOnAll([&] {
    PartExchange exchange(inParts ? ranks : Ranks::alone());
    try {
      done = work(exchange);
    } catch (const grid::OtherPartStopped&) { // that rank says why
    }
    done = exchange.finish(done);
  });
  return !ranks.any(!done);
}

} // namespace isochrone::filters
