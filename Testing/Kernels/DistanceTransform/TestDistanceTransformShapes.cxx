// Claims about distance transforms of shapes and random images: they agree with the comparison along all
// lines.
#include "DistanceTransformChecks.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace isochrone;
using namespace isochrone::distance;

namespace {

/// Returns blobs about `size` points wide, as in photographs: a sum of waves above a threshold.
Sites blobs(double size, double threshold, std::uint64_t seed) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    double sum = 0;
    for (std::uint64_t w = 0; w < 6; ++w) {
      const std::uint64_t s = 1000 * seed + 4 * w;
      const double a = 2 * noise(s) - 1, b = 2 * noise(s + 1) - 1, c = 2 * noise(s + 2) - 1;
      sum += std::sin((a * double(i) + b * double(j) + c * double(k)) * 6 / size + 6 * noise(s + 3));
    }
    return sum > threshold;
  };
}

Sites either(const Sites& a, const Sites& b) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) { return a(i, j, k) || b(i, j, k); };
}

/// Returns many sites in one region of the image and few elsewhere, so that parts of one line suit different
/// methods.
Sites uneven(std::int64_t upTo, double many, double few) {
  return [=](std::int64_t i, std::int64_t j, std::int64_t k) {
    return (i + j + k < upTo ? randomSites(many) : randomSites(few))(i, j, k);
  };
}

void expectLines(const Case& c, const std::vector<Region>& regions) {
  for (const Region region : regions) {
    const reference::Nearest nearest = reference::compareAlongLines(c.problem, region);
    for (const char* wanted : {"float", "double squared site"}) {
      Options options = optionsFor(wanted, region);
      options.threads = 2;
      expectResult(c, options, solve(c, options), nearest, nameOf(region) + ", outputs " + wanted);
    }
  }
}

/// Returns a number from `minimum` to `maximum`; small numbers are more likely.
std::int64_t length(std::uint64_t seed, std::int64_t minimum, std::int64_t maximum) {
  return minimum + std::int64_t(std::pow(noise(seed), 2) * double(maximum - minimum + 1));
}

Sites anySites(std::uint64_t seed, const Grid& g) {
  const double u = noise(seed + 5), v = noise(seed + 6), x = v * double(g.nx), y = u * double(g.ny);
  switch (seed % 7) {
  case 0:
    return randomSites(std::pow(10, -4 * u), seed);
  case 1:
    return blobs(5 + 60 * v, 2 * u, seed);
  case 2:
    return shell(x, y, 0, (u + v) * double(g.nx + g.ny) / 3);
  case 3:
    return ball(x, y, v * double(g.nz), u * double(g.nx + g.ny) / 4);
  case 4:
    return uneven(std::int64_t(x), u, 0.01 * v);
  case 5:
    return either(oneSite(std::int64_t(x), std::int64_t(y)), randomSites(0.0003, seed));
  default:
    return [=](std::int64_t i, std::int64_t j, std::int64_t k) { // lines or planes
      return std::abs(u * double(i - g.nx / 2) - v * double(j - g.ny / 3) + 0.3 * double(k)) < 0.4;
    };
  }
}

} // namespace

TEST(DistanceTransformShapes, PlanesEqualTheComparisonAlongAllLines) {
  const std::vector<CaseMaker> makers{
      {"BlobsSmall", {613, 480, 1}, blobs(20, 1, 1)},
      {"BlobsWide", {480, 613, 1}, blobs(150, 1.5, 2)},
      {"BlobsFew", {640, 512, 1}, blobs(40, 2.6, 3)},
      {"ManyShells",
       {600, 500, 1},
       either(shell(200, 150, 0, 140), either(shell(420, 300, 0, 60), shell(300, 700, 0, 350)))},
      {"Disc", {512, 512, 1}, ball(256, 256, 0, 100)},
      {"Hole",
       {500, 520, 1},
       [](auto i, auto j, auto) { return std::hypot(double(i) - 250, double(j) - 260) > 200; }},
      {"Uneven", {700, 450, 1}, uneven(350, 0.5, 0.0005)},
      {"Sparse", {750, 450, 1}, randomSites(0.00003)},
      {"Slope", {600, 500, 1}, [](auto i, auto j, auto) {
         return 3 * i + 7 * j > 4000 && 3 * i + 7 * j < 4010;
       }}};
  for (const CaseMaker& maker : makers)
    expectLines(makeCase(maker.name, maker.grid, maker.sites), {Region::Outside, Region::Signed});
}

TEST(DistanceTransformShapes, LongPlanesEqualTheComparisonAlongAllLines) {
  for (const Grid& grid : {Grid{2100, 33, 1}, {33, 2100, 1}, {5, 4200, 1}, {4200, 5, 1}})
    for (const std::uint64_t seed : {1, 2, 4, 5})
      expectLines(makeCase("long " + std::to_string(seed), grid, anySites(seed, grid)), {Region::Signed});
}

TEST(DistanceTransformShapes, VolumesEqualTheComparisonAlongAllLines) {
  const std::vector<CaseMaker> makers{{"Blobs", {101, 90, 83}, blobs(25, 1, 1)},
                                      {"BlobsFew", {70, 65, 130}, blobs(40, 2.6, 3)},
                                      {"Shell", {96, 97, 98}, shell(50, 45, 48, 40)},
                                      {"Uneven", {65, 120, 66}, uneven(90, 0.4, 0.0005)},
                                      {"Deep", {9, 7, 900}, randomSites(0.001)}};
  for (const CaseMaker& maker : makers)
    expectLines(makeCase(maker.name, maker.grid, maker.sites), {Region::Outside, Region::Signed});
}

TEST(DistanceTransformShapes, ImagesDrawnAtRandomEqualTheComparisonAlongAllLines) {
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const bool plane = seed % 3 != 0;
    const Grid grid{length(10 * seed, 1, plane ? 300 : 70), length(10 * seed + 1, 1, plane ? 300 : 70),
                    plane ? 1 : length(10 * seed + 2, 1, 70)};
    const Region region = allRegions[seed % 4];
    expectLines(makeCase("image " + std::to_string(seed), grid, anySites(seed, grid)), {region});
    if (testing::Test::HasFailure()) return;
  }
}
