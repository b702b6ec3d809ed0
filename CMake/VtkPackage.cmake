# Builds Filters/ as the Python package `isochrone` for VTK without ParaView, in <binary folder>/python and, after
# `cmake --install`, in <prefix>/<libdir>/python. Set VTK_DIR if several VTK are installed: the package works only with the
# VTK, and the Python, that it was built for.
find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel CommonExecutionModel FiltersCore FiltersGeneral
  ParallelCore vtksys Python WrappingPythonCore)
if(NOT VTK_WRAP_PYTHON)
  message(FATAL_ERROR "${VTK_DIR} has no Python: install it with its Python modules, or set VTK_DIR to another VTK")
endif()

include(GNUInstallDirs)
vtk_module_scan(
  MODULE_FILES "${PROJECT_SOURCE_DIR}/Filters/vtk.module"
  REQUEST_MODULES Isochrone::Filters
  PROVIDES_MODULES modules
  ENABLE_TESTS OFF)
vtk_module_build(MODULES ${modules} INSTALL_HEADERS OFF)
vtk_module_wrap_python(
  MODULES ${modules}
  PYTHON_PACKAGE isochrone
  MODULE_DESTINATION "${CMAKE_INSTALL_LIBDIR}/python"
  INSTALL_HEADERS OFF
  BUILD_STATIC OFF)
