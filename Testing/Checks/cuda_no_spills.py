"""cuda_no_spills.py OBJECT...: prints registers and stack of every CUDA kernel; fails if a kernel of the project spills.

Reads the ptxas reports that CMake/keep-ptxas-report.sh writes next to the objects.
"""
import re
import subprocess
import sys


def kernels(report):
    """Returns (name, architecture, registers, stack bytes, spilled bytes) of each function in a report of `ptxas -v`."""
    found = []
    name = architecture = None
    spilled = stack = 0
    for line in report.splitlines():
        if match := re.search(r"Compiling entry function '(\S+)' for '(\S+)'", line):
            name, architecture = match.groups()
            spilled = stack = 0
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            stack += int(match[1])
            spilled += int(match[2]) + int(match[3])
        elif (match := re.search(r"Used (\d+) registers", line)) and name:
            found.append((name, architecture, int(match[1]), stack, spilled))
            name = None
    return found


def main(objects):
    rows = [row for path in objects for row in kernels(open(path + ".ptxas").read())]
    names = [row[0] for row in rows]
    try:
        plain = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True, text=True).stdout.splitlines()
    except FileNotFoundError:
        plain = names
    print("registers  stack  spilled  architecture  kernel")
    for (_, architecture, registers, stack, spilled), name in zip(rows, plain):
        print(f"{registers:9}  {stack:5}  {spilled:7}  {architecture:12}  {name}{'  SPILLS' if spilled else ''}")
    spilling = [name for row, name in zip(rows, plain) if row[4] > 0]
    bad = sum("cub::" not in name.split("<")[0] for name in spilling)  # CUB has its own tuning
    print(f"{len(objects)} objects, {len(rows)} kernels, {len(spilling)} spill registers, {bad} of them ours")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    sys.exit(main([path for argument in sys.argv[1:] for path in argument.split(";") if path]))
