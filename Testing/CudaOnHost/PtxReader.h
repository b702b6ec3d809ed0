// PtxReader.h - a cursor on PTX text that recognises comments, lines, words and declarations.
#pragma once

#include "Ptx.h"

namespace on_host {

bool isNameChar(char c);
std::string trimmed(std::string_view s);
/// Returns the trimmed parts between separators outside braces and brackets; none for an empty text.
std::vector<std::string> split(std::string_view s, char separator);
/// Returns the bits of ".u32", ".pred" etc.
int bitsOfType(std::string_view type);

/// Reads ".shared .align 8 .b8 name[120] = {...}".
Variable parseVariable(const std::string& declaration);

class PtxReader {
public:
  PtxReader(const std::string& ptx, std::size_t offset, int atLine) : text(ptx), at(offset), line_(atLine) {}

  /// Skips blanks and comments. Returns false at the end of the text.
  bool more();
  char here() const { return at < text.size() ? text[at] : '\0'; }
  void advance();
  /// Skips blanks and reads the next name, directive or label without its colon.
  std::string word();
  std::string restOfLine();
  /// Reads up to one of the characters, which is not consumed. Comments become blanks.
  /// @param skipBraces  ignore the characters inside braces
  std::string until(std::string_view ends, bool skipBraces = false);
  /// Skips the block that begins here, including its closing brace.
  void skipBlock();

  int line() const { return line_; }
  std::size_t offset() const { return at; }
  void goBack(std::size_t offset, int line) { at = offset, line_ = line; }

private:
  bool atComment() const { return text.compare(at, 2, "//") == 0 || text.compare(at, 2, "/*") == 0; }
  void skipComment();

  const std::string& text;
  std::size_t at;
  int line_;
};

} // namespace on_host
