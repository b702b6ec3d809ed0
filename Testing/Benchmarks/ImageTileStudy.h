// ImageTileStudy.h - tiles of images on any device: shapes and widths of the band, and the block FIM of Jeong
// and Whitaker, 2008, with 1 to 20 passes (their figure 10).
#pragma once

#include "Arguments.h"
#include "ImageProblems.h"
#include "ImageTravelTime/Tiles/TileSolver.h"
#include "Table.h"

#include <cstdio>
#include <limits>
#include <string>

namespace isochrone::benchmark {

struct ImageTileStudyOptions {
  int size, repeats = 3;
  std::string only{}, file{}; ///< empty: all examples; no file

  Arguments arguments(const std::string& device) {
    return Arguments("Measures tiles of images on " + device + ".")
        .number("--size N", "points along each axis in space, a sixteenth of those in the plane", size, 1)
        .number("--repeats N", "runs; the milliseconds are their minimum", repeats, 1)
        .text("--only EXAMPLE", "this example alone", only, {"1", "2", "3", "4-16", "5-16", "noise"})
        .text("--json FILE", "writes the rows there too", file);
  }
};

template <class Device>
class ImageTileStudy {
public:
  /// In space, the options give the nodes along each axis; planes have 16 times as many.
  ImageTileStudy(Device& runsOn, const ImageTileStudyOptions& from, const std::string& name)
      : device(runsOn), options(from), size(from.size),
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
  ImageTileStudyOptions options;
  int size;
  Table table;

  bool wanted(const std::string& example) const { return options.only.empty() || options.only == example; }

  template <class Shape, class Settings>
  void row(const ImageCase& c, Settings settings) {
    const image::Problem& problem = c.problem;
    const std::vector<image::SeedPoint> seeds = seedPoints(problem, placeSeeds(problem));
    image::Result result;
    double seconds = 0, best = std::numeric_limits<double>::infinity();
    settings.seconds = &seconds;
    for (int i = 0; i < options.repeats; ++i) {
      image::relaxTiles<Shape>(device, problem, seeds, {}, settings, {}, result);
      best = std::min(best, seconds);
    }
    const image::Grid& g = problem.grid;
    char nodes[32], band[16];
    std::snprintf(nodes, sizeof nodes, g.nz == 1 ? "%lld^2" : "%lld^3", (long long)g.nx);
    const bool hasBand = !settings.blockFim && settings.band < 1e30f;
    std::snprintf(band, sizeof band, "%g", double(settings.band));
    table.row({c.name, nodes, sizeText(Shape{}), settings.blockFim ? "block FIM" : "band",
               double(settings.passes), hasBand ? band : "none", 1e3 * best, double(result.rounds),
               result.updatesPerPoint});
  }
};

} // namespace isochrone::benchmark
