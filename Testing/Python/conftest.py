"""Fixtures of the filter tests: the plugin, an empty pipeline per test, and the messages that VTK prints.

A filter that fails in pvpython prints a message and does not raise an exception.
"""
import os
import sys

import pytest
from paraview import simple
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

sys.path.insert(0, os.path.dirname(__file__))


@pytest.fixture(scope="session", autouse=True)
def plugin():
    simple.LoadPlugin(os.environ["ISOCHRONE_PLUGIN"], remote=False, ns=vars(simple))


@pytest.fixture(autouse=True)
def messages():
    """Returns the text that VTK printed since the test began. A test without this fixture fails on any error or warning."""
    before, window = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    asked = []

    def read():
        asked.append(True)
        return window.GetOutput()

    yield read
    text = window.GetOutput()
    # ParaView 5.13 keeps deleted sources in this list, and then writes no Python state.
    simple.GetTimeKeeper().SMProxy.GetProperty("SuppressedTimeSources").RemoveAllProxies()
    for proxy in simple.GetSources().values():  # much faster than ResetSession
        simple.Delete(proxy)
    vtkOutputWindow.SetInstance(before)
    if not asked:  # pvpython also sends Python's output there, including pytest's dots
        assert "ERROR" not in text and "Warning" not in text, text
