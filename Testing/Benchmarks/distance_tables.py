"""The tables of distance_transform.py from its measurements, including those of Manduhu and Jones (2019) and our aims."""
from image_tables import median, number, table

NAMES = {"isochrone": "isochrone", "edt": "edt", "opencv": "OpenCV", "itk": "ITK", "scipy": "SciPy", "vtk": "VTK"}
ON = {"host 1": "1 thread", "host 2": "2 threads"}
ONE_THREAD = ("scipy", "vtk")
AIMS = {("random 1", "4096x4096x1"): 12, ("random 1", "8192x8192x1"): 60,  # milliseconds, two threads
        ("random 1", "256x256x256"): 25, ("random 1", "512x512x512"): 200}
GEOMETRIC = ("circles", "squares", "lines")
SHAPES = (*GEOMETRIC, "astronaut", "coins", "horse")


def aim_of_ratio(case, grid):
    """Returns the intended speed-up over the best peer, or None."""
    size, _, depth = (int(n) for n in grid.split("x"))
    if case == "shell":
        return 10
    if case in GEOMETRIC:
        return None
    if case.startswith("random") and depth == 1:
        return 20 if size >= 1024 else None
    return 15


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def of(self, **wanted):
        return [row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())]

    def images(self, wanted):
        """Returns (case, grid) of the rows with times, in measured order."""
        images = dict.fromkeys((row["case"], row["grid"]) for row in self.rows if "seconds" in row)
        return [image for image in images if wanted(*image)]

    def median(self, key, image, method, on):
        """Returns the median over the pieces, several of which contain ours."""
        return median(row[key] for row in self.of(case=image[0], grid=image[1], method=method, on=on) if key in row)

    def milliseconds(self, image, method, on):
        seconds = self.median("seconds", image, method, on)
        return "-" if seconds is None else number(1e3 * seconds)

    def best(self, image, on):
        """Returns the minimum ratio of a peer's time to ours in the same run, with the peer; None if no peer ran."""
        ratios = [(row["ratio"], row["method"]) for row in self.of(case=image[0], grid=image[1], on=on)
                  if "ratio" in row]
        return min(ratios) if ratios else None


def label(image):
    case, grid = image
    points = grid.split("x")
    return f"{case + ' %' if case.startswith('random') else case}, {points[0]}" + ("³" if points[2] != "1" else "²")


def times(rows, images):
    columns = [("isochrone", on) for on in ON]
    for method in list(NAMES)[1:]:
        columns += [(method, on) for on in ON if on == "host 1" or method not in ONE_THREAD]
    columns = [c for c in columns if any(rows.median("seconds", image, *c) is not None for image in images)]
    head = ["image", *(f"{NAMES[m]}, {ON[on]}" for m, on in columns), "aim, 2 threads"]
    return table(head, [[label(image), *(rows.milliseconds(image, *c) for c in columns), str(AIMS.get(image, ""))]
                        for image in images])


def ratios(rows, images):
    lines = []
    for image in images:
        cells = []
        for on in ON:
            best = rows.best(image, on)
            cells.append(f"{number(best[0])} ({NAMES[best[1]]})" if best else "-")
        lines.append([label(image), *cells, str(aim_of_ratio(*image) or "")])
    return table(["image", *(f"best peer / ours, {on}" for on in ON.values()), "aim"], lines)


def group(title, text, rows, wanted):
    images = rows.images(wanted)
    if not images:
        return []
    return [f"## {title}", text, "Milliseconds:", times(rows, images),
            "Time of the best peer of each row over ours, in the same run, with the same number of threads:",
            ratios(rows, images)]


def passes(rows, size):
    """Returns milliseconds per pass of the images with random sites."""
    lines = []
    for image in rows.images(lambda case, grid: case.startswith("random") and grid == f"{size}x{size}x1"):
        for on in ON:
            texts = [row["passes"] for row in rows.of(case=image[0], grid=image[1], method="isochrone", on=on)]
            if texts:
                lines.append([label(image), ON[on], texts[0], rows.milliseconds(image, "isochrone", on)])
    return ["## Milliseconds per pass", "Random sites by their share (Table II). The rest of the total is the allocation of memory by the "
            "system.", table(["image", "on", "passes", "total"], lines)] if lines else []


def floors(rows):
    lines = []
    for image in rows.images(lambda case, grid: case == "random 1"):
        cells = []
        for on in ON:
            seconds, floor, rate = (rows.median(key, image, "isochrone", on) for key in ("seconds", "floor", "copy_rate"))
            cells += [f"{rate:.0f}", number(floor), number(1e3 * seconds / floor)] if seconds and floor and rate else ["-"] * 3
        lines.append([label(image), *cells])
    head = ["image"] + [f"{what}, {on}" for on in ON.values() for what in ("copy GB/s", "minimum ms", "ours / minimum")]
    return ["## Bound by memory bandwidth", "The rate of copying, reads plus writes, between arrays that are "
            "together as large as the traffic of a\ntransform (9 bytes per point in the plane, 13 in space), and the time "
            "of this traffic at that rate.", table(head, lines)] if lines else []


def differences(rows):
    peers = [method for method in list(NAMES)[1:] if rows.of(method=method)]
    lines = []
    for image in rows.images(lambda case, grid: True):
        cells = []
        for peer in peers:
            found = [row for row in rows.of(case=image[0], grid=image[1], method=peer) if "difference" in row]
            worst = max(found, key=lambda row: row["difference"], default=None)
            cells.append(f"{worst['difference']:.2g} ({worst['wrong']:.2g} %)" if worst else "-")
        if set(cells) - {"-"}:
            lines.append([label(image), *cells])
    return ["## Differences", "Maximum difference of a peer's distance from ours, and the share of points other than "
            "sites that differ by more than a\nmillionth. Ours are the exact distances (tested).",
            table(["image", *(NAMES[peer] for peer in peers)], lines)] if lines else []


def markdown(results):
    rows = Rows(results["runs"])
    plane = lambda case, grid: grid.endswith("x1") and case not in SHAPES  # noqa: E731
    parts = ["# Distance transforms",
             f"{results.get('date')}, {results.get('machine')}, {results.get('cores')} cores, compiler "
             f"{results.get('compiler')}.\nMilliseconds from the array of sites to the array of distances in float "
             "(SciPy, VTK: double): medians of five runs, or\nof fewer if they exceed three seconds. SciPy and VTK "
             "run on one thread; their times also serve for the comparison on two."]
    parts += group("In the plane", "Random sites, and a thresholded photograph mirrored to the size (Table III).", rows,
                   lambda case, grid: plane(case, grid) and case.split()[-1] in ("0.01", "1", "50", "photograph"))
    parts += passes(rows, max((int(row["grid"].split("x")[0]) for row in rows.rows if row["piece"].endswith("alone")),
                              default=0))
    parts += group("Shapes and photographs", "Three images of geometric shapes, three thresholded photographs (Figures "
                   "18 and 19; not those of the paper).", rows, lambda case, grid: case in SHAPES)
    parts += group("In space", "1 % random sites, and a spherical shell.", rows,
                   lambda case, grid: not grid.endswith("x1"))
    parts += floors(rows) + differences(rows)
    gaps = [f"* {label((row['case'], row['grid']))}: {NAMES[row['method']]}: {row['gap']}" for row in rows.rows
            if "gap" in row]
    if gaps:
        parts += ["## Not measured", "\n".join(dict.fromkeys(gaps))]
    return "\n\n".join(parts) + "\n"
