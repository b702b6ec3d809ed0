"""vectorised.py ISA OBJECT...: fails if a hot loop is not compiled to full vectors of the instruction set.

Looks at the disassembly: square roots, minima, maxima and divisions must be packed and as wide as the set allows;
one scalar instruction of these kinds means that the compiler gave up on a loop.
"""
import re
import subprocess
import sys

REGISTER = {"sse2": "xmm", "avx2": "ymm", "avx512": "zmm", "baseline": None}
SCALAR = re.compile(r"\tv?(sqrtss|minss|maxss|divss)\b")
PACKED = re.compile(r"\tv?(sqrtps|minps|maxps|divps)\b")


def judge(isa, disassembly):
    """(packed full-width, packed narrower, scalar) instructions, as lines."""
    lines = disassembly.splitlines()
    packed = [line for line in lines if PACKED.search(line)]
    full = [line for line in packed if REGISTER[isa] in line]
    return full, [line for line in packed if line not in full], [line for line in lines if SCALAR.search(line)]


def main(isa, objects):
    if REGISTER[isa] is None:
        print("no promise for this processor")
        return 0
    failed = False
    for path in objects:
        command = ["objdump", "-d", "--no-show-raw-insn", path]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        full, narrow, scalar = judge(isa, text)
        print(f"{path}: {len(full)} on {REGISTER[isa]}, {len(narrow)} narrower, {len(scalar)} scalar")
        print("\n".join(narrow + scalar))
        failed = failed or not full or narrow or scalar
    return 1 if failed or not objects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [path for argument in sys.argv[2:] for path in argument.split(";")]))
