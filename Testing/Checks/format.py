"""format.py CLANG_FORMAT SOURCE: fails if the layout of a C++ or CUDA source differs from .clang-format."""
import pathlib
import subprocess
import sys


def main(clang_format, root):
    root = pathlib.Path(root)
    folders = [root / name for name in ("Kernels", "Filters", "ServerManager", "Gui", "Plugin", "Testing", "Examples")]
    files = sorted(str(file) for folder in folders for file in folder.rglob("*") if file.suffix in (".h", ".cxx", ".cu"))
    result = subprocess.run([clang_format, "--dry-run", "--Werror", *files])
    print(f"{len(files)} files; to repair: {clang_format} -i FILE")
    return 1 if result.returncode or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
