// PtxModule.cxx - finds the entries and variables of a module.
#include "PtxReader.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace on_host {

namespace {

/// Reads a kernel or a variable, starting at its linkage keywords.
void readDeclaration(PtxReader& r, Module& module) {
  const std::size_t start = r.offset();
  const int line = r.line();
  const std::string head = r.until(";{(=");
  if (head.find(".func") != std::string::npos)
    throw std::runtime_error("device functions are not supported: " + head);
  const auto entry = head.find(".entry");
  if (entry == std::string::npos) {
    r.goBack(start, line);
    const Variable v = parseVariable(r.until(";", true));
    r.advance();
    module.variables[v.name] = v;
    return;
  }
  module.entries[trimmed(head.substr(entry + 6))] = {start, line};
  r.until("{");
  r.skipBlock();
}

} // namespace

std::unique_ptr<Module> parseModule(std::string text) {
  auto module = std::make_unique<Module>();
  module->text = std::move(text);
  PtxReader r(module->text, 0, 1);
  while (r.more()) {
    const std::size_t start = r.offset();
    const int line = r.line();
    const std::string w = r.word();
    if (w == ".version" || w == ".address_size") {
      r.restOfLine();
    } else if (w == ".target") {
      std::sscanf(r.restOfLine().c_str(), " sm_%d", &module->target);
    } else if (w == ".file") {
      const std::string rest = r.restOfLine();
      const auto open = rest.find('"'), close = rest.find('"', open + 1);
      module->files[std::atoi(rest.c_str())] = rest.substr(open + 1, close - open - 1);
    } else if (w == ".section") {
      r.until("{");
      r.skipBlock();
    } else if (w == ".visible" || w == ".weak" || w == ".entry" || w == ".func" || w == ".extern" ||
               w == ".global" || w == ".const" || w == ".shared" || w == ".common") {
      r.goBack(start, line);
      readDeclaration(r, *module);
    } else {
      throw std::runtime_error("PTX line " + std::to_string(line) + " not understood: " + w + r.restOfLine());
    }
  }
  return module;
}

} // namespace on_host
