"""installed_files.py CMAKE BUILD PREFIX: installs the build below PREFIX. This must install the plugin and its list, but no
headers, static libraries or other files."""
import pathlib
import shutil
import subprocess
import sys

EXPECTED = {"Isochrone.so", "isochrone.plugins.xml"}


def main(cmake, build, prefix):
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    files = {file.name for file in pathlib.Path(prefix).rglob("*") if not file.is_dir()}
    for kind, names in (("missing", EXPECTED - files), ("not wanted", files - EXPECTED)):
        for name in sorted(names):
            print(f"{kind}: {name}")
    return 0 if files == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
