// TypedHandlers.h - selects the instance of a handler template by the name of a PTX type.
#pragma once

#include "Handlers.h"

#include <string>

namespace on_host {

/// Returns f(T{}) for the C++ type of an integer type; null for other types.
template <class F>
Handler forIntegers(const std::string& type, F f) {
  if (type == "u16" || type == "b16") return f(u16{});
  if (type == "s16") return f(s16{});
  if (type == "u32" || type == "b32") return f(u32{});
  if (type == "s32") return f(s32{});
  if (type == "u64" || type == "b64") return f(u64{});
  if (type == "s64") return f(s64{});
  return nullptr;
}
template <class F>
Handler forFloats(const std::string& type, F f) {
  if (type == "f32") return f(float{});
  if (type == "f64") return f(double{});
  return nullptr;
}
template <class F>
Handler forAll(const std::string& type, F f) {
  const Handler h = forIntegers(type, f);
  return h ? h : forFloats(type, f);
}

} // namespace on_host
