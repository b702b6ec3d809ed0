"""Makes the example states, one for each filter: pvpython make_states.py [FOLDER]

ParaView's own sources make the data of a state, so it needs no file beside it and opens without a question, on any client and
server. A state holds only what differs from ParaView's defaults. To change one, edit its function here and run the script.
"""
import os
import pathlib
import sys
import xml.etree.ElementTree

import paraview.simple
from paraview.simple import *


def image(width, height, depth=0, **arrays):
    """Makes an image of spacing 1 from the origin, with an array for each expression."""
    grid = Wavelet(registrationName="Grid", WholeExtent=[0, width, 0, height, 0, depth])
    for name, expression in arrays.items():
        grid = Calculator(registrationName=name.capitalize(), Input=grid, ResultArrayName=name, Function=expression)
    return grid


def plane(view, width, height):
    """Looks from above at the rectangle from the origin, and leaves space for the legend."""
    view.InteractionMode, view.CameraParallelProjection = "2D", 1
    view.CameraFocalPoint, view.CameraPosition = [0.58 * width, height / 2, 0], [0.58 * width, height / 2, 1000]
    view.CameraParallelScale = 0.43 * width


def show(view, *outputs):
    """Shows outputs in the colours, and with the legend, that the plugin gives them."""
    for output in outputs:
        display = Show(output, view)
        if display.ColorArrayName[1]:
            display.SetScalarBarVisibility(view, True)
            bar = GetScalarBar(display.LookupTable, view)
            bar.WindowLocation, bar.Position, bar.ScalarBarLength = "Any Location", [0.87, 0.2], 0.6
            bar.ScalarBarThickness = bar.TitleFontSize = bar.LabelFontSize = 18


def image_travel_time(view):
    """A front passes two walls and a swamp, where it is slower."""
    swamp = "if((coordsX - 80)^2 + (coordsY - 95)^2 < 400, 0.4, 1)"
    walls = "if((abs(coordsX - 55) < 1.5 & coordsY < 80) | (abs(coordsX - 105) < 1.5 & coordsY > 40), 1, 0)"
    front = IsochroneImageTravelTime(
        registrationName="Front", Input=image(160, 120, walls=walls, speed=swamp), SpeedArray=["POINTS", "speed"],
        BarrierArray=["POINTS", "walls"], SeedPoints=[20, 20, 0], TipPoints=[140, 100, 0, 80, 20, 0, 95, 112, 0],
        Isochrones=15, TimeUnit="s")
    plane(view, 160, 120)
    show(view, front, OutputPort(front, 1), OutputPort(front, 2))


def curvature_paths(view):
    """A car that cannot turn sharply drives between pillars."""
    pillars = " | ".join(f"(coordsX - {x})^2 + (coordsY - {y})^2 < {r**2}" for x, y, r in
                         ((50, 40, 14), (50, 95, 10), (95, 75, 16), (120, 25, 10)))
    car = IsochroneCurvaturePaths(
        registrationName="Car", Input=image(160, 120, pillars=f"if({pillars}, 1, 0)"), Model="Dubins", TurningRadius=10,
        WallArray=["POINTS", "pillars"], SeedPoints=[15, 60, 0], SeedHeadings=[180],
        TipPoints=[145, 105, 0, 145, 60, 0, 80, 20, 0], TipHeadings=[0, 90, 180], TimeUnit="s")
    plane(view, 160, 120)
    show(view, car, OutputPort(car, 1))


def oriented_cost(view):
    """A vessel is followed through its crossings with two others."""
    wave = "(coordsY - 60 - 22 * sin(coordsX / 25))"
    line = "((coordsY - 25 - 0.4 * coordsX) / 1.077)"
    arc = "(sqrt((coordsX - 30)^2 + (coordsY - 130)^2) - 80)"
    vessels = f"max(max(exp(-{wave}^2 / 8), exp(-{line}^2 / 8)), exp(-{arc}^2 / 8))"
    noise = "frac(abs(sin(coordsX * 12.9898 + coordsY * 78.233)) * 43758.5453)"
    photograph = image(160, 120, brightness=f"50 + 20 * sin(coordsX / 40) + 90 * {vessels} + 30 * {noise}")
    cost = IsochroneOrientedCost(registrationName="Cost", Input=photograph, IntensityArray=["POINTS", "brightness"],
                                 Polarity="Bright", Widths=[2, 3])
    vessel = IsochroneCurvaturePaths(registrationName="Vessel", Input=photograph, OrientedCost=cost,
                                     Model="Reeds-Shepp Forward", SeedPoints=[3, 62.6, 0], TipPoints=[157, 60, 0])
    plane(view, 160, 120)
    show(view, OutputPort(cost, 1), OutputPort(vessel, 1))


