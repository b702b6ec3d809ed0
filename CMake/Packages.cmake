# Packages, made by cpack in a build of the preset `package`: a .deb for the ParaView of the distribution that it was built on,
# and a relocatable .tar.gz. Both hold the plugin, its list and its example states.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME paraview-isochrone)
set(CPACK_PACKAGE_VENDOR Isochrone)
set(CPACK_PACKAGE_CONTACT "Isochrone developers <developers@isochrone.invalid>") # dpkg demands an address
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Travel times, distances and shortest paths in ParaView")
set(CPACK_PACKAGE_FILE_NAME
  "paraview-isochrone-${PROJECT_VERSION}-paraview${ParaView_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

# The plugin works only with the version of ParaView that it was built for. The other packages are those of its libraries.
math(EXPR isochrone_next "${ParaView_VERSION_PATCH} + 1")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libgcc-s1, libstdc++6, paraview (>= ${ParaView_VERSION}), \
paraview (<< ${ParaView_VERSION_MAJOR}.${ParaView_VERSION_MINOR}.${isochrone_next}~)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3-paraview)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

# ParaView, pvpython, pvbatch and pvserver load what lies in the folder `plugins` beside them. The .deb links the plugin there.
set(isochrone_links "${CMAKE_CURRENT_BINARY_DIR}/package_links")
file(MAKE_DIRECTORY "${isochrone_links}/usr/bin/plugins")
file(CREATE_LINK "../../${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}/Isochrone"
  "${isochrone_links}/usr/bin/plugins/Isochrone" SYMBOLIC)
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/PackageLinks.cmake" @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_INSTALLED_DIRECTORIES "@isochrone_links@" /)
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_BINARY_DIR}/PackageLinks.cmake")
include(CPack)
