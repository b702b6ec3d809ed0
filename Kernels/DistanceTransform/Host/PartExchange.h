// PartExchange.h - one exchange along an axis of a divided image: the vertices that other processes need of
// the lower hulls of this one's pieces of lines, and the vertices that this one needs.
#pragma once

#include "DistanceTransform/Host/LineMessages.h"
#include "DistanceTransform/Host/PartImage.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace isochrone::distance {

template <class T>
class PartExchange {
public:
  /// @param begin, end  completed share of the work before and after
  PartExchange(const PartImage<T>& i, const AxisParts& p, const VertexCode<T>& c, const PassKernels<T>& k,
               Workers& w, double begin, double end, Result& r)
      : image(i), parts(p), code(c), passes(k), workers(w), from(begin), to(end), result(r) {}

  /// Returns the points beyond the lines of this process. Returns nothing if the monitor or another process
  /// requested a stop.
  std::optional<LineMessages<T>> run() {
    const std::vector<Link> targets = parts.targets(), sources = parts.sources();
    const Route direct{targets, {}, false, false};
    // Thin pieces send most vertices to most processes. A relay takes 0.1 to 0.4 of a transpose (DESIGN.md).
    // Messages beyond the limit are only counted, lest they take more memory than the values.
    const double limit = transposeBytes() / 4;
    std::optional<Outgoing> out = write(direct, nullptr, std::max(1e6, limit));
    if (!out) return {};
    const double excess = image.problem.sharing.sum(out->bytes - limit);
    if (std::isnan(excess)) return {};
    if (excess > 0) return relay();
    // Only a process itself knows whether it must write again: all of them agree once more.
    if (!out->complete) out = write(direct, nullptr, unlimited);
    if (!out || !agreed()) return {};
    return arranged(image.all, {}, false, sources, transfer(targets, std::move(out->messages), sources));
  }

private:
  using Messages = std::vector<std::vector<char>>;
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  const PartImage<T>& image;
  const AxisParts& parts;
  const VertexCode<T>& code;
  const PassKernels<T>& passes;
  Workers& workers;
  double from;
  const double to;
  Result& result;

  /// Which vertices go along which links, and how they are written.
  struct Route {
    const std::vector<Link>& links;
    LineChoice lines; ///< in the message of a link
    bool wholeHulls;  ///< all vertices that win somewhere on the line; else those that the link needs
    bool fromStart;   ///< whether places count from the start of the line, else from that of the own piece
  };

  /// The vertices of one task's lines, per link, and their number.
  struct Chunk {
    Messages bytes;
    std::vector<std::int64_t> vertices;

    explicit Chunk(std::size_t links) : bytes(links), vertices(links) {}
  };

  /// Writes the lines of a task.
  struct Sender {
    const PartExchange& exchange;
    const Route& route;
    const Beyond<T>* beyond; ///< of the lines, or null
    GridIndex at;            ///< first point of the first line
    Chunk chunk;

    static void take(void* sender, int line, int kind, const T* x, const T* g, const T* start, int count) {
      static_cast<Sender*>(sender)->send(line, kind, x, g, start, count);
    }

    void send(int line, int kind, const T* x, const T* g, const T* start, int count) {
      const AxisParts& parts = exchange.parts;
      const std::int64_t u = at[parts.u] + line, v = at[parts.v], first = at[parts.axis];
      for (std::size_t l = 0; l < route.links.size(); ++l) {
        const Link& link = route.links[l];
        if (!link.lines.contains(u, v) || !route.lines.has(link, u, v)) continue;
        int low = 0, lowEnd = count, high = count, highEnd = count; // the vertices to send, in two runs
        if (!route.wholeHulls && count > 0) {
          const T linkBegin = T(link.begin - first), linkEnd = T(link.end - first);
          low = int(std::upper_bound(start + 1, start + count, linkBegin) - (start + 1));
          highEnd = std::max(low, int(std::lower_bound(start, start + count, linkEnd) - start));
          lowEnd = int(std::lower_bound(x + low, x + highEnd, linkBegin) - x);
          high = int(std::lower_bound(x + lowEnd, x + highEnd, linkEnd) - x);
        }
        std::vector<char>& to = chunk.bytes[l];
        putNumber(to, std::uint64_t(lowEnd - low + highEnd - high));
        std::int64_t before = route.fromStart ? 0 : first;
        for (int i = low; i < lowEnd; ++i) put(to, line, kind, x[i], g[i], before);
        for (int i = high; i < highEnd; ++i) put(to, line, kind, x[i], g[i], before);
        chunk.vertices[l] += lowEnd - low + highEnd - high;
      }
    }

    /// Writes a vertex.
    /// @param before  place of the vertex before it; receives that of this one
    void put(std::vector<char>& to, int line, int kind, T x, T g, std::int64_t& before) const {
      const AxisParts& parts = exchange.parts;
      GridIndex point = at;
      point[parts.u] += line;
      point[parts.axis] += std::int64_t(x);
      putNumber(to, std::uint64_t(point[parts.axis] - before));
      before = point[parts.axis];
      exchange.code.put(to, point, {g, exchange.image.labels ? labelOf(point, line, kind, x, g) : -1});
    }

    std::int64_t labelOf(const GridIndex& point, int line, int kind, T x, T g) const {
      const PartImage<T>& image = exchange.image;
      if (x >= 0 && point[exchange.parts.axis] < image.own.end[exchange.parts.axis]) {
        // If both kinds are measured, a point of the kind searched for has a label of the other kind.
        return g == 0 ? image.label(point) : image.memory.carrier.label[image.index(point)];
      }
      const Beyond<T>& points = beyond[kind * strip + line];
      return points.label[std::lower_bound(points.x, points.x + points.before + points.after, x) - points.x];
    }
  };

