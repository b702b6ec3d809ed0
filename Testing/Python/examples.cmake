# The examples as a user runs them. Each asserts what must hold of its result before it draws; none may print an unexpected warning.
foreach(example IN ITEMS wall_in_a_volume brain_travel_time seismic_volume connectivity five_examples maze_front
                      harbour white_matter silhouettes offset_shells bent_rays faulted_section tomography ventricle
                      head_volume angiogram boat_routing round_trip radar)
  isochrone_add_session(${example} example 1 ${pvpython} "${PROJECT_SOURCE_DIR}/Examples/${example}.py"
    "${isochrone_scratch}/examples")
  set_property(TEST example.${example} APPEND PROPERTY ENVIRONMENT "PV_PLUGIN_PATH=$<TARGET_FILE_DIR:Isochrone>")
  set_tests_properties(example.${example} PROPERTIES FAIL_REGULAR_EXPRESSION "WARN[|]|ERR[|]|Warning|Traceback")
endforeach()
# The filter warns of some Dubins paths in two of them: "WARN| vtkIsochroneCurvaturePaths (0x55): 3 of 12 paths turn more tightly
# than the model allows", and of the radars' besides "3 of 12 paths keep the turning radius but exceed the travel time".

# isochrone_expect_paths(EXAMPLE LETTERS): refuses all warnings but those of paths that begin with one of the letters.
function(isochrone_expect_paths example letters)
  set(others "WARN[|]([^(\n]*\n|[^(\n]*[(][^)]*[)]: ([^0-9]|[0-9]+ ([^o]|of [0-9]+ ([^p]|paths [^${letters}]))))")
  set_tests_properties(example.${example} PROPERTIES FAIL_REGULAR_EXPRESSION "${others}|ERR[|]|Warning|Traceback")
endfunction()
isochrone_expect_paths(boat_routing t)
isochrone_expect_paths(radar tk)
