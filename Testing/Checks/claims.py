"""claims.py SOURCE: compares figures in README.md, CHANGELOG.md, help pages, panels and class headers with their sources.

claims.csv has a line for each claim:
  document   the file that states it
  text       the words of the document, with the figure in brackets: "in [0.07] to 0.20 s"
  source     a file of Testing/Benchmarks/results; "test NAME" if a test asserts the figure; or the path of a file that has
             it: a table of a DESIGN.md, the bound of a test, a default in the code
  rows       selects runs of the file: "model=RS; on=host 2"; * and ? stand for any characters. For other files: the words
             there, with the figure in brackets: "| 0.8 | -[11] %"
  over       selects runs to divide by, "on=host 2", if the figure is a quotient. For other files: the words with the divisor
  by         the keys in which both runs of a quotient agree
  value      COLUMN (of one run), "min COLUMN", "max COLUMN" or "median COLUMN", or "max of min COLUMN by KEY KEY" for the
             maximum of the groups' minima
  scale      units of the text per unit of the file (1000: seconds as milliseconds)
  tolerance  maximum relative difference; empty: half a unit of the last digit in the text

The check fails if the text is not in the document, if the figure differs, or if a figure with a unit in a document of
COVERED is not part of a claim.
"""
import csv
import fnmatch
import json
import pathlib
import re
import statistics
import sys

COVERED = ("README.md", "CHANGELOG.md", "Plugin/Documentation/*.html", "ServerManagerXML/*.xml", "Filters/vtk*.h")
NUMBER = r"\d+(?:\.\d+)?"
FIGURE = re.compile(rf"(?<![\w.^-])({NUMBER})(?: to ({NUMBER}))?(?= (?:times\b|%|s\b|ms\b|ns\b|bytes\b|updates\b))")


def words(text):
    """Returns the text of a document without tags, with single spaces."""
    return " ".join(re.sub(r"<[^>]+>", "", text.replace("<sup>", "^")).replace("&lt;", "<").replace("&gt;", ">").split())


def document_words(path):
    """Returns the text of a document, without the comment markers of a header."""
    text = path.read_text()
    return words(re.sub(r"^ *(///|\*)", "", text, flags=re.M) if path.suffix == ".h" else text)


def prose(path):
    """Returns the text of a document, without code in Markdown."""
    if path.suffix != ".md":
        return document_words(path)
    return words(re.sub(r"```.*?```|^    .*?$|`[^`]*`", "", path.read_text(), flags=re.S | re.M))


def quoted(path, text):
    """Returns the figure in brackets in words of a file."""
    figure = re.search(r"\[([\d.]+(?:e-?\d+)?)\]", text)
    if not figure or text.replace(figure[0], figure[1]) not in " ".join(path.read_text().split()):
        raise ValueError(f'{path.name} has no "{text}" with a figure in brackets')
    return float(figure[1])


def number_in(text):
    match = re.search(rf"\[({NUMBER})\]", text)
    if not match:
        raise ValueError(f'no figure in brackets in "{text}"')
    return match[1]


def selected(runs, rows):
    """Returns the runs whose entries match "key=pattern; key=pattern"."""
    patterns = dict(part.strip().split("=", 1) for part in rows.split(";") if part.strip())
    return [run for run in runs
            if all(key in run and fnmatch.fnmatchcase(f"{run[key]}", pattern) for key, pattern in patterns.items())]


def quotients(runs, divisors, keys, column):
    """Returns the runs with `column` divided by the same column of each divisor with the same keys."""
    return [{**run, column: run[column] / divisor[column]} for run in runs for divisor in divisors
            if all(run.get(key) == divisor.get(key) for key in keys)]


def evaluated(runs, expression):
    reductions = {"min": min, "max": max, "median": statistics.median}
    grouped = re.fullmatch(r"(min|max) of (min|max|median) (\w+) by (.+)", expression)
    if grouped:
        outer, inner, column, keys = grouped.groups()
        groups = {}
        for run in runs:
            if isinstance(run.get(column), (int, float)):
                groups.setdefault(tuple(run.get(key) for key in keys.split()), []).append(run[column])
        return reductions[outer](reductions[inner](values) for values in groups.values())
    *reduction, column = expression.split()
    values = [run[column] for run in runs if isinstance(run.get(column), (int, float))]
    if reduction:
        return reductions[reduction[0]](values)
    if len(values) != 1:
        raise ValueError(f"{len(values)} runs where one was expected")
    return values[0]


def measured_value(claim, root):
    if not claim["source"].endswith(".json"):
        file = root / claim["source"]
        return quoted(file, claim["rows"]) / (quoted(file, claim["over"]) if claim["over"] else 1)
    runs = json.loads((root / "Testing/Benchmarks/results" / claim["source"]).read_text())["runs"]
    chosen = selected(runs, claim["rows"])
    if not chosen:
        raise ValueError(f'no run matches "{claim["rows"]}"')
    if claim["over"]:
        column = re.fullmatch(r"(?:.* )?(\w+)(?: by .*)?", claim["value"])[1]
        chosen = quotients(chosen, selected(runs, claim["over"]), claim["by"].split(), column)
    return evaluated(chosen, claim["value"])


def problem_of(claim, root):
    """Returns the error in a claim, or None."""
    text = words(claim["text"])
    document = document_words(root / claim["document"])
    if re.sub(rf"\[({NUMBER})\]", r"\1", text) not in document:
        return "these words are not in the document"
    stated = number_in(text)
    if claim["source"].startswith("test "):
        name = claim["source"].split(" ", 1)[1]
        sources = [*(root / "Testing").rglob("*.cxx"), *(root / "Testing").rglob("*.py")]
        return None if any(name in file.read_text() for file in sources) else f"no test is called {name}"
    measured = measured_value(claim, root) * float(claim["scale"] or 1)
    digits = len(stated.partition(".")[2])
    allowed = float(claim["tolerance"]) * measured if claim["tolerance"] else 0.5 * 10**-digits * (1 + 1e-9)
    if abs(float(stated) - measured) > allowed:
        return f"{claim['source']} says {measured:.6g}"
    return None


def uncovered(document, claims):
    """Returns the figures with a unit in a document's text that are part of no claim."""
    text = document
    for claim in claims:
        if FIGURE.search(claim):
            text = text.replace(claim, " ")
    return [text[max(0, m.start() - 40):m.end() + 20] for m in FIGURE.finditer(text)]


def problems(root):
    root = pathlib.Path(root)
    with open(root / "Testing/Checks/claims.csv", newline="") as file:
        claims = list(csv.DictReader(file))
    found = []
    for claim in claims:
        try:
            problem = problem_of(claim, root)
        except (KeyError, OSError, TypeError, ValueError) as error:
            problem = str(error)
        if problem:
            found.append(f'{claim["document"]}: "{claim["text"]}": {problem}')
    for path in sorted(path for pattern in COVERED for path in root.glob(pattern)):
        name = str(path.relative_to(root))
        texts = [re.sub(rf"\[({NUMBER})\]", r"\1", words(c["text"])) for c in claims if c["document"] == name]
        for figure in uncovered(prose(path), sorted(texts, key=len, reverse=True)):
            found.append(f'{name}: no claim covers "{figure}"')
    return len(claims), found


if __name__ == "__main__":
    count, found = problems(sys.argv[1])
    print("\n".join(found))
    print(f"{count} claims, {len(found)} problems")
    sys.exit(1 if found or count == 0 else 0)
