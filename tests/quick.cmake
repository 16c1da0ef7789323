# quick.cmake - which tests have the label quick: those that scripts/test.sh runs by default
#
# A test belongs here if it takes little time for what only it can find, or less than a second. All labels are
# represented. The whole selection takes at most 5 minutes on 2 quiet cores, with nothing compiled before.

set(quick_tests
  # Sorts on PoCL: every algorithm and order with few types, and the paths that need data of their own
  "sort\\.quick\\..*"
  "sort\\.(clusters|merged\\.less|merged\\.index64\\.groups|custom\\.less|custom\\.index64\\.cores)"
  "sort\\.buckets\\.(u32|u32\\.sorted|i16|equal|pairs|packed)"
  "sort\\.count\\.(alone|8|16|16\\.few|8\\.equal|8\\.iterations)"
  "sort\\.(portable\\..*|unseen\\.u32\\.(few|equal)|silent\\.u32|mute\\.u32|settled\\.alone|skewed\\.single)"
  "sort\\.index_values\\..*"
  # On rusticl: what compiles in a few seconds
  "rusticl\\.sort\\.(quick\\..*|count\\.(8|16\\.few)|silent\\.u32|custom\\.colour|buckets\\.u32)"
  "rusticl\\.(api\\.(descriptors|arguments|events|overlap|devices|no_platform)|kernel\\..*)"
  # Under Oclgrind: at least one case of each algorithm
  "oclgrind\\.sort\\.races\\.(radix\\.(tiles|alone)|onesweep|onesweep\\.pairs|hybrid\\.(alone|single|rest))"
  "oclgrind\\.sort\\.races\\.(local\\.pairs|bitonic\\.(C2|vector\\.8)|count|count\\.groups\\.8|cpu|cpu\\.8)"
  "oclgrind\\.sort\\.races\\.(merge|merge\\.cores\\.pairs|merged\\.cores|custom\\.cores)"
  "oclgrind\\.(misdeeds|kernel\\..*)"
  # The interface, the self-test, and the response to faults
  "api\\.(descriptors|arguments|overlap|scratch|events|devices|host|host\\.pieces|threads|memory|build)"
  "api\\.(custom_order|no_platform)"
  "broken\\.(all|none|gather|carry)"
  "kernel\\..*"
  "unit\\..*"
  "fuzz\\..*"
  "fault\\.(find\\..*|regions\\..*|pieces\\..*|describe\\..*|(array|host|merge|enqueue)\\.alloc)"
  "fault\\.(calls\\..*|late|tool\\.(sort|explain)\\.alloc)"
  # The tools, the examples and the installed package
  "tool_(bad_input|check|full_disk|gen|npy|options|output|size_limit|sort|truncated|bench_verify)"
  "example_.*"
  "package\\.(clean|install\\.shared|symbols\\.shared|find_package\\.shared\\.C|pkg_config\\.shared\\.C)"
  "lint\\.(columns|files|format|layers|shell|words)")

# label_test(NAME LABEL...): sets the labels of a test, and adds quick where the whole name matches
function(label_test name)
  set(labels ${ARGN})
  foreach(pattern IN LISTS quick_tests)
    if(name MATCHES "^(${pattern})$")
      list(APPEND labels quick)
      break()
    endif()
  endforeach()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()
