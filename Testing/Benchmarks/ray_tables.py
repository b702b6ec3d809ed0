"""The tables of ray_tracing.py from its measurements, including those of Monsegny and Agudelo (2013) and our aims."""
from image_tables import median, number, table

COLUMNS = {("isochrone", "host 1"): "isochrone, 1 thread", ("isochrone", "host 2"): "isochrone, 2 threads",
           ("isochrone", "cuda"): "isochrone, CUDA", ("queue", "host 1"): "std::priority_queue",
           ("heap", "host 1"): "4-ary heap", ("buckets", "host 1"): "buckets",
           ("plain", "host 2"): "method of the paper, 2 threads", ("plain", "cuda"): "method of the paper, CUDA",
           ("scipy", "host 1"): "SciPy", ("skimage", "host 1"): "scikit-image"}
TWO = ("isochrone", "host 2")
AIMS = {("1600x1600x1", 6, "fast", 1): 60, ("1600x1600x1", 6, "accurate", 1): 300, ("128x128x128", 3, "fast", 0): 350}


class Rows:
    def __init__(self, rows, piece):
        self.rows = [row for row in rows if row["piece"].startswith(piece)]

    def value(self, key, column, **wanted):
        """Returns the median, None if it was not measured."""
        wanted = dict(zip(("method", "on"), column)) | wanted
        return median(row[key] for row in self.rows if key in row and all(row[k] == v for k, v in wanted.items()))

    def kinds(self, *keys):
        """Returns the distinct values of the keys, in measured order."""
        return list(dict.fromkeys(tuple(row[key] for key in keys) for row in self.rows))


def milliseconds(value):
    return "-" if value is None else number(1e3 * value)


def times(rows, keys, label, extra=None):
    """Returns a line per value of the keys, ending with the ratios to ours on two threads."""
    lines, columns = [], [c for c in COLUMNS if rows.value("seconds", c) is not None]
    others = [c for c in columns if c[0] in ("queue", "heap", "buckets", "scipy", "skimage", "plain") and c[1] != "cuda"]
    for values in rows.kinds(*keys):
        wanted = dict(zip(keys, values))
        ours = rows.value("seconds", TWO, **wanted)
        cells = [milliseconds(rows.value("seconds", c, **wanted)) for c in columns]
        for other in others:
            theirs = rows.value("seconds", other, **wanted)
            cells.append("-" if theirs is None or not ours else number(theirs / ours))
        lines.append([label(wanted), *cells, *(extra(wanted) if extra else [])])
    return [COLUMNS[c] for c in columns] + [f"{COLUMNS[c].split(',')[0]} / ours" for c in others], lines


def section(title, text, rows, keys, label, head, extra=None, extra_head=()):
    if not rows.rows:
        return []
    names, lines = times(rows, keys, label, extra)
    return [f"## {title}", text, table([head, *names, *extra_head], lines)]


def work(rows):
    """Returns cells with relaxations per point, bytes, and errors against the closed form."""
    def cells(wanted):
        got = [rows.value(key, TWO, **wanted) for key in ("relaxations", "bytes_per_point", "error_mean", "error_most")]
        aim = AIMS.get(tuple(wanted.get(key) for key in ("grid", "radius", "rule", "predecessors")))
        return [number(got[0]), number(got[1]), *(number(e) if e else "-" for e in got[2:]), str(aim or "")]
    return cells


WORK = ("relaxations per point", "bytes per point", "mean error %", "maximum error %", "aim ms")


def stored(rows):
    """Returns cells with milliseconds per source by buckets, with the weights computed once for all sources."""
    def cells(wanted):
        once, solve = (rows.value(key, ("buckets", "host 1"), **wanted) for key in ("weights", "seconds"))
        return ["-" if once is None or solve is None else milliseconds(once / wanted["sources"] + solve), *work(rows)(wanted)]
    return cells


