// Decode.cxx - decodes variables, registers and instructions that need more than one table row.
#include "Decoder.h"
#include "Report.h"
#include "TypedHandlers.h"
#include "WarpHandlers.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace on_host {

int bitsOfName(const std::string& type) { return type == "pred" ? 1 : std::atoi(type.c_str() + 1); }

bool contains(const Words& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Words valuesOf(const std::string& operand) {
  if (operand.front() != '{') return {operand};
  Words values(1);
  for (const char c : operand.substr(1, operand.size() - 2))
    if (c == ',')
      values.emplace_back();
    else if (c != ' ')
      values.back() += c;
  return values;
}

void Decoder::unknown(const std::string& why) const {
  throw std::runtime_error("not supported" + (why.empty() ? "" : " (" + why + ")") + ": PTX line " +
                           std::to_string(current->place.ptxLine) + ": " + current->text);
}

// Variables and registers

namespace {

u64 aligned(u64 at, u64 align) { return (at + align - 1) / align * align; }

} // namespace

void Decoder::layOutVariables() {
  u64 params = 0, shared = 0, local = 0;
  const auto place = [&](Variable& v, u64& end, Space space) {
    v.address = aligned(end, v.align);
    end = v.address + v.size;
    symbols[v.name] = {space, v.address};
  };
  for (Variable& p : k.function.params) place(p, params, Space::Param);
  for (Variable& v : k.function.locals)
    if (!v.external)
      place(v, v.space == "shared" ? shared : local, v.space == "shared" ? Space::Shared : Space::Local);
  std::vector<Variable> dynamic;
  for (const auto& [name, v] : module.variables) {
    if (v.space == "global" || v.space == "const") symbols[name] = {Space::Global, v.address};
    if (v.space != "shared" || !uses(name)) continue;
    if (v.external)
      dynamic.push_back(v);
    else if (Variable copy = v; true)
      place(copy, shared, Space::Shared);
  }
  for (const Variable& v : dynamic) { // all begin after the static variables
    shared = aligned(shared, 16);
    symbols[v.name] = {Space::Shared, shared};
  }
  k.paramBytes = u32(params);
  k.sharedBytes = u32(shared);
  k.localBytes = u32(aligned(local, 16));
}

bool Decoder::uses(const std::string& symbol) const {
  return std::ranges::any_of(k.function.body, [&](const Statement& s) {
    return std::ranges::any_of(s.operands, [&](const std::string& o) { return o.find(symbol) != o.npos; });
  });
}

namespace {

/// Returns the bytes of a register for all lanes; predicates take one bit per lane.
u32 bytesOfRegister(int bits) { return bits == 1 ? 4 : u32(32 * std::max(16, bits) / 8); }

} // namespace

void Decoder::layOutRegisters() {
  k.registerBytes = 64; // offset 0 means none
  for (const RegisterRange& r : k.function.registers) {
    const u32 count = u32(std::max(1, r.count)), stride = bytesOfRegister(r.bits);
    ranges[r.prefix] = {k.registerBytes, stride, r.bits, r.count};
    k.registerBytes = u32(aligned(k.registerBytes + count * stride, 64));
  }
}

u32 Decoder::allocate(int bits) {
  if (bits != 1) k.registerBytes = u32(aligned(k.registerBytes, 64));
  const u32 at = k.registerBytes;
  k.registerBytes += bytesOfRegister(bits);
  return at;
}

u32 Decoder::constant(int bits, u64 value) {
  if (bits == 8) bits = 16;
  if (bits < 64 && bits > 1) value &= (u64(1) << bits) - 1;
  const auto [entry, isNew] = constants.try_emplace({bits, value}, 0);
  if (isNew) {
    entry->second = allocate(bits);
    k.constants.push_back({entry->second, bits, value});
  }
  return entry->second;
}

u32 Decoder::special(const std::string& name) {
  static const std::map<std::string, Special> known = {{"%tid.x", Special::TidX},
                                                       {"%tid.y", Special::TidY},
                                                       {"%tid.z", Special::TidZ},
                                                       {"%ntid.x", Special::NtidX},
                                                       {"%ntid.y", Special::NtidY},
                                                       {"%ntid.z", Special::NtidZ},
                                                       {"%ctaid.x", Special::CtaidX},
                                                       {"%ctaid.y", Special::CtaidY},
                                                       {"%ctaid.z", Special::CtaidZ},
                                                       {"%nctaid.x", Special::NctaidX},
                                                       {"%nctaid.y", Special::NctaidY},
                                                       {"%nctaid.z", Special::NctaidZ},
                                                       {"%laneid", Special::LaneId},
                                                       {"%warpid", Special::WarpId},
                                                       {"%nwarpid", Special::NwarpId},
                                                       {"%lanemask_eq", Special::MaskEq},
                                                       {"%lanemask_le", Special::MaskLe},
                                                       {"%lanemask_lt", Special::MaskLt},
                                                       {"%lanemask_ge", Special::MaskGe},
                                                       {"%lanemask_gt", Special::MaskGt},
                                                       {"%smid", Special::SmId},
                                                       {"%nsmid", Special::NsmId},
                                                       {"%dynamic_smem_size", Special::DynamicShared}};
  const auto s = known.find(name);
  if (s == known.end()) unknown("special register " + name);
  const auto [entry, isNew] = specials.try_emplace(name, 0);
  if (isNew) {
    entry->second = allocate(32);
    k.specials.push_back({entry->second, s->second});
  }
  return entry->second;
}

const Decoder::Range* Decoder::range(const std::string& name, int* number) const {
  if (const auto single = ranges.find(name); single != ranges.end() && single->second.count < 0) {
    if (number) *number = 0;
    return &single->second;
  }
  std::size_t digits = name.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
  const auto r = ranges.find(name.substr(0, digits));
  if (r == ranges.end() || digits == name.size()) return nullptr;
  if (number) *number = std::atoi(name.c_str() + digits);
  return &r->second;
}

int Decoder::registerBits(const std::string& name, int otherwise) const {
  const Range* r = range(name);
  return r ? r->bits : otherwise;
}

u32 Decoder::operand(const std::string& name, int bits) {
  int number = 0;
  if (const Range* r = range(name, &number)) return r->offset + r->stride * u32(number);
  if (name.size() > 2 && name[0] == '0' && std::string("fFdD").find(name[1]) != std::string::npos)
    return constant(bits, std::strtoull(name.c_str() + 2, nullptr, 16));
  if (name == "WARP_SZ") return constant(bits, 32);
  if (const auto value = parseInteger(name)) return constant(bits, u64(*value));
  if (name[0] == '%') {
    if (bits != 32) unknown("special register with " + std::to_string(bits) + " bits");
    return special(name);
  }
  Instruction at;
  Space space = Space::Generic;
  address("[" + name + "]", at, space);
  return constant(bits, u64(at.imm));
}

// Instructions

namespace {

/// Returns the number of sm_90 instructions that ptxas (CUDA 13.0) generates for a statement, on its common
/// path.
u8 slotsOf(const Words& opcode) {
  const std::string &op = opcode[0], &type = opcode.back();
  const bool isDouble = type == "f64", isLong = type == "s64" || type == "u64" || type == "b64";
  if (op == "div") return isLong ? 70 : isDouble ? 16 : type == "f32" ? 10 : 20;
  if (op == "rem") return isLong ? 70 : 16;
  if (op == "sqrt") return isDouble ? 20 : 9;
  if (op == "rcp") return isDouble ? 13 : 8;
  if ((op == "min" || op == "max") && isDouble) return 8;
  if (op == "mul" && isLong && opcode[1] == "lo") return 3;
  if (op == "selp" && (isDouble || isLong)) return 2;
  if (isLong && (op == "add" || op == "sub" || op == "setp" || op == "and" || op == "or")) return 2;
  if (op == "add" && type == "u16x2")
    return 0; // VIADDMNMX, together with the following minimum (__viaddmin_u16x2)
  if (op == "mov" || op == "cvta" || (op == "ld" && opcode[1] == "param")) return 0;
  return 1;
}

} // namespace

Instruction Decoder::fresh() {
  Instruction i;
  i.slots = slotsOf(current->opcode);
  i.statement = u32(current - k.function.body.data());
  if (!current->guard.empty()) {
    i.guard = predicate(current->guard);
    i.negated = current->guardNegated;
  }
  return i;
}

void Decoder::emit(const Instruction& i) {
  if (!i.run && i.flow == Flow::Plain) unknown();
  k.code.push_back(i);
}

void Decoder::emit(Handler run, std::initializer_list<u32> operands) {
  Instruction i = fresh();
  i.run = run;
  std::copy(operands.begin(), operands.end(), i.o);
  emit(i);
}

void Decoder::decodeAll() {
  layOutVariables();
  layOutRegisters();
  std::map<std::string, u32> labels;
  std::vector<std::pair<std::size_t, std::string>> jumps;
  for (const Statement& s : k.function.body) {
    current = &s;
    if (!s.label.empty())
      labels[s.label] = u32(k.code.size());
    else if (s.opcode[0] == "bra")
      decodeBranch(s, jumps);
    else
      decode(s);
  }
  Instruction end;
  end.flow = Flow::Exit;
  end.statement = u32(std::max<std::size_t>(k.function.body.size(), 1) - 1);
  k.code.push_back(end);
  for (const auto& [at, label] : jumps) k.code[at].target = labels.at(label);
}

void Decoder::decodeBranch(const Statement& s, std::vector<std::pair<std::size_t, std::string>>& jumps) {
  Instruction i = fresh();
  i.flow = Flow::Branch;
  jumps.emplace_back(k.code.size(), s.operands[0]);
  emit(i);
}

void Decoder::decodeMove(const Statement& s) {
  const std::string& type = s.opcode.back();
  const int bits = bitsOfName(type);
  const std::string &to = s.operands[0], &from = s.operands[1];
  if (type == "pred")
    return emit(predicates<[](u32 a, u32) { return a; }>, {predicate(to), predicate(from), predicate(from)});
  if (from == "%clock" || from == "%clock64" || from == "%globaltimer")
    return emit(bits == 64 ? readClock<u64> : readClock<u32>, {operand(to, bits)});
  const bool splits = to.front() == '{', joins = from.front() == '{';
  if (!splits && !joins)
    return emit(
        forIntegers("u" + std::to_string(bits), [](auto t) -> Handler { return unary<decltype(t), same>; }),
        {operand(to, bits), operand(from, bits)});
  const Words parts = valuesOf(splits ? to : from);
  const bool halves = parts.size() == 2;
  Instruction i = fresh();
  for (std::size_t n = 0; n < parts.size(); ++n)
    i.o[n + (joins ? 1 : 0)] = parts[n] == "_" ? 0 : operand(parts[n], bits / int(parts.size()));
  i.o[splits ? 4 : 0] = operand(splits ? from : to, bits);
  if (splits)
    i.run = bits == 32 ? unpack<u32, u16> : halves ? unpack<u64, u32> : unpack<u64, u16>;
  else
    i.run = bits == 32 ? pack<u32, u16> : halves ? pack<u64, u32> : pack<u64, u16>;
  emit(i);
}

/// Decodes a conversion. Registers may be wider than the types: the low bits are extracted first, and the
/// result is extended.
void Decoder::decodeConversion(const Statement& s) {
  const std::string &to = s.opcode[s.opcode.size() - 2], &from = s.opcode.back();
  for (std::size_t n = 1; n + 2 < s.opcode.size(); ++n)
    if (!contains({"rn", "rni", "rzi", "rmi", "rpi", "sat"}, s.opcode[n].c_str())) unknown("." + s.opcode[n]);
  const auto unsignedName = [](int bits) { return "u" + std::to_string(bits); };
  const int fromBits = bitsOfName(from), toBits = bitsOfName(to);
  const int sourceBits = registerBits(s.operands[1], std::max(16, fromBits));
  const int targetBits = registerBits(s.operands[0], std::max(16, toBits));
  u32 source = operand(s.operands[1], fromBits);
  if (sourceBits > fromBits) {
    const u32 low = allocate(fromBits);
    emit(conversionOf(unsignedName(fromBits), unsignedName(sourceBits), {}), {low, source});
    source = low;
  }
  const u32 target = operand(s.operands[0], targetBits);
  const u32 result = targetBits == toBits ? target : allocate(toBits);
  emit(conversionOf(to, from, s.opcode), {result, source});
  if (result != target)
    emit(conversionOf((isSignedName(to) ? "s" : "u") + std::to_string(targetBits), to, {}), {target, result});
}

Handler logicOf(const std::string& op) {
  return op == "and"   ? predicates<bitAnd>
         : op == "or"  ? predicates<bitOr>
         : op == "xor" ? predicates<bitXor>
                       : nullptr;
}

/// Decodes setp.lt.f32 p, a, b and setp.lt.and.f32 p, a, b, q.
void Decoder::decodeComparison(const Statement& s) {
  const std::string& type = s.opcode.back();
  const Handler compares = comparisonOf(s.opcode[1], type);
  const u32 a = operand(s.operands[1], bitsOfName(type)), b = operand(s.operands[2], bitsOfName(type));
  const u32 result = predicate(s.operands[0]);
  if (s.opcode.size() == 3) return emit(compares, {result, a, b});
  if (s.opcode.size() != 4 || s.operands.size() != 4) unknown();
  const u32 t = allocate(1);
  emit(compares, {t, a, b});
  emit(logicOf(s.opcode[2]), {result, t, predicate(s.operands[3])});
}

/// Decodes and.pred, or.pred, xor.pred and not.pred.
void Decoder::decodeLogic(const Statement& s) {
  const Words& o = s.operands;
  if (s.opcode[0] == "not")
    return emit(predicates<[](u32 a, u32) { return ~a; }>,
                {predicate(o[0]), predicate(o[1]), predicate(o[1])});
  emit(logicOf(s.opcode[0]), {predicate(o[0]), predicate(o[1]), predicate(o[2])});
}

void Decoder::decodeBarrier(const Statement& s) {
  Instruction i = fresh();
  if (contains(s.opcode, "warp")) {
    k.synchronisesWarps = true;
    i.flow = Flow::WarpSync;
    i.run = nothing;
    i.o[5] = operand(s.operands[0], 32);
    return emit(i);
  }
  i.flow = Flow::Barrier;
  std::size_t number = 0; // operand
  if (contains(s.opcode, "red")) {
    i.reduce = contains(s.opcode, "popc") ? Reduce::Count
               : contains(s.opcode, "or") ? Reduce::Or
                                          : Reduce::And;
    i.o[0] = operand(s.operands[number++], i.reduce == Reduce::Count ? 32 : 1);
    std::string p = s.operands.back();
    i.negated = p[0] == '!';
    i.o[1] = predicate(i.negated ? p.substr(1) : p);
    if (s.operands.size() != 3 || i.guard) unknown();
  } else if (s.operands.size() > 1 || contains(s.opcode, "arrive")) {
    unknown("a barrier of a number of threads");
  }
  const auto value = parseInteger(s.operands[number]);
  if (!value) unknown("barrier in a register");
  i.imm = *value;
  emit(i);
}

void Decoder::decodeVote(const Statement& s) {
  const std::string& how = s.opcode[2];
  Instruction i = fresh();
  i.flow = Flow::WarpSync;
  i.imm = s.operands[1][0] == '!';
  i.o[0] = operand(s.operands[0], how == "ballot" ? 32 : 1);
  i.o[1] = predicate(s.operands[1].substr(i.imm ? 1 : 0));
  i.o[5] = operand(s.operands[2], 32);
  i.mode = how == "all" ? 0 : how == "any" ? 1 : 2;
  i.run = how == "ballot" ? voteBallot : votePredicate;
  emit(i);
}

/// Decodes shfl.sync.up.b32 d|p, a, b, c, mask.
void Decoder::decodeShuffle(const Statement& s) {
  static const Words modes = {"up", "down", "bfly", "idx"};
  const auto bar = s.operands[0].find('|');
  Instruction i = fresh();
  i.flow = Flow::WarpSync;
  i.o[0] = operand(s.operands[0].substr(0, bar), 32);
  i.o[1] = bar == std::string::npos ? 0 : predicate(s.operands[0].substr(bar + 1));
  for (int n = 1; n < 5; ++n) i.o[1 + n] = operand(s.operands[n], 32);
  i.mode = u8(std::find(modes.begin(), modes.end(), s.opcode[2]) - modes.begin());
  i.run = shuffle;
  emit(i);
}

/// Decodes match.any.sync and redux.sync.
void Decoder::decodeWarpReduction(const Statement& s) {
  const std::string& type = s.opcode.back();
  Instruction i = fresh();
  i.flow = Flow::WarpSync;
  i.o[0] = operand(s.operands[0], 32);
  i.o[1] = operand(s.operands[1], bitsOfName(type));
  i.o[5] = operand(s.operands[2], 32);
  if (s.opcode[0] == "match") {
    if (s.opcode[1] != "any") unknown();
    i.run = bitsOfName(type) == 64 ? matchAny<u64> : matchAny<u32>;
    return emit(i);
  }
  const bool isSigned = isSignedName(type);
  const std::map<std::string, Handler> reductions = {
      {"add", warpReduce<u32, add>},
      {"and", warpReduce<u32, bitAnd>},
      {"or", warpReduce<u32, bitOr>},
      {"xor", warpReduce<u32, bitXor>},
      {"min", isSigned ? warpReduce<s32, minimum> : warpReduce<u32, minimum>},
      {"max", isSigned ? warpReduce<s32, maximum> : warpReduce<u32, maximum>}};
  const auto reduction = reductions.find(s.opcode[2]);
  if (reduction == reductions.end()) unknown();
  i.run = reduction->second;
  emit(i);
}

/// Decodes cvta, which converts between an address in its space and a generic one.
void Decoder::decodeAddressSpace(const Statement& s) {
  const u64 window = contains(s.opcode, "shared")  ? sharedWindow
                     : contains(s.opcode, "local") ? localWindow
                     : contains(s.opcode, "param") ? paramWindow
                                                   : 0;
  const u64 added = contains(s.opcode, "to") ? 0 - window : window;
  emit(binary<u64, add>, {operand(s.operands[0], 64), operand(s.operands[1], 64), constant(64, added)});
}

void Decoder::decode(const Statement& s) {
  const std::string& op = s.opcode[0];
  const auto emitFlow = [&](Flow flow) {
    Instruction i = fresh();
    i.flow = flow;
    emit(i);
  };
  if (decodeSimple(s)) return;
  if (s.opcode.back() == "pred" && (op == "and" || op == "or" || op == "xor" || op == "not"))
    return decodeLogic(s);
  if (op == "ld" || op == "ldu") return decodeAccess(s, false);
  if (op == "st") return decodeAccess(s, true);
  if (op == "atom" || op == "red") return decodeAtomic(s, op == "atom");
  if (op == "mov") return decodeMove(s);
  if (op == "cvt") return decodeConversion(s);
  if (op == "cvta") return decodeAddressSpace(s);
  if (op == "setp") return decodeComparison(s);
  if (op == "bar" || op == "barrier") return decodeBarrier(s);
  if (op == "vote") return decodeVote(s);
  if (op == "shfl") return decodeShuffle(s);
  if (op == "match" || op == "redux") return decodeWarpReduction(s);
  if (op == "ret" || op == "exit") return emitFlow(Flow::Exit);
  if (op == "nanosleep") return emitFlow(Flow::Sleep);
  if (op == "activemask") return emit(activeMask, {operand(s.operands[0], 32)});
  if (op == "trap" || op == "brkpt")
    return emit([](Warp& w, const Instruction&) { w.fault("trap", std::countr_zero(w.mask), ""); }, {});
  if (contains({"membar", "fence", "prefetch", "prefetchu", "discard", "pmevent", "griddepcontrol"},
               op.c_str()))
    return emit(nothing, {}); // every access is visible immediately
  if (op == "lop3") {
    Instruction i = fresh();
    i.run = logic;
    for (int n = 0; n < 4; ++n) i.o[n] = operand(s.operands[n], 32);
    i.imm = parseInteger(s.operands[4]).value();
    return emit(i);
  }
  if (op == "testp") {
    const std::string& type = s.opcode.back();
    Instruction i = fresh();
    i.run = forFloats(type, [](auto t) -> Handler { return testProperty<decltype(t)>; });
    i.o[0] = predicate(s.operands[0]);
    i.o[1] = operand(s.operands[1], bitsOfName(type));
    i.mode = u8(std::find(std::begin(testedProperties), std::end(testedProperties), s.opcode[1]) -
                testedProperties);
    return emit(i);
  }
  unknown();
}

std::unique_ptr<Kernel> decode(const Module& module, const std::string& name) {
  auto k = std::make_unique<Kernel>();
  k->module = &module;
  k->shownName = demangled(name);
  k->function = parseFunction(module, name);
  Decoder(module, *k).decodeAll();
  return k;
}

} // namespace on_host
