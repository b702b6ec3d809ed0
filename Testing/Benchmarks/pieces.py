"""Benchmarks in pieces: each can be run alone, and its rows then replace its previous ones in the results."""
import argparse
import datetime
import json
import math
import pathlib
import sys

from environment import ROOT


def command_line(usage, name, *flags, **required):
    """Returns the options of a script with results named `name`; flags are additional options, `required` those with a
    value, of that type."""
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("wanted", nargs="*", default=[""])
    parser.add_argument("--results", default=str(ROOT / "build" / "benchmarks" / name))
    for flag in ("--quick", "--without-peers", "--list", *flags):
        parser.add_argument(flag, action="store_true")
    for option, kind in required.items():
        parser.add_argument(f"--{option}", type=kind, required=True)
    return parser.parse_intermixed_args()


def measure(options, order, run_piece, markdown):
    """Runs the selected pieces and writes results and tables.

    order: the names of all pieces; run_piece(name, previous rows): the rows of a piece, and a description of the machine
    """
    parts = [part for part in options.wanted if part not in order]
    names = [name for name in order if name in options.wanted or any(part in name for part in parts)]
    if options.list:
        print(*names, sep="\n")
        return
    if not names:
        sys.exit("no piece has such a name; --list prints the names")
    file = pathlib.Path(options.results + ".json")
    results = load(file)
    for name in names:
        print(f"\n== {name}", flush=True)
        rows, about = run_piece(name, results["runs"])
        results.update(about, date=str(datetime.date.today()))
        replace(results, name, rows, order)
        save(file, results)
    text = markdown(results)
    pathlib.Path(options.results + ".md").write_text(text)
    print("\n" + text)


def parsed(text):
    """Returns the value of a JSON text, with NaN for null, which the programs write for numbers that are not finite."""
    return json.loads(text, object_hook=lambda entries: {key: math.nan if value is None else value
                                                         for key, value in entries.items()})


def json_text(value, **layout):
    """Returns the JSON text of a value, with null for numbers that are not finite."""
    def finite(part):
        if isinstance(part, dict):
            return {key: finite(value) for key, value in part.items()}
        if isinstance(part, list):
            return [finite(value) for value in part]
        return None if isinstance(part, float) and not math.isfinite(part) else part

    return json.dumps(finite(value), **layout)


def save(file, results):
    """Writes one row per line."""
    head = {key: value for key, value in results.items() if key != "runs"}
    rows = ",\n".join(json_text(row) for row in results["runs"])
    file.write_text(json_text(head)[:-1] + ', "runs": [\n' + rows + "\n]}\n")


def load(file):
    """Returns the contents of the file, or no runs if it does not exist."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return parsed(file.read_text()) if file.exists() else {"runs": []}


def replace(results, name, rows, order):
    """Replaces the rows of the piece `name`, keeping the order of pieces."""
    kept = [row for row in results["runs"] if row["piece"] != name and row["piece"] in order]
    results["runs"] = sorted(kept + rows, key=lambda row: order.index(row["piece"]))
