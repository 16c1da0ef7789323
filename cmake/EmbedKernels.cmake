# EmbedKernels.cmake - turns the files of cl/ into one C file of byte arrays
#
#   clsort_embed_kernels(OUTPUT file.c SOURCES a.cl b.cl ...)    at configure time
#   cmake -DOUTPUT=file.c -DSOURCES=a.cl,b.cl -P EmbedKernels.cmake    at build time
#
# Bytes instead of string literals: C11 promises only 4095 characters in a literal, and nothing has to
# be escaped.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(CLSORT_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

  function(clsort_embed_kernels)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT" "SOURCES")
    list(JOIN arg_SOURCES "," sources)
    add_custom_command(OUTPUT "${arg_OUTPUT}"
      COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${arg_OUTPUT}" "-DSOURCES=${sources}" -P "${CLSORT_EMBED_SCRIPT}"
      DEPENDS ${arg_SOURCES} "${CLSORT_EMBED_SCRIPT}"
      COMMENT "Embedding the OpenCL kernels" VERBATIM)
  endfunction()
  return()
endif()

string(REPLACE "," ";" SOURCES "${SOURCES}")
set(text "/* Made by EmbedKernels.cmake from the files of cl/. */\n#include \"device/sources.h\"\n")
set(rows "")
foreach(path IN LISTS SOURCES)
  get_filename_component(name "${path}" NAME)
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  string(APPEND text "\nstatic const char ${symbol}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", ${symbol}},\n")
endforeach()
string(APPEND text "\nconst struct cls_source cls_sources[] = {\n${rows}    {0, 0},\n};\n")
file(WRITE "${OUTPUT}" "${text}")
