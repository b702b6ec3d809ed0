"""The Python environments of other programs: one in the build folder, or one of this machine."""
import functools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@functools.cache
def peers_python():
    """Returns the Python of the peers' environment, creating it if missing; on failure None and the reason."""
    folder = ROOT / "build" / "peers"
    python, done = folder / "bin" / "python", folder / "installed"
    wanted = (HERE / "peers.txt").read_text()
    if done.exists() and done.read_text() == wanted:
        return python, None
    install = [python, "-m", "pip", "install", "--require-hashes", "-r", HERE / "peers.txt"]
    for command in ([sys.executable, "-m", "venv", folder], install):
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            return None, str(error)
        if result.returncode:
            return None, "; ".join((result.stdout + result.stderr).strip().splitlines()[-2:])
    done.write_text(wanted)
    return python, None


def python_with(module):
    """Returns a Python of this machine with the module, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return python
        except OSError:
            pass
    return None
