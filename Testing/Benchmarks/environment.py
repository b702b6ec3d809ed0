"""What the benchmark scripts share: the Python environment with the programs of others, and the file of results."""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def peers_python():
    """The Python of the environment with the peers, made where there is none yet; and why not, where that fails."""
    folder = ROOT / "build" / "peers"
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = (HERE / "peers.txt").read_text()
    if done.exists() and done.read_text() == wanted:
        return python, None
    for command in ([sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-r", HERE / "peers.txt"]):
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            return None, str(error)
        if result.returncode:
            return None, "; ".join((result.stdout + result.stderr).strip().splitlines()[-2:])
    done.write_text(wanted)
    return python, None


def python_with(module):
    """A Python of this machine that has the module, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return python
        except OSError:
            pass
    return None


def save(file, results):
    """One row a line."""
    head = {key: value for key, value in results.items() if key != "runs"}
    rows = ",\n".join(json.dumps(row) for row in results["runs"])
    file.write_text(json.dumps(head)[:-1] + ', "runs": [\n' + rows + "\n]}\n")


def load(file):
    """What the file holds, or no runs where there is none."""
    file.parent.mkdir(parents=True, exist_ok=True)
    return json.loads(file.read_text()) if file.exists() else {"runs": []}


def replace(results, name, rows, order):
    """Puts the rows of the piece called `name` in the place of its former ones; pieces stand in order."""
    kept = [row for row in results["runs"] if row["piece"] != name and row["piece"] in order]
    results["runs"] = sorted(kept + rows, key=lambda row: order.index(row["piece"]))
