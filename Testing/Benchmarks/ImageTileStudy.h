// ImageTileStudy.h - tiles of images on any device: shapes and widths of the band, and the block FIM of Jeong
// and Whitaker, 2008, with 1 to 20 passes (their figure 10).
#pragma once

#include "Arguments.h"
#include "BlockFim.h"
#include "ImageProblems.h"
#include "ImageTravelTime/Tiles/TileSolver.h"
#include "Table.h"

#include <algorithm>
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
    for (const char* name : {"1", "2", "3", "4-16", "5-16", "noise"}) {
      if (!wanted(name)) continue;
      const ImageCase c = makeImageCase(name, size, size);
      for (const float band : {2.f, 4.f, 8.f, image::infinite}) {
        bandRow<image::Box<8, 8, 8>>(c, band);
        bandRow<image::Box<8, 8, 4>>(c, band);
      }
      for (int passes = 1; passes <= 20; ++passes) fimRow<image::Box<4, 4, 4>>(c, passes);
    }
    for (const char* name : {"1", "noise"}) {
      if (!wanted(name)) continue;
      const ImageCase c = makeImageCase(name, 16 * size, 1);
      for (const float band : {2.f, 4.f, 8.f}) {
        bandRow<image::Box<16, 16, 1>>(c, band);
        bandRow<image::Box<8, 8, 1>>(c, band);
      }
    }
  }

private:
  Device& device;
  ImageTileStudyOptions options;
  int size;
  Table table;

  bool wanted(const std::string& example) const { return options.only.empty() || options.only == example; }

  template <class Shape>
  void bandRow(const ImageCase& c, float band) {
    const image::TileSettings settings{image::TileSettings{}.passes, band};
    char text[16];
    std::snprintf(text, sizeof text, "%g", double(band));
    row<Shape>(c, "band", settings.passes, band < 1e30f ? text : "none",
               [&](const image::SolverInput& input, image::Result& result) {
                 return image::relaxTiles<Shape>(device, input, settings, {}, result);
               });
  }

  template <class Shape>
  void fimRow(const ImageCase& c, int passes) {
    row<Shape>(c, "block FIM", passes, "none", [&](const image::SolverInput& input, image::Result& result) {
      return fim::solve<Shape>(device, input, passes, result);
    });
  }

  /// @param solve  solve(input, result) returns the seconds of its rounds
  template <class Shape, class Solve>
  void row(const ImageCase& c, const char* method, int passes, const char* band, Solve&& solve) {
    const image::Options defaults;
    const image::SolverInput input(c.problem, defaults);
    image::Result result;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < options.repeats; ++i) best = std::min(best, solve(input, result));
    const image::Grid& g = c.problem.grid;
    char nodes[32];
    std::snprintf(nodes, sizeof nodes, g.nz == 1 ? "%lld^2" : "%lld^3", (long long)g.nx);
    table.row({c.name, nodes, sizeText(Shape{}), method, double(passes), band, 1e3 * best,
               double(result.rounds), result.updatesPerPoint});
  }
};

} // namespace isochrone::benchmark
