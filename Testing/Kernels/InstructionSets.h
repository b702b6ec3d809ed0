// InstructionSets.h - solves on every instruction set that the hot sources are compiled for.
#pragma once

#include "Execution/IsaDispatch.h"

#include <cstdlib>

namespace isochrone {

#define ISOCHRONE_NAME(isa) #isa,
inline constexpr const char* instructionSets[] = {ISOCHRONE_FOR_EACH_ISA(ISOCHRONE_NAME)};
#undef ISOCHRONE_NAME

/// Calls f(name) with each instruction set in turn. For a set that this processor lacks, solves use the best
/// one that it has.
template <class F>
void onEachInstructionSet(F&& f) {
  for (const char* isa : instructionSets) {
    setenv("ISOCHRONE_HOST_ISA", isa, 1);
    f(isa);
    unsetenv("ISOCHRONE_HOST_ISA");
  }
}

} // namespace isochrone
