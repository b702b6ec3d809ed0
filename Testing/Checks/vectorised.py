"""vectorised.py ISA OBJECT...: fails if a hot loop is not compiled to full vectors of the instruction set.

Inspects the disassembly: square roots, minima, maxima and divisions must be packed and as wide as the instruction set
allows. One scalar root or division indicates a loop that was not vectorised. Rare scalar minima are bookkeeping between
blocks; more than one in twenty is a failure.
"""
import re
import subprocess
import sys

REGISTER = {"sse2": "xmm", "avx2": "ymm", "avx512": "zmm"}
SCALAR = r"\tv?(sqrt|min|max|div)s{}\b"
PACKED = r"\tv?(sqrt|min|max|div)p{}\b"


def judge(isa, disassembly):
    """Returns the (packed full-width, packed narrower, scalar) instructions, as lines."""
    lines = disassembly.splitlines()

    def matching(pattern, precision):
        return [line for line in lines if re.search(pattern.format(precision), line)]

    # Files with float loops contain scalar doubles by design; doubles are judged only in files without packed floats.
    precision = "s" if matching(PACKED, "s") or not matching(PACKED, "d") else "d"
    packed, scalar = matching(PACKED, precision), matching(SCALAR, precision)
    full = [line for line in packed if REGISTER[isa] in line]
    return full, [line for line in packed if line not in full], scalar


def good(full, narrow, scalar):
    costly = [line for line in scalar if re.search("sqrt|div", line)]
    return bool(full) and not narrow and not costly and 20 * len(scalar) <= len(full)


def main(isa, objects):
    failed = False
    for path in objects:
        command = ["objdump", "-d", "--no-show-raw-insn", path]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        full, narrow, scalar = judge(isa, text)
        print(f"{path}: {len(full)} on {REGISTER[isa]}, {len(narrow)} narrower, {len(scalar)} scalar")
        print("\n".join(narrow + scalar))
        failed = failed or not good(full, narrow, scalar)
    return 1 if failed or not objects else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], [path for argument in sys.argv[2:] for path in argument.split(";")]))
