// One pass per axis. Where its lines are divided, each process finds the lower hull of its piece of each line
// and sends to every other process the vertices that win somewhere in that one's piece. There, with the own
// points, they give the lower envelope. If the pieces are so thin that most vertices are needed by most
// processes, the pieces of a line are merged by one of its owners instead (a relay), in place of every pair.
// Along a periodic axis every process has whole lines, and solves them with their copies. A rectilinear grid
// is solved as one piece.
#include "DistanceTransform/Host/PartSolver.h"

#include "DistanceTransform/Host/PartExchange.h"
#include "DistanceTransform/Host/PartImage.h"

#include <chrono>
#include <vector>

namespace isochrone::distance {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t rowShare = 16; ///< rows per task

template <class T>
class PartSolve {
public:
  PartSolve(const Problem& problem, const Options& o, const Measure& m, int threads, const Monitor& monitor,
            Result& r)
      : options(o), measure(m), result(r), image(problem, o, m), workers(threads, monitor),
        passes(choosePassKernels<T>()) {}

  /// Returns false if the monitor or another process requested a stop.
  bool run() {
    memory.allocate(image.problem, options, measure, true, scratchBytes(), result);
    std::vector<int> order{0, 1, 2};
    // As in the undivided solve, since the order decides how doubles are rounded.
    if (sizeof(T) == 8 && !options.nearestSite && measure.dimensions > 1) order = {1, 0, 2};
    order.resize(std::size_t(measure.dimensions));
    for (const int axis : order) {
      if (!pass(axis, axis == order.back())) return false;
      earlier.push_back(axis);
    }
    return true;
  }

private:
  const Options& options;
  const Measure& measure;
  Result& result;
  PartImage<T> image;
  PassMemory<T>& memory = image.memory;
  Workers workers;
  const PassKernels<T> passes;
  std::vector<int> earlier; ///< axes of the passes that are done

  double progress(double share) const { return (double(earlier.size()) + share) / measure.dimensions; }

  std::size_t scratchBytes() const {
    std::int64_t most = 0;
    for (int a = 0; a < measure.dimensions; ++a)
      most = std::max(most, passes.pieceScratch(image.size[a], strip, options.nearestSite, copies(a)));
    return std::size_t(most) * std::size_t(workers.threads);
  }
  ScratchOfThreads scratch(std::int64_t tasks, std::int64_t bytes) {
    return scratchFor(tasks, bytes, workers.threads, result);
  }

  /// Returns the number of points in the copies of a line, before and after it.
  int copies(int a) const { return measure.axes[a].periodic ? int(2 * measure.axes[a].points) : 0; }

  bool pass(int a, bool isLast) {
    const Clock::time_point start = Clock::now();
    const AxisParts parts(a, image.me, image.owned, image.solved);
    bool completed = true;
    const bool periodic = measure.axes[a].periodic, uneven = !measure.axes[a].coordinates.empty();
    if (earlier.empty() && a == 0 && !parts.divided() && !periodic && !uneven) {
      completed = rows(isLast);
    } else {
      if (earlier.empty()) completed = begin();
      if (!completed) return false;
      completed = parts.divided()                   ? dividedLines(parts, isLast)
                  : uneven || (a == 0 && !periodic) ? pieces(parts, isLast, nullptr)
                                                    : wholeLines(parts, isLast);
    }
    constexpr const char* names[] = {"x", "y", "z"};
    result.passes.push_back({names[a], std::chrono::duration<double>(Clock::now() - start).count()});
    return completed;
  }

  /// Returns the number, in the whole image, of the first point of a row.
  std::int64_t labelOf(std::int64_t row) const {
    const GridIndex& first = image.all.begin;
    return image.label({first[0], first[1] + row % image.size[1], first[2] + row / image.size[1]});
  }

