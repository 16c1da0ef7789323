# ClsortInstall.cmake - installs the library for find_package(clsort) and pkg-config, its documentation, and completions
#
# The installation is relocatable: no installed file contains the prefix.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/clsort")

install(TARGETS clsort EXPORT clsort-targets) # includes its PUBLIC_HEADER
install(EXPORT clsort-targets NAMESPACE clsort:: DESTINATION "${package_dir}")

if(CLSORT_BUILD_MPI)
  # A file of its own, which find_package(clsort COMPONENTS mpi) includes: other programs need no MPI.
  install(TARGETS clsort-mpi EXPORT clsort-mpi-targets)
  install(EXPORT clsort-mpi-targets NAMESPACE clsort:: DESTINATION "${package_dir}")
endif()

configure_package_config_file(cmake/clsort-config.cmake.in clsort-config.cmake
  INSTALL_DESTINATION "${package_dir}"
  NO_SET_AND_CHECK_MACRO)
# Same as the SOVERSION: below 1.0.0, minor versions may be incompatible.
write_basic_package_version_file(clsort-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/clsort-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/clsort-config-version.cmake"
  DESTINATION "${package_dir}")

# Paths in clsort.pc are relative, even if a distribution sets absolute install folders.
file(RELATIVE_PATH pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH pc_libdir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH pc_includedir "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(packages clsort)
if(CLSORT_BUILD_MPI)
  list(APPEND packages clsort-mpi)
endif()
foreach(package IN LISTS packages)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${package}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN man EXCLUDE)
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN CMakeLists.txt EXCLUDE)

if(CLSORT_BUILD_DOCS)
  install(DIRECTORY "${CLSORT_DOCS}/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()

# Manual pages and completions of the programs that are built.
set(programs)
if(CLSORT_BUILD_TOOLS)
  list(APPEND programs clsort clsort-gen clsort-tune)
  install(FILES tools/completions/clsort.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
    RENAME clsort)
  install(FILES tools/completions/_clsort DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()
if(TARGET clsort-mpi-tool)
  list(APPEND programs clsort-mpi)
endif()
if(CLSORT_BUILD_BENCH)
  list(APPEND programs clsort-bench)
endif()
foreach(program IN LISTS programs)
  install(FILES docs/man/${program}.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES tools/completions/${program}.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  if(CLSORT_BUILD_TOOLS AND NOT program STREQUAL "clsort") # bash loads the file named for the program
    install(FILES tools/completions/clsort.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
      RENAME ${program})
  endif()
endforeach()
