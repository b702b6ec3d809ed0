// DecodeMemory.cxx - decodes loads, stores and atomics.
#include "Decoder.h"
#include "MemoryHandlers.h"
#include "TypedHandlers.h"

#include <algorithm>
#include <set>

namespace on_host {

namespace {

Space spaceOf(const Words& words) {
  for (const std::string& w : words) {
    if (w == "global" || w == "const") return Space::Global;
    if (w == "shared") return Space::Shared;
    if (w == "local") return Space::Local;
    if (w == "param") return Space::Param;
  }
  return Space::Generic;
}

/// Returns the handler for the types in memory and in the register. `Access` has pick<Element,
/// Register>(count).
template <class Access>
Handler accessOf(const std::string& type, int registerBits, int count) {
  const bool s = isSignedName(type);
  switch (bitsOfName(type) * 1000 + registerBits) {
  case 8016:
    return s ? Access::template pick<s8, s16>(count) : Access::template pick<u8, u16>(count);
  case 8032:
    return s ? Access::template pick<s8, s32>(count) : Access::template pick<u8, u32>(count);
  case 8064:
    return s ? Access::template pick<s8, s64>(count) : Access::template pick<u8, u64>(count);
  case 16016:
    return Access::template pick<u16, u16>(count);
  case 16032:
    return s ? Access::template pick<s16, s32>(count) : Access::template pick<u16, u32>(count);
  case 16064:
    return s ? Access::template pick<s16, s64>(count) : Access::template pick<u16, u64>(count);
  case 32032:
    return Access::template pick<u32, u32>(count);
  case 32064:
    return s ? Access::template pick<s32, s64>(count) : Access::template pick<u32, u64>(count);
  case 64064:
    return Access::template pick<u64, u64>(count);
  }
  return nullptr;
}

template <Space space, class Address, bool write>
struct MemoryAccess {
  template <class Element, class Register, int count>
  static constexpr Handler handler = write ? store<space, Address, Element, Register, count>
                                           : load<space, Address, Element, Register, count>;
  template <class Element, class Register>
  static Handler pick(int count) {
    return count == 1   ? handler<Element, Register, 1>
           : count == 2 ? handler<Element, Register, 2>
           : count == 4 ? handler<Element, Register, 4>
                        : nullptr;
  }
};
struct ParameterAccess {
  template <class Element, class Register>
  static Handler pick(int count) {
    return count == 1   ? loadParameter<Element, Register, 1>
           : count == 2 ? loadParameter<Element, Register, 2>
           : count == 4 ? loadParameter<Element, Register, 4>
                        : nullptr;
  }
};

template <bool write>
Handler accessIn(Space space, const std::string& type, int registerBits, int count) {
  if (space == Space::Global)
    return accessOf<MemoryAccess<Space::Global, u64, write>>(type, registerBits, count);
  if (space == Space::Shared)
    return accessOf<MemoryAccess<Space::Shared, u32, write>>(type, registerBits, count);
  return accessOf<MemoryAccess<Space::Generic, u64, write>>(type, registerBits, count);
}

template <auto op>
Handler atomicOfIntegers(Space space, const std::string& type) {
  return forIntegers(type, [&](auto t) -> Handler {
    using T = decltype(t);
    if constexpr (sizeof(T) == 2) return nullptr;
    return space == Space::Global   ? atomic<Space::Global, u64, T, op>
           : space == Space::Shared ? atomic<Space::Shared, u32, T, op>
                                    : atomic<Space::Generic, u64, T, op>;
  });
}
Handler floatAdd(Space space, const std::string& type) {
  return forFloats(type, [&](auto t) -> Handler {
    using T = decltype(t);
    return space == Space::Global   ? atomic<Space::Global, u64, T, atomicAdd>
           : space == Space::Shared ? atomic<Space::Shared, u32, T, atomicAdd>
                                    : atomic<Space::Generic, u64, T, atomicAdd>;
  });
}

Handler atomicOf(Space space, const std::string& op, const std::string& type) {
  if (isFloatName(type)) return op == "add" ? floatAdd(space, type) : nullptr;
  static const std::map<std::string, Handler (*)(Space, const std::string&)> table = {
      {"add", atomicOfIntegers<atomicAdd>},       {"min", atomicOfIntegers<atomicMin>},
      {"max", atomicOfIntegers<atomicMax>},       {"and", atomicOfIntegers<atomicAnd>},
      {"or", atomicOfIntegers<atomicOr>},         {"xor", atomicOfIntegers<atomicXor>},
      {"exch", atomicOfIntegers<atomicExchange>}, {"cas", atomicOfIntegers<atomicCompareAndSwap>},
      {"inc", atomicOfIntegers<atomicIncrease>},  {"dec", atomicOfIntegers<atomicDecrease>}};
  const auto entry = table.find(op);
  return entry == table.end() ? nullptr : entry->second(space, type);
}

bool isStrong(const std::string& word) {
  return word == "relaxed" || word == "acquire" || word == "release" || word == "volatile";
}

} // namespace

int Decoder::address(const std::string& text, Instruction& i, Space& space) {
  std::string base = text.substr(1, text.size() - 2);
  std::erase(base, ' ');
  if (const auto plus = base.find('+'); plus != std::string::npos) {
    i.imm = parseInteger(base.substr(plus + 1)).value();
    base.resize(plus);
  }
  if (const Range* r = range(base)) {
    i.o[4] = operand(base, r->bits);
    return r->bits;
  }
  i.o[4] = constant(64, 0);
  if (const auto s = symbols.find(base); s != symbols.end()) {
    i.imm += s64(s->second.address);
    if (space == Space::Generic) space = s->second.space;
  } else if (const auto value = parseInteger(base)) {
    i.imm += *value;
  } else {
    unknown("address " + text);
  }
  return 0;
}

void Decoder::noteShared(Space space, int bytes) {
  if (space == Space::Shared || space == Space::Generic) k.sharedGrain = std::min(k.sharedGrain, bytes);
}

/// Converts accesses to generic addresses in spaces without specialised handlers. Only global memory, and
/// shared memory with 32-bit addresses, have such handlers.
Space Decoder::reachable(Space space, int addressBits, Instruction& i) {
  if (space == Space::Shared && addressBits == 0) i.o[4] = constant(32, 0);
  if (space == Space::Global || space == Space::Generic) return space;
  if (space == Space::Shared && addressBits != 64) return space;
  if (addressBits == 32) unknown("an address of 32 bits");
  i.imm += s64(space == Space::Shared ? sharedWindow : space == Space::Local ? localWindow : paramWindow);
  return Space::Generic;
}

void Decoder::decodeAccess(const Statement& s, bool write) {
  static const std::set<std::string> known = {"global",
                                              "const",
                                              "shared",
                                              "local",
                                              "param",
                                              "cta",
                                              "gpu",
                                              "sys",
                                              "weak",
                                              "nc",
                                              "ca",
                                              "cg",
                                              "cs",
                                              "lu",
                                              "cv",
                                              "wb",
                                              "wt",
                                              "v2",
                                              "v4",
                                              "relaxed",
                                              "acquire",
                                              "release",
                                              "volatile",
                                              "",
                                              "L1",
                                              "L2",
                                              "128B",
                                              "64B",
                                              "256B",
                                              "L1::no_allocate",
                                              "L1::evict_last",
                                              "L1::evict_first",
                                              "L2::128B",
                                              "L2::64B",
                                              "L2::256B"};
  Instruction i = fresh();
  for (std::size_t n = 1; n + 1 < s.opcode.size(); ++n) {
    if (!known.contains(s.opcode[n])) unknown("." + s.opcode[n]);
    i.strong |= isStrong(s.opcode[n]);
    i.constantCache |= s.opcode[n] == "nc";
  }
  const std::string& type = s.opcode.back();
  Space space = spaceOf(s.opcode);
  const int addressBits = address(s.operands[write ? 0 : 1], i, space);
  const Words values = valuesOf(s.operands[write ? 1 : 0]);
  const int count = int(values.size()), bits = registerBits(values[0], std::max(16, bitsOfName(type)));
  for (int v = 0; v < count; ++v) i.o[v] = operand(values[v], bits);
  noteShared(space, bitsOfName(type) / 8);
  if (space == Space::Param && addressBits == 0 && !write) {
    i.run = accessOf<ParameterAccess>(type, bits, count);
  } else {
    space = reachable(space, addressBits, i);
    i.run = write ? accessIn<true>(space, type, bits, count) : accessIn<false>(space, type, bits, count);
  }
  emit(i);
}

/// Decodes atom.global.add.u32 d, [a], b. atom.cas also has c; red has no d.
void Decoder::decodeAtomic(const Statement& s, bool returns) {
  static const std::set<std::string> qualifiers = {"global",  "shared", "relaxed", "acquire", "release",
                                                   "acq_rel", "cta",    "gpu",     "sys"};
  const std::string& type = s.opcode.back();
  std::string op;
  for (std::size_t n = 1; n + 1 < s.opcode.size(); ++n) {
    if (qualifiers.contains(s.opcode[n])) continue;
    if (!op.empty()) unknown("." + s.opcode[n]);
    op = s.opcode[n];
  }
  Instruction i = fresh();
  i.strong = true;
  Space space = spaceOf(s.opcode);
  const std::size_t first = returns ? 1 : 0;
  const int addressBits = address(s.operands[first], i, space), bits = bitsOfName(type);
  if (returns && s.operands[0] != "_") i.o[0] = operand(s.operands[0], bits);
  i.o[1] = operand(s.operands[first + 1], bits);
  i.o[2] = op == "cas" ? operand(s.operands[first + 2], bits) : i.o[1];
  noteShared(space, bits / 8);
  i.run = atomicOf(reachable(space, addressBits, i), op, type);
  emit(i);
}

} // namespace on_host
