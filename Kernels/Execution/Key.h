// Key.h - a time as an integer of the same order, which atomic operations can lower (Execution/Team.h,
// fetchMin). Keys order the work; results do not depend on them.
#pragma once

#include "Execution/Team.h"

#include <limits>

namespace isochrone::execution {

using Key = int;
inline constexpr Key firstKey = std::numeric_limits<Key>::min(); ///< before -infinity
inline constexpr Key noKey = std::numeric_limits<Key>::max();    ///< after +infinity

/// Maps the bits of a float to a key and back. The bits of negative floats have the reverse order.
TEAM_FN Key orderedBits(int bits) { return bits ^ (bits >> 31 & 0x7fffffff); }

TEAM_FN Key keyOf(float time) { return orderedBits(__builtin_bit_cast(int, time)); }
TEAM_FN float timeOf(Key key) { return __builtin_bit_cast(float, orderedBits(key)); }

/// Returns the last key of a band that begins at a key.
TEAM_FN Key endOfBand(Key begin, float width) { return keyOf(timeOf(begin) + width); }

} // namespace isochrone::execution
