"""gallery.py SOURCE: fails unless docs/gallery.html is what docs/gallery.py writes, its links exist, and every example with a
picture is on it."""
import html.parser
import pathlib
import subprocess
import sys
import tempfile


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in ("img", "meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element"


root = pathlib.Path(sys.argv[1])
shown = (root / "docs/gallery.html").read_text(encoding="utf-8")
with tempfile.TemporaryDirectory() as folder:
    new = pathlib.Path(folder, "gallery.html")
    subprocess.run([sys.executable, root / "docs/gallery.py", new], check=True)
    assert shown == new.read_text(encoding="utf-8"), "docs/gallery.html is out of date: run python3 docs/gallery.py"
links = Links()
links.feed(shown)
assert not links.open and len(links.links) > 40, links.open
missing = [link for link in links.links if not (root / "docs" / link).exists()]
assert not missing, missing
names = {path.stem for path in (root / "Examples").glob("*.py")} - {"example_tools"}
absent = [name for name in names if f'id="{name}"' not in shown]
assert not absent, absent
print(f"{len(names)} examples")
