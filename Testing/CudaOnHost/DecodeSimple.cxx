// DecodeSimple.cxx - decodes instructions that one table row describes.
#include "Decoder.h"
#include "TypedHandlers.h"

namespace on_host {

namespace {

using Chooser = Handler (*)(const std::string& type);

template <auto op>
Handler unaryInteger(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return unary<decltype(t), op>; });
}
template <auto op>
Handler unaryFloat(const std::string& type) {
  return forFloats(type, [](auto t) -> Handler { return unary<decltype(t), op>; });
}
template <auto op>
Handler unaryAny(const std::string& type) {
  return forAll(type, [](auto t) -> Handler { return unary<decltype(t), op>; });
}
template <auto op>
Handler binaryInteger(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return binary<decltype(t), op>; });
}
template <auto op>
Handler binaryFloat(const std::string& type) {
  return forFloats(type, [](auto t) -> Handler { return binary<decltype(t), op>; });
}
template <auto op>
Handler binaryAny(const std::string& type) {
  return forAll(type, [](auto t) -> Handler { return binary<decltype(t), op>; });
}
template <auto op>
Handler ternaryInteger(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return ternary<decltype(t), op>; });
}
template <auto op>
Handler ternaryFloat(const std::string& type) {
  return forFloats(type, [](auto t) -> Handler { return ternary<decltype(t), op>; });
}
template <auto op>
Handler shiftOf(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return shift<decltype(t), op>; });
}
template <auto op>
Handler compareAny(const std::string& type) {
  return forAll(type, [](auto t) -> Handler { return compare<decltype(t), op>; });
}
template <auto op>
Handler compareInteger(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return compare<decltype(t), op>; });
}
template <auto op>
Handler compareFloat(const std::string& type) {
  return forFloats(type, [](auto t) -> Handler { return compare<decltype(t), op>; });
}
/// Returns the conversion of an integer type to a 32-bit word.
template <auto op>
Handler toWord(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return convert<u32, decltype(t), op>; });
}
template <auto op>
Handler toWordUnsigned(const std::string& type) {
  return bitsOfName(type) == 64   ? convert<u32, u64, op>
         : bitsOfName(type) == 32 ? convert<u32, u32, op>
                                  : nullptr;
}
template <bool addsThird>
Handler wideOf(const std::string& type) {
  if (type == "u16") return wide<u32, u16, addsThird>;
  if (type == "s16") return wide<s32, s16, addsThird>;
  if (type == "u32") return wide<u64, u32, addsThird>;
  if (type == "s32") return wide<s64, s32, addsThird>;
  return nullptr;
}
Handler selectOf(const std::string& type) {
  const int bits = bitsOfName(type);
  return bits == 16 ? select<u16> : bits == 32 ? select<u32> : select<u64>;
}
Handler reverseOf(const std::string& type) {
  return bitsOfName(type) == 64 ? unary<u64, reverseBits> : unary<u32, reverseBits>;
}
Handler insertOf(const std::string& type) {
  return bitsOfName(type) == 64 ? bitFieldInsert<u64> : bitFieldInsert<u32>;
}
Handler extractOf(const std::string& type) {
  return forIntegers(type, [](auto t) -> Handler { return bitFieldExtract<decltype(t)>; });
}
template <Handler h>
Handler always(const std::string&) {
  return h;
}

/// Operands: T as wide as the type, D twice as wide, W a 32-bit word, P a predicate.
struct Simple {
  const char* operands;
  Chooser handler;
  u8 mode = 0;
};

/// Returns the table by opcode without type. Other rounding modes, flushing of subnormals and approximations
/// are absent.
const std::map<std::string, Simple>& simpleInstructions() {
  static const std::map<std::string, Simple> table = {
      {"add", {"TTT", binaryAny<add>}},
      {"add.rn", {"TTT", binaryFloat<add>}},
      {"sub", {"TTT", binaryAny<subtract>}},
      {"sub.rn", {"TTT", binaryFloat<subtract>}},
      {"mul", {"TTT", binaryFloat<multiply>}},
      {"mul.rn", {"TTT", binaryFloat<multiply>}},
      {"mul.lo", {"TTT", binaryInteger<multiply>}},
      {"mul.hi", {"TTT", binaryInteger<multiplyHigh>}},
      {"mul.wide", {"DTT", wideOf<false>}},
      {"mad.lo", {"TTTT", ternaryInteger<multiplyAdd>}},
      {"mad.hi", {"TTTT", ternaryInteger<multiplyHighAdd>}},
      {"mad.wide", {"DTTD", wideOf<true>}},
      {"fma.rn", {"TTTT", ternaryFloat<fusedMultiplyAdd>}},
      {"div", {"TTT", binaryInteger<divide>}},
      {"div.rn", {"TTT", binaryFloat<divide>}},
      {"rem", {"TTT", binaryInteger<remain>}},
      {"min", {"TTT", binaryAny<minimum>}},
      {"max", {"TTT", binaryAny<maximum>}},
      {"neg", {"TT", unaryAny<negate>}},
      {"abs", {"TT", unaryAny<absolute>}},
      {"sqrt.rn", {"TT", unaryFloat<squareRoot>}},
      {"rcp.rn", {"TT", unaryFloat<reciprocal>}},
      {"copysign", {"TTT", binaryFloat<withSignOf>}},
      {"and", {"TTT", binaryInteger<bitAnd>}},
      {"or", {"TTT", binaryInteger<bitOr>}},
      {"xor", {"TTT", binaryInteger<bitXor>}},
      {"not", {"TT", unaryInteger<bitNot>}},
      {"shl", {"TTW", shiftOf<shiftLeft>}},
      {"shr", {"TTW", shiftOf<shiftRight>}},
      {"shf.l.wrap", {"WWWW", always<funnel>, 0}},
      {"shf.r.wrap", {"WWWW", always<funnel>, 1}},
      {"shf.l.clamp", {"WWWW", always<funnel>, 2}},
      {"shf.r.clamp", {"WWWW", always<funnel>, 3}},
      {"prmt", {"WWWW", always<permute>}},
      {"bfi", {"TTTWW", insertOf}},
      {"bfe", {"TTWW", extractOf}},
      {"brev", {"TT", reverseOf}},
      {"clz", {"WT", toWordUnsigned<leadingZeros>}},
      {"popc", {"WT", toWordUnsigned<countBits>}},
      {"bfind", {"WT", toWord<highestBit>}},
      {"bfind.shiftamt", {"WT", toWord<highestBitShift>}},
      {"selp", {"TTTP", selectOf}},
  };
  return table;
}

