"""Where the programs of others run: an environment of our own, or a Python of this machine."""
import functools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@functools.cache
def peers_python():
    """The Python of the environment with the peers, made where there is none yet; and why not, where that fails."""
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
    """A Python of this machine that has the module, or None."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0:
                return python
        except OSError:
            pass
    return None
