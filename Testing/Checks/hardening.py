"""hardening.py FILE...: fails if a program or library (ELF) of a release build is not hardened (CMake/Hardening.cmake).

It must not search libraries in the current folder, have writable relocations after start-up or an executable stack, and it
must have functions with checked stack frames and checked library calls.
"""
import re
import subprocess
import sys


def readelf(option, file):
    return subprocess.run(["readelf", "--wide", option, file], check=True, capture_output=True, text=True).stdout


def search_path_problems(dynamic):
    """Yields empty and relative entries of a search path, which refer to the current folder."""
    for kind, path in re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        for entry in path.split(":"):
            if not entry.startswith(("/", "$ORIGIN", "${ORIGIN}")):
                yield f"{kind} [{path}] has an entry in the current folder: '{entry}'"
                return


def problems(dynamic, segments, symbols):
    """Returns the problems in the output of readelf --dynamic, --segments and --dyn-syms."""
    found = list(search_path_problems(dynamic))
    if "BIND_NOW" not in dynamic and not re.search(r"FLAGS_1.*\bNOW\b", dynamic):
        found.append("functions are bound when they are first called, not at once (BIND_NOW)")
    if "GNU_RELRO" not in segments:
        found.append("no addresses are read-only after they are bound (GNU_RELRO)")
    stack = re.search(r"GNU_STACK.*\b(RWE|RW)\b", segments)
    if not stack or stack[1] != "RW":
        found.append("the stack may be executed")
    if "__stack_chk_fail" not in symbols:
        found.append("no stack frame is checked (-fstack-protector-strong)")
    if not re.search(r"__(mem|str|s?n?printf|vs?n?printf)\w*_chk\b", symbols):
        found.append("no call of the C library is checked (_FORTIFY_SOURCE)")
    return found


def main(files):
    bad = 0
    for file in files:
        for problem in problems(readelf("--dynamic", file), readelf("--segments", file), readelf("--dyn-syms", file)):
            print(f"{file}: {problem}")
            bad += 1
    print(f"{len(files)} files, {bad} problems")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
