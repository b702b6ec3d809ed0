// PtxFunction.cxx - parses the body of a kernel.
#include "PtxReader.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace on_host {

namespace {

Statement parseStatement(std::string_view text, const Place& place) {
  Statement s;
  s.place = place;
  s.text = trimmed(text);
  std::string_view rest = s.text;
  if (rest.front() == '@') {
    s.guardNegated = rest[1] == '!';
    rest.remove_prefix(s.guardNegated ? 2 : 1);
    const auto end = rest.find(' ');
    s.guard = rest.substr(0, end);
    rest.remove_prefix(rest.find_first_not_of(' ', end));
  }
  const auto end = std::min(rest.find_first_of(" \t"), rest.size());
  s.opcode = split(rest.substr(0, end), '.');
  s.operands = split(rest.substr(end), ',');
  return s;
}

class FunctionReader {
public:
  FunctionReader(const Module& module, const std::string& name)
      : r(module.text, module.entries.at(name).offset, module.entries.at(name).line) {
    f.name = name;
  }

  Function read() {
    readHead();
    r.advance();
    while (r.more()) {
      if (r.here() == '{') {
        scopes.emplace_back();
        r.advance();
      } else if (r.here() == '}') {
        r.advance();
        if (scopes.empty()) break;
        scopes.pop_back();
      } else {
        place.ptxLine = r.line();
        r.here() == '.' ? readDirective() : readStatement();
      }
    }
    return std::move(f);
  }

private:
  PtxReader r;
  Function f;
  Place place;
  /// Nested blocks of the body, outermost first: the unique names of the registers that each declares.
  std::vector<std::map<std::string, std::string>> scopes;
  int uniqueNumber = 0;

  void readHead() {
    r.until("({");
    if (r.here() == '(') {
      r.advance();
      for (const std::string& p : split(r.until(")"), ',')) f.params.push_back(parseVariable(p));
      r.advance();
    }
    for (r.more(); r.here() != '{'; r.more()) {
      const std::string w = r.word(), rest = r.restOfLine();
      if (w != ".maxntid") continue;
      int* maximum = f.maxThreads;
      maximum[1] = maximum[2] = 1;
      std::sscanf(rest.c_str(), " %d , %d , %d", maximum, maximum + 1, maximum + 2);
    }
  }

  void readDirective() {
    const std::size_t start = r.offset();
    const int line = r.line();
    const std::string w = r.word();
    if (w == ".loc") {
      std::sscanf(r.restOfLine().c_str(), "%d %d", &place.file, &place.line);
      return;
    }
    r.goBack(start, line);
    const std::string declaration = r.until(";", true);
    r.advance();
    if (w == ".reg")
      declareRegisters(declaration);
    else if (w == ".shared" || w == ".local" || w == ".extern")
      f.locals.push_back(parseVariable(declaration));
    else if (w != ".pragma")
      throw std::runtime_error("directive not understood: " + declaration);
  }

  /// Reads ".reg .b32 %r<100>, p".
  void declareRegisters(const std::string& declaration) {
    const auto type = declaration.find('.', 4), end = declaration.find(' ', type);
    const int declared = bitsOfType(declaration.substr(type, end - type));
    for (const std::string& item : split(declaration.substr(end), ',')) {
      RegisterRange range;
      range.bits = declared == 8 ? 16 : declared;
      const auto open = item.find('<');
      range.prefix = item.substr(0, open);
      if (open != std::string::npos) range.count = std::atoi(item.c_str() + open + 1);
      if (!scopes.empty()) { // for example in inline assembly
        if (range.count >= 0) throw std::runtime_error("a range of registers in a block: " + declaration);
        const std::string unique = range.prefix + "@" + std::to_string(++uniqueNumber);
        scopes.back()[range.prefix] = unique;
        range.prefix = unique;
      }
      f.registers.push_back(range);
    }
  }

  void readStatement() {
    const std::string text = r.until(";:", true);
    const bool isLabel = r.here() == ':';
    r.advance();
    if (isLabel) {
      f.body.emplace_back();
      f.body.back().label = trimmed(text);
    } else {
      f.body.push_back(parseStatement(withUniqueNames(text), place));
      f.body.back().text = trimmed(text);
    }
  }

  std::string uniqueName(const std::string& name) const {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
      if (const auto n = scope->find(name); n != scope->end()) return n->second;
    return name;
  }
  std::string withUniqueNames(const std::string& text) const {
    if (scopes.empty()) return text;
    std::string out, name;
    for (const char c : text) {
      if (isNameChar(c)) {
        name += c;
        continue;
      }
      out += uniqueName(name) + c;
      name.clear();
    }
    return out + uniqueName(name);
  }
};

} // namespace

Function parseFunction(const Module& module, const std::string& name) {
  if (!module.entries.contains(name)) throw std::runtime_error("no kernel " + name + " in the module");
  return FunctionReader(module, name).read();
}

} // namespace on_host
