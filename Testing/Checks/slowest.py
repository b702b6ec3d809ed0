"""slowest.py JUNIT: prints the ten slowest tests of a run. JUNIT is the file that ctest --output-junit wrote."""
import sys
import xml.etree.ElementTree


def slowest(junit, number=10):
    """Returns names and seconds, the slowest first."""
    cases = xml.etree.ElementTree.fromstring(junit).iter("testcase")
    times = [(case.get("name"), float(case.get("time"))) for case in cases]
    return sorted(times, key=lambda test: -test[1])[:number]


if __name__ == "__main__":
    print("The slowest tests, in seconds:")
    with open(sys.argv[1], encoding="utf-8") as file:
        for name, seconds in slowest(file.read()):
            print(f"{seconds:8.1f}  {name}")
