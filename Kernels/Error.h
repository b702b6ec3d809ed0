// Error.h - the one exception type of the kernels.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace isochrone {

/// States the fault, the value, the place and the remedy in one sentence that a user can act on: "cost must
/// be positive, got -1 at point (3, 4): mask it or use walls".
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// @throws Error with the concatenated parts as its text
template <class... Parts>
[[noreturn]] void fail(Parts&&... parts) {
  std::ostringstream text;
  text.precision(9);
  (text << ... << parts);
  throw Error(text.str());
}

/// Returns a number with six significant digits.
inline std::string text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

} // namespace isochrone
