"""The help page of a filter mentions everything in its panel, and its example runs."""
import html
import os
import re

import pytest
from paraview import simple

from pipelines import properties_of

STATES = os.path.join(os.path.dirname(__file__), "..", "..", "Examples", "states")
PAGES = os.path.join(os.path.dirname(__file__), "..", "..", "Plugin", "Documentation")


@pytest.mark.parametrize("filter_name", ["IsochroneCurvaturePaths", "IsochroneDistanceTransform",
                                         "IsochroneImageTravelTime", "IsochroneMeshTravelTime", "IsochroneOrientedCost",
                                         "IsochroneRayTracing"])
def test_help_page_names_every_property_of_the_panel(filter_name):
    input_ = simple.Wavelet(WholeExtent=[0, 4, 0, 4, 0, 0])
    proxy = getattr(simple, filter_name)(Input=simple.Tetrahedralize(Input=input_) if "Mesh" in filter_name else input_)
    with open(os.path.join(PAGES, f"filters.{filter_name}.html")) as file:
        text = re.sub(r"<[^>]*>|\s+", " ", file.read())
    labels = [property_.GetXMLLabel() for _, property_ in properties_of(proxy) if property_.GetPanelVisibility() != "never"]
    assert len(labels) > 10 and [label for label in labels if label not in text] == []


@pytest.mark.parametrize("page", [f for f in os.listdir(PAGES) if f.endswith(".html")])
def test_help_page_has_its_sections_and_pictures(page):
    with open(os.path.join(PAGES, page)) as file:
        text = file.read()
    assert re.findall("<h2>(.*?)</h2>", text) == ["What it does", "Inputs", "Properties", "Outputs", "Python", "Limits", "Paper"]
    for picture in re.findall('src="(.*?)"', text):
        assert os.path.exists(os.path.join(PAGES, picture)), picture


@pytest.mark.parametrize("page", [f for f in os.listdir(PAGES) if f.endswith(".html")])
def test_help_page_names_the_example_state_of_its_filter(page):
    with open(os.path.join(PAGES, page)) as file:
        state, = re.findall(r"\w+\.pvsm", file.read())
    with open(os.path.join(STATES, state)) as file:
        assert f'type="{page.split(".")[1]}"' in file.read()


@pytest.mark.parametrize("page", [f for f in os.listdir(PAGES) if f.endswith(".html")])
def test_the_example_in_python_runs_without_a_message_and_finds_paths(page):
    with open(os.path.join(PAGES, page)) as file:
        example, = re.findall("<h2>Python</h2>\n<pre>\n(.*?)</pre>", file.read(), re.S)
    names = {}
    exec(html.unescape(example), names)
    assert names["lines"].GetNumberOfCells() > 0
    simple.Delete(simple.GetActiveView())
