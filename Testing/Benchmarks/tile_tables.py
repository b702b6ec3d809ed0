"""tile_tables.py RESULTS.json: prints the tables of TileStudy as Markdown.

Rounds and updates per point by tile shape, R (relaxations of a tile per round) and tags: Table 1 of Mirebeau and others
2022. One table per model, one column per R."""
import pathlib
import sys

from image_tables import table
from pieces import parsed


def shapes(runs):
    """Returns the table of tile shapes by R, for rounds with commits."""
    steps = sorted({run["R"] for run in runs})
    cells = {(run["tile"], run["tags"], run["R"]): f'{run["updates_per_point"]:.3g} ({run["rounds"]:.0f})' for run in runs}
    rows = list(dict.fromkeys((run["tile"], run["tags"]) for run in runs))
    return table(["tile", "tags", *(f"R = {r:g}" for r in steps)],
                 [[tile, tags, *(cells.get((tile, tags, r), "") for r in steps)] for tile, tags in rows])


def markdown(results):
    runs = results["runs"]
    of = lambda **wanted: [run for run in runs if all(run[key] == value for key, value in wanted.items())]
    parts = []
    for model in dict.fromkeys(run["model"] for run in runs):
        parts.append(f"## {model}")
        if of(model=model, stencils="shared", writes="commit"):
            parts += ["Updates per point (rounds):", shapes(of(model=model, stencils="shared", writes="commit"))]
        in_place = of(model=model, writes="in place")
        if in_place:
            parts += ["Rounds that write in place, as in the paper; their counts differ between runs:", shapes(in_place)]
        other = [run for run in of(model=model) if run["stencils"] != "shared"]
        if other:
            parts += ["Stencils that depend on the point, recomputed and stored (section 2.2):",
                      table(["stencils", "tile", "R", "updates per point", "rounds", "ms"],
                            [[run["stencils"], run["tile"], f'{run["R"]:g}', f'{run["updates_per_point"]:.3g}',
                              f'{run["rounds"]:.0f}', f'{run["milliseconds"]:.4g}'] for run in other])]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(markdown(parsed(pathlib.Path(sys.argv[1]).read_text())), end="")