  /// Solves whole rows of the first axis.
  bool rows(bool isLast) {
    const std::int64_t nx = image.size[0], count = image.size[1] * image.size[2],
                       tasks = (count + rowShare - 1) / rowShare;
    ScratchOfThreads scratches = scratch(tasks, passes.rowScratch(nx));
    return workers.run(tasks, progress(0), progress(1), [&](std::int64_t task, int thread) {
      for (std::int64_t row = task * rowShare; row < std::min(count, (task + 1) * rowShare); ++row)
        passes.labelRow(image.problem.sites.data() + row * nx, image.kinds, image.axis(0, image.all),
                        memory.carrier, isLast, memory.out, row * nx, labelOf(row), scratches.of(thread));
    });
  }

  /// Sets the values before the first pass: 0 at the points that distances are measured to.
  bool begin() {
    const std::int64_t nx = image.size[0], rows = image.size[1] * image.size[2];
    const Kinds& kinds = image.kinds;
    return workers.run(rows, progress(0), progress(0), [&](std::int64_t row, int) {
      const std::uint8_t* sites = image.problem.sites.data() + row * nx;
      T* value = memory.carrier.value + row * nx;
      std::int64_t* labels = memory.carrier.label ? memory.carrier.label + row * nx : nullptr;
      for (std::int64_t x = 0; x < nx; ++x) {
        const bool isTarget = !kinds.both() && (sites[x] != 0) == kinds.sites;
        value[x] = isTarget ? T(0) : none<T>;
        if (labels) labels[x] = isTarget ? labelOf(row) + x : -1;
      }
    });
  }

  /// Solves whole lines of a later axis, or of a periodic one.
  bool wholeLines(const AxisParts& parts, bool isLast) {
    const int a = parts.axis, columns = image.columnsOf(parts);
    const bool periodic = measure.axes[a].periodic;
    const std::int64_t tiles = image.tilesOf(parts, image.all);
    ScratchOfThreads scratches =
        scratch(tiles, periodic ? passes.pieceScratch(image.size[a], columns, options.nearestSite, copies(a))
                                : passes.tileScratch(image.size[a], columns, options.nearestSite));
    const auto solve = periodic ? passes.solvePeriodic : passes.solveTile;
    return workers.run(tiles, progress(0), progress(1), [&](std::int64_t i, int thread) {
      solve(image.tile(parts, image.all, image.startOf(parts, image.all, i)), image.axis(a, image.all),
            memory.carrier, isLast, memory.out, scratches.of(thread));
    });
  }

  /// Solves pieces of lines, with the points beyond them.
  bool pieces(const AxisParts& parts, bool isLast, const LineMessages<T>* messages) {
    const std::int64_t tiles = image.tilesOf(parts, image.all);
    const int most = messages ? messages->mostBeyond() : 0;
    ScratchOfThreads scratches =
        scratch(tiles, passes.pieceScratch(image.size[parts.axis], image.columnsOf(parts),
                                           options.nearestSite, most));
    std::vector<PointsBeyond<T>> beyond(messages ? scratches.parts.size() : 0);
    return workers.run(tiles, progress(0.5), progress(1), [&](std::int64_t i, int thread) {
      const GridIndex at = image.startOf(parts, image.all, i);
      if (messages) messages->collect(at[parts.u], at[parts.v], beyond[std::size_t(thread)]);
      passes.solvePieces(image.tile(parts, image.all, at), image.axis(parts.axis, image.all), memory.carrier,
                         isLast, memory.out, messages ? beyond[std::size_t(thread)].views() : nullptr, most,
                         scratches.of(thread));
    });
  }

  bool dividedLines(const AxisParts& parts, bool isLast) {
    const VertexCode<T> code(measure, image.labelStride, earlier, options.nearestSite);
    const auto received =
        PartExchange<T>(image, parts, code, passes, workers, progress(0), progress(0.5), result).run();
    return received && pieces(parts, isLast, &*received);
  }
};

} // namespace

void solvePartOnHost(const Problem& problem, const Options& options, int threads, const Monitor& monitor,
                     Result& result) {
  const Measure numbers = measure(problem, options.maximumDistance);
  const bool done = numbers.integers32
                        ? PartSolve<std::int32_t>(problem, options, numbers, threads, monitor, result).run()
                        : PartSolve<double>(problem, options, numbers, threads, monitor, result).run();
  result.aborted = !done;
}

} // namespace isochrone::distance
