"""The tables of image_travel_time.py from its measurements, including those of Jeong and Whitaker (2008) and our aims."""
import math
import statistics

METHODS = {
    ("isochrone", "host 1"): "isochrone, 1 thread",
    ("isochrone", "host 2"): "isochrone, 2 threads",
    ("heap", "host 1"): "heap",
    ("group", "host 1"): "group marching",
    ("sweeping", "host 1"): "fast sweeping",
    ("fim", "host 1"): "node FIM",
    ("scikit-fmm", "host 1"): "scikit-fmm",
    ("itk", "host 1"): "ITK",
}
ONE, TWO = list(METHODS)[:2]
GRIDS = {"periodic": "all axes periodic", "rectilinear": "rectilinear, steps from 0.5 to 1.5",
         "sector": "spherical, a sector of 60 degrees", "globe": "spherical, a whole shell with both poles"}
AIMS = {  # seconds, two threads
    "256x256x256": dict.fromkeys(["1", "2", "4-4", "4-16", "5-4", "5-16"], 0.10) | dict.fromkeys(["3", "noise"], 0.25),
    "4096x4096x1": {"1": 0.12, "noise": 0.30},
}


def number(value):
    """Returns three digits, or a dash without a finite number."""
    if value is None or not math.isfinite(value):
        return "-"
    if value >= 1000:
        return f"{value:.0f}"
    text = f"{value:#.3g}"
    return text.rstrip(".")


def median(values):
    """Returns the median of the numbers among the values, None without any."""
    numbers = [value for value in values if not math.isnan(value)]
    return statistics.median(numbers) if numbers else None


def table(head, lines):
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


class Rows:
    def __init__(self, rows):
        self.rows = [row for row in rows if "method" in row and "tile" not in row]

    def of(self, **wanted):
        return [row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())]

    def names(self, key, **wanted):
        return list(dict.fromkeys(row[key] for row in self.of(**wanted)))

    def cell(self, key, method, **where):
        """Returns the median over the pieces, several of which contain ours."""
        return number(median(row[key] for row in self.of(method=method[0], on=method[1], **where) if key in row))

    def table(self, key, grid, methods, aims=None):
        present = [m for m in methods if any(key in row for row in self.of(grid=grid, method=m[0], on=m[1]))]
        head = ["example", *(METHODS[m] for m in present), *(["aim, 2 threads"] if aims else [])]
        lines = []
        for case in self.names("case", grid=grid):
            cells = [self.cell(key, m, grid=grid, case=case) for m in present]
            lines.append([case, *cells, *([f"{aims[case]:.2f}" if case in aims else ""] if aims else [])])
        return table(head, lines)


def introduction(results):
    return (f"{results.get('date')}, {results.get('machine')}, {results.get('cores')} cores, compiler "
            f"{results.get('compiler')}.\nSeconds from the speed array to the array of travel times: medians of five "
            "runs, or of fewer if they\nexceed three seconds. The other methods run on one core.")


def examples(rows, grid):
    every, others = list(METHODS), [m for m in METHODS if m[0] != "isochrone"]
    return [f"## {grid}",
            "Seconds (Tables 1 and 2 of the paper):", rows.table("seconds", grid, every, AIMS.get(grid)),
            "Times over ours on two threads, in the same run:", rows.table("ratio", grid, [ONE, *others]),
            "Updates per point (Table 4):", rows.table("updates_per_point", grid, [TWO, *others]),
            "Maximum relative difference from our travel times, times 1e6 (scikit-fmm and ITK solve in double):",
            rows.table("difference", grid, others),
            "Bytes per point in addition to input and result (scikit-fmm, ITK: growth of the process, with the result):",
            rows.table("bytes_per_point", grid, [TWO, *others])]


def sizes(rows):
    methods = [m for m in METHODS if rows.of(case="line", method=m[0], on=m[1])]
    lines = [[grid, *(rows.cell("seconds", m, case="line", grid=grid) for m in methods)]
             for grid in rows.names("grid", case="line")]
    return ["## Size of the front", "Seconds, constant speed, seeds at the centre of every plane (Figure 9):",
            table(["points", *(METHODS[m] for m in methods)], lines)]


