#include "DistanceTransform/Exchange.h"

#include "Common/Ranks.h"

#include <cmath>
#include <limits>

namespace isochrone::filters {

namespace {

constexpr double stop = std::numeric_limits<double>::quiet_NaN();

} // namespace

void DistanceExchange::connect(distance::Sharing& sharing) {
  sharing.sum = [this](double value) { return sum(value); };
  sharing.minimum = [this](std::span<double> values) { ranks.allMin(values); };
  sharing.exchange = [this](std::span<const int> partners, std::span<const std::vector<char>> messages) {
    return ranks.exchange(partners, messages);
  };
}

double DistanceExchange::sum(double value) {
  if (stopped) return stop;
  const double total = ranks.sum(value); // NaN if any value is
  stopped = std::isnan(total);
  return total;
}

bool DistanceExchange::finish(bool well) { return !std::isnan(sum(well ? 0 : stop)); }

} // namespace isochrone::filters
