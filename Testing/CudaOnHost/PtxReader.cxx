#include "PtxReader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <stdexcept>

namespace on_host {

bool isNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
}

std::string trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return {};
  return std::string(s.substr(first, s.find_last_not_of(" \t\n\r") - first + 1));
}

std::vector<std::string> split(std::string_view s, char separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : s) {
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == separator && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

int bitsOfType(std::string_view type) {
  return type == ".pred" ? 1 : std::atoi(std::string(type.substr(2)).c_str());
}

std::optional<std::int64_t> parseInteger(std::string_view view) {
  const std::string text = trimmed(view);
  const char* begin = text.c_str();
  const bool minus = *begin == '-';
  if (minus) ++begin;
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(begin, &end, 0);
  const bool any = end != begin;
  if (*end == 'U') ++end;
  if (!any || *end != '\0') return {};
  return minus ? -std::int64_t(value) : std::int64_t(value);
}

namespace {

/// Parses "{1, 2}" or "1" into elements of `bytes` bytes.
std::vector<std::uint8_t> parseInitial(const std::string& text, int bytes) {
  std::vector<std::uint8_t> initial;
  std::string list = trimmed(text);
  if (list.front() == '{') list = list.substr(1, list.rfind('}') - 1);
  for (const std::string& item : split(list, ',')) {
    const auto value = parseInteger(item);
    if (!value) throw std::runtime_error("initial value not understood: " + item);
    for (int b = 0; b < bytes; ++b) initial.push_back(std::uint8_t(std::uint64_t(*value) >> (8 * b)));
  }
  return initial;
}

} // namespace

Variable parseVariable(const std::string& declaration) {
  Variable v;
  const auto equals = declaration.find('=');
  int elementBytes = 1;
  std::uint64_t count = 1;
  const std::vector<std::string> words = split(trimmed(declaration.substr(0, equals)), ' ');
  for (std::size_t n = 0; n < words.size(); ++n) {
    const std::string& w = words[n];
    if (w.empty() || w == ".visible" || w == ".weak" || w == ".common" || w == ".ptr") continue;
    if (w == ".align") {
      v.align = std::strtoull(words.at(++n).c_str(), nullptr, 10);
    } else if (w == ".extern") {
      v.external = true;
    } else if (w == ".global" || w == ".const" || w == ".shared" || w == ".local" || w == ".param") {
      v.space = w.substr(1);
    } else if (w[0] == '.' && w.size() > 2 && std::isdigit(static_cast<unsigned char>(w[2]))) {
      elementBytes = bitsOfType(w) / 8;
      v.align = std::max<std::uint64_t>(v.align, elementBytes);
    } else {
      for (auto open = w.find('['); open != std::string::npos; open = w.find('[', open + 1))
        count *= std::strtoull(w.c_str() + open + 1, nullptr, 10);
      v.name = w.substr(0, w.find('['));
    }
  }
  v.size = count * elementBytes;
  if (equals != std::string::npos) v.initial = parseInitial(declaration.substr(equals + 1), elementBytes);
  return v;
}

void PtxReader::advance() {
  if (text[at] == '\n') ++line_;
  ++at;
}

void PtxReader::skipComment() {
  const bool toEndOfLine = text[at + 1] == '/';
  std::size_t end = toEndOfLine ? text.find('\n', at) : text.find("*/", at + 2);
  end = end == std::string::npos ? text.size() : toEndOfLine ? end : end + 2;
  while (at < end) advance();
}

bool PtxReader::more() {
  while (at < text.size())
    if (std::isspace(static_cast<unsigned char>(text[at])))
      advance();
    else if (atComment())
      skipComment();
    else
      return true;
  return false;
}

std::string PtxReader::word() {
  more();
  std::string s;
  for (; isNameChar(here()); advance()) s += here();
  return s;
}

std::string PtxReader::restOfLine() {
  std::string s;
  for (; at < text.size() && text[at] != '\n'; advance()) s += text[at];
  return s;
}

std::string PtxReader::until(std::string_view ends, bool skipBraces) {
  std::string s;
  int depth = 0;
  while (at < text.size()) {
    if (atComment()) {
      skipComment();
      s += ' ';
      continue;
    }
    const char c = text[at];
    if (depth == 0 && ends.find(c) != std::string_view::npos) break;
    if (skipBraces && c == '{') ++depth;
    if (skipBraces && c == '}') --depth;
    s += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
    advance();
  }
  return s;
}

void PtxReader::skipBlock() {
  int depth = 0;
  do {
    if (here() == '{') ++depth;
    if (here() == '}') --depth;
    advance();
  } while (depth > 0 && at < text.size());
}

} // namespace on_host
