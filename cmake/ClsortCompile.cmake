# ClsortCompile.cmake - settings of the targets of clsort

set(CLSORT_SANITIZE "" CACHE STRING "Sanitizers of all targets, as in -fsanitize=")

# clsort_target(NAME): sets C11 and C++17, warnings (errors if CLSORT_WERROR is on), and sanitizers.
function(clsort_target name)
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_definitions(${name} PRIVATE _XOPEN_SOURCE=700)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${CLSORT_WERROR}>:-Werror>)
  if(CLSORT_SANITIZE)
    set(sanitize -fsanitize=${CLSORT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${name} PRIVATE ${sanitize})
    target_link_options(${name} PUBLIC ${sanitize}) # programs that link a static library need them, too
  endif()
endfunction()

# clsort_install_program(TARGET): installs a program so that it finds the library. The path is relative, so that the
# installation can be moved. It is relative in the build, too, so that the program does not depend on the build folder.
function(clsort_install_program target)
  file(RELATIVE_PATH to_library "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
  set_target_properties(${target} PROPERTIES
    INSTALL_RPATH "$ORIGIN/${to_library}" BUILD_RPATH_USE_ORIGIN ON)
  install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()
