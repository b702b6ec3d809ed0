// Claims about the number of threads: problems of under a millisecond use one, whatever the machine has, and
// larger ones as many as they were given, which serve the next solve, too. On a busy machine a thread that
// starts or ends may wait for some milliseconds.
#include "AllocationCases.h"
#include "Backend.h"
#include "Execution/RoundPool.h"
#include "OrientedCost/OrientedCost.h"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>

namespace {

std::atomic<int> started{0};

} // namespace

/// Stands before the function of the C library.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) {
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  ++started;
  return real(thread, attributes, start, argument);
}

namespace isochrone {

namespace {

int threadsStartedBy(const Solve& solve) {
  const int before = started;
  Bytes bytes;
  solve(bytes);
  return started - before;
}

Solve orientedSolve(int threads) {
  return [=](Bytes& bytes) {
    oriented::Problem p;
    p.nx = p.ny = 24;
    p.headings = 8;
    const std::vector<float> image(24 * 24, 1.f);
    p.intensity = image;
    p.widths = {1.5};
    p.length = 3;
    bytes.add(oriented::makeOrientedCost(p, threads, {}).cost);
  };
}

/// Small problems of every solver.
std::vector<std::pair<const char*, Solve>> solves(int threads) {
  using enum image::SourceFactoring;
  return {{"image", imageSolve(Backend::Host, 1, Additive, false, threads)},
          {"curvature", curvatureSolve(Backend::Host, curvature::Accuracy::FirstOrder, 24, threads)},
          {"mesh", meshSolve(Backend::Host, mesh::Method::Band, threads)},
          {"rays", raySolve(Backend::Host, false, threads)},
          {"distance", distanceSolve(Backend::Host, threads)},
          {"oriented", orientedSolve(threads)}};
}

TEST(Threads, OfSmallProblemsAreNotStarted) { // the first test: none exist yet
  for (const auto& [name, solve] : solves(0)) EXPECT_EQ(threadsStartedBy(solve), 0) << name;
}

TEST(Threads, ServeTheNextSolve) {
  const auto all = solves(3);
  EXPECT_EQ(threadsStartedBy(all[0].second), 2);
  for (const auto& [name, solve] : all) EXPECT_EQ(threadsStartedBy(solve), 0) << name;
  int more = 0;
  for (const auto& [name, solve] : solves(4)) more += threadsStartedBy(solve);
  EXPECT_EQ(more, 1);
}

TEST(Threads, OfManyPoolsAreAsManyAsExistAtATime) {
  const int before = started;
  std::atomic<int> done{0};
  for (int round = 0; round < 1000; ++round) {
    execution::RoundPool one(5), other(3); // more than the tests above have started
    for (execution::RoundPool* pool : {&one, &other}) pool->run(10, [&](int, int) { ++done; });
  }
  EXPECT_EQ(done, 20000);
  EXPECT_LE(started - before, 4 + 2);
}

TEST(Threads, AreAtMostOnePerMillisecondOfWork) {
  const int cores = chooseThreads(0);
  EXPECT_EQ(chooseThreads(0, 0), 1);
  EXPECT_EQ(chooseThreads(0, 1.9e6), 1);
  EXPECT_EQ(chooseThreads(0, 1e18), cores);
  EXPECT_EQ(chooseThreads(3, 0), 3);
  shareHostCores(2 * cores);
  EXPECT_EQ(chooseThreads(0), 1);
  shareHostCores(1);
}

} // namespace

} // namespace isochrone
