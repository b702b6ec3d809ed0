// Claims about images divided among processes: the bytes of the undivided solve, few messages, and one end
// for all.
#include "DistanceTransformChecks.h"
#include "DistanceTransformParts.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <tuple>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// Returns the first point of a box whose value differs from the whole image's; -1 if none does.
template <class T>
std::int64_t differing(const Values<T>& part, const Values<T>& whole, const Grid& g, const Box& box) {
  std::size_t at = 0;
  if (!whole.empty() && !box.empty())
    for (std::int64_t k = box.begin[2]; k < box.end[2]; ++k)
      for (std::int64_t j = box.begin[1]; j < box.end[1]; ++j)
        for (std::int64_t i = box.begin[0]; i < box.end[0]; ++i, ++at)
          if (std::memcmp(&part[at], &whole[g.index(i, j, k)], sizeof(T)) != 0) return g.index(i, j, k);
  return part.size() == at ? -1 : std::int64_t(at);
}

/// Expects the bytes of the undivided solve. Returns the results of the processes.
std::vector<Result> expectSameBytes(const Case& c, const Options& options, const Division& division) {
  const Result whole = solveDistanceTransform(c.problem, options, {});
  const std::vector<Result> parts = solveInParts(c, options, division);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto expect = [&](const char* name, const auto& part, const auto& all) {
      const std::int64_t first = differing(part, all, c.problem.grid, division.solved[p]);
      EXPECT_EQ(first, -1) << c.name << ", " << nameOf(options.region) << ", " << division.name << ", part "
                           << p << ": " << name << " differs";
    };
    expect("distance", parts[p].distance, whole.distance);
    expect("precise distance", parts[p].preciseDistance, whole.preciseDistance);
    expect("squared distance", parts[p].squaredDistance, whole.squaredDistance);
    expect("nearest site", parts[p].nearestSite, whole.nearestSite);
  }
  return parts;
}

/// Returns divisions of all kinds: with nothing in common, as VTK's pieces with shared planes, with ghost
/// layers.
std::vector<Division> divisions(const Grid& g) {
  const std::vector<Box> one{wholeBox(g)}, slabs = blocks(g, {1, 1, 2}), eight = blocks(g, {2, 2, 2}),
                                           six = blocks(g, {3, 1, 2}), three = halves(g, 3, 3),
                                           seven = halves(g, 7, 7), twelve = blocks(g, {2, 3, 2});
  return {{"one", one, one},
          {"two slabs", slabs, slabs},
          {"2 x 2 x 2, shared planes", eight, extended(eight, g, 0, 1)},
          {"3 x 1 x 2, shared planes", six, extended(six, g, 0, 1)},
          {"3 unlike boxes", three, three},
          {"7 unlike boxes, shared planes", seven, extended(seven, g, 0, 1)},
          {"2 x 3 x 2, ghost layers", twelve, extended(twelve, g, 2, 3)}};
}

Case randomVolume(const Grid& g, double share) { return makeCase("random", g, randomSites(share)); }

} // namespace

TEST(DistanceParts, TwoPiecesOfALineByHand) {
  const Case c =
      makeCase("six", {6, 1, 1}, [](std::int64_t i, std::int64_t, std::int64_t) { return i == 1; });
  const std::vector<Box> owned{{{0, 0, 0}, {3, 1, 1}}, {{3, 0, 0}, {6, 1, 1}}};
  const std::vector<Result> parts = solveInParts(c, optionsFor("squared site"), {"", owned, owned});
  EXPECT_EQ(std::vector<double>(parts[1].squaredDistance.begin(), parts[1].squaredDistance.end()),
            (std::vector<double>{4, 9, 16}));
  EXPECT_EQ(std::vector<std::int64_t>(parts[1].nearestSite.begin(), parts[1].nearestSite.end()),
            (std::vector<std::int64_t>{1, 1, 1}));
  EXPECT_EQ(parts[0].sentBytes, 2u); // one vertex, at place 1
  EXPECT_EQ(parts[1].sentBytes, 0u);
}

class DistancePartsImages : public testing::TestWithParam<std::string> {};

TEST_P(DistancePartsImages, GiveTheBytesOfTheUndividedSolve) {
  const Case c = makeCase(GetParam());
  const std::vector<Options> requests{
      optionsFor("float squared site", Region::Outside), optionsFor("double", Region::Inside),
      optionsFor("double squared site", Region::Signed), optionsFor("float", Region::Both)};
  // In turn: each division meets each request on a quarter of the images.
  std::size_t turn = std::size_t(std::ranges::find(caseNames(), GetParam()) - caseNames().begin());
  for (const Division& division : divisions(c.problem.grid))
    expectSameBytes(c, requests[turn++ % requests.size()], division);
}

