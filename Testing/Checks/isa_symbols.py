"""isa_symbols.py ISA OBJECT...: fails if an object compiled for one instruction set defines weak symbols with common names.

The linker keeps one copy of an inline function or template, from any of the objects. If that copy was compiled for AVX-512,
the program crashes on other processors. Weak symbols must therefore be in the namespace of the instruction set.
"""
import re
import subprocess
import sys


def foreign_weak_symbols(isa, names):
    """Returns the lines of `nm -C` that define a weak symbol outside `namespace isa`."""
    weak = [line for line in names.splitlines() if re.search(r" [WVu] ", line)]
    return [line for line in weak if f"::{isa}::" not in line]


def main(isa, objects):
    bad = []
    for path in objects:
        names = subprocess.run(["nm", "-C", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        bad += [f"{path}: {line}" for line in foreign_weak_symbols(isa, names)]
    print("\n".join(bad))
    print(f"{len(objects)} objects for {isa}, {len(bad)} weak symbols outside its namespace")
    return 1 if bad or not objects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [path for argument in sys.argv[2:] for path in argument.split(";")]))
