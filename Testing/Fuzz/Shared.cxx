#include "Error.h"
#include "Fuzz.h"
#include "ManyRuns.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace isochrone::fuzz {

void Report::begin(const std::string& moduleName, std::uint64_t seedNumber) {
  module = moduleName, seed = seedNumber, problem.clear(), ++problems;
}

void Report::fault(const std::string& what) {
  ++faults;
  std::printf("fault: %s %llu: %s [%s]\n", module.c_str(), static_cast<unsigned long long>(seed),
              what.c_str(), problem.c_str());
  std::fflush(stdout);
}

void Report::expectFinite(std::span<const double> values, const char* what) {
  expect(std::ranges::all_of(values, [](double x) { return std::isfinite(x); }),
         std::string(what) + " not finite");
}

void Report::expectFinite(std::span<const float> values, const char* what) {
  expect(std::ranges::all_of(values, [](float x) { return std::isfinite(x); }),
         std::string(what) + " not finite");
}

void Report::expectTimes(std::span<const float> times) {
  expect(std::ranges::none_of(times, [](float t) { return std::isnan(t) || t == -infinity; }),
         "a travel time is NaN or -infinity");
}

std::string Report::outcome(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    ++refused;
    return error.what();
  } catch (const std::exception& error) {
    fault(std::string("exception other than Error: ") + error.what());
    return std::string("exception: ") + error.what();
  }
}

void expectSameRuns(std::int64_t seeds, const std::function<std::string(std::int64_t, int threads)>& solve,
                    Report& report) {
  const auto outcome = [&](std::int64_t seed, int threads) {
    try {
      return "bits " + solve(seed, threads);
    } catch (const Error& error) {
      return std::string("refused: ") + error.what();
    }
  };
  seeds = std::min<std::int64_t>(seeds, 3); // more take long
  std::vector<std::string> atOnce(static_cast<std::size_t>(seeds));
  report.outcome([&] {
    forEachRun(seeds, 3, {},
               [&](std::int64_t seed, const Monitor&) { atOnce[std::size_t(seed)] = outcome(seed, 1); });
    for (std::int64_t seed = 0; seed < seeds; ++seed)
      report.expect(atOnce[std::size_t(seed)] == outcome(seed, 2),
                    "seed " + std::to_string(seed) + " gives another result beside other runs");
  });
}

void useInstructionSet(const char* name) { setenv("ISOCHRONE_HOST_ISA", name, 1); }

const char* anyInstructionSet(Draw& draw) {
  constexpr const char* names[3] = {"sse2", "avx2", "avx512"};
  return names[draw.whole(0, 2)];
}

ImageGrid anyGrid(Draw& draw, std::int64_t maximum) {
  ImageGrid g;
  const int dimensions = draw.number(1, 3);
  const auto length = [&](int usual) { return draw.chance(0.1) ? draw.whole(1, 3) : draw.whole(1, usual); };
  do {
    g.nx = length(dimensions == 1 ? 400 : dimensions == 2 ? 90 : 40);
    g.ny = dimensions > 1 ? length(dimensions == 2 ? 90 : 40) : 1;
    g.nz = dimensions > 2 ? length(30) : 1;
  } while (g.points() > maximum);
  if (g.nx == 1 && draw.chance(0.5)) std::swap(g.nx, g.ny);
  const int kind = draw.number(0, 3);
  g.hx = kind == 0 ? 1 : draw.power(-1, 1);
  g.hy = kind <= 1 ? g.hx : draw.power(-1, 1);
  g.hz = kind <= 1 ? g.hx : draw.power(-1, 1);
  if (kind == 3 && draw.chance(0.3)) {
    const double scale = draw.power(-30, 30);
    g.hx *= scale, g.hy *= scale, g.hz *= scale;
  }
  if (kind == 3 && draw.chance(0.2)) {
    g.hy *= draw.power(-1, 1);
    g.hz *= draw.power(-1, 1);
  }
  if (draw.chance(0.02)) {
    const double bad = draw.wild();
    if (!(std::isfinite(bad) && bad > 0)) (draw.chance(0.5) ? g.hx : g.hy) = bad;
  }
  if (draw.chance(0.005)) g.nx = draw.whole(-1, 0);
  return g;
}