INSTANTIATE_TEST_SUITE_P(Images, DistancePartsImages, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

TEST(DistanceParts, SixtyFourPiecesGiveTheBytesOfTheUndividedSolve) {
  const Grid cube{33, 31, 35}, unequal{33, 31, 35, 0.3, 0.3, 0.6};
  for (const auto& [grid, sites] :
       std::initializer_list<std::pair<Grid, Sites>>{{cube, randomSites(0.01)},
                                                     {unequal, randomSites(0.0001)},
                                                     {cube, oneSite(10, 8, 6)},
                                                     {unequal, shell(16, 15, 17, 13)},
                                                     {cube, ball(16, 15, 17, 10)}}) {
    const Case c = makeCase("64 pieces", grid, sites);
    const std::vector<Box> even = blocks(grid, {4, 4, 4}), uneven = halves(grid, 64, 9);
    expectSameBytes(c, optionsFor("float squared site"), {"blocks", even, extended(even, grid, 0, 1)});
    expectSameBytes(c, optionsFor("double", Region::Both),
                    {"unlike boxes", uneven, extended(uneven, grid, 0, 1)});
  }
}

TEST(DistanceParts, UnequalSpacingsWithTiesGiveTheBytesOfTheUndividedSolve) {
  // 3^2 + 4^2 = 5^2, also after a factor that is rounded: such distances tie up to rounding.
  for (const Grid& g : {Grid{41, 37, 23, 0.1, 0.1, 0.3}, Grid{41, 37, 23, 0.7, 1.4, 0.35}})
    for (const Sites& sites : {lattice(5), shell(20, 18, 11, 10), ball(20, 18, 11, 10), randomSites(0.05)}) {
      const Case c = makeCase("ties", g, sites);
      const std::vector<Box> boxes = blocks(g, {3, 2, 2});
      expectSameBytes(c, optionsFor("double squared site"), {"3 x 2 x 2", boxes, boxes});
      expectSameBytes(c, optionsFor("double squared", Region::Both), {"3 x 2 x 2", boxes, boxes});
    }
}

TEST(DistanceParts, AMaximumDistanceGivesTheBytesOfTheUndividedSolve) {
  const Case c = randomVolume({31, 29, 27}, 0.001);
  Options options = optionsFor("float site");
  options.maximumDistance = 6.5;
  const std::vector<Box> boxes = blocks(c.problem.grid, {2, 2, 2});
  expectSameBytes(c, options, {"2 x 2 x 2", boxes, boxes});
}

TEST(DistanceParts, ThreadsDoNotChangeTheBytes) {
  const Case c = randomVolume({90, 85, 80}, 0.001);
  const std::vector<Box> boxes = blocks(c.problem.grid, {2, 1, 2});
  for (const int threads : {1, 3}) {
    Options options = optionsFor("float site", Region::Signed);
    options.threads = threads;
    expectSameBytes(c, options, {std::to_string(threads) + " threads", boxes, boxes});
  }
}

TEST(DistanceParts, OneExchangeForEachDividedAxis) {
  const Case c = randomVolume({32, 32, 32}, 0.01);
  for (const auto& [counts, exchanges] : std::initializer_list<std::pair<GridIndex, int>>{
           {{1, 1, 1}, 0}, {{1, 1, 2}, 1}, {{1, 2, 2}, 2}, {{2, 2, 2}, 3}}) {
    const std::vector<Box> boxes = blocks(c.problem.grid, counts);
    for (const Result& part : solveInParts(c, optionsFor("float site"), {"", boxes, boxes}))
      EXPECT_EQ(part.exchanges, exchanges);
  }
}

/// Expects that all processes together send no more than the values, and the nearest sites, of all points to
/// whole lines and back.
void expectNoMoreThanATranspose(const Case& c, const Options& options, int slabs) {
  const std::vector<Box> boxes = blocks(c.problem.grid, {1, 1, slabs});
  double sent = 0;
  for (const Result& part : expectSameBytes(c, options, {"slabs", boxes, boxes}))
    sent += double(part.sentBytes);
  const double perPoint = 4 + (options.nearestSite ? 8 : 0);
  EXPECT_LE(sent, 2 * perPoint * double(c.problem.grid.points()) * (slabs - 1) / slabs)
      << c.name << ", " << nameOf(options.region);
}

TEST(DistanceParts, ThinPiecesSendNoMoreThanATranspose) {
  const Grid g{32, 32, 32};
  for (const char* wanted : {"float", "float site"}) {
    expectNoMoreThanATranspose(makeCase("dense", g, randomSites(0.01)), optionsFor(wanted), 16);
    expectNoMoreThanATranspose(makeCase("shell", g, shell(16, 16, 16, 13)), optionsFor(wanted), 16);
    expectNoMoreThanATranspose(makeCase("ball", g, ball(16, 16, 16, 9)), optionsFor(wanted, Region::Both),
                               16);
  }
}

TEST(DistanceParts, TipsFindTheSegmentsOfTheUndividedSolve) {
  const Grid cube{23, 21, 25}, unequal{23, 21, 25, 0.3, 0.3, 0.6}, plane{40, 31, 1, 2, 2, 1};
  for (const auto& [g, sites, region] :
       std::initializer_list<std::tuple<Grid, Sites, Region>>{{cube, randomSites(0.003), Region::Both},
                                                              {cube, lattice(6), Region::Outside},
                                                              {unequal, randomSites(0.003), Region::Outside},
                                                              {unequal, lattice(6), Region::Signed},
                                                              {plane, oneSite(3, 4, 0), Region::Both},
                                                              {plane, noSite, Region::Outside}}) {
    const Case c = makeCase("tips", g, sites);
    const Options options = optionsFor("float", region);
    std::vector<Position> tips{{-9, 0, 0}};
    for (std::uint64_t t = 0; t < 200; ++t)
      tips.push_back({(noise(3 * t) * double(g.nx) - 0.5) * g.hx,
                      (noise(3 * t + 1) * double(g.ny) - 0.5) * g.hy,
                      std::round(2 * noise(3 * t + 2) * double(g.nz) - 0.5) / 2 * g.hz});
    const Result whole = solveDistanceTransform(c.problem, options, {});
    const std::vector<Segment> expected = nearestSites(c.problem, options, whole, tips);
    const std::vector<Box> boxes = halves(g, 5, 11);
    const Division division{"5 unlike boxes", boxes, extended(boxes, g, 0, 1)};
    Processes processes(int(boxes.size()));
    std::vector<std::vector<Segment>> segments(boxes.size());
    processes.run([&](int p) {
      const std::vector<std::uint8_t> own = sitesIn(c, division.solved[p]);
      const Problem part{g, own, processes.sharing(division, p)};
      const Result result = solveDistanceTransform(part, options, {});
      segments[p] = nearestSites(part, options, result, tips);
      return true;
    });
    for (const std::vector<Segment>& found : segments) {
      ASSERT_EQ(found.size(), tips.size());
      for (std::size_t t = 0; t < tips.size(); ++t) {
        EXPECT_EQ(found[t].status, expected[t].status) << t;
        EXPECT_EQ(found[t].site, expected[t].site) << t;
        EXPECT_EQ(found[t].distance, expected[t].distance) << t;
      }
    }
  }
}

TEST(DistanceParts, AnAbortOnOneProcessStopsAll) {
  const Case c = randomVolume({40, 40, 40}, 0.01);
  const std::vector<Box> boxes = blocks(c.problem.grid, {2, 2, 2});
  for (int last = 0; last < 30; last += 3) {
    std::atomic<int> calls = 0;
    bool asked = false;
    const Monitor monitor{[&](double done) { return !(asked |= calls++ >= last && done < 1); }};
    const std::vector<Result> parts = solveInParts(c, optionsFor("float site"), {"", boxes, boxes}, monitor);
    EXPECT_EQ(parts.back().aborted, asked) << last;
    for (const Result& part : parts) {
      EXPECT_TRUE(!part.aborted || part.distance.empty());
    }
    if (last == 0)
      for (const Result& part : parts) EXPECT_TRUE(part.aborted);
  }
}

TEST(DistanceParts, AnErrorOnOneProcessStopsAll) {
  const Case c = randomVolume({20, 20, 20}, 0.01);
  const std::vector<Box> boxes = blocks(c.problem.grid, {1, 1, 4});
  const Monitor failing{[](double share) -> bool {
    if (share > 0.5) throw Error("the monitor fails");
    return true;
  }};
  EXPECT_THROW(solveInParts(c, optionsFor("float site"), {"", boxes, boxes}, failing), Error);
}

TEST(DistanceParts, RefusesTheDeviceAndWrongSizes) {
  const Case c = randomVolume({8, 8, 8}, 0.1);
  const std::vector<Box> boxes = blocks(c.problem.grid, {1, 1, 2});
  Options cuda = optionsFor("float");
  cuda.backend = Backend::Cuda;
  EXPECT_THROW(solveInParts(c, cuda, {"", boxes, boxes}), Error);
  Problem part{c.problem.grid, c.problem.sites, Processes(2).sharing({"", boxes, boxes}, 0)};
  EXPECT_THROW(solveDistanceTransform(part, optionsFor("float"), {}), Error); // the sites of the whole
}
