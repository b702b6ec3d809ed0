"""counted_cuda.py BUILD [--results FOLDER] [--before FILE.json] [CASE...]: counts the work of the kernels on the emulated
device, and estimates the time on real devices from it. Writes counted-cuda.json and counted-cuda.md; --before adds the counts of an earlier
file beside them. CASE: parts of names; only cases that contain one are run, the others keep their counts.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import tempfile
import time

from image_tables import table
from pieces import json_text, parsed

HERE = pathlib.Path(__file__).resolve().parent
MODELS = {"Reeds-Shepp": 0, "Reeds-Shepp forward": 1, "elastica": 2, "Dubins": 3}

# name: words for CountCuda, aim (H200, ms; None: no aim), the paper's device and its ms
CASES = {f"{model} 300x300x96": (["curvature", str(number), "300", "300", "96", "30", "constant"], aim, "GTX 1080", paper)
         for (model, number), aim, paper in zip(MODELS.items(), (4, 4, 12, 4), (280, 250, 1530, 440))}
CASES |= {
    "image 256^3, speed 1": (["image", "1", "256", "256"], 15, "Quadro FX 5600", None),
    "image 256^3, layers": (["image", "2", "256", "256"], 15, "Quadro FX 5600", None),
    "image 256^3, correlated": (["image", "3", "256", "256"], 15, "Quadro FX 5600", None),
    "tensors 1024^2, 10:1": (["image", "tensor-10", "1024", "1"], None, "GTX 1080", None),
    "tensors 128^3, 10:1": (["image", "tensor-10", "128", "128"], None, "GTX 1080", None),
    "distance 8192^2, 1 % sites": (["distance", "random 1", "8192", "1"], 0.4, "GTX 1080", None),
    "distance 512^3, 1 % sites": (["distance", "random 1", "512", "512"], 1.2, "GTX 1080", None),
    **{f"distance 512^2, {share} % sites, {kind}": (["distance", f"random {share}", "512", "1", steps], None, "GTX 1080", None)
       for share in (1, 0.01)
       for kind, steps in (("even", "equal"), ("periodic", "periodic"), ("unequal", "unequal"), ("rectilinear", "uneven"))},
    "rays 1600^2, radius 6, Fast": (["rays", "gradient", "1600", "1", "6", "1"], 5, "GT 650M", None),
    "rays 1600^2, radius 6, Accurate": (["rays", "gradient", "1600", "1", "6", "0"], 5, "GT 650M", None),
    "mesh 3.07 M tetrahedra": (["mesh", "cube", "80", "1", "0"], 30, "GTX 1080", 480),
    "mesh 3.07 M tetrahedra, 10:1": (["mesh", "cube", "80", "10", "0"], None, "GTX 1080", None),
    "mesh 24.6 M tetrahedra": (["mesh", "cube", "160", "1", "0"], 250, "GTX 1080", None)}

# processors, GHz, warp instructions per clock that a processor issues in practice, GB/s, microseconds per launch in a stream,
# whether processors cache reads
Device = collections.namedtuple("Device", "processors clock rate bandwidth launch caches")
DEVICES = {"H200": Device(132, 1.7, 2, 4000, 2, True), "GTX 1080": Device(20, 1.6, 2, 320, 4, True),
           "GT 650M": Device(2, 0.9, 3, 64, 5, False), "Quadro FX 5600": Device(16, 1.35, 0.2, 77, 7, False)}
CLOCKS_OF_DEPENDENT_INSTRUCTION = 5
MICROSECONDS_OF_WAIT = 10

FIELDS = "blocks threads instructions slots lanes sectors fetched conflicts depth".split()


def read_trace_in_parts(path, last=None):
    """Yields parts that end with a kernel whose name contains `last`: the launches, and the number of times that the host waited
    for the device to become idle."""
    launches, waits = [], 0
    for line in open(path):
        word, _, rest = line.partition(" ")
        if word == "launch":
            *numbers, kernel = rest.rstrip("\n").split(" ", len(FIELDS))
            launches.append((kernel, dict(zip(FIELDS, map(int, numbers)))))
            if last and last in kernel:
                yield launches, waits
                launches, waits = [], 0
        elif word == "wait":
            waits += rest.strip() == "0"
    if not last:
        yield launches, waits


def bytes_copied(path):
    return sum(int(line.split()[1]) for line in open(path) if line.startswith("copy "))


def milliseconds(launch, device):
    """Returns the time of a launch and its limit: issuing instructions, memory traffic, or the longest chain of instructions."""
    issue = launch["slots"] / (device.processors * device.rate * device.clock * 1e6)
    memory = 32 * launch["fetched" if device.caches else "sectors"] / (device.bandwidth * 1e6)
    chain = launch["depth"] * CLOCKS_OF_DEPENDENT_INSTRUCTION / (device.clock * 1e6)
    return max((issue, "instructions"), (memory, "memory"), (chain, "chain"))


def estimate(launches, waits, device):
    """Returns milliseconds, and their parts by limit."""
    parts = collections.Counter()
    for _, launch in launches:
        time_of, limit = milliseconds(launch, device)
        parts[limit] += time_of
    parts["launches"] = 1e-3 * device.launch * len(launches)
    parts["waits"] = 1e-3 * MICROSECONDS_OF_WAIT * waits
    return sum(parts.values()), dict(parts)


def count(program, words, library):
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library), CUDA_ON_HOST_CHECKS="0",
                           CUDA_ON_HOST_SMS=str(DEVICES["H200"].processors), CUDA_ON_HOST_MEMORY_MB="16384", CUDA_ON_HOST_TRACE=trace)
        begin = time.time()
        work = parsed(subprocess.run([program, *words], env=environment, check=True, capture_output=True, text=True).stdout)
        (launches, waits), = read_trace_in_parts(trace)
        copied = bytes_copied(trace)
    kernels = collections.defaultdict(collections.Counter)
    for kernel, launch in launches:
        kernels[kernel].update(launches=1, **{field: launch[field] for field in FIELDS[2:]})
    times = {name: dict(zip(("milliseconds", "parts"), estimate(launches, waits, device))) for name, device in DEVICES.items()}
    return dict(work, launches=len(launches), waits=waits, copied=copied, kernels=kernels, times=times,
                seconds_to_count=time.time() - begin)


def total(result, field):
    return sum(kernel[field] for kernel in result["kernels"].values())


def summary(results, before):
    rows = []
    for name, r in results.items():
        _, aim, device, paper = CASES[name]
        updates = r["points"] * r["updates_per_point"]
        parts = r["times"]["H200"]["parts"]
        most = ", ".join(f"{part} {ms:.2g}" for part, ms in sorted(parts.items(), key=lambda p: -p[1])[:3])
        old = before.get(name)
        rows.append([name, f'{r["updates_per_point"]:.2f}', f'{r["rounds"]:.0f}', str(r["launches"]), str(r["waits"]),
                     f'{32 * total(r, "slots") / r["points"]:.0f}', f'{32 * total(r, "slots") / updates:.0f}',
                     f'{total(r, "sectors") / r["points"]:.2f}', f'{total(r, "fetched") / r["points"]:.2f}', f'{total(r, "lanes") / (0.32 * total(r, "instructions")):.0f}',
                     f'{100 * total(r, "conflicts") / total(r, "slots"):.1f}',
                     f'{r["times"]["H200"]["milliseconds"]:.3g}' + (f' (before {old["times"]["H200"]["milliseconds"]:.3g})' if old else ""),
                     str(aim or ""), most, f'{device}: {r["times"][device]["milliseconds"]:.3g}' + (f" (paper {paper})" if paper else "")])
    return table(["case", "updates per point", "rounds", "launches", "waits", "instr. per point", "instr. per update", "sectors per point",
                  "fetched per point", "lanes, %", "conflicts, %", "H200, ms", "aim", "main parts, ms", "paper's device, ms"], rows)


def by_kernel(result):
    rows = []
    for kernel, c in sorted(result["kernels"].items(), key=lambda item: -item[1]["slots"])[:6]:
        rows.append([f"`{kernel[:90]}`", str(c["launches"]), f'{1e-6 * c["slots"]:.3g}', f'{c["slots"] / c["instructions"]:.2f}',
                     f'{1e-6 * c["sectors"]:.3g}', f'{c["lanes"] / (0.32 * c["instructions"]):.0f}',
                     f'{100 * c["conflicts"] / max(1, c["slots"]):.1f}', f'{1e-3 * c["depth"]:.4g}'])
    return table(["kernel", "launches", "million warp instructions", "to PTX", "million sectors", "lanes, %", "conflicts, %",
                  "longest chain, thousands"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_intermixed_args()
    file = arguments.results / "counted-cuda.json"
    read = lambda: parsed(file.read_text()) if file.exists() else {}
    for name, (words, *_) in CASES.items():
        if arguments.cases and not any(part in name for part in arguments.cases):
            continue
        counted = count(arguments.build / "bin" / "CountCuda", words, arguments.build / "cuda-on-host")
        file.write_text(json_text(read() | {name: counted}, indent=1) + "\n")  # other processes may have added counts
        time_of = counted["times"]["H200"]
        print(name, f'{time_of["milliseconds"]:.3g} ms, counted in {counted["seconds_to_count"]:.0f} s', time_of["parts"], flush=True)
    results = read()
    results = {name: results[name] for name in CASES if name in results}
    before = parsed(arguments.before.read_text()) if arguments.before else {}
    template = (HERE / "counted_cuda.md").read_text()
    parts = [template, summary(results, before)] + [f"## {name}\n\n{by_kernel(result)}" for name, result in results.items()]
    (arguments.results / "counted-cuda.md").write_text("\n\n".join(part.rstrip() for part in parts) + "\n")


if __name__ == "__main__":
    main()