def tensors(rows):
    def anisotropy(case):
        kind = case.removeprefix("tensor-")
        return f"{kind}:1" if kind.isdigit() else f"white {kind}"

    heap = ("heap", "host 1")
    columns = [("seconds", ONE), ("seconds", TWO), ("seconds", heap), ("updates_per_point", TWO),
               ("updates_per_point", heap), ("bytes_per_point", TWO), ("bytes_per_point", heap)]
    lines = [[anisotropy(case), grid, *(rows.cell(key, m, case=case, grid=grid) for key, m in columns)]
             for grid in rows.names("grid") for case in rows.names("case", grid=grid) if case.startswith("tensor-")]
    return ["## Tensors", "Metrics with directions that turn, and white noise of directions and of ratios up to 10:1. "
            "Seconds; heap: fast marching with the same scheme on one core:",
            table(["anisotropy", "points", METHODS[ONE], METHODS[TWO], "heap", "updates per point", "of heap",
                   "bytes per point", "of heap"], lines)]


def drifts(rows):
    columns = [("seconds", ONE), ("seconds", TWO), ("updates_per_point", TWO), ("bytes_per_point", TWO)]
    lines = [[f"{int(case.removeprefix('drift-')) / 100:g}", grid, *(rows.cell(key, m, case=case, grid=grid) for key, m in columns)]
             for grid in rows.names("grid") for case in rows.names("case", grid=grid) if case.startswith("drift-")]
    return ["## In a drift", "Speed 1 in a vortex, whose velocity reaches this share of the speed:",
            table(["drift", "points", METHODS[ONE], METHODS[TWO], "updates per point", "bytes per point"], lines)]


def tilted(rows):
    columns = [("seconds", ONE), ("seconds", TWO), ("updates_per_point", TWO), ("bytes_per_point", TWO)]
    lines = [[f"0.{case.removeprefix('tilted-')}", grid, *(rows.cell(key, m, case=case, grid=grid) for key, m in columns)]
             for grid in rows.names("grid") for case in rows.names("case", grid=grid) if case.startswith("tilted-")]
    return ["## In a tilted medium", "P waves, Vp growing to twice its value, delta half of epsilon, the axis turning from place to place:",
            table(["epsilon", "points", METHODS[ONE], METHODS[TWO], "updates per point", "bytes per point"], lines)]


def grids(rows):
    columns = [("seconds", ONE), ("seconds", TWO), ("updates_per_point", TWO), ("bytes_per_point", TWO)]
    lines = []
    for kind, case in ((kind, case) for case in ("1", "noise") for kind in ("", *GRIDS)):
        name = f"{kind}-{case}" if kind else case
        for grid in rows.names("grid", case=f"globe-{case}"):
            of = dict(case=name, grid=grid)
            times, image = (median(row["seconds"] for row in rows.of(method=TWO[0], on=TWO[1], case=c, grid=grid)) for c in (name, case))
            lines.append([GRIDS.get(kind, "image"), {"1": "constant"}.get(case, case), grid,
                          *(rows.cell(key, m, **of) for key, m in columns), number(times / image)])
    return ["## On other grids", "Without factoring. Last column: time over that of the image, both on two threads:",
            table(["grid", "speed", "points", METHODS[ONE], METHODS[TWO], "updates per point", "bytes per point", "over the image"], lines)]


def passes(runs):
    names = list(dict.fromkeys(row["example"] for row in runs))

    def over_passes(key):
        values = {(row["passes"], row["example"]): number(row[key]) for row in runs}
        lines = [[str(n), *(values[n, name] for name in names)] for n in sorted({row["passes"] for row in runs})]
        return table(["passes", *names], lines)

    return ["## Passes inside a tile",
            f"The paper's block FIM, tiles of 4x4x4, {runs[0]['nodes']} points, by host teams.",
            "Milliseconds (Figure 10):", over_passes("milliseconds"),
            "Updates per point:", over_passes("updates_per_point")]


def markdown(results):
    rows = Rows(results["runs"])
    parts = ["# Image travel times", introduction(results)]
    others = ("tensor-", "drift-", "tilted-", *(f"{kind}-" for kind in GRIDS))
    scalar = Rows([row for row in rows.rows if not row["case"].startswith(others)])
    for grid in scalar.names("grid"):
        if scalar.names("case", grid=grid) != ["line"]:
            parts += examples(scalar, grid)
    if rows.of(case="line"):
        parts += sizes(rows)
    for prefix, section in (("tensor-", tensors), ("drift-", drifts), ("tilted-", tilted), ("globe-", grids)):
        if any(row["case"].startswith(prefix) for row in rows.rows):
            parts += section(rows)
    tiles = [row for row in results["runs"] if row.get("method") == "block FIM"]
    if tiles:
        parts += passes(tiles)
    gaps = [f"* {row['piece']}: {row['method']}: {row['gap']}" for row in rows.rows if "gap" in row]
    if gaps:
        parts += ["## Not measured", "\n".join(gaps)]
    return "\n\n".join(parts) + "\n"
