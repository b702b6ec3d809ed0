// Table.h - what the benchmarks share: the clock, a table on the screen, and the same rows as JSON in a file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace isochrone::benchmark {

inline double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of five runs, or of as many as start within three seconds: the machine may have other work.
inline double medianSeconds(const auto& work) {
  std::vector<double> times;
  for (double spent = 0; times.size() < 5 && spent < 3; spent += times.back()) times.push_back(seconds(work));
  const auto middle = times.begin() + (times.size() - 1) / 2;
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

inline std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

class Table {
public:
  using Value = std::variant<double, std::string>;

  struct Column {
    const char *key, *title; ///< in the file, on the screen
    int width;               ///< on the screen; negative: flush left
    int digits = 0;
  };

  /// @param file   nullptr: the screen only
  /// @param about  what both say before the rows
  Table(const char* file, const std::vector<std::pair<const char*, Value>>& about,
        std::vector<Column> columns)
      : all(std::move(columns)) {
    if (file) json.open(file);
    json << "{";
    for (const auto& [key, value] : about) {
      std::printf("%s%s ", &key == &about[0].first ? "" : ", ", key);
      print(value, 0, 0);
      write(key, value);
      json << ", ";
    }
    std::printf("\n");
    json << "\"runs\": [";
  }
  ~Table() { json << "\n]}\n"; }

  void row(const std::vector<Value>& values) {
    if (first) titles();
    json << (first ? "\n{" : ",\n{");
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i) std::printf(" "), json << ", ";
      print(values[i], all[i].width, all[i].digits);
      write(all[i].key, values[i]);
    }
    std::printf("\n");
    std::fflush(stdout);
    json << "}" << std::flush;
    first = false;
  }

private:
  std::vector<Column> all;
  std::ofstream json;
  bool first = true;

  void titles() const {
    for (const Column& c : all) std::printf("%s%*s", &c == &all[0] ? "" : " ", c.width, c.title);
    std::printf("\n");
  }

  static void print(const Value& value, int width, int digits) {
    if (const auto* text = std::get_if<std::string>(&value))
      std::printf("%*s", width, text->c_str());
    else
      std::printf("%*.*f", width, digits, std::get<double>(value));
  }

  void write(const char* key, const Value& value) {
    json << '"' << key << "\": ";
    if (const auto* text = std::get_if<std::string>(&value))
      json << '"' << *text << '"';
    else
      json << std::get<double>(value);
  }
};

} // namespace isochrone::benchmark
