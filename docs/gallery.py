"""Writes the gallery of the examples, docs/gallery.html: python3 docs/gallery.py [FILE]

Each example has its pictures, what it shows and why (its docstring, which also names its data), the filters that it uses, and
its script.
"""
import ast
import html
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("Examples/img", "Plugin/Documentation/img")
FILTERS = ("Curvature Paths", "Oriented Cost", "Image Travel Time", "Distance Transform", "Ray Tracing", "Mesh Travel Time")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Isochrone: gallery</title>
<style>
body {{ font: 16px/1.5 sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; }}
article {{ display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); gap: 1.5em; margin: 3em 0; }}
img {{ width: 100%; border: 1px solid #ddd; }}
h2 {{ margin: 0; font-size: 1.2em; }}
small, code {{ color: #666; }}
@media (max-width: 700px) {{ article {{ display: block; }} }}
</style>
</head>
<body>
<h1>Isochrone: gallery</h1>
<p>Each picture is the output of a script, to copy and change. To run one:
<code>bash Examples/quickstart.sh</code> builds the plugin; then
<code>PV_PLUGIN_PATH=&lt;folder of Isochrone.so&gt; pvpython Examples/harbour.py pictures</code>.</p>
{examples}
</body>
</html>
"""
EXAMPLE = """<article id="{name}">
<div>{pictures}</div>
<div>
<h2>{title}</h2>
{text}
<p><small>Filters: {filters}</small><br><a href="../Examples/{name}.py">Examples/{name}.py</a></p>
</div>
</article>"""


def pictures_of(source):
    """Returns the pictures in the project that an example writes, relative to the root."""
    names = sorted(set(re.findall(r'"(\w+\.png)"', source)))
    return [f"{folder}/{name}" for name in names for folder in FOLDERS if (ROOT / folder / name).exists()]


def example(script):
    source = script.read_text(encoding="utf-8")
    title, _, body = ast.get_docstring(ast.parse(source)).partition("\n")
    paragraphs = [" ".join(p.split()) for p in body.split("\n\n") if p.strip() and not p.strip().startswith("pvpython")]
    filters = [name for name in FILTERS if "Isochrone" + name.replace(" ", "") in source]
    images = [f'<img src="../{path}" alt="{html.escape(title)}" loading="lazy">' for path in pictures_of(source)]
    return EXAMPLE.format(name=script.stem, title=html.escape(title.rstrip(".")), filters=", ".join(filters) or "none",
                          pictures="\n".join(images), text="\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs))


def page():
    scripts = sorted(script for script in (ROOT / "Examples").glob("*.py") if pictures_of(script.read_text(encoding="utf-8")))
    return PAGE.format(examples="\n".join(example(script) for script in scripts))


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "gallery.html")
    pathlib.Path(target).write_text(page(), encoding="utf-8")
