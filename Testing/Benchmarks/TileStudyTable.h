// TileStudyTable.h - the paper's Table 1 on any device: per model, tile shape x R, with AGSI and FIM; rounds
// that write in place; stencils shared, recomputed or stored per point. Mirebeau et al., 2022.
#pragma once

#include "Arguments.h"
#include "BoatProblem.h"
#include "CurvatureProblems.h"
#include "Table.h"
#include "TileStudy.h"

#include <string>

namespace isochrone::benchmark {

struct TileStudyOptions {
  bool small = false;
  int repeats = 3;
  std::string only, file; ///< empty: all models; no file

  Arguments arguments(const std::string& device) {
    return Arguments("Measures tiles of curvature paths on " + device + ".")
        .flag("--small", "small problems", small)
        .number("--repeats N", "runs; the milliseconds are their minimum", repeats, 1)
        .text("--only MODEL", "this model alone", only,
              {"isotropic 2D", "isotropic 3D", "RSF", "RS", "Dubins", "Elastica", "Boat"})
        .text("--json FILE", "writes the rows there too", file);
  }
};

/// Prints a row per model, tile shape, R, tagging and source of stencils. Milliseconds are of the rounds
/// only, without set-up and copies.
/// @tparam Device  CudaDevice, or HostDevice, whose rounds and updates equal those on a GPU
template <class Device>
class TileStudy {
public:
  TileStudy(Device& runsOn, const TileStudyOptions& from, const std::string& name)
      : device(runsOn), options(from), small(from.small),
        table(from.file, {{"device", name}, {"best of", double(from.repeats)}},
              {{"model", "model", -12},
               {"tile", "tile", -10},
               {"stencils", "stencils", -9},
               {"R", "R", 3},
               {"tags", "tags", -5},
               {"writes", "writes", -8},
               {"milliseconds", "ms", 9, 3},
               {"rounds", "rounds", 7},
               {"updates_per_point", "updates/pt", 11, 1}}) {}

  void run() {
    isotropic();
    curvature<SchemeShape<1, 4, 1, true>>(Model::ReedsSheppForward);
    curvature<SchemeShape<1, 4, 4, true>>(Model::ReedsShepp);
    curvature<SchemeShape<2, 6, 0, false>>(Model::Dubins);
    curvature<SchemeShape<1, 30, 0, false>>(Model::Elastica);
    sources<SchemeShape<1, 7, 1, true>, Box<4, 4, 4>>(Model::ReedsSheppForward, 6);
    sources<SchemeShape<1, 7, 7, true>, Box<4, 4, 4>>(Model::ReedsShepp, 6);
    sources<SchemeShape<2, 6, 0, false>, Box<4, 4, 2>>(Model::Dubins, 1);
    sources<SchemeShape<1, 30, 0, false>, Box<4, 4, 2>>(Model::Elastica, 1);
    boat<SchemeShape<2, 6, 0, false>, Box<4, 4, 2>>(1);
  }

private:
  Device& device;
  TileStudyOptions options;
  bool small;
  Table table;

  bool wanted(const std::string& model) const { return options.only.empty() || options.only == model; }

  void isotropic() {
    if (!wanted("isotropic 2D") && !wanted("isotropic 3D")) return;
    Case flat = makeCase(Model::Dubins, small ? 200 : 2000, small ? 200 : 2000, 1, 1, "rough");
    shapes<IsotropicScheme<2>, Box<8, 8, 1>, Box<16, 16, 1>, Box<24, 24, 1>>(
        "isotropic 2D", flat.problem, isotropicPlan(flat.problem, 2), {1, 8, 16, 24, 48});
    Case solid = makeCase(Model::Dubins, small ? 64 : 200, small ? 64 : 200, small ? 64 : 200, 1, "rough");
    shapes<IsotropicScheme<3>, Box<4, 4, 4>, Box<8, 8, 4>, Box<8, 8, 8>>(
        "isotropic 3D", solid.problem, isotropicPlan(solid.problem, 3), {1, 4, 8, 12});
  }

  template <class Scheme>
  void curvature(Model model) {
    const Case c = problem(model, "constant");
    shapes<Scheme, Box<4, 4, 2>, Box<4, 4, 4>, Box<8, 4, 1>, Box<8, 8, 1>, Box<32, 1, 1>, Box<8, 4, 2>>(
        shortName(model), c.problem, makeTilePlan(c.problem, Discretisation(c.problem)), {1, 2, 4, 6});
  }

  /// Runs section 2.2: stencils that depend on the heading alone, recomputed per point, and stored per point.
  template <class Scheme, class Shape>
  void sources(Model model, int iterations) {
    sources<Scheme, Shape>(shortName(model), problem(model, "radius").problem, iterations);
  }

  /// Runs the same for the paper's boat in a current (section 3.4).
  template <class Scheme, class Shape>
  void boat(int iterations) {
    BoatProblem boat(small ? 51 : 151, small ? 32 : 96);
    boat.setUp(0);
    sources<Scheme, Shape>("Boat", boat.problem, iterations);
  }

  Case problem(Model model, const char* kind) const {
    return small ? makeCase(model, 64, 64, 32, 10, kind) : makeCase(model, 300, 300, 96, 30, kind);
  }

  template <class Scheme, class Shape>
  void sources(const char* name, const Problem& problem, int iterations) {
    if (!wanted(name)) return;
    const TilePlan plan = makeTilePlan(problem, Discretisation(problem));
    DeviceProblem<Device> data(device, problem, plan);
    const VaryingStencils varying = data.stencils(VaryingStencils{});
    const TileSettings settings{iterations};
    row<Scheme, Shape>(name, "varying", problem, plan, data, varying, settings);
    const std::int64_t points = problem.grid.points();
    auto slots = device.template array<Slot>(std::size_t(points) * Scheme::all, Slot{});
    device.run(StoreStencils<Scheme, VaryingStencils>{tileGrid<Shape>(problem.grid), varying, slots.data()},
               blocksOf<StoreStencils<Scheme, VaryingStencils>>(points));
    row<Scheme, Shape>(name, "stored", problem, plan, data, StoredStencils{slots.data(), points}, settings);
  }

  template <class Scheme, class... Shapes>
  void shapes(const char* model, const Problem& problem, const TilePlan& plan,
              std::initializer_list<int> iterations) {
    if (!wanted(model)) return;
    DeviceProblem<Device> data(device, problem, plan);
    const SharedStencils shared = data.stencils(SharedStencils{});
    const auto all = [&]<class Shape>(Shape) {
      for (const int r : iterations)
        for (const Tagging tagging : {Tagging::Agsi, Tagging::Fim})
          row<Scheme, Shape>(model, "shared", problem, plan, data, shared, {r, tagging});
      row<Scheme, Shape>(model, "shared", problem, plan, data, shared,
                         {*iterations.begin(), Tagging::Agsi, true});
    };
    (all(Shapes{}), ...);
  }

  template <class Scheme, class Shape, class Stencils>
  void row(const char* model, const char* source, const Problem& problem, const TilePlan& plan,
           DeviceProblem<Device>& data, const Stencils& stencils, const TileSettings& settings) {
    const Measured m =
        measure<Scheme, Shape>(device, problem, plan, data, stencils, settings, options.repeats);
    table.row({model, sizeText(Shape{}), source, double(settings.iterations),
               settings.tagging == Tagging::Agsi ? "AGSI" : "FIM", settings.inPlace ? "in place" : "commit",
               1e3 * m.seconds, double(m.result.rounds), m.result.updatesPerPoint});
  }
};

} // namespace isochrone::benchmark
