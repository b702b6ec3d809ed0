"""distance_peers.py PEER FOLDER THREADS: runs another program's distance transform on the image that
BenchmarkDistanceTransform --write left in FOLDER, with that number of threads, and prints one line of JSON: seconds (the
median of five runs, or of fewer if they exceed three seconds), the maximum difference from our distances, and the
percentage of points that differ by more than a millionth.

The time is from an array of bytes in the peer's input format to its array of distances."""
import json
import os
import pathlib
import statistics
import sys
import time

import numpy as np


def edt(sites, threads):
    import edt

    others = sites == 0
    return lambda: edt.edt(others, parallel=threads)


def opencv(sites, threads):
    import cv2

    others = (sites == 0).astype(np.uint8)
    cv2.setNumThreads(threads)
    return lambda: cv2.distanceTransform(others, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)


def itk(sites, threads):
    """Computes signed distances to the border sites of the regions, which are equal outside of them."""
    import SimpleITK

    image = SimpleITK.GetImageFromArray(sites)
    maurer = SimpleITK.SignedMaurerDistanceMapImageFilter()
    maurer.SquaredDistanceOff()
    maurer.UseImageSpacingOff()
    maurer.SetNumberOfThreads(threads)
    kept = None

    def run():
        nonlocal kept  # the array views it
        kept = maurer.Execute(image)
        return SimpleITK.GetArrayViewFromImage(kept)

    return run


def scipy(sites, _):
    from scipy import ndimage

    others = sites == 0
    return lambda: ndimage.distance_transform_edt(others)


def vtk(sites, _):
    """Computes squared distances, and their roots by NumPy."""
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkImagingGeneral import vtkImageEuclideanDistance

    image = vtkImageData()
    image.SetDimensions(*(sites.shape[::-1] + (1,))[:3])
    image.GetPointData().SetScalars(numpy_to_vtk((sites == 0).astype(np.uint8).ravel(), deep=True))
    transform = vtkImageEuclideanDistance()
    transform.SetInputData(image)
    transform.SetDimensionality(sites.ndim)
    transform.SetAlgorithmToSaitoCached()

    def run():
        transform.Modified()
        transform.Update()
        squared = vtk_to_numpy(transform.GetOutput().GetPointData().GetScalars())
        return np.sqrt(squared).reshape(sites.shape)

    return run


def differences(theirs, ours):
    """Returns the maximum difference, and the percentage beyond a millionth, over points other than sites; row by row to save
    memory."""
    largest, wrong, outside = 0.0, 0, 0
    for their, our in zip(theirs, ours):
        at = our > 0
        error = np.abs(their[at].astype(float) - our[at])
        largest = max(largest, float(error.max(initial=0)))
        wrong += int(np.count_nonzero(error > 1e-6 * our[at]))
        outside += int(np.count_nonzero(at))
    return {"difference": largest, "wrong": 100 * wrong / max(outside, 1)}


def main(peer, folder, threads):
    # Some peers ignore the requested number of threads.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:int(threads)])
    folder = pathlib.Path(folder)
    shape = [n for n in json.loads((folder / "problem.json").read_text())["shape"] if n > 1]
    sites = np.fromfile(folder / "sites.u8", np.uint8).reshape(shape)
    sites[sites > 0] = 1
    ours = np.memmap(folder / "distance.f32", np.float32, "r", shape=tuple(shape))
    run = {"edt": edt, "opencv": opencv, "itk": itk, "scipy": scipy, "vtk": vtk}[peer](sites, int(threads))
    seconds, theirs = [], None
    while len(seconds) < 5 and sum(seconds) < 3:
        theirs = None
        start = time.perf_counter()
        theirs = run()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds": statistics.median_low(seconds), **differences(theirs, ours)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
