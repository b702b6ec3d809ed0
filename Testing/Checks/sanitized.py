"""sanitized.py digest: prints a digest of all sources that a sanitizer build compiles or reads.
sanitized.py passed PRESET: fails if they have changed since the tests of PRESET (asan or tsan) last passed.
sanitized.py record PRESET DIGEST: records that the tests of PRESET passed on sources with this digest.

The records are in sanitized.txt, one line per preset. sanitizer.sh writes them, and configure reads them."""
import hashlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = "Testing/Checks/sanitized.txt"
SOURCES = ("Kernels/**/*", "Testing/Kernels/**/*", "Testing/Fuzz/**/*", "Testing/Benchmarks/Arguments.h", "Testing/CMakeLists.txt",
           "Testing/Checks/sanitizer.sh", "CMakeLists.txt", "CMakePresets.json", "CMake/*.cmake")
NOT_COMPILED = (".md", ".cu")


def digest(root=ROOT):
    """Returns a digest of the names and contents of the sources."""
    files = {file for pattern in SOURCES for file in root.glob(pattern) if file.is_file() and file.suffix not in NOT_COMPILED}
    total = hashlib.sha256()
    for name, file in sorted((file.relative_to(root).as_posix(), file) for file in files):
        total.update(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name}\n".encode())
    return total.hexdigest()


def records(root=ROOT):
    """Returns the recorded digest of each preset."""
    file = root / RECORDS
    return dict(line.split() for line in file.read_text().splitlines()) if file.exists() else {}


def passed(preset, root=ROOT):
    """Returns whether the tests of a preset passed on the present sources."""
    return records(root).get(preset) == digest(root)


def record(preset, value, root=ROOT):
    """Records the digest of the sources on which the tests of a preset passed."""
    lines = [f"{name} {of}\n" for name, of in sorted({**records(root), preset: value}.items())]
    (root / RECORDS).write_text("".join(lines))


if __name__ == "__main__":
    if sys.argv[1] == "digest":
        print(digest())
    elif sys.argv[1] == "passed":
        sys.exit(0 if passed(sys.argv[2]) else 1)
    else:
        record(sys.argv[2], sys.argv[3])
