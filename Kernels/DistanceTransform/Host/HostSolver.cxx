#include "DistanceTransform/Host/HostSolver.h"

#include "DistanceTransform/Host/BandBorders.h"
#include "DistanceTransform/Host/PassMemory.h"
#include "Workers.h"

#include <algorithm>
#include <chrono>

namespace isochrone::distance {

namespace {

using Clock = std::chrono::steady_clock;

template <class T>
class HostSolve {
public:
  HostSolve(const Problem& p, const Options& o, const Measure& m, int threadCount, const Monitor& monitor,
            Result& r, int steps)
      : problem(p), options(o), measure(m), result(r), workers(threadCount, monitor),
        passes(choosePassKernels<T>()), windowSteps(steps), nx(m.axes[0].points), ny(m.axes[1].points),
        nz(m.axes[2].points), kinds{o.region != Region::Inside, o.region != Region::Outside} {}

  /// Returns false if the monitor requested a stop.
  bool run() {
    prepare();
    if (options.nearestSite || measure.dimensions == 1) return withLabels();
    if (!planes()) return false;
    return measure.dimensions < 3 || tiles(2, true, 0.5, 1);
  }

private:
  const Problem& problem;
  const Options& options;
  const Measure& measure;
  Result& result;
  Workers workers;
  PassKernels<T> passes;
  int windowSteps;
  const std::int64_t nx, ny, nz;
  const Kinds kinds;
  PassMemory<T> memory;
  Output& out = memory.out;
  Carrier<T>& carrier = memory.carrier;
  Values<std::uint8_t> shortRows;

  Axis<T> axis(int a) const {
    return {measure.axes[a].points, T(measure.axes[a].weight), measure.axes[a].reach, windowSteps};
  }

  void prepare() {
    const bool carries = measure.dimensions >= (options.nearestSite ? 2 : 3);
    memory.allocate(problem, options, measure, carries, scratchBytes(), result);
    if (carries && sizeof(T) == 4 && !options.nearestSite) {
      shortRows.resize(ny * nz);
      carrier.shortRow = shortRows.data();
    }
    result.workBytes += shortRows.size();
  }

  /// Records the duration of the pass that began at `start`.
  void took(const char* name, Clock::time_point start) {
    result.passes.push_back({name, std::chrono::duration<double>(Clock::now() - start).count()});
  }

  /// Returns the number of threads for a number of tasks.
  int team(std::int64_t tasks) const { return int(std::min<std::int64_t>(workers.threads, tasks)); }
  ScratchOfThreads scratch(std::int64_t bytes, std::int64_t tasks) {
    result.workBytes += bytes * team(tasks);
    return ScratchOfThreads(team(tasks), bytes);
  }

  std::int64_t bandRows() const {
    constexpr std::int64_t inCache = 1 << 19; // points of a band: one byte each, and some rows of numbers
    return std::clamp<std::int64_t>(inCache / nx, 16, maxBandRows);
  }
  /// Returns whether each task is a whole plane; otherwise it is a band.
  bool takesPlanes() const { return nz >= 4 * workers.threads; }
  std::int64_t planeTasks() const { return takesPlanes() ? nz : nz * ((ny + bandRows() - 1) / bandRows()); }
  static constexpr std::int64_t rowShare = 16; ///< rows with labels per task
  std::int64_t rowTasks() const { return (ny * nz + rowShare - 1) / rowShare; }
  std::int64_t tileTasks(int a) const { return (a == 1 ? nz : ny) * ((nx + strip - 1) / strip); }
  std::int64_t tileScratch(int a) const {
    return passes.tileScratch(a == 1 ? ny : nz, std::min<std::int64_t>(strip, nx), options.nearestSite);
  }

  /// Returns the maximum scratch memory of a pass.
  std::size_t scratchBytes() const {
    const int dimensions = measure.dimensions;
    std::int64_t maximum = 0;
    if (options.nearestSite || dimensions == 1) {
      maximum = passes.rowScratch(nx) * team(rowTasks());
      for (int a = 1; a < dimensions; ++a) maximum = std::max(maximum, tileScratch(a) * team(tileTasks(a)));
    } else {
      maximum = passes.bandScratch(nx, bandRows(), kinds.both()) * team(planeTasks()) +
                (takesPlanes() ? workers.threads : nz) * BandBorders::bytes(nx, ny, bandRows(), kinds);
      if (dimensions > 2) maximum = std::max(maximum, tileScratch(2) * team(tileTasks(2)));
    }
    return std::size_t(maximum);
  }

