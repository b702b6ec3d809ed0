// Fuzz.cxx - random problems against the public headers of the kernels.
//
//   Fuzz ROOM FIRST_SEED SECONDS [PROBLEMS]   from a seed on, until the first of both is used up
//   Fuzz --seeds FILE                         the problems that a file lists
//
// ROOM is curvature, distance, image, mesh, oriented or rays. A fault prints the module and the seed, and
// `Fuzz ROOM SEED 60 1` repeats it, with any compiler. Seeds that found faults stand in RegressionSeeds.txt.
#include "Fuzz.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include <unistd.h>

namespace {

using namespace isochrone::fuzz;
using Clock = std::chrono::steady_clock;

const std::map<std::string, void (*)(Draw&, Report&)> rooms{
    {"curvature", fuzzCurvature}, {"distance", fuzzDistance}, {"image", fuzzImage},
    {"mesh", fuzzMesh},           {"oriented", fuzzOriented}, {"rays", fuzzRays}};

constexpr unsigned longest = 60; ///< seconds that a problem may take

char current[80]; ///< module and seed, for a process that ends

void sayWhich(int signal) {
  const char* why = signal == SIGALRM ? "\nfault: does not end: " : "\nfault: ends the process: ";
  if (write(1, why, std::strlen(why)) < 0 || write(1, current, std::strlen(current)) < 0) _exit(4);
  _exit(3);
}

void solve(const std::string& module, std::uint64_t seed, Report& report) {
  std::snprintf(current, sizeof current, "%s %llu\n", module.c_str(), static_cast<unsigned long long>(seed));
  alarm(longest);
  report.begin(module, seed);
  Draw draw(seed);
  rooms.at(module)(draw, report);
}

void solveFor(const std::string& module, std::uint64_t first, double seconds, long most, Report& report) {
  const Clock::time_point begin = Clock::now();
  double slowest = 0;
  std::uint64_t slowestSeed = first;
  for (long n = 0; n < most; ++n) {
    const Clock::time_point start = Clock::now();
    if (std::chrono::duration<double>(start - begin).count() > seconds) break;
    solve(module, first + std::uint64_t(n), report);
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    if (took > slowest) slowest = took, slowestSeed = first + std::uint64_t(n);
  }
  std::printf(
      "%s: %ld problems from seed %llu, %ld calls refused, %ld faults; the slowest took %.2f s (%llu)\n",
      module.c_str(), report.problems, static_cast<unsigned long long>(first), report.refused, report.faults,
      slowest, static_cast<unsigned long long>(slowestSeed));
}

/// Lines "module seed what happened".
void solveListed(const char* file, Report& report) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(std::string("cannot read ") + file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string module;
    std::uint64_t seed = 0;
    if (!(words >> module) || module[0] == '#') continue;
    if (!(words >> seed) || !rooms.contains(module)) throw std::runtime_error("not a seed: " + line);
    solve(module, seed, report);
  }
  std::printf("%ld listed problems, %ld faults\n", report.problems, report.faults);
}

} // namespace

int main(int count, char** words) {
  const std::string first = count > 1 ? words[1] : "";
  const bool listed = first == "--seeds" && count > 2;
  if (!listed && (count < 4 || !rooms.contains(first))) {
    std::puts("Fuzz ROOM FIRST_SEED SECONDS [PROBLEMS] | Fuzz --seeds FILE");
    return 2;
  }
  std::signal(SIGALRM, sayWhich);
  std::signal(SIGABRT, sayWhich);
  Report report;
  try {
    if (listed)
      solveListed(words[2], report);
    else
      solveFor(first, std::strtoull(words[2], nullptr, 10), std::atof(words[3]),
               count > 4 ? std::atol(words[4]) : 1'000'000'000, report);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
  return report.faults ? 1 : 0;
}
