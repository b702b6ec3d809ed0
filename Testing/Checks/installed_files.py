"""installed_files.py CMAKE BUILD PREFIX FILE...: installs the build below PREFIX. This must install the files of these names,
but no headers, static libraries or other files."""
import pathlib
import shutil
import subprocess
import sys


def main(cmake, build, prefix, *expected):
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    files = {file.name for file in pathlib.Path(prefix).rglob("*") if not file.is_dir()}
    for kind, names in (("missing", set(expected) - files), ("not wanted", files - set(expected))):
        for name in sorted(names):
            print(f"{kind}: {name}")
    return 0 if files == set(expected) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
