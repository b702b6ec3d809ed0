# Sets ISOCHRONE_GUI_POINTS if the panels can have their own table of points with handles (Gui/), which needs the headers of
# ParaView's Qt and of VTK's Qt modules (CMake/setup.sh names Debian's packages). Without, the panels have plain tables. The
# filters are the same.
set(ISOCHRONE_GUI_POINTS OFF)
if(PARAVIEW_USE_QT AND ISOCHRONE_GUI)
  if(NOT PARAVIEW_QT_MAJOR_VERSION) # ParaView 5.11
    set(PARAVIEW_QT_MAJOR_VERSION 5)
  endif()
  set(isochrone_qt "Qt${PARAVIEW_QT_MAJOR_VERSION}")
  find_package(${isochrone_qt} QUIET COMPONENTS Core Widgets)
  if(TARGET ${isochrone_qt}::Widgets)
    # ParaView's widgets include this header. Where ParaView uses the distribution's VTK, it has a package of its own.
    include(CheckIncludeFileCXX)
    set(CMAKE_REQUIRED_LIBRARIES VTK::CommonCore ${isochrone_qt}::Widgets)
    check_include_file_cxx(vtkEventQtSlotConnect.h ISOCHRONE_VTK_QT_HEADERS)
    unset(CMAKE_REQUIRED_LIBRARIES)
  endif()
  if(ISOCHRONE_VTK_QT_HEADERS)
    set(ISOCHRONE_GUI_POINTS ON)
    # ParaView's widgets are linked by themselves. What they are linked with need not be installed for developers: that would be
    # a dozen packages.
    foreach(library IN ITEMS pqWidgets pqCore pqComponents pqApplicationComponents)
      set_target_properties(ParaView::${library} PROPERTIES INTERFACE_LINK_LIBRARIES ${isochrone_qt}::Widgets)
      get_target_property(configurations ParaView::${library} IMPORTED_CONFIGURATIONS)
      foreach(configuration IN LISTS configurations)
        set_target_properties(ParaView::${library} PROPERTIES IMPORTED_LINK_DEPENDENT_LIBRARIES_${configuration} "")
      endforeach()
    endforeach()
  elseif(NOT ISOCHRONE_GUI STREQUAL "AUTO")
    message(FATAL_ERROR "Isochrone: ISOCHRONE_GUI=${ISOCHRONE_GUI}, but the headers of ${isochrone_qt} or of VTK's Qt modules were not found")
  else()
    message(STATUS "Isochrone: points in the panels without handles, the headers of ${isochrone_qt} or of VTK's Qt modules were not found")
  endif()
endif()
