# The filters outside a plain pvpython: installed, under MPI, on a server, in situ. All of these need a display.
set(isochrone_session_environment
  "ISOCHRONE_PLUGIN=$<TARGET_FILE:Isochrone>" PYTHONDONTWRITEBYTECODE=1
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe) # the same since Open MPI 5
set(isochrone_scratch "${CMAKE_BINARY_DIR}/Testing/Temporary")

# isochrone_add_session(NAME LABEL PROCESSES COMMAND...)
function(isochrone_add_session name label processes)
  add_test(NAME ${label}.${name} COMMAND ${ARGN})
  set_tests_properties(${label}.${name} PROPERTIES LABELS ${label} TIMEOUT 180 PROCESSORS ${processes}
    ENVIRONMENT "${isochrone_session_environment}")
endfunction()

set(pvpython $<TARGET_FILE:ParaView::pvpython> --force-offscreen-rendering)
set(here "${CMAKE_CURRENT_LIST_DIR}")

isochrone_add_session(installed plugin 1 ${pvpython} "${here}/installed_plugin.py" "${CMAKE_COMMAND}"
  "${CMAKE_BINARY_DIR}" "${isochrone_scratch}/installed" "${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}")
set_tests_properties(plugin.installed PROPERTIES FIXTURES_SETUP isochrone_installed)
set(installed_states "${isochrone_scratch}/installed/${CMAKE_INSTALL_DATADIR}/paraview-isochrone/examples")
foreach(state IN ITEMS image_travel_time curvature_paths oriented_cost distance_transform ray_tracing mesh_travel_time)
  isochrone_add_session(state_${state} plugin 1 ${pvpython} "${here}/example_state.py" "${installed_states}/${state}.pvsm")
  set_tests_properties(plugin.state_${state} PROPERTIES FIXTURES_REQUIRED isochrone_installed
    FAIL_REGULAR_EXPRESSION "WARN[|]|ERR[|]|Warning|Traceback")
  set_property(TEST plugin.state_${state} APPEND PROPERTY ENVIRONMENT
    "PV_PLUGIN_PATH=${isochrone_scratch}/installed/${CMAKE_INSTALL_LIBDIR}/${PARAVIEW_PLUGIN_SUBDIR}")
endforeach()
isochrone_add_session(rendered_errors plugin 1 ${pvpython} "${here}/rendered_errors.py")
# Client and server wait for each other: together they keep one processor busy.
isochrone_add_session(one_rank server 1 ${pvpython} "${here}/server_filters.py"
  "$<TARGET_FILE:ParaView::pvserver>")

find_program(ISOCHRONE_MPIRUN NAMES mpirun mpiexec)
if(NOT ISOCHRONE_MPIRUN)
  message(STATUS "Isochrone: no MPI tests, they need mpirun")
  return()
endif()
isochrone_add_session(two_ranks server 1 ${pvpython} "${here}/server_filters.py"
  "${ISOCHRONE_MPIRUN} -np 2 $<TARGET_FILE:ParaView::pvserver>")

# isochrone_add_ranks(NAME RANKS LIBRARIES SCRIPT ARGUMENT...) runs a script on ranks that sleep while they wait. LIBRARIES are
# preloaded.
add_library(SleepingYield MODULE "${here}/sleeping_yield.cxx")
function(isochrone_add_ranks name ranks libraries)
  isochrone_add_session(${name} mpi ${ranks} "${ISOCHRONE_MPIRUN}" -np ${ranks} $<TARGET_FILE:ParaView::pvbatch> --sym ${ARGN})
  list(APPEND libraries $<TARGET_FILE:SleepingYield>)
  list(JOIN libraries ":" libraries)
  set_property(TEST mpi.${name} APPEND PROPERTY ENVIRONMENT "LD_PRELOAD=${libraries}" OMPI_MCA_mpi_yield_when_idle=1)
endfunction()

# Compare each number of ranks with one process without MPI, all filters in one session.
set(compared "${here}/mpi_filters.py" "${isochrone_scratch}/mpi")
set(filters distance_transform image_travel_time oriented_cost curvature_paths mesh_travel_time ray_tracing)
isochrone_add_session(serial mpi 1 ${pvpython} ${compared} write ${filters})
set_tests_properties(mpi.serial PROPERTIES FIXTURES_SETUP isochrone_serial)
foreach(ranks IN ITEMS 1 2 3 4)
  set(some ${filters})
  if(ranks EQUAL 1) # exchanges nothing, which the filters leave to common code: one of them shows it
    list(SUBLIST filters 0 1 some)
  elseif(ranks EQUAL 4) # pieces that divide two axes
    list(SUBLIST filters 0 3 some)
  endif()
  # The shim, since these read files in ParaView's default format.
  isochrone_add_ranks(ranks_${ranks} ${ranks} $<TARGET_FILE:IsochroneExpatShim> ${compared} ${some})
  set_tests_properties(mpi.ranks_${ranks} PROPERTIES FIXTURES_REQUIRED isochrone_serial TIMEOUT 600)
endforeach()

isochrone_add_ranks(bad_parts 3 "" "${here}/mpi_bad_parts.py")
add_library(FailingMalloc MODULE "${here}/failing_malloc.cxx")
isochrone_add_ranks(memory 4 $<TARGET_FILE:FailingMalloc> "${here}/mpi_memory.py")

# Runs a simulation of two ranks and two steps, each rank with its piece of the grid, then checks the files that it wrote.
set(isochrone_in_situ "${isochrone_scratch}/catalyst")
isochrone_add_ranks(in_situ_run 2 "" -m paraview.demos.wavelet_miniapp -t 2 --size 41 -s "${here}/catalyst_pipeline.py")
isochrone_add_session(in_situ mpi 1 ${pvpython} "${here}/catalyst_check.py" "${isochrone_in_situ}" 2)
set_tests_properties(mpi.in_situ_run PROPERTIES FIXTURES_SETUP isochrone_in_situ)
set_tests_properties(mpi.in_situ PROPERTIES FIXTURES_REQUIRED isochrone_in_situ)
set_property(TEST mpi.in_situ_run APPEND PROPERTY ENVIRONMENT "ISOCHRONE_CATALYST_OUTPUT=${isochrone_in_situ}")
set_property(TEST mpi.in_situ APPEND PROPERTY ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:IsochroneExpatShim>")
