"""skips.py JUNIT: lists the skipped tests of a run by reason; fails if one lacks anything but nvcc."""
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

NO_NVCC = re.compile(r"this build has no CUDA kernels")


def skips(junit):
    """The names of the tests that did not run, by reason. `junit` is what ctest --output-junit wrote."""
    names = collections.defaultdict(list)
    for case in xml.etree.ElementTree.fromstring(junit).iter("testcase"):
        if case.get("status") not in ("run", "fail"):
            said = re.search(r": Skipped\n(.*)", case.findtext("system-out") or "")  # by GTEST_SKIP
            names[said[1] if said else f"no reason given ({case.get('status')})"].append(case.get("name"))
    return names


def unexcused(names):
    return {reason: tests for reason, tests in names.items() if not NO_NVCC.match(reason)}


def main(path):
    names = skips(pathlib.Path(path).read_text())
    if not names:
        print("no test was skipped")
    for reason, tests in names.items():
        print(f"{len(tests)} skipped: {reason}")
    for reason, tests in unexcused(names).items():
        print("SKIPPED, though not for want of nvcc:", *tests, sep="\n  ")
    return 1 if unexcused(names) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
