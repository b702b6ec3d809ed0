// Arguments.h - the command line of a program: options, flags, positional words, and their help.
#pragma once

#include "Error.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace isochrone::benchmark {

/// An error in a command line.
struct BadArguments : Error {
  explicit BadArguments(const auto&... parts) : Error((std::ostringstream() << ... << parts).str()) {}
};

/// "--name VALUE" declares an option, "NAME" a required word, "[NAME]" an optional word. Words are read in
/// the order of their declarations. Vectors accept comma-separated lists. Variables keep their value if the
/// command line does not set them.
class Arguments {
public:
  /// @param does  purpose of the program, for the help
  explicit Arguments(const std::string& does) : purpose(does) {}

  Arguments& flag(const std::string& name, const std::string& help, bool& value) {
    options.push_back({name, name, help, [&value](const std::string&) { value = true; }});
    return *this;
  }

  /// @param choices  the allowed values; empty: any
  Arguments& text(const std::string& name, const std::string& help, auto& value,
                  const std::vector<std::string>& choices = {}) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    return declare(name, choices.empty() ? help : help + ": " + list, [=, &value](const std::string& given) {
      assign(value, given, [&](const std::string& word, std::string& element) {
        element = word;
        if (!choices.empty() && std::ranges::find(choices, word) == choices.end())
          throw BadArguments(name, ": '", word, "' is none of ", list);
      });
    });
  }

  Arguments& number(const std::string& name, const std::string& help, auto& value, double low,
                    double high = 1e9) {
    return declare(name, help, [=, &value](const std::string& given) {
      assign(value, given, [&](const std::string& word, auto& element) {
        const char* const end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, element);
        if (rest != end || error == std::errc::invalid_argument)
          throw BadArguments(name, ": '", word, "' is not a valid number");
        if (error != std::errc() || !(double(element) >= low && double(element) <= high))
          throw BadArguments(name, ": ", word, " is not between ", low, " and ", high);
      });
    });
  }

  /// @param given  the command line without the program's name
  void read(const std::vector<std::string>& given) const {
    auto next = words.begin();
    for (auto word = given.begin(); word != given.end(); ++word) {
      if (!word->starts_with("--")) {
        if (next == words.end()) throw BadArguments("unexpected '", *word, "'");
        (next++)->assign(*word);
        continue;
      }
      const auto option = std::ranges::find(options, *word, &Argument::name);
      if (option == options.end()) throw BadArguments("unknown option ", *word);
      const bool valued = option->usage != option->name;
      if (valued && (++word == given.end() || word->empty() || word->starts_with("--")))
        throw BadArguments(option->usage, ": the value is missing");
      option->assign(*word);
    }
    if (next != words.end() && !next->name.starts_with("[")) throw BadArguments(next->name, " is missing");
  }

  /// Reads the command line, and runs the program unless help is requested.
  /// @returns the exit status of `program`, 1 after an exception, 2 after bad arguments
  int run(int count, char** given, const std::function<int()>& program) const {
    const std::vector<std::string> line(given + 1, given + count);
    try {
      if (std::ranges::find(line, "--help") != line.end()) return print(given[0]), 0;
      read(line);
      return program();
    } catch (const BadArguments& error) {
      return std::fprintf(stderr, "%s: %s (see --help)\n", given[0], error.what()), 2;
    } catch (const std::exception& error) {
      return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
  }

private:
  struct Argument {
    std::string name, usage, help;
    std::function<void(const std::string&)> assign;
  };
  std::string purpose;
  std::vector<Argument> options, words;

  Arguments& declare(const std::string& usage, const std::string& help,
                     const std::function<void(const std::string&)>& assign) {
    (usage.starts_with("--") ? options : words)
        .push_back({usage.substr(0, usage.find(' ')), usage, help, assign});
    return *this;
  }

  static void assign(auto& value, const std::string& word, const auto& parse) { parse(word, value); }
  template <class T>
  static void assign(std::vector<T>& values, const std::string& list, const auto& parse) {
    values.clear();
    std::istringstream words(list + ',');
    for (std::string word; std::getline(words, word, ',');) parse(word, values.emplace_back());
  }

  void print(const char* program) const {
    std::printf("usage: %s%s", program, options.empty() ? "" : " [OPTION...]");
    for (const Argument& word : words) std::printf(" %s", word.usage.c_str());
    std::printf("\n%s\n", purpose.c_str());
    for (const auto* arguments : {&words, &options})
      for (const Argument& a : *arguments) std::printf("  %-20s %s\n", a.usage.c_str(), a.help.c_str());
  }
};

} // namespace isochrone::benchmark
