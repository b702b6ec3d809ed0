# Sets ISOCHRONE_NO_HELP, which omits the help pages. They need qhelpgenerator of ParaView's Qt and xmlpatterns (CMake/setup.sh
# names Debian's packages). Debian's command xmlpatterns may be a wrapper without the tool, so it is run as a test.
set(ISOCHRONE_NO_HELP ON)
if(ISOCHRONE_GUI_HELP)
  if(NOT PARAVIEW_QT_MAJOR_VERSION) # ParaView 5.11
    set(PARAVIEW_QT_MAJOR_VERSION 5)
  endif()
  set(isochrone_qt "Qt${PARAVIEW_QT_MAJOR_VERSION}")
  set(isochrone_help_components Help)
  if(PARAVIEW_QT_MAJOR_VERSION GREATER 5)
    list(APPEND isochrone_help_components Tools)
  endif()
  find_package(${isochrone_qt} QUIET COMPONENTS ${isochrone_help_components})
  # ParaView's functions look for this tool too, but not in Debian's folder.
  find_program(qt_xmlpatterns_executable NAMES xmlpatterns-qt5 xmlpatterns
    HINTS "${Qt5_DIR}/../../../bin" /usr/lib/qt5/bin)
  mark_as_advanced(qt_xmlpatterns_executable)
  set(isochrone_xmlpatterns_status 1)
  if(qt_xmlpatterns_executable)
    execute_process(COMMAND "${qt_xmlpatterns_executable}" -version
      RESULT_VARIABLE isochrone_xmlpatterns_status OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(TARGET ${isochrone_qt}::qhelpgenerator AND isochrone_xmlpatterns_status EQUAL 0)
    set(ISOCHRONE_NO_HELP OFF)
  elseif(NOT ISOCHRONE_GUI_HELP STREQUAL "AUTO")
    message(FATAL_ERROR "Isochrone: ISOCHRONE_GUI_HELP=${ISOCHRONE_GUI_HELP}, but Qt's help tools were not found")
  else()
    message(STATUS "Isochrone: no help pages in the plugin, Qt's help tools were not found")
  endif()
endif()
