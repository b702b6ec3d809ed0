// Numbering.h - numbers for distinct values.
#pragma once

#include <map>
#include <vector>

namespace isochrone::image {

/// Numbers distinct values by their first use.
template <class Value>
struct Numbering {
  std::vector<Value> values;

  std::size_t numberOf(const Value& value) {
    const auto [at, isNew] = numbers.try_emplace(value, values.size());
    if (isNew) values.push_back(value);
    return at->second;
  }

private:
  std::map<Value, std::size_t> numbers;
};

} // namespace isochrone::image
