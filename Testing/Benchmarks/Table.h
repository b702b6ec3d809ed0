// Table.h - shared by the benchmarks: the clock, a table on the screen, and the same rows as JSON in a file.
#pragma once

#include "Error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace isochrone::benchmark {

inline double seconds(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns how often work is measured: five times, or what ISOCHRONE_BENCHMARK_RUNS says.
inline std::size_t measuredRuns() {
  const char* const runs = std::getenv("ISOCHRONE_BENCHMARK_RUNS");
  return runs ? std::size_t(std::max(1, std::atoi(runs))) : 5;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the median of the measured runs, or of fewer if they exceed three seconds, since other processes
/// may run.
inline double medianSeconds(const auto& work) {
  std::vector<double> times;
  for (double spent = 0; times.size() < measuredRuns() && spent < 3; spent += times.back())
    times.push_back(seconds(work));
  return median(times);
}

inline std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

/// Returns "300x200x96": points of an image or a tile, or states with their headings.
inline std::string sizeText(const auto& grid) {
  const std::string plane = std::to_string(grid.nx) + "x" + std::to_string(grid.ny) + "x";
  if constexpr (requires { grid.headings; })
    return plane + std::to_string(grid.headings);
  else
    return plane + std::to_string(grid.nz);
}

inline std::ofstream openForWriting(const std::string& file) {
  std::ofstream out(file, std::ios::binary);
  if (!out) throw Error("cannot write " + file);
  return out;
}

/// Writes the bytes of an array, for other programs.
inline void saveArray(const std::string& file, const auto& values) {
  openForWriting(file).write(reinterpret_cast<const char*>(values.data()),
                             std::streamsize(values.size() * sizeof(values[0])));
}

inline std::string jsonText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char code[8];
    std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
    const bool control = static_cast<unsigned char>(c) < 0x20;
    quoted += control ? code : c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  }
  return quoted + '"';
}

/// Returns a JSON number; null for infinity and NaN, which JSON lacks.
/// @param decimals  negative: six significant digits
inline std::string jsonNumber(double value, int decimals = -1) {
  if (!std::isfinite(value)) return "null";
  char text[400]; // the largest number has 309 digits
  std::snprintf(text, sizeof text, decimals < 0 ? "%.*g" : "%.*f", decimals < 0 ? 6 : decimals, value);
  return text;
}

class Table {
public:
  using Value = std::variant<double, std::string>;
  using About = std::vector<std::pair<const char*, Value>>;

  struct Column {
    const char *key, *title; ///< in the file, on the screen
    int width;               ///< on the screen; negative: left-aligned
    int digits = 0;
  };

  /// @param file   empty: screen only
  /// @param about  printed and written before the rows
  Table(const std::string& file, const About& about, std::vector<Column> columns) : all(std::move(columns)) {
    if (!file.empty()) json = openForWriting(file);
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
    const auto* text = std::get_if<std::string>(&value);
    json << jsonText(key) << ": " << (text ? jsonText(*text) : jsonNumber(std::get<double>(value)));
  }
};

/// Returns the description of the machine for tables of times.
/// @param more  entries before the compiler
inline Table::About machine(const Table::About& more = {}) {
  Table::About about{{"machine", processor()}, {"cores", double(std::thread::hardware_concurrency())}};
  about.insert(about.end(), more.begin(), more.end());
  about.emplace_back("compiler", __VERSION__);
  return about;
}

} // namespace isochrone::benchmark
