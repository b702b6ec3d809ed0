"""surface_peers.py PEER CASE SIZE DEPTH RADIUS: measures another program on a level set of BenchmarkSurfaceDistance and prints one
line of JSON. VTK answers one point at a time, so it is measured on some of the points."""
import json
import sys
import time

import numpy as np

SAMPLE = 20000  # points that VTK answers


def level_set(size, depth, radius):
    """Returns exact signed distances, negative inside, indexed [k, j, i]."""
    k, j, i = np.indices((depth, size, size), float)
    centre = size / 2 + 0.1, size / 2 - 0.2, depth / 2 + 0.3 if depth > 1 else 0
    return np.sqrt((i - centre[0]) ** 2 + (j - centre[1]) ** 2 + (k - centre[2]) ** 2) - radius


def scikit_fmm(phi):
    import skfmm

    start = time.process_time()
    distance = skfmm.distance(phi.squeeze())
    return time.process_time() - start, np.abs(distance.ravel() - phi.ravel())


def vtk(phi):
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkImplicitPolyDataDistance

    if phi.shape[0] == 1:
        raise SystemExit("vtkImplicitPolyDataDistance needs a surface")
    image = vtkImageData()
    image.SetDimensions(*phi.shape[::-1])
    image.GetPointData().SetScalars(numpy_to_vtk(phi.ravel(), deep=True))
    start = time.process_time()
    contour = vtkContourFilter()
    contour.SetInputData(image)
    contour.SetValue(0, 0)
    contour.Update()
    implicit = vtkImplicitPolyDataDistance()
    implicit.SetInput(contour.GetOutput())
    preparation = time.process_time() - start
    points = np.random.default_rng(1).choice(phi.size, min(SAMPLE, phi.size), replace=False)
    k, j, i = np.unravel_index(points, phi.shape)
    start = time.process_time()
    distance = np.array([implicit.EvaluateFunction(*at) for at in zip(i.tolist(), j.tolist(), k.tolist())])
    each = (time.process_time() - start) / len(points)
    return preparation + each * phi.size, np.abs(np.abs(distance) - np.abs(phi.ravel()[points]))


if __name__ == "__main__":
    peer, case = sys.argv[1:3]
    size, depth, radius = map(int, sys.argv[3:])
    phi = level_set(size, depth, radius)
    seconds, error = {"scikit-fmm": scikit_fmm, "vtk": vtk}[peer](phi)
    print(json.dumps({"case": case, "grid": f"{size}x{size}x{depth}", "radius": radius, "method": peer, "seconds": seconds,
                      "ns_per_point": 1e9 * seconds / phi.size, "median_error": float(np.median(error)),
                      "largest_error": float(error.max())}))
