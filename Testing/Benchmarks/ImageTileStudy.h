// ImageTileStudy.h - tiles of images on any device: shapes and widths of the band, and the block FIM of Jeong
// and Whitaker, 2008, with 1 to 20 passes (their figure 10).
#pragma once

#include "ImageProblems.h"
#include "ImageTravelTime/ImageTravelTimeSolver.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

namespace isochrone::benchmark {

template <class Device>
class ImageTileStudy {
public:
  /// @param edge  nodes along each axis in space; 16 times as many in the plane
  ImageTileStudy(Device& runsOn, int edge, int repeatCount, const char* name, const char* file)
      : device(runsOn), size(edge), repeats(repeatCount) {
    if (file) json.open(file);
    json << "{\"device\": \"" << name << "\", \"runs\": [";
    std::printf("%s; milliseconds of the rounds, best of %d\n", name, repeats);
    std::printf("%-8s %-8s %-8s %-9s %6s %5s %9s %7s %11s\n", "example", "nodes", "tile", "method", "passes",
                "band", "ms", "rounds", "updates/pt");
  }
  ~ImageTileStudy() { json << "\n]}\n"; }

  void run() {
    using image::TileSettings;
    for (const char* name : {"1", "2", "3", "4b", "5b", "noise"}) {
      const ImageCase c = makeImageCase(name, size, size);
      for (const float band : {2.f, 4.f, 8.f, image::infinite}) {
        row<image::Box<8, 8, 8>>(c, {TileSettings{}.passes, band});
        row<image::Box<8, 8, 4>>(c, {TileSettings{}.passes, band});
      }
      for (int passes = 1; passes <= 20; ++passes) {
        TileSettings settings;
        settings.passes = passes, settings.blockFim = true;
        row<image::Box<4, 4, 4>>(c, settings);
      }
    }
    for (const char* name : {"1", "noise"}) {
      const ImageCase c = makeImageCase(name, 16 * size, 1);
      for (const float band : {2.f, 4.f, 8.f}) {
        row<image::Box<16, 16, 1>>(c, {TileSettings{}.passes, band});
        row<image::Box<8, 8, 1>>(c, {TileSettings{}.passes, band});
      }
    }
  }

private:
  Device& device;
  int size, repeats;
  bool first = true;
  std::ofstream json;

  template <class Shape>
  void row(const ImageCase& c, image::TileSettings settings) {
    const image::Problem& problem = c.problem;
    const std::vector<image::SeedPoint> seeds = seedPoints(problem, placeSeeds(problem));
    image::Result result;
    double seconds = 0, best = std::numeric_limits<double>::infinity();
    settings.seconds = &seconds;
    for (int i = 0; i < repeats; ++i) {
      image::relaxTiles<Shape>(device, problem, seeds, {}, settings, {}, result);
      best = std::min(best, seconds);
    }
    const image::Grid& g = problem.grid;
    char nodes[32], tile[24], band[16];
    std::snprintf(nodes, sizeof nodes, g.nz == 1 ? "%lld^2" : "%lld^3", (long long)g.nx);
    std::snprintf(tile, sizeof tile, "%dx%dx%d", Shape::nx, Shape::ny, Shape::nz);
    std::snprintf(band, sizeof band, settings.blockFim || settings.band > 1e30f ? "none" : "%g",
                  double(settings.band));
    const char* method = settings.blockFim ? "block FIM" : "band";
    std::printf("%-8s %-8s %-8s %-9s %6d %5s %9.3f %7d %11.1f\n", c.name.c_str(), nodes, tile, method,
                settings.passes, band, 1e3 * best, result.rounds, result.updatesPerPoint);
    std::fflush(stdout);
    json << (first ? "\n" : ",\n") << "{\"example\": \"" << c.name << "\", \"nodes\": \"" << nodes
         << "\", \"tile\": \"" << tile << "\", \"method\": \"" << method
         << "\", \"passes\": " << settings.passes << ", \"band\": \"" << band << "\", \"seconds\": " << best
         << ", \"rounds\": " << result.rounds << ", \"updates_per_point\": " << result.updatesPerPoint << "}";
    first = false;
  }
};

/// The arguments of the programs.
struct StudyArguments {
  int size;
  const char* file = nullptr;
  bool good = true;

  StudyArguments(int defaultSize, int argc, char** argv) : size(defaultSize) {
    for (int i = 1; i < argc; ++i) {
      if (!std::strcmp(argv[i], "--size") && i + 1 < argc)
        size = std::atoi(argv[++i]);
      else if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
        file = argv[++i];
      else
        good = false;
    }
    good = good && size > 0;
    if (!good) std::fprintf(stderr, "usage: %s [--size NODES_PER_AXIS] [--json FILE]\n", argv[0]);
  }
};

} // namespace isochrone::benchmark
