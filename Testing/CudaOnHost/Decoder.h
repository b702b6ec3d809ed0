// Decoder.h - converts the statements of a kernel to instructions with handlers. Unknown instructions are
// errors at the launch.
#pragma once

#include "Block.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace on_host {

using Words = std::vector<std::string>;

int bitsOfName(const std::string& type); ///< bits of "u32" etc.; 1 for "pred"
inline bool isSignedName(const std::string& type) { return type[0] == 's'; }
inline bool isFloatName(const std::string& type) { return type[0] == 'f'; }
bool contains(const Words& words, const char* word);
/// Splits "{a, b}" or "a" into its elements.
Words valuesOf(const std::string& operand);

class Decoder {
public:
  Decoder(const Module& m, Kernel& kernel) : module(m), k(kernel) {}
  void decodeAll();

private:
  struct Range {
    u32 offset, stride;
    int bits, count;
  };
  struct Symbol {
    Space space;
    u64 address;
  };
  const Module& module;
  Kernel& k;
  std::map<std::string, Range> ranges; ///< registers by prefix
  std::map<std::string, Symbol> symbols;
  std::map<std::pair<int, u64>, u32> constants; ///< offset by bits and value
  std::map<std::string, u32> specials;          ///< offset by name
  const Statement* current = nullptr;

  [[noreturn]] void unknown(const std::string& why = "") const;

  // Variables and registers.
  void layOutVariables();
  bool uses(const std::string& symbol) const;
  void layOutRegisters();
  u32 allocate(int bits);
  u32 constant(int bits, u64 value);
  u32 special(const std::string& name);
  /// Returns the range of a register, and its number in it; null if the name is not a register.
  const Range* range(const std::string& name, int* number = nullptr) const;
  int registerBits(const std::string& name, int otherwise) const;
  /// Returns the offset of a register, or of a constant with `bits` bits.
  u32 operand(const std::string& name, int bits);
  u32 predicate(const std::string& name) { return operand(name, 1); }

  // Instructions.
  Instruction fresh();
  void emit(const Instruction& i);
  void emit(Handler run, std::initializer_list<u32> operands);
  void decode(const Statement& s);
  bool decodeSimple(const Statement& s);
  bool decodeHalves(const Statement& s);
  void decodeBranch(const Statement& s, std::vector<std::pair<std::size_t, std::string>>& jumps);
  void decodeMove(const Statement& s);
  void decodeConversion(const Statement& s);
  void decodeComparison(const Statement& s);
  void decodeLogic(const Statement& s);
  void decodeBarrier(const Statement& s);
  void decodeVote(const Statement& s);
  void decodeShuffle(const Statement& s);
  void decodeWarpReduction(const Statement& s);
  void decodeAddressSpace(const Statement& s);

  // Defined in DecodeMemory.cxx.
  void decodeAccess(const Statement& s, bool write);
  void decodeAtomic(const Statement& s, bool returns);
  /// Decodes "[base+offset]": the base goes to o[4], the rest to imm. Returns the number of address bits, 0
  /// if the address is constant.
  int address(const std::string& text, Instruction& i, Space& space);
  void noteShared(Space space, int bytes);
  Space reachable(Space space, int addressBits, Instruction& i);
};

// Handlers by the names of types and operations; null if unknown.
Handler comparisonOf(const std::string& op, const std::string& type);
Handler conversionOf(const std::string& to, const std::string& from, const Words& words);

} // namespace on_host
