// WindowChoice.h - when to try a window: lines beside each other fare alike.
#pragma once

#ifndef ISOCHRONE_ISA
#error "include WindowChoice.h only from sources built by isochrone_add_isa_sources"
#endif

namespace isochrone::distance::ISOCHRONE_ISA {

/// Counts failures, not time. No answer depends on it.
struct WindowChoice {
  int skip = 0, failures = 0; ///< lines to go without a window, and failures in a row

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