def sizes(rows):
    parts = []
    for radius in (r for (r,) in rows.kinds("radius")):
        chosen = Rows([row for row in rows.rows if row["radius"] == radius], "")
        parts += [f"Radius {radius:g}:", table(*(lambda n, l: (["image", *n], l))(
            *times(chosen, ["grid"], lambda w: w["grid"].split("x")[0] + "²")))]
    return parts


def markdown(results):
    runs = [row for row in results["runs"] if "seconds" in row]
    piece = lambda name: Rows(runs, name)  # noqa: E731
    every = ["grid", "radius", "rule", "predecessors"]
    parts = ["# Ray tracing",
             f"{results.get('date')}, {results.get('machine')}, {results.get('cores')} cores, compiler "
             f"{results.get('compiler')}. Milliseconds from the slowness to the times of one source: medians of five runs, "
             "or of fewer if they exceed three seconds. All methods except SciPy and scikit-image have the same bits at every "
             "point, or the run fails. Dijkstra's algorithm runs on one thread; its time excludes the construction of "
             "the graph."]
    if piece("sizes").rows:
        parts += ["## The images of the paper", "Gradient, rule Fast, coprime template (Figures 7 and 8).", *sizes(piece("sizes"))]
    parts += section("Radii", "Gradient, with predecessors; errors are against the closed form, over points later than a "
                     "tenth of the latest time.", piece("radius"), every, lambda w: f"{w['rule']}, radius {w['radius']:g}",
                     "1600²" if results["runs"] and any(r["grid"].startswith("1600") for r in runs) else "image",
                     work(piece("radius")), WORK)
    parts += section("Models", "Radius 6, with predecessors.", piece("model"), ["case", "rule"],
                     lambda w: f"{w['case']}, {w['rule']}", "model", work(piece("model")), WORK)
    parts += section("Several sources", "Radius 6; milliseconds per source, each with its own times.", piece("sources"),
                     ["rule", "sources"], lambda w: f"{w['rule']}, {w['sources']:g}", "sources", stored(piece("sources")),
                     ("buckets, weights stored once", *WORK))
    parts += section("In space", "Gradient.", piece("space"), every, lambda w: f"{w['rule']}, radius {w['radius']:g}",
                     "volume", work(piece("space")), WORK)
    parts += section("Templates", "Gradient, rule Fast.", piece("template"), ["template", "radius"],
                     lambda w: w["template"] + (f" {w['radius']:g}" if w["template"] == "full" else ""), "template",
                     work(piece("template")), WORK)
    parts += section("The method of the paper", "Relaxation of all points in each round, on the host; gradient, full "
                     "template.", piece("plain"), ["grid", "radius"],
                     lambda w: f"{w['grid'].split('x')[0]}², radius {w['radius']:g}", "image",
                     lambda w: [number(piece("plain").value("relaxations", ("plain", "host 2"), **w))], ("its sweeps",))
    parts += section("Other programs", "Gradient, rule Fast, in double; SciPy's Dijkstra on a matrix of the edges "
                     "(with the seconds to build it), scikit-image's MCP_Geometric.", piece("others"), ["grid", "radius"],
                     lambda w: f"{w['grid']}, radius {w['radius']:g}", "image",
                     lambda w: [f"{v:.2g}" if (v := piece("others").value(key, ("scipy", "host 1"), **w)) is not None else "-"
                                for key in ("weights", "difference")], ("SciPy's matrix, s", "maximum relative difference"))
    gaps = [f"* {row['case']}, {row['grid']}, radius {row['radius']:g}: {COLUMNS[row['method'], row['on']]}: {row['gap']}"
            for row in results["runs"] if "gap" in row]
    if not any(row["on"] == "cuda" for row in runs):
        gaps.append("* CUDA: not measured, no device on this machine")
    return "\n\n".join(parts + (["## Not measured", "\n".join(dict.fromkeys(gaps))] if gaps else [])) + "\n"
