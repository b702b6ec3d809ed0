# Hardens release builds: checked stack frames and library calls, relocations read-only before any code runs, and only the
# system's library search paths. Sanitizer builds check more and must not have these options. Hot sources are hardened as
# well: counted by callgrind, image sweeps execute 0.002 % more instructions, curvature path sweeps 0.3 to 0.7 %, whole
# solves about 0.5 %.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON) # else CMake pads the build tree's path with empty entries: the current folder
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND NOT ISOCHRONE_SANITIZED
  AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  add_link_options(LINKER:-z,relro LINKER:-z,now)
  set(ISOCHRONE_HARDENED ON)
endif()
