"""An error of a filter on a volume, before or after it was first shown: views accept its empty outputs in every representation
of images, without further messages, for any number of renders. pvpython rendered_errors.py, with a display"""
import os

from paraview import simple
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkCommonDataModel import vtkImageData

WINDOW = None  # messages of one check
simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))
FAULTS = {"IsochroneImageTravelTime": {"SeedPoints": [1000, 0, 0]}, "IsochroneRayTracing": {"SourcePoints": [1000, 0, 0]},
          "IsochroneDistanceTransform": {"SiteMode": "Label", "SiteLabel": 1e300}}


def errors():
    return WINDOW.GetOutput().count("ERROR")


def fail(proxy):
    for name, value in FAULTS[proxy.SMProxy.GetXMLName()].items():
        setattr(proxy, name, value)


def check(name, shown_before):
    proxy = getattr(simple, name)(Input=simple.Wavelet(WholeExtent=[-5, 5, -5, 5, -5, 5]), Threads=1)
    view = simple.CreateView("RenderView")
    view.ViewSize = [100, 100]
    if not shown_before:
        fail(proxy)
    display = simple.Show(proxy, view)
    display.Representation = "Slice"
    simple.Render(view)
    before = errors()
    assert before == (0 if shown_before else 1), WINDOW.GetOutput()
    if shown_before:
        assert proxy.GetDataInformation().GetNumberOfPoints() == 11 ** 3
        fail(proxy)
    for representation in ("Slice", "Outline", "Volume", "Surface", "Slice"):
        display.Representation = representation
        for _ in range(2):
            simple.Render(view)
            view.InteractiveRender()
        assert errors() == 1, (name, representation, WINDOW.GetOutput())
    for plane in ("XY Plane", "YZ Plane", "XZ Plane"):
        display.SliceMode = plane
        simple.Render(view)
    simple.Hide(proxy, view)
    simple.Show(proxy, view)
    simple.Render(view)
    assert errors() == 1 and "no vtkImageData" not in WINDOW.GetOutput(), (name, WINDOW.GetOutput())
    assert proxy.GetDataInformation().GetNumberOfPoints() == 0
    simple.Delete(proxy)
    simple.Delete(view)


try:
    for filter_name in FAULTS:
        for shown in (False, True):
            WINDOW = vtkStringOutputWindow()
            vtkOutputWindow.SetInstance(WINDOW)
            check(filter_name, shown)
except BaseException as error:  # Python's output goes to the message window
    os.write(2, f"{error!r}\n".encode())
    os._exit(1)