  /// Solves the first two axes of every plane, in bands of rows.
  bool planes() {
    std::vector<BandBorders> borders;
    for (std::int64_t i = 0; i < (takesPlanes() ? workers.threads : nz); ++i)
      borders.emplace_back(nx, ny, bandRows(), kinds);
    ScratchOfThreads scratches = scratch(passes.bandScratch(nx, bandRows(), kinds.both()), planeTasks());
    result.workBytes += borders.size() * BandBorders::bytes(nx, ny, bandRows(), kinds);

    const double end = nz > 1 ? 0.5 : 1;
    const std::int64_t bands = borders[0].bands();
    const auto plane = [&](std::int64_t z) { return problem.sites.data() + nx * ny * z; };
    const auto search = [&](BandBorders& b, std::int64_t z, std::int64_t band) {
      b.search(plane(z), band, passes.stepsToFirst);
    };
    const auto solve = [&](BandBorders& b, std::int64_t z, std::int64_t band, int thread) {
      passes.solveBand(b.band(plane(z), band), axis(1), axis(0), carrier, out, nx * ny * z,
                       scratches.of(thread));
    };

    Clock::time_point start = Clock::now();
    bool completed = true;
    if (takesPlanes()) {
      completed = workers.run(nz, 0, end, [&](std::int64_t z, int thread) {
        BandBorders& b = borders[thread];
        for (std::int64_t band = 0; band < bands; ++band) search(b, z, band);
        b.carry(0, nx);
        for (std::int64_t band = 0; band < bands; ++band) solve(b, z, band, thread);
      });
      took("y and x", start);
      return completed;
    }
    if (bands > 1) {
      constexpr std::int64_t share = 512; // columns
      const std::int64_t shares = (nx + share - 1) / share;
      completed = workers.run(nz * bands, 0, end / 4,
                              [&](std::int64_t i, int) { search(borders[i / bands], i / bands, i % bands); });
      completed = completed && workers.run(nz * shares, end / 4, end / 4, [&](std::int64_t i, int) {
        const std::int64_t first = i % shares * share;
        borders[i / shares].carry(first, std::min(nx, first + share));
      });
      took("y, between bands", start);
      start = Clock::now();
    }
    completed = completed && workers.run(nz * bands, end / 4, end, [&](std::int64_t i, int thread) {
      solve(borders[i / bands], i / bands, i % bands, thread);
    });
    took("y and x", start);
    return completed;
  }

  /// Solves a later axis.
  bool tiles(int a, bool isLast, double begin, double end) {
    const Clock::time_point start = Clock::now();
    const std::int64_t stride = a == 1 ? nx : nx * ny, outerStride = a == 1 ? nx * ny : nx,
                       strips = (nx + strip - 1) / strip;
    ScratchOfThreads scratches = scratch(tileScratch(a), tileTasks(a));
    const bool completed = workers.run(tileTasks(a), begin, end, [&](std::int64_t i, int thread) {
      const std::int64_t o = i / strips, x = i % strips * strip, first = o * outerStride + x;
      const Tile tile{kinds.both() ? problem.sites.data() + first : nullptr,
                      first,
                      stride,
                      first / nx,
                      stride / nx,
                      int(std::min<std::int64_t>(strip, nx - x)),
                      int(std::min<std::int64_t>(strip, nx)),
                      kinds,
                      first,
                      stride,
                      1,
                      1};
      passes.solveTile(tile, axis(a), carrier, isLast, out, scratches.of(thread));
    });
    took(a == 1 ? "y" : "z", start);
    return completed;
  }

  /// Solves along x, y and z, so that the minimum index is found among equally near sites.
  bool withLabels() {
    const Clock::time_point start = Clock::now();
    const int last = measure.dimensions - 1;
    ScratchOfThreads scratches = scratch(passes.rowScratch(nx), rowTasks());
    const std::int64_t rows = ny * nz;
    const bool completed = workers.run(rowTasks(), 0, 1. / (last + 1), [&](std::int64_t i, int thread) {
      for (std::int64_t row = i * rowShare; row < std::min(rows, (i + 1) * rowShare); ++row)
        passes.labelRow(problem.sites.data() + row * nx, kinds, axis(0), carrier, last == 0, out, row * nx,
                        row * nx, scratches.of(thread));
    });
    took("x", start);
    if (!completed) return false;
    for (int a = 1; a <= last; ++a)
      if (!tiles(a, a == last, double(a) / (last + 1), double(a + 1) / (last + 1))) return false;
    return true;
  }
};

} // namespace

void solveOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                 Result& result, int windowSteps) {
  const Measure numbers = measure(problem, options.maximumDistance);
  const bool done =
      numbers.integers32
          ? HostSolve<std::int32_t>(problem, options, numbers, threads, monitor, result, windowSteps).run()
          : HostSolve<double>(problem, options, numbers, threads, monitor, result, windowSteps).run();
  result.aborted = !done;
}

} // namespace isochrone::distance
