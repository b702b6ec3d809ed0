// Bytes.h - the memory of vectors.
#pragma once

#include <cstddef>

namespace isochrone {

/// Returns the memory that vectors hold, bytes.
template <class... Vectors>
std::size_t bytesOf(const Vectors&... vectors) {
  return (std::size_t(0) + ... + (vectors.capacity() * sizeof(typename Vectors::value_type)));
}

} // namespace isochrone
