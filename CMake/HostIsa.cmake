# Selects the instruction set at run time: a hot source is compiled once per instruction set.
#
#   isochrone_add_isa_sources(IsochroneKernels CurvaturePaths/Host/SectorSweep.cxx)
#
# compiles the source for portable, sse2 (the x86-64 baseline), avx2 and avx512, each time with -DISOCHRONE_ISA=<name>, and
# adds the objects to the target. The source defines everything in `namespace ISOCHRONE_ISA`, so that the linker cannot
# replace a baseline function by one compiled for AVX-512. Templates of the standard library are weak symbols with exactly
# this problem, so the source uses plain pointers. check.isa_symbols reports violations. OBJECTS <name> builds separate
# objects with that name, for sources with vectors of fixed width.
#
# `portable` has the compiler's vectors and no intrinsics. Processors other than x86-64 have only this set; x86-64 has it so
# that tests can run it.
set(ISOCHRONE_HOST_ISAS portable)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND ISOCHRONE_HOST_ISAS sse2 avx2 avx512)
endif()
set(isochrone_flags_portable -DISOCHRONE_COMPILER_VECTORS)
set(isochrone_flags_sse2)
set(isochrone_flags_avx2 -mavx2)
set(isochrone_flags_avx512 -mavx512f -mavx512vl -mavx512dq -mavx512bw -mprefer-vector-width=512)

function(isochrone_add_isa_sources target)
  cmake_parse_arguments(arg "" "OBJECTS" "" ${ARGN})
  if(NOT arg_OBJECTS)
    set(arg_OBJECTS ${target})
  endif()
  foreach(isa IN LISTS ISOCHRONE_HOST_ISAS)
    set(objects ${arg_OBJECTS}_${isa})
    if(NOT TARGET ${objects})
      add_library(${objects} OBJECT)
      target_link_libraries(${objects} PRIVATE IsochroneKernelsOptions)
      target_compile_definitions(${objects} PRIVATE ISOCHRONE_ISA=${isa})
      # Vectors are passed only within a set (psabi). g++ 12 warns about the undefined upper lanes inside its own AVX-512
      # header (GCC bug 105593).
      target_compile_options(${objects} PRIVATE -O3 ${isochrone_flags_${isa}} -Wno-psabi
        $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>)
      set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endif()
    target_sources(${objects} PRIVATE ${arg_UNPARSED_ARGUMENTS})
  endforeach()
endfunction()
