# The examples as a user runs them. Each asserts what must hold of its result before it draws; none may print an unexpected warning.
foreach(example IN ITEMS wall_in_a_volume brain_travel_time seismic_volume connectivity five_examples maze_front
                      harbour white_matter silhouettes offset_shells bent_rays faulted_section tomography ventricle
                      head_volume angiogram boat_routing round_trip radar)
  isochrone_add_session(${example} example 1 ${pvpython} "${PROJECT_SOURCE_DIR}/Examples/${example}.py"
    "${isochrone_scratch}/examples")
  set_property(TEST example.${example} APPEND PROPERTY ENVIRONMENT "PV_PLUGIN_PATH=$<TARGET_FILE_DIR:Isochrone>")
  set_tests_properties(example.${example} PROPERTIES FAIL_REGULAR_EXPRESSION "WARN[|]|ERR[|]|Warning|Traceback")
endforeach()
# The filter warns of some of their Dubins paths that none near the fastest route keeps the turning radius. Other warnings of
# these two examples go unnoticed.
set_tests_properties(example.boat_routing example.radar PROPERTIES FAIL_REGULAR_EXPRESSION "ERR[|]|Traceback")
