#include "Kernel.h"
#include "Block.h"

namespace on_host {

Kernel::Kernel() = default;
Kernel::~Kernel() = default;

std::string Kernel::place(std::uint32_t pc) const {
  const Statement& s = function.body[code[pc].statement];
  std::string text = shownName + " ";
  if (const auto f = module->files.find(s.place.file); f != module->files.end())
    text += f->second.substr(f->second.rfind('/') + 1) + ":" + std::to_string(s.place.line) + " ";
  return text + "(PTX line " + std::to_string(s.place.ptxLine) + ": " + s.text + ")";
}

} // namespace on_host