std::string sizeOf(const ImageGrid& g) {
  char text[120];
  std::snprintf(text, sizeof text, "%lld x %lld x %lld points, spacing %g %g %g", (long long)g.nx,
                (long long)g.ny, (long long)g.nz, g.hx, g.hy, g.hz);
  return text;
}

Position anyPosition(Draw& draw, const ImageGrid& g) {
  const std::int64_t n[3] = {g.nx, g.ny, g.nz};
  const double h[3] = {g.hx, g.hy, g.hz};
  Position at{};
  for (int a = 0; a < 3; ++a) at[a] = draw.real(0, double(n[a] - 1) * h[a]);
  if (draw.chance(0.3))
    for (int a = 0; a < 3; ++a) at[a] = double(draw.whole(0, std::max<std::int64_t>(n[a] - 1, 0))) * h[a];
  if (draw.chance(0.03)) draw.spoil(at, 3);
  if (draw.chance(0.03))
    for (double& x : at) x *= 3;
  return at;
}

std::vector<float> anyMedium(Draw& draw, std::int64_t size, int kind) {
  std::vector<float> v(std::size_t(std::max<std::int64_t>(size, 0)));
  const double scale = draw.chance(0.1) ? draw.power(-30, 30) : 1;
  const auto value = [&](std::size_t k) -> double {
    switch (kind) {
    case 0:
      return scale;
    case 1:
      return scale * draw.real(0.5, 2);
    case 2:
      return scale * draw.power(-2, 2);
    case 3:
      return scale * draw.power(-8, 8);
    case 4:
      return draw.chance(0.3) ? 0 : scale;
    case 5:
      return draw.chance(0.1) ? notANumber : scale * draw.real(0.1, 3);
    default:
      return scale * (1 + double((k / 7) % 2) * 20);
    }
  };
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = float(value(k));
  if (!v.empty() && draw.chance(0.03)) draw.spoil(v, std::int64_t(v.size()));
  if (draw.chance(0.004)) v.resize(std::size_t(draw.whole(0, std::int64_t(v.size()) + 5)));
  return v;
}

std::vector<std::uint8_t> anyMask(Draw& draw, std::int64_t size, double share) {
  std::vector<std::uint8_t> v(std::size_t(std::max<std::int64_t>(size, 0)));
  for (auto& x : v) x = draw.chance(share) ? std::uint8_t(draw.whole(1, 255)) : 0;
  if (draw.chance(0.004)) v.resize(std::size_t(draw.whole(0, std::int64_t(v.size()) + 5)));
  return v;
}

Tilt anyTilt(Draw& draw, const ImageGrid& grid, std::int64_t size) {
  Tilt tilt;
  const int axes = grid.nz == 1 ? 2 : 3;
  const bool same = draw.chance(0.3), wild = draw.chance(0.1);
  const std::int64_t count = same ? 1 : size;
  const double width = draw.chance(0.7) ? 0.4 : 2;
  for (std::int64_t n = 0; n < count; ++n) {
    // Physical, unless wild: the limits of the parameters depend on each other.
    const double shear = draw.chance(0.5) ? 0 : draw.real(0, 0.6), f = shear * shear;
    const double across = f + (1 - f) * std::exp(draw.real(-width, width));
    const double near = f + (across - f) * std::exp(draw.real(-width, std::min(width, 1.38)));
    tilt.epsilon.push_back(float((across - 1) / 2)), tilt.delta.push_back(float((near - 1) / 2));
    tilt.shear.push_back(float(shear));
    for (int a = 0; a < axes; ++a) tilt.axis.push_back(float(draw.normal()));
    if (wild && draw.chance(0.01))
      (draw.chance(0.5) ? tilt.delta : tilt.axis).back() = float(draw.chance(0.8) ? notANumber : draw.wild());
  }
  tilt.words = ", tilted, ratios up to " + std::to_string(std::exp(width)) + (same ? ", uniform" : "");
  return tilt;
}

Monitor anyMonitor(Draw& draw, int& calls) {
  if (!draw.chance(0.06)) return {};
  const std::int64_t after = draw.whole(0, 6);
  return {[&calls, after](double) { return ++calls <= after; }};
}

bool within(std::span<const float> values, double low, double high) {
  return std::ranges::all_of(values,
                             [&](float x) { return x == 0 || !std::isfinite(x) || (x >= low && x <= high); });
}

} // namespace isochrone::fuzz