def distance_transform(view):
    """Signed distances from a disc, a square and a ring."""
    shapes = ("if((coordsX - 40)^2 + (coordsY - 40)^2 <= 625 | max(abs(coordsX - 120), abs(coordsY - 35)) <= 18 | "
              "abs(sqrt((coordsX - 95)^2 + (coordsY - 88)^2) - 18) <= 5, 1, 0)")
    distance = IsochroneDistanceTransform(
        registrationName="Distance", Input=image(160, 120, shapes=shapes), SiteArray=["POINTS", "shapes"], SiteMode="Label",
        SiteLabel=1, Region="Signed", TipPoints=[20, 100, 0, 145, 100, 0, 80, 45, 0, 152, 8, 0], Isochrones=15,
        LengthUnit="mm")
    plane(view, 160, 120)
    show(view, distance, OutputPort(distance, 1), OutputPort(distance, 2))


def ray_tracing(view):
    """Seismic rays in ground whose velocity grows with depth are arcs of circles."""
    receivers = [(x, 150) for x in range(60, 301, 60)] + [(300, 75), (200, 0), (100, 0)]
    rays = IsochroneRayTracing(
        registrationName="Rays", Input=image(300, 150, velocity="1.5 + 0.02 * (150 - coordsY)"),
        VelocityArray=["POINTS", "velocity"], Radius=[8, 8, 8], SourcePoints=[0, 150, 0],
        ReceiverPoints=[c for x, y in receivers for c in (x, y, 0)], Isochrones=15, TimeUnit="ms")
    plane(view, 300, 150)
    show(view, rays, OutputPort(rays, 1), OutputPort(rays, 3))


def mesh_travel_time(view):
    """Waves in a block of tetrahedra whose fibres turn from bottom to top, as through the wall of a heart."""
    angle = "(0.1047197551 * (coordsZ - 10))"  # 120 degrees over the height of 20
    fibre = image(40, 20, 20, fibre=f"cos{angle} * iHat + sin{angle} * jHat")
    waves = IsochroneMeshTravelTime(
        registrationName="Waves", Input=Tetrahedralize(registrationName="Tetrahedra", Input=fibre), SpeedType="Fibres",
        SpeedArray="None", FibreArray=["POINTS", "fibre"], ConductionVelocities=[0.6, 0.3, 0.3],
        SeedPoints=[20, 10, 0], TipPoints=[4, 4, 10, 36, 16, 10, 4, 16, 20, 36, 4, 20], TimeUnit="ms")
    layers = []
    for name, z in (("Bottom", 0.01), ("Middle", 10), ("Top", 19.99)):
        layers.append(Slice(registrationName=name, Input=waves, SliceType="Plane"))
        layers[-1].SliceType.Origin, layers[-1].SliceType.Normal = [20, 10, z], [0, 0, 1]
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [6, -62, 42], [23, 10, 9], [0, 0, 1]
    show(view, waves, OutputPort(waves, 1), *layers)
    Show(waves, view).SetRepresentationType("Outline")
    for layer in layers:
        display = Show(layer, view)
        display.Ambient, display.Diffuse = 1, 0
    display.LookupTable.RescaleTransferFunction(waves.PointData["TravelTime"].GetRange())


STATES = [image_travel_time, curvature_paths, oriented_cost, distance_transform, ray_tracing, mesh_travel_time]


# The plugin sets these of a legend, the format in the syntax of the ParaView that opens the state.
OF_LEGENDS = {"Title", "ComponentTitle", "RangeLabelFormat"}


def is_set_by_others(proxy, name):
    if proxy.GetXMLName() == "ScalarBarWidgetRepresentation" and name in OF_LEGENDS:
        return True
    found = proxy.GetProperty(name)
    return found and (found.IsValueDefault() or found.GetInformationOnly())


def reduce(path):
    """Removes from a state what ParaView and the plugin set by themselves, and proxies to which nothing refers."""
    document = xml.etree.ElementTree.parse(path)
    state = document.getroot().find("ServerManagerState")
    session = servermanager.ActiveConnection.Session
    for entry in state.findall("Proxy"):
        proxy = session.GetRemoteObject(int(entry.get("id")))
        for element in entry.findall("Property"):
            if is_set_by_others(proxy, element.get("name")):
                entry.remove(element)
            for domain in element.findall("Domain"):
                element.remove(domain)
    size = None
    while size != len(state):
        size = len(state)
        used = {item.get("id") for item in state.findall("ProxyCollection/Item")}
        used |= {item.get("value") for item in state.findall("Proxy/Property/Proxy")}
        for entry in state.findall("Proxy"):
            if entry.get("id") not in used:
                state.remove(entry)
    xml.etree.ElementTree.indent(document, " ")
    document.write(path)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
    for make in STATES:
        ResetSession()
        paraview.simple._DisableFirstRenderCameraReset()
        view = CreateRenderView(registrationName="View", ViewSize=[1000, 700], OrientationAxesVisibility=0)
        AssignViewToLayout(view=view, layout=CreateLayout("Layout"))
        make(view)
        Render(view)
        path = folder / (make.__name__ + ".pvsm")
        SaveState(str(path))
        reduce(path)
        print(path, path.stat().st_size)
