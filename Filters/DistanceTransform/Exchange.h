// Exchange.h - the communication of ranks that solve one distance transform together.
#pragma once

#include "DistanceTransform/DistanceTransform.h"

namespace isochrone::filters {

class Ranks;

/// Communication during one collective step of the solver. A rank that fails sends NaN in place of its next
/// sum, so no rank blocks.
class DistanceExchange {
public:
  explicit DistanceExchange(const Ranks& all) : ranks(all) {}

  /// Sets the callbacks; they are valid while this object lives.
  void connect(distance::Sharing& sharing);
  /// Runs `step` and ends the exchange. Returns whether all ranks have completed it. Rethrows what it throws,
  /// after the others know. Collective.
  template <class Step>
  bool run(const Step& step) {
    bool well = false;
    try {
      well = step();
    } catch (...) {
      finish(false);
      throw;
    }
    return finish(well);
  }

private:
  double sum(double value);
  bool finish(bool well);

  const Ranks& ranks;
  bool stopped = false;
};

} // namespace isochrone::filters
