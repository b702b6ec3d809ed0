"""peers.py PEER FOLDER: runs scikit-fmm or itk on the image that BenchmarkImageTravelTime --write left in FOLDER, and
prints one line of JSON: seconds (the median of five runs, or of fewer if they exceed three seconds), memory, and the
maximum relative difference from our travel times. Both solve the first-order scheme with a heap, on one core."""
import json
import pathlib
import resource
import statistics
import sys
import time

import numpy as np


def scikit_fmm(speed, seeds):
    import skfmm

    start = np.ones(speed.shape)  # the front is at zeros
    start[tuple(seeds.T)] = 0
    speed = speed.astype(float)
    return lambda: skfmm.travel_time(start, speed, order=1), lambda times: np.ma.filled(times, np.inf)


def itk(speed, seeds):
    import SimpleITK

    image = SimpleITK.GetImageFromArray(speed)
    march = SimpleITK.FastMarchingImageFilter()
    march.SetTrialPoints(seeds[:, ::-1].tolist())

    def infinite_where_none(times):
        times = SimpleITK.GetArrayFromImage(times)
        return np.where(times < np.finfo(np.float32).max / 4, times, np.inf)

    return lambda: march.Execute(image), infinite_where_none


def largest_difference(theirs, ours):
    """Returns the relative difference; infinite if only one of the two is reached."""
    differs = theirs != ours
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.max(np.abs(theirs[differs] - ours[differs]) / ours[differs], initial=0))


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(peer, folder):
    folder = pathlib.Path(folder)
    problem = json.loads((folder / "problem.json").read_text())
    shape = [n for n in problem["shape"] if n > 1]
    seeds = np.array(problem["seeds"], int)[:, ::-1][:, -len(shape):]  # z, y, x
    speed, ours = (np.fromfile(folder / name, np.float32).reshape(shape) for name in ("speed.f32", "time.f32"))
    run, array = {"scikit-fmm": scikit_fmm, "itk": itk}[peer](speed, seeds)
    memory, seconds = peak(), []
    while len(seconds) < 5 and sum(seconds) < 3:
        start = time.perf_counter()
        times = run()
        seconds.append(time.perf_counter() - start)
        if len(seconds) == 1:
            memory = peak() - memory
    print(json.dumps({
        "seconds": statistics.median_low(seconds),
        "bytes_per_point": memory / speed.size,
        "difference": 1e6 * largest_difference(array(times), ours),
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
