// Claims about the tile solver on planes with periodic axes, run by host teams: the times of the host, in the
// margin, too.
#include "CurvatureAgreement.h"
#include "CurvatureHostTiles.h"
#include "CurvaturePaths/Seeds/NearSeedStarts.h"
#include "CurvaturePaths/Seeds/PeriodicProblem.h"
#include "CurvatureTori.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace isochrone;
using namespace isochrone::curvature;

namespace {

/// The part that stands for a plane with periodic axes, solved by tiles and by the host.
struct Part {
  std::shared_ptr<const Discretisation> ofImage, discretisation;
  PeriodicProblem periodic;
  std::vector<StartState> starts;

  explicit Part(const Problem& image)
      : ofImage(std::make_shared<const Discretisation>(image)), periodic(image, ofImage) {
    discretisation = periodic.discretisation();
    std::vector<Placement> seeds = discretisation->seeds;
    starts = startsOf(problem(), *discretisation, seeds, nullptr, 1, {});
  }
  const Problem& problem() const { return periodic.problem(); }
  Result byTiles(int threads = 1, const std::vector<Placement>& tips = {}) const {
    return solveOnHostTiles(problem(), *discretisation, starts, threads, {}, tips);
  }
  Result onHost() const {
    Options options;
    options.backend = Backend::Host;
    return solveCurvaturePaths(problem(), options, {});
  }
};

class CurvaturePeriodicTiles : public testing::TestWithParam<Named> {
protected:
  const Case c = torus(GetParam().model, GetParam().name, GetParam().periodic, GetParam().accuracy);
  const Part part{c.problem};
};

} // namespace

TEST_P(CurvaturePeriodicTiles, AgreeWithTheHostInTheMarginToo) {
  const Result tiles = part.byTiles(), host = part.onHost();

  ASSERT_EQ(std::int64_t(tiles.travelTime.size()),
            windowOf(part.problem()).points() * c.problem.grid.headings);
  expectAgree(c.problem, host.travelTime, tiles.travelTime);
  expectAgree(c.problem, host.uncorrected, tiles.uncorrected);
  const std::size_t used = tiles.workBytes + 4 * tiles.travelTime.size(),
                    announced = tileBytes(part.problem(), *part.discretisation);
  EXPECT_LE(used, announced); // must fit on a device
  EXPECT_GE(used + (std::size_t(18) << 20), announced);
}

TEST_P(CurvaturePeriodicTiles, GiveTheSameBitsForAnyThreadCountAndRepeatThemInTheMargin) {
  const Result tiles = part.byTiles();

  EXPECT_EQ(part.byTiles(3).travelTime, tiles.travelTime);
  // Near-seed values of copies of a seed differ by rounding.
  if (c.problem.accuracy != Accuracy::FirstOrder) return;
  Values<float> image = tiles.travelTime;
  part.periodic.crop(image, c.problem.grid.headings);
  EXPECT_EQ(part.periodic.extended(image, c.problem.grid.headings), tiles.travelTime);
}

INSTANTIATE_TEST_SUITE_P(Planes, CurvaturePeriodicTiles, testing::ValuesIn(tori()),
                         [](const auto& info) { return nameOf(info.param.model) + "_" + info.param.name; });

TEST(CurvaturePeriodicTilesRuns, StopAtTipsGivesTheirFinalTimes) {
  const Case c = torus(Model::ReedsShepp, "RoughCost", {true, true}, Accuracy::FirstOrder);
  const Part part(c.problem);
  const Placement tip = place(part.problem(), part.periodic.inPlane({-0.1, 0, 0, true}));
  ASSERT_EQ(tip.status, Placement::Status::Inside);

  const Result all = part.byTiles(), stopped = part.byTiles(1, {tip});

  const grid::Box window = windowOf(part.problem());
  float first = std::numeric_limits<float>::infinity(), second = first;
  for (int k = 0; k < c.problem.grid.headings; ++k) {
    const auto at =
        std::size_t(tip.i - window.low[0] + window.size(0) * (tip.j - window.low[1]) + window.points() * k);
    first = std::min(first, all.travelTime[at]), second = std::min(second, stopped.travelTime[at]);
  }
  EXPECT_EQ(first, second);
  EXPECT_LT(stopped.updatesPerPoint, all.updatesPerPoint);
}

TEST(CurvaturePeriodicTilesRuns, AWaveReachesTheOtherSideOfAWallAcrossTheBorder) {
  // The ends of the axis at any place in a tile: where one begins there, its copies alone list their readers.
  for (const int axis : {0, 1})
    for (std::int64_t length = 26; length < (axis == 0 ? 34 : 30); ++length)
      for (const std::int64_t steps : {3, -3}) {
        SCOPED_TRACE(std::to_string(axis) + " " + std::to_string(length) + " " + std::to_string(steps));
        const Case c =
            behindAWall(length % 2 == 0 ? Model::ReedsSheppForward : Model::Dubins, axis, length, steps);
        const Part part(c.problem);

        const Result tiles = part.byTiles();

        EXPECT_GT(std::ranges::count_if(tiles.travelTime, [](float u) { return std::isfinite(u); }),
                  std::ptrdiff_t(tiles.travelTime.size()) / 2);
        expectAgree(c.problem, part.onHost().travelTime, tiles.travelTime);
      }
}

TEST(CurvaturePeriodicTilesRuns, SmallImagesAgreeWithTheHostToo) {
  for (const Model model : allModels)
    for (const auto& [nx, ny] : {std::pair{2, 2}, {7, 5}, {25, 1}, {1, 9}}) {
      SCOPED_TRACE(nameOf(model) + " " + std::to_string(nx) + " x " + std::to_string(ny));
      Problem problem;
      problem.grid = {nx, ny, 12, 1, 1.2};
      problem.model = model, problem.turningRadius.constant = 1.5;
      problem.seeds = {{{0.2, 0, 0.5, false}, 0}};
      problem.periodic = {true, true};
      const Part part(problem);

      expectAgree(problem, part.onHost().travelTime, part.byTiles().travelTime);
    }
}

TEST(CurvaturePeriodicTilesRuns, TakeAboutTheRoundsAndUpdatesOfAPlaneWithoutPeriodicAxes) {
  for (const Model model : {Model::ReedsSheppForward, Model::Dubins}) {
    Case c = makeCase(model, "Constant", 121, 16);
    const Result plain = solveOnHostTiles(c.problem, seedStarts(c.problem, placementsOf(c.problem)), 1);
    c.problem.periodic = {true, true};

    const Result periodic = Part(c.problem).byTiles();

    EXPECT_LT(periodic.rounds, 1.1 * plain.rounds);
    EXPECT_LT(periodic.updatesPerPoint, 1.5 * plain.updatesPerPoint); // with those of the margin
  }
}
