// ImageTileStudy.h - tiles of images on any device: shapes and widths of the band, and the block FIM of Jeong
// and Whitaker, 2008, with 1 to 20 passes (their figure 10).
#pragma once

#include "ImageProblems.h"
#include "ImageTravelTime/Tiles/TileSolver.h"
#include "Table.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace isochrone::benchmark {

/// [--size NODES_PER_AXIS] [--repeats N] [--only EXAMPLE] [--json FILE]
struct ImageTileStudyArguments {
  int size, repeats = 3;      ///< runs; the milliseconds are their minimum
  const char* only = nullptr; ///< a name in the first column; null: all
  const char* file = nullptr;
  bool good = true;

  ImageTileStudyArguments(int defaultSize, int argc, char** argv) : size(defaultSize) {
    for (int i = 1; i < argc; ++i) {
      if (!std::strcmp(argv[i], "--size") && i + 1 < argc)
        size = std::atoi(argv[++i]);
      else if (!std::strcmp(argv[i], "--repeats") && i + 1 < argc)
        repeats = std::atoi(argv[++i]);
      else if (!std::strcmp(argv[i], "--only") && i + 1 < argc)
        only = argv[++i];
      else if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
        file = argv[++i];
      else
        good = false;
    }
    good = good && size > 0 && repeats > 0;
    if (!good)
      std::fprintf(stderr, "usage: %s [--size NODES_PER_AXIS] [--repeats N] [--only EXAMPLE] [--json FILE]\n",
                   argv[0]);
  }
};

template <class Device>
class ImageTileStudy {
public:
  /// Nodes along each axis in space are those of the arguments; 16 times as many in the plane.
  ImageTileStudy(Device& runsOn, const ImageTileStudyArguments& from, const char* name)
      : device(runsOn), arguments(from), size(from.size),
        table(from.file, {{"device", name}, {"best of", double(from.repeats)}},
              {{"example", "example", -8},
               {"nodes", "nodes", -8},
               {"tile", "tile", -8},
               {"method", "method", -9},
               {"passes", "passes", 6},
               {"band", "band", 5},
               {"milliseconds", "ms", 9, 3},
               {"rounds", "rounds", 7},
               {"updates_per_point", "updates/pt", 11, 1}}) {}

  void run() {
    using image::TileSettings;
    for (const char* name : {"1", "2", "3", "4-16", "5-16", "noise"}) {
      if (!wanted(name)) continue;
      const ImageCase c = makeImageCase(name, size, size);
      for (const float band : {2.f, 4.f, 8.f, image::infinite}) {
        row<image::Box<8, 8, 8>>(c, TileSettings{TileSettings{}.passes, band});
        row<image::Box<8, 8, 4>>(c, TileSettings{TileSettings{}.passes, band});
      }
      for (int passes = 1; passes <= 20; ++passes) {
        row<image::Box<4, 4, 4>>(c, image::BlockFim{{passes}});
      }
    }
    for (const char* name : {"1", "noise"}) {
      if (!wanted(name)) continue;
      const ImageCase c = makeImageCase(name, 16 * size, 1);
      for (const float band : {2.f, 4.f, 8.f}) {
        row<image::Box<16, 16, 1>>(c, TileSettings{TileSettings{}.passes, band});
        row<image::Box<8, 8, 1>>(c, TileSettings{TileSettings{}.passes, band});
      }
    }
  }

private:
  Device& device;
  ImageTileStudyArguments arguments;
  int size;
  Table table;

  bool wanted(const char* example) const { return !arguments.only || !std::strcmp(arguments.only, example); }

  template <class Shape, class Settings>
  void row(const ImageCase& c, Settings settings) {
    const image::Problem& problem = c.problem;
    const std::vector<image::SeedPoint> seeds = seedPoints(problem, placeSeeds(problem));
    image::Result result;
    double seconds = 0, best = std::numeric_limits<double>::infinity();
    settings.seconds = &seconds;
    for (int i = 0; i < arguments.repeats; ++i) {
      image::relaxTiles<Shape>(device, problem, seeds, {}, settings, {}, result);
      best = std::min(best, seconds);
    }
    const image::Grid& g = problem.grid;
    char nodes[32], tile[24], band[16];
    std::snprintf(nodes, sizeof nodes, g.nz == 1 ? "%lld^2" : "%lld^3", (long long)g.nx);
    std::snprintf(tile, sizeof tile, "%dx%dx%d", Shape::nx, Shape::ny, Shape::nz);
    const bool hasBand = !settings.blockFim && settings.band < 1e30f;
    std::snprintf(band, sizeof band, "%g", double(settings.band));
    table.row({c.name, nodes, tile, settings.blockFim ? "block FIM" : "band", double(settings.passes),
               hasBand ? band : "none", 1e3 * best, double(result.rounds), result.updatesPerPoint});
  }
};

} // namespace isochrone::benchmark
