#include "Report.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace on_host {

namespace {

struct Findings {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, long> count; ///< by kind and place
};

/// Never destroyed, since destructors of the program may still call the runtime.
Findings& findings() {
  static Findings* const only = new Findings;
  return *only;
}

void summary() {
  const Findings& f = findings();
  long all = 0;
  for (const auto& [where, count] : f.count) all += count;
  std::fprintf(stderr, "cuda-on-host: %zu kinds of findings, %ld in all:\n", f.count.size(), all);
  for (const auto& [where, count] : f.count)
    std::fprintf(stderr, "cuda-on-host:   %8ld x %s, %s\n", count, where.first.c_str(), where.second.c_str());
  std::fflush(nullptr);
  if (setting("STRICT", 0)) _exit(9);
}

} // namespace

long setting(const char* name, long otherwise) {
  const char* value = std::getenv((std::string("CUDA_ON_HOST_") + name).c_str());
  return value && *value ? std::strtol(value, nullptr, 0) : otherwise;
}

void report(const std::string& kind, const std::string& place, const std::string& detail) {
  Findings& f = findings();
  std::lock_guard lock(f.mutex);
  if (f.count.empty()) std::atexit(summary);
  if (f.count[{kind, place}]++ == 0)
    std::fprintf(stderr, "cuda-on-host: %s, %s: %s\n", kind.c_str(), place.c_str(), detail.c_str());
}

std::string demangled(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  if (const auto open = result.find("runTiles<"); open != std::string::npos) result = result.substr(open);
  if (const auto end = result.rfind(">("); end != std::string::npos) result.resize(end + 1);
  for (const std::string drop : {"isochrone::", "execution::", "(anonymous namespace)::"})
    for (auto at = result.find(drop); at != std::string::npos; at = result.find(drop))
      result.erase(at, drop.size());
  return result;
}

} // namespace on_host
