# Finds ParaView, scans and builds Plugin/, and adds install rules. After `cmake --install`, ParaView finds the plugin with
# PV_PLUGIN_PATH=<prefix>/<libdir>/<PARAVIEW_PLUGIN_SUBDIR>.

# These components suffice. The full ParaView would require a dozen more packages and take four times as long to configure.
find_package(ParaView 5.11 REQUIRED COMPONENTS RemotingCore RemotingViews WrapClientServer ProcessXML
  OPTIONAL_COMPONENTS RemotingServerManager) # ParaView 5.13 and later: finds NetCDF and HDF5, which its targets link
include(GuiHelp) # sets ISOCHRONE_NO_HELP
include(GuiPoints) # sets ISOCHRONE_GUI_POINTS

include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")

paraview_plugin_scan(
  PLUGIN_FILES "${PROJECT_SOURCE_DIR}/Plugin/paraview.plugin"
  PROVIDES_PLUGINS isochrone_plugins
  REQUIRES_MODULES isochrone_required_modules
  ENABLE_BY_DEFAULT ON)
paraview_plugin_build(
  PLUGINS ${isochrone_plugins}
  AUTOLOAD ${isochrone_plugins}
  PLUGINS_FILE_NAME "isochrone.plugins.xml"
  LIBRARY_DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY_SUBDIRECTORY "${PARAVIEW_PLUGIN_SUBDIR}"
  INSTALL_HEADERS OFF
  DISABLE_XML_DOCUMENTATION ${ISOCHRONE_NO_HELP})

# A state for each filter, and the image of the tutorial.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/Examples/states/" DESTINATION "${CMAKE_INSTALL_DATADIR}/paraview-isochrone/examples"
  FILES_MATCHING PATTERN "*.pvsm")
install(FILES "${PROJECT_SOURCE_DIR}/Testing/Data/courtyard.vtk"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/paraview-isochrone/examples")