std::string withoutType(const Words& opcode) {
  std::string text = opcode[0];
  for (std::size_t n = 1; n + 1 < opcode.size(); ++n) text += "." + opcode[n];
  return text;
}

} // namespace

bool Decoder::decodeSimple(const Statement& s) {
  const std::string& type = s.opcode.back();
  const auto entry = simpleInstructions().find(withoutType(s.opcode));
  if (type == "u16x2") return decodeHalves(s);
  if (entry == simpleInstructions().end() || type == "pred") return false;
  const Simple& simple = entry->second;
  Instruction i = fresh();
  i.run = simple.handler(type);
  i.mode = simple.mode;
  const std::string signature = simple.operands;
  if (!i.run || s.operands.size() != signature.size()) return false;
  for (std::size_t n = 0; n < signature.size(); ++n) {
    const int bits = signature[n] == 'T'   ? bitsOfName(type)
                     : signature[n] == 'D' ? 2 * bitsOfName(type)
                     : signature[n] == 'W' ? 32
                                           : 1;
    i.o[n] = operand(s.operands[n], bits);
  }
  emit(i);
  return true;
}

/// Decodes add.u16x2, min.u16x2 and max.u16x2.
bool Decoder::decodeHalves(const Statement& s) {
  const std::string op = withoutType(s.opcode);
  const Handler run = op == "add"   ? binary<u32, halves<add>>
                      : op == "min" ? binary<u32, halves<minimum>>
                      : op == "max" ? binary<u32, halves<maximum>>
                                    : nullptr;
  if (!run) return false;
  emit(run, {operand(s.operands[0], 32), operand(s.operands[1], 32), operand(s.operands[2], 32)});
  return true;
}

Handler comparisonOf(const std::string& op, const std::string& type) {
  static const std::map<std::string, Chooser> table = {
      {"lt", compareAny<less>},
      {"lo", compareInteger<less>},
      {"le", compareAny<lessEqual>},
      {"ls", compareInteger<lessEqual>},
      {"gt", compareAny<greater>},
      {"hi", compareInteger<greater>},
      {"ge", compareAny<greaterEqual>},
      {"hs", compareInteger<greaterEqual>},
      {"eq", compareAny<equal>},
      {"ne", compareAny<notEqual>},
      {"ltu", compareFloat<lessOrNaN>},
      {"leu", compareFloat<lessEqualOrNaN>},
      {"gtu", compareFloat<greaterOrNaN>},
      {"geu", compareFloat<greaterEqualOrNaN>},
      {"equ", compareFloat<equalOrNaN>},
      {"neu", compareFloat<notEqualOrNaN>},
      {"num", compareFloat<areNumbers>},
      {"nan", compareFloat<areNotNumbers>},
  };
  const auto entry = table.find(op);
  return entry == table.end() ? nullptr : entry->second(type);
}

namespace {

template <auto op, class S>
Handler toNamed(const std::string& to) {
  if (to == "s8") return convert<s8, S, op>;
  if (to == "u8") return convert<u8, S, op>;
  return forIntegers(to, [](auto t) -> Handler { return convert<decltype(t), S, op>; });
}

/// Returns the rounding conversion to an integer type, or to an integral value of the same type.
template <class S>
Handler rounded(const std::string& to, const std::string& from, const Words& words) {
  const auto by = [&]<auto op>()->Handler { return to == from ? convert<S, S, op> : toNamed<op, S>(to); };
  if (contains(words, "rni")) return by.template operator()<toNearest>();
  if (contains(words, "rzi")) return by.template operator()<toZero>();
  if (contains(words, "rmi")) return by.template operator()<toMinusInfinity>();
  if (contains(words, "rpi")) return by.template operator()<toPlusInfinity>();
  return to == from ? convert<S, S, cast> : nullptr;
}

template <class S>
Handler fromInteger(const std::string& to, const Words& words) {
  if (isFloatName(to)) {
    if (!contains(words, "rn")) return nullptr;
    return to == "f32" ? convert<float, S, cast> : convert<double, S, cast>;
  }
  return contains(words, "sat") ? toNamed<saturate, S>(to) : toNamed<cast, S>(to);
}

} // namespace

Handler conversionOf(const std::string& to, const std::string& from, const Words& words) {
  if (isFloatName(from)) {
    if (contains(words, "sat")) return nullptr;
    if (from == "f32" && to == "f64") return convert<double, float, cast>;
    if (from == "f64" && to == "f32") return contains(words, "rn") ? convert<float, double, cast> : nullptr;
    return from == "f32"   ? rounded<float>(to, from, words)
           : from == "f64" ? rounded<double>(to, from, words)
                           : nullptr;
  }
  if (from == "s8") return fromInteger<s8>(to, words);
  if (from == "u8" || from == "b8") return fromInteger<u8>(to, words);
  return forIntegers(from, [&](auto t) { return fromInteger<decltype(t)>(to, words); });
}

} // namespace on_host
