// Ptx.h - parsed PTX: modules, variables, kernels, statements. Reads the output of nvcc, not all of PTX.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace on_host {

/// A place in the program: the PTX line, and the source line from -lineinfo.
struct Place {
  int ptxLine = 0, file = 0, line = 0;
};

/// One instruction or label.
struct Statement {
  std::string label; ///< not empty: the statement is a label
  std::string guard; ///< name of the predicate, may be empty
  bool guardNegated = false;
  std::vector<std::string> opcode; ///< split at the dots
  std::vector<std::string> operands;
  Place place;
  std::string text; ///< for messages
};

struct Variable {
  std::string name;
  std::string space; ///< "global", "const", "shared", "local", "param"
  std::uint64_t size = 0, align = 1;
  bool external = false; ///< dynamic shared memory
  std::vector<std::uint8_t> initial;
  std::uint64_t address = 0; ///< device address, or offset in its space
};

/// Registers of one declaration: "%r<100>" declares %r0 to %r99, "p" a single register.
struct RegisterRange {
  std::string prefix;
  int count = -1; ///< -1: a single register
  int bits = 32;  ///< 1 for predicates
};

struct Function {
  std::string name;
  std::vector<Variable> params;
  std::vector<Variable> locals; ///< shared and local
  int maxThreads[3] = {0, 0, 0};
  std::vector<RegisterRange> registers;
  std::vector<Statement> body;
};

struct Module {
  struct Entry {
    std::size_t offset; ///< in the text
    int line;
  };
  std::string text;
  int target = 0; ///< 90 for sm_90
  std::map<std::string, Entry> entries;
  std::map<std::string, Variable> variables;
  std::map<int, std::string> files;
};

/// Finds entries and module variables; bodies stay text until parseFunction().
/// @throws std::runtime_error with the line that is not understood
std::unique_ptr<Module> parseModule(std::string text);
Function parseFunction(const Module& module, const std::string& name);

/// Parses a decimal or hexadecimal integer, with or without U.
std::optional<std::int64_t> parseInteger(std::string_view text);

} // namespace on_host
