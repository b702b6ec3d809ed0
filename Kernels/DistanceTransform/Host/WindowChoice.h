// WindowChoice.h - decides when to try a window: adjacent lines behave alike.
#pragma once

#ifndef ISOCHRONE_ISA
#error "include WindowChoice.h only from sources built by isochrone_add_isa_sources"
#endif

namespace isochrone::distance::ISOCHRONE_ISA {

/// Depends on the number of failures, not on time. Does not change the result.
struct WindowChoice {
  int skip = 0, failures = 0; ///< lines still to solve without a window, and consecutive failures

  bool take() {
    if (skip == 0) return true;
    --skip;
    return false;
  }
  void fared(bool well) {
    failures = well ? 0 : failures + 1;
    skip = well ? 0 : 1 << (failures < 6 ? failures : 6);
  }
};

} // namespace isochrone::distance::ISOCHRONE_ISA
