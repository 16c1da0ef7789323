# quick.cmake - the tests with the label quick, which scripts/test.sh runs by default
#
# A test belongs here if it takes less than a second, or little time for faults that no other test finds. Tests of all
# devices are included. The selection takes at most 8 minutes on 2 cores with empty caches.
#
# The other tests take more than an hour. Each has the label of one of several parts, part1 and so on: continuous
# integration runs the quick tests and one part, another one after each commit.

set(quick_tests
  # Sorts on PoCL: every algorithm and order with few types, and paths that only special data reaches
  "sort\\.quick\\..*"
  "sort\\.(skewed_bins|merge_sorted\\.(small_groups|index64\\.groups)|custom\\.(small_groups|index64\\.cores))"
  "sort\\.buckets\\.(u32|u32\\.sorted|i16|equal|pairs|packed)"
  "sort\\.count\\.(one_group|8|16|16\\.few|8\\.equal|8\\.iterations|cores\\.u16\\..*)"
  "sort\\.(no_avx512\\..*|bad_sample\\.u32\\.(few|equal)|look_back\\..*\\.u32|few_sweeps\\.single_tile)"
  "sort\\.(choice\\.(msd|lsd)|outliers\\.u32)"
  "sort\\.(bad_pivots|small_blocks)\\.(u16|u64)"
  "sort\\.(gather|select|unique|value_arrays|counts\\.(cpu|onesweep))"
  "sort\\.(segments|segment_selections|counts|columns)(\\.as_gpu)?"
  "sort\\.column_operations"
  "sort\\.(index_values\\..*|reversed\\.(u32|single|pairs\\.out|ties|runs))"
  # On rusticl: tests that compile in a few seconds
  "rusticl\\.sort\\.(count\\.(8|16\\.few)|look_back\\.some_unpublished\\.u32|custom\\.colour|buckets\\.u32)"
  "rusticl\\.(api\\.(descriptors|arguments|events|overlap|devices|no_platform)|kernel\\..*)"
  # Under Oclgrind: at least one case of each algorithm
  "oclgrind\\.sort\\.races\\.(radix\\.(tiles|one_item)|onesweep|onesweep\\.pairs|hybrid\\.(one_item|oversized))"
  "oclgrind\\.sort\\.races\\.(local\\.pairs|bitonic\\.(C2|vector\\.8)|count|count\\.groups\\.8|cpu|cpu\\.8)"
  "oclgrind\\.sort\\.races\\.(segments|segment_selections|counts|columns)(\\.as_gpu)?"
  "oclgrind\\.sort\\.races\\.counts\\.(cpu|onesweep)"
  "oclgrind\\.sort\\.races\\.(quick\\.numeric|merge|merge\\.cores\\.pairs|merge_sorted\\.cores|custom\\.cores)"
  "oclgrind\\.(detects_defects|kernel\\..*|select\\.races\\..*)"
  # The interface, the self-test, and the response to faults
  "api\\.(descriptors|arguments|overlap|scratch|events|devices|host|host\\.pieces|host_segments|threads|memory|build)"
  "api\\.(transfer|host_first|custom_order|fork|no_platform|last_error|indexes|segmented|select_segments|device_count)"
  "api\\.(neighbours|by_columns|merge_by_columns|several_values|host_records|group)"
  "broken\\.(all|none|gather|scatter|segments|select_segments|unique|columns)"
  "kernel\\..*"
  "select\\.((cores|groups)\\.index64_narrow|groups\\.of_1|full\\..*)"
  "unit\\..*"
  "fuzz\\..*"
  "fault\\.(find\\..*|regions\\..*|pieces\\..*|describe\\..*|(array|host|merge|enqueue)\\.alloc)"
  "fault\\.(operations|selection|neighbours|segments|segment_selection|columns)\\.alloc"
  "fault\\.(calls\\..*|failed_event|tool\\.(sort|explain)\\.alloc)"
  # The tools, the examples and the installed package
  "tool_(argsort|bad_input|check|completions|devices|full_disk|gen|leftover|less|npy|options|options_agree|output)"
  "tool_external(_(check|compress|faults|inputs|resume))?"
  "tool_(first|output_named|records|refuse|size_limit|sort|stats|truncated|unique|bench_(contest|expect|verify))"
  "example_.*"
  "package\\.(clean|install\\.shared|symbols\\.shared|find_package\\.shared\\.C|pkg_config\\.shared\\.C)"
  "lint\\.(columns|figures|files|format|layers|links|options\\..*|packaging|reference|reuse|shell|snippets|words)")

set(test_parts 16)

# label_test(NAME LABEL...): sets the labels of a test, and adds quick if a pattern matches the whole name, or else that
# of a part
function(label_test name)
  set(labels ${ARGN})
  set(is_quick FALSE)
  foreach(pattern IN LISTS quick_tests)
    if(name MATCHES "^(${pattern})$")
      set(is_quick TRUE)
      break()
    endif()
  endforeach()
  if(is_quick)
    list(APPEND labels quick)
  else()
    get_property(others GLOBAL PROPERTY clsort_tests_in_parts)
    math(EXPR part "0${others} % ${test_parts} + 1")
    math(EXPR others "0${others} + 1")
    set_property(GLOBAL PROPERTY clsort_tests_in_parts ${others})
    list(APPEND labels part${part})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()
