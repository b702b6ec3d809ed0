// Fuzz.cxx - random problems for the public headers of the kernels.
//
//   Fuzz MODULE FIRST_SEED SECONDS [PROBLEMS]
//   Fuzz --seeds FILE
//
// A fault prints the module and the seed, and `Fuzz MODULE SEED 60 1` repeats it, with any compiler. Seeds
// that found faults stand in RegressionSeeds.txt. They repeat their problems only while a module draws what
// it drew then: give a new part of a problem to a module of its own, or draw it where nothing follows.
#include "Fuzz.h"

#include "Benchmarks/Arguments.h"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <unistd.h>

namespace {

using namespace isochrone::fuzz;
using isochrone::benchmark::Arguments;
using isochrone::benchmark::BadArguments;
using Clock = std::chrono::steady_clock;

/// Solves an image with periodic axes, by any module that takes them. Curvature paths, which take longer,
/// have a module of their own.
void fuzzPeriodic(Draw& draw, Report& report) {
  constexpr std::array any{fuzzPeriodicDistance, fuzzPeriodicDrift,  fuzzPeriodicImage,
                           fuzzPeriodicRays,     fuzzPeriodicTilted, fuzzPeriodicTiltedRays};
  any[std::size_t(draw.whole(0, std::ssize(any) - 1))](draw, report);
}

const std::map<std::string, void (*)(Draw&, Report&)> modules{{"axes", fuzzAxes},
                                                              {"curvature", fuzzCurvature},
                                                              {"distance", fuzzDistance},
                                                              {"drift", fuzzDrift},
                                                              {"image", fuzzImage},
                                                              {"mesh", fuzzMesh},
                                                              {"oriented", fuzzOriented},
                                                              {"periodic", fuzzPeriodic},
                                                              {"periodic-curvature", fuzzPeriodicCurvature},
                                                              {"rays", fuzzRays},
                                                              {"rectilinear", fuzzRectilinear},
                                                              {"surface", fuzzSurface},
                                                              {"tilted", fuzzTilted},
                                                              {"tilted-rays", fuzzTiltedRays}};

constexpr unsigned longest = 60; ///< maximum time per problem, seconds

char current[80]; ///< module and seed, for the signal handler

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
  modules.at(module)(draw, report);
}

void solveFor(const std::string& module, std::uint64_t first, double seconds, long maximum, Report& report) {
  const Clock::time_point begin = Clock::now();
  double slowest = 0;
  std::uint64_t slowestSeed = first;
  for (long n = 0; n < maximum; ++n) {
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

/// Solves the problems of a file with lines "module seed fault".
void solveListed(const std::string& file, Report& report) {
  std::ifstream in(file);
  if (!in) throw BadArguments("cannot read ", file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string module;
    std::uint64_t seed = 0;
    if (!(words >> module) || module[0] == '#') continue;
    if (!(words >> seed) || !modules.contains(module)) throw BadArguments("not a seed: ", line);
    solve(module, seed, report);
  }
  std::printf("%ld listed problems, %ld faults\n", report.problems, report.faults);
}

} // namespace

int main(int count, char** words) {
  std::string module, file;
  std::uint64_t first = 0;
  double seconds = -1;
  long maximum = 1'000'000'000;
  std::vector<std::string> names;
  for (const auto& [name, fuzz] : modules) names.push_back(name);
  return Arguments("Solves random problems, or the seeds in a file, and checks the results.")
      .text("[MODULE]", "the module to test", module, names)
      .number("[FIRST_SEED]", "seed of the first problem; the following problems have consecutive seeds",
              first, 0, 0x1p64)
      .number("[SECONDS]", "time after which no problem starts", seconds, 0)
      .number("[PROBLEMS]", "maximum number of problems", maximum, 0)
      .text("--seeds FILE", "file with a module and a seed per line", file)
      .run(count, words, [&] {
        if (file.empty() ? seconds < 0 : !module.empty())
          throw BadArguments("give either MODULE FIRST_SEED SECONDS or --seeds FILE");
        std::signal(SIGALRM, sayWhich);
        std::signal(SIGABRT, sayWhich);
        Report report;
        if (file.empty())
          solveFor(module, first, seconds, maximum, report);
        else
          solveListed(file, report);
        return report.faults ? 1 : 0;
      });
}
