// PtxReader.h - walks over PTX text; knows comments, lines, words and declarations.
#pragma once

#include "Ptx.h"

namespace on_host {

bool isNameChar(char c);
std::string trimmed(std::string_view s);
/// Parts between separators outside braces and brackets, trimmed; none of an empty text.
std::vector<std::string> split(std::string_view s, char separator);
/// Of ".u32", ".pred" and so on.
int bitsOfType(std::string_view type);

/// Reads ".shared .align 8 .b8 name[120] = {...}".
Variable parseVariable(const std::string& declaration);

class PtxReader {
public:
  PtxReader(const std::string& ptx, std::size_t offset, int atLine) : text(ptx), at(offset), line_(atLine) {}

  /// Skips blanks and comments; false at the end of the text.
  bool more();
  char here() const { return at < text.size() ? text[at] : '\0'; }
  void advance();
  /// The next name, directive or label without its colon; blanks before it are skipped.
  std::string word();
  std::string restOfLine();
  /// All up to one of the characters, which is not taken; comments become blanks.
  /// @param skipBraces  characters inside braces do not end it
  std::string until(std::string_view ends, bool skipBraces = false);
  /// Goes behind the closing brace of the block that begins here.
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
