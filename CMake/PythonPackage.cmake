# Builds the filters as the Python package `isochrone` for VTK, in <binary folder>/<libdir>/python and, after
# `cmake --install`, in <prefix>/<libdir>/python. It works with the VTK and the Python that it was built for: without the plugin
# the VTK that VTK_DIR names, with it ParaView's.
include(GNUInstallDirs)
if(NOT ISOCHRONE_PARAVIEW)
  find_package(VTK 9.1 REQUIRED COMPONENTS CommonCore CommonDataModel CommonExecutionModel FiltersCore FiltersGeneral
    ParallelCore vtksys Python WrappingPythonCore
    OPTIONAL_COMPONENTS ParallelMPI)
  vtk_module_scan(
    MODULE_FILES "${PROJECT_SOURCE_DIR}/Filters/vtk.module"
    REQUEST_MODULES Isochrone::Filters
    PROVIDES_MODULES isochrone_modules
    ENABLE_TESTS OFF)
  vtk_module_build(MODULES ${isochrone_modules} INSTALL_HEADERS OFF)
endif()
if(NOT VTK_WRAP_PYTHON)
  message(FATAL_ERROR "Isochrone: ${VTK_DIR} has no Python: install it with its Python modules, or set VTK_DIR to another VTK")
endif()
vtk_module_wrap_python(
  MODULES Isochrone::Filters
  PYTHON_PACKAGE isochrone
  MODULE_DESTINATION "${CMAKE_INSTALL_LIBDIR}/python"
  INSTALL_HEADERS OFF
  BUILD_STATIC OFF)
configure_file("${PROJECT_SOURCE_DIR}/Filters/Python/__init__.py"
  "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/python/isochrone/__init__.py" COPYONLY)
install(FILES "${PROJECT_SOURCE_DIR}/Filters/Python/__init__.py" DESTINATION "${CMAKE_INSTALL_LIBDIR}/python/isochrone")
