# Runs the examples as a user does. Each asserts properties of its result before it draws; unexpected warnings are failures.
foreach(example IN ITEMS wall_in_a_volume brain_travel_time seismic_volume connectivity five_examples maze_front
                      harbour white_matter silhouettes offset_shells below_the_voxel bent_rays faulted_section tomography
                      tomography_fim ventricle activation_mapping turning_fibres head_volume angiogram boat_routing round_trip radar transatlantic landscape tilted_shale
                      layered_earth mediterranean)
  isochrone_add_session(${example} example 1 ${pvpython} "${PROJECT_SOURCE_DIR}/Examples/${example}.py"
    "${isochrone_scratch}/examples")
  set_property(TEST example.${example} APPEND PROPERTY ENVIRONMENT "PV_PLUGIN_PATH=$<TARGET_FILE_DIR:Isochrone>")
  set_tests_properties(example.${example} PROPERTIES FAIL_REGULAR_EXPRESSION "WARN[|]|ERR[|]|Warning|Traceback")
endforeach()
# The filter warns about some Dubins paths in two examples: "WARN| vtkIsochroneCurvaturePaths (0x55): 3 of 12 paths turn more
# tightly than the model allows", and for the radars also "3 of 12 paths keep the turning radius but exceed the travel time".

# isochrone_expect_paths(EXAMPLE LETTERS): accepts only warnings about paths whose text starts with one of the letters.
function(isochrone_expect_paths example letters)
  set(others "WARN[|]([^(\n]*\n|[^(\n]*[(][^)]*[)]: ([^0-9]|[0-9]+ ([^o]|of [0-9]+ ([^p]|paths [^${letters}]))))")
  set_tests_properties(example.${example} PROPERTIES FAIL_REGULAR_EXPRESSION "${others}|ERR[|]|Warning|Traceback")
endfunction()
isochrone_expect_paths(boat_routing t)
isochrone_expect_paths(radar tk)

isochrone_add_session(tutorial example 1 ${pvpython} "${PROJECT_SOURCE_DIR}/docs/tutorial.py")
set_property(TEST example.tutorial APPEND PROPERTY ENVIRONMENT "PV_PLUGIN_PATH=$<TARGET_FILE_DIR:Isochrone>" STEP=4)
set_tests_properties(example.tutorial PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/docs"
  FAIL_REGULAR_EXPRESSION "WARN[|]|ERR[|]|Warning|Traceback")
