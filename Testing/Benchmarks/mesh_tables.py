"""The tables of mesh_travel_time.py from its measurements, including those of Ganellari and others (2018) and our aims."""
from image_tables import number, table

METHODS = {"isochrone": "isochrone", "compact": "isochrone, compact", "plain": "plain FIM", "many": "many blocks a subdomain", "one": "one block a subdomain",
           "six": "6 lengths", "eighteen": "18 products", "fim-python": "fim-python"}
AIMS = {1: 0.4, 3: 1.0, 10: 5.0}  # seconds, 3.07 million tetrahedra, two threads
SETUP_AIM = 0.5


def seconds(value):
    return "-" if value is None else f"{value:.3f}" if value < 1 else number(value)


class Rows:
    def __init__(self, rows, piece):
        self.rows = [row for row in rows if row["piece"].startswith(piece)]

    def one(self, **wanted):
        """Returns the first matching row, or {}."""
        return next((row for row in self.rows if all(row[key] == value for key, value in wanted.items())), {})

    def ratios(self):
        return list(dict.fromkeys(row["ratio"] for row in self.rows))


def fibres(ratio):
    return "isotropic" if ratio == 1 else f"{ratio:g}:1"


def millions(rows):
    return f"{rows[0]['tetrahedra'] / 1e6:.3g} million tetrahedra"


def whole(title, text, rows, aims=False):
    """Returns the table for one and two threads, with the gain of the second."""
    lines = []
    for ratio in rows.ratios():
        for method in ("isochrone", "compact", "plain"):
            one, two = (rows.one(ratio=ratio, method=method, on=f"host {n}") for n in (1, 2))
            device = rows.one(ratio=ratio, method=method, on="cuda")
            if not one and not two:
                continue
            ours = rows.one(ratio=ratio, method="isochrone", on="host 2").get("seconds")
            gain = one["seconds"] / two["seconds"] if one and two else None
            row = two or one
            lines.append([fibres(ratio), METHODS[method], seconds(row["setup"]), seconds(one.get("seconds")),
                          seconds(two.get("seconds")), f"{gain:.2f}" if gain else "-",
                          number(two["seconds"] / ours) if two and ours else "-", *([seconds(device["seconds"])] if device else []),
                          number(row["updates"]), f"{row['rounds']:.0f}", number(row["bytes"]),
                          number(row["peak"]) if row["peak"] > 0 else "-",
                          *([seconds(AIMS.get(ratio)) if method == "isochrone" else ""] if aims else [])])
    if not lines:
        return []
    cuda = any(row["on"] == "cuda" for row in rows.rows)
    head = ["fibres", "method", "set-up", "1 thread", "2 threads", "gain", "/ ours", *(["CUDA"] if cuda else []),
            "updates per vertex", "rounds", "bytes per tetrahedron", "peak", *(["aim"] if aims else [])]
    return [f"## {title}", text.format(millions(rows.rows)), table(head, lines)]


def layouts(rows):
    lines = []
    for row in (row for row in rows.rows if row["method"] in ("six", "eighteen")):
        other = rows.one(ratio=row["ratio"], method="eighteen")
        lines.append([fibres(row["ratio"]), number(row["tetrahedra"] / 1e6), METHODS[row["method"]], number(row["bytes"]),
                      seconds(row["seconds"]), f"{other['seconds'] / row['seconds']:.2f}", number(row["updates"]),
                      number(row["seconds"] / rows.one(ratio=row["ratio"], method="isochrone")["seconds"])])
    return ["## Storage (paper, 7.1)", "A simple solver, a vertex at a time, first in, first out, on one thread, in double; "
            "only the storage of a tetrahedron differs.",
            table(["fibres", "million tetrahedra", "storage", "its bytes", "seconds", "18 / this", "updates per vertex", "/ ours on one thread"],
                  lines)] if lines else []


def domains(rows):
    lines = []
    for row in rows.rows:
        ours = rows.one(ratio=row["ratio"], method="isochrone", on=row["on"], tetrahedra=row["tetrahedra"])
        lines.append([fibres(row["ratio"]), number(row["tetrahedra"] / 1e6), METHODS[row["method"]],
                      f"{row['subdomains']:.0f}" if row["subdomains"] else "", row["on"], seconds(row["setup"]), seconds(row["seconds"]),
                      number(row["seconds"] / ours["seconds"]) if ours else "-", number(row["updates"])])
    return ["## Subdomains (paper, 7.2)", "On the host the decompositions, designed for a GPU, run on host teams.",
            table(["fibres", "million tetrahedra", "method", "subdomains", "on", "set-up", "solve", "/ ours", "updates per vertex"],
                  lines)] if lines else []


def others(rows):
    lines = []
    for ratio in rows.ratios():
        ours, theirs = rows.one(ratio=ratio, method="isochrone", on="host 2"), rows.one(ratio=ratio, method="fim-python")
        if "seconds" not in theirs:
            continue
        lines.append([fibres(ratio), f"{ours['tetrahedra']:.0f}", seconds(ours["setup"]), f"{1e3 * ours['seconds']:.1f}",
                      seconds(theirs["setup"]), f"{1e3 * theirs['seconds']:.0f}", number(theirs["seconds"] / ours["seconds"]),
                      f"{theirs['difference']:.1e}"])
    return ["## Other programs", "fim-python 1.2.2, on the CPU with its active list, in single precision; both on two threads. The difference "
            "is the maximum one from our times, relative to the latest time.",
            table(["fibres", "tetrahedra", "our set-up, s", "our solve, ms", "its set-up, s", "its solve, ms", "its / our solve", "difference"],
                  lines)] if lines else []


def markdown(results):
    runs = [row for row in results["runs"] if "seconds" in row]
    piece = lambda name: Rows(runs, name)  # noqa: E731
    parts = ["# Mesh travel time",
             f"{results.get('date')}, {results.get('machine')}, {results.get('cores')} cores, compiler {results.get('compiler')}. Seconds; "
             "medians of five runs, or of fewer if they exceed three seconds. Cubes of six tetrahedra, points moved by a fifth of "
             "an edge, fibres that turn from -60 to 60 degrees; one seed in a corner; no tolerance. Set-up is everything except the solve: checks, "
             "lengths, stars, the result. All methods except fim-python and the study of storage, which agree up to rounding, "
             "have the same bits at every vertex, or the run fails. Bytes: memory of the solver in addition to mesh and result; peak: "
             "maximum growth of the process, including the result."]
    parts += whole("Cube", "{}.", piece("3 M"), aims=True)
    parts += whole("Large cube", "{}.", piece("24 M"))
    parts += whole("Wall", "{}: fibres turn through a wall of an eighth of its width.", piece("wall"))
    parts += whole("Shuffled numbers", "{}, in the cube; vertices and tetrahedra in random order.", piece("shuffled"))
    parts += layouts(piece("layouts")) + domains(piece("domains")) + others(piece("others"))
    gaps = [f"* {METHODS[row['method']]}, {fibres(row['ratio'])}, {row['tetrahedra']:.0f} tetrahedra: {row['gap']}"
            for row in results["runs"] if "gap" in row]
    if not any(row["on"] == "cuda" for row in runs):
        gaps.append("* CUDA, and with it 2700 to 8000 subdomains of the large mesh with fibres: no device on this machine")
    return "\n\n".join(parts + (["## Not measured", "\n".join(dict.fromkeys(gaps))] if gaps else [])) + "\n"