  struct Outgoing {
    Messages messages; ///< per link
    double bytes = 0;
    bool complete = true; ///< else only the number of bytes is known
  };

  /// Finds the hulls of the own pieces, with the points of `received` beyond them if given, and writes the
  /// messages. Returns nothing if the monitor requested a stop.
  /// @param limit  number of bytes beyond which messages are only counted
  std::optional<Outgoing> write(const Route& route, const LineMessages<T>* received, double limit) {
    const Box& own = image.own;
    const std::int64_t tiles = route.links.empty() ? 0 : image.tilesOf(parts, own);
    const std::int64_t length = own.empty() ? 0 : own.end[parts.axis] - own.begin[parts.axis];
    const int most = received ? received->mostBeyond() : 0;
    ScratchOfThreads scratches = scratchFor(
        tiles, passes.pieceScratch(length, image.columnsOf(parts), false, most), workers.threads, result);
    std::vector<PointsBeyond<T>> beyond(received ? scratches.parts.size() : 0);
    std::vector<Chunk> chunks(std::size_t(tiles), Chunk(route.links.size()));
    std::atomic<std::int64_t> bytes = 0;
    const bool completed = workers.run(tiles, from, to, [&](std::int64_t i, int thread) {
      const GridIndex at = image.startOf(parts, own, i);
      const Beyond<T>* points = nullptr;
      if (received) {
        received->collect(at[parts.u], at[parts.v], beyond[std::size_t(thread)]);
        points = beyond[std::size_t(thread)].views();
      }
      Sender sender{*this, route, points, at, Chunk(route.links.size())};
      passes.findHulls(image.tile(parts, own, at), image.axis(parts.axis, own), image.memory.carrier,
                       -at[parts.axis], image.measure.axes[parts.axis].points - at[parts.axis], points, most,
                       {&sender, Sender::take}, scratches.of(thread));
      for (const auto& message : sender.chunk.bytes) bytes += std::int64_t(message.size());
      if (double(bytes) <= limit) chunks[std::size_t(i)] = std::move(sender.chunk);
    });
    from = to; // progress never decreases, also if hulls are found again
    if (!completed) return {};
    Outgoing out;
    out.bytes = double(bytes);
    out.complete = double(bytes) <= limit;
    out.messages.resize(route.links.size());
    for (std::size_t l = 0; out.complete && l < route.links.size(); ++l) {
      std::int64_t vertices = 0;
      for (const Chunk& chunk : chunks) vertices += chunk.vertices[l];
      for (Chunk& chunk : chunks) {
        const std::vector<char> part = std::move(chunk.bytes[l]); // freed here
        if (vertices > 0) out.messages[l].insert(out.messages[l].end(), part.begin(), part.end());
      }
    }
    return out;
  }

  /// Sends a message along each link of `outward`, and returns one for each link of `inward`.
  Messages transfer(const std::vector<Link>& outward, Messages messages, const std::vector<Link>& inward) {
    const std::vector<int> partners = partnersOf(outward, inward, image.me);
    Messages sent(partners.size()), received(inward.size());
    std::vector<char> toItself;
    const auto slot = [&](int process) {
      return std::size_t(std::lower_bound(partners.begin(), partners.end(), process) - partners.begin());
    };
    for (std::size_t l = 0; l < outward.size(); ++l)
      (outward[l].process == image.me ? toItself : sent[slot(outward[l].process)]) = std::move(messages[l]);
    for (const auto& message : sent) result.sentBytes += message.size();
    Messages answers = image.problem.sharing.exchange(partners, sent);
    for (std::size_t l = 0; l < inward.size(); ++l)
      received[l] = std::move(inward[l].process == image.me ? toItself : answers[slot(inward[l].process)]);
    ++result.exchanges;
    return received;
  }

  LineMessages<T> arranged(const Box& box, const LineChoice& lines, bool fromStart,
                           const std::vector<Link>& inward, Messages received) const {
    LineMessages<T> messages(parts, code, image.kinds.both() ? 2 : 1, box.begin, fromStart, lines);
    for (std::size_t l = 0; l < inward.size(); ++l) messages.add(inward[l], std::move(received[l]));
    return messages;
  }

  /// Returns the bytes that this process would send if the values of its points went to whole lines, shared
  /// out among their owners, and back.
  double transposeBytes() const {
    const double owners = 1 + double(parts.coOwners().size());
    return 2 * double(sizeof(T)) * double(image.own.points()) * (owners - 1) / owners;
  }

  /// Returns whether all processes go on to the next exchange.
  bool agreed() const { return !std::isnan(image.problem.sharing.sum(0)); }

  /// Exchanges through one owner of each line, its merger.
  std::optional<LineMessages<T>> relay() {
    const std::vector<Link> owners = parts.coOwners(), targets = parts.relayTargets(),
                            sources = parts.relaySources();
    const auto mergers = std::make_shared<const LineMergers>(parts.linesOf(image.all), sources);

    // 1. All pieces of a line go to its merger.
    std::optional<Outgoing> out = write({owners, {mergers, -1}, true, false}, nullptr, unlimited);
    if (!out || !agreed()) return {};
    const LineMessages<T> hulls = arranged(image.own, {mergers, image.me}, false, owners,
                                           transfer(owners, std::move(out->messages), owners));

    // 2. The merger returns to each process what it needs.
    out = write({targets, {mergers, image.me}, false, true}, &hulls, unlimited);
    if (!out || !agreed()) return {};
    return arranged(image.all, {mergers, -1}, true, sources,
                    transfer(targets, std::move(out->messages), sources));
  }
};

} // namespace isochrone::distance
