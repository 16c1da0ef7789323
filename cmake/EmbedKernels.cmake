# EmbedKernels.cmake - embeds the programs of a folder of kernel files in a C file
#
#   clsort_embed_kernels(OUTPUT file.c FOLDER cl)              at configure time
#   cmake -DOUTPUT=file.c -DFOLDER=cl -P EmbedKernels.cmake    at build time
#
# The root file of a program is a .cl file that no other file includes. The program is the root with
# every #include "file" replaced by the text of that file, the first time, and #line directives that
# keep the positions in compiler messages correct. Comments are removed: they take space in the
# library and time in the driver's compiler.
#
# The output has byte arrays instead of string literals: C11 guarantees literals of at most 4095
# characters only, and bytes need no escaping.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(CLSORT_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

  function(clsort_embed_kernels)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT;FOLDER" "")
    file(GLOB_RECURSE files CONFIGURE_DEPENDS "${arg_FOLDER}/*.cl" "${arg_FOLDER}/*.h")
    add_custom_command(OUTPUT "${arg_OUTPUT}"
      COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${arg_OUTPUT}" "-DFOLDER=${arg_FOLDER}" -P "${CLSORT_EMBED_SCRIPT}"
      DEPENDS ${files} "${CLSORT_EMBED_SCRIPT}"
      COMMENT "Embedding the OpenCL kernels" VERBATIM)
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.21) # sets the policies: a script has no project

# Appends the file to `flat`, with all files that it includes. `conditional`: an #if encloses an
# #include that leads to the file.
function(append_file name includer conditional)
  if(name IN_LIST seen)
    # The text of the file may be inside an #if that is false.
    if(name IN_LIST seen_conditionally)
      message(FATAL_ERROR
        "${includer} includes ${name}, which an earlier file includes inside an #if: include it before that #if, too")
    endif()
    return()
  endif()
  list(APPEND seen "${name}")
  if(conditional)
    list(APPEND seen_conditionally "${name}")
  endif()
  file(READ "${FOLDER}/${name}" rest)
  string(REGEX REPLACE "[ ]*//[^\n]*" "" rest "${rest}")
  string(APPEND flat "#line 1 \"${name}\"\n")
  set(line 1)
  set(ifs -1) # does not count the include guard
  while(TRUE)
    string(FIND "${rest}" "#include \"" at)
    if(at EQUAL -1)
      break()
    endif()
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(REGEX MATCH "^#include \"([^\"]+)\"\n" include "${rest}")
    set(included "${CMAKE_MATCH_1}")
    string(LENGTH "${include}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    string(REGEX MATCHALL "\n" newlines "${before}")
    list(LENGTH newlines count)
    math(EXPR line "${line} + ${count} + 1")
    string(REGEX MATCHALL "(^|\n)#if" opened "${before}")
    string(REGEX MATCHALL "(^|\n)#endif" closed "${before}")
    list(LENGTH opened opened)
    list(LENGTH closed closed)
    math(EXPR ifs "${ifs} + ${opened} - ${closed}")
    string(APPEND flat "${before}")
    if(conditional OR ifs GREATER 0)
      append_file("${included}" "${name}" TRUE)
    else()
      append_file("${included}" "${name}" FALSE)
    endif()
    string(APPEND flat "#line ${line} \"${name}\"\n")
  endwhile()
  string(APPEND flat "${rest}")
  set(flat "${flat}" PARENT_SCOPE)
  set(seen "${seen}" PARENT_SCOPE)
  set(seen_conditionally "${seen_conditionally}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*.cl")
set(included "")
foreach(file IN LISTS files)
  file(STRINGS "${FOLDER}/${file}" lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" name "${line}")
    list(APPEND included "${name}")
  endforeach()
endforeach()

set(text "/* Generated from the kernel files by EmbedKernels.cmake. */\n#include \"device/sources.h\"\n")
set(rows "")
foreach(root IN LISTS files)
  if(root IN_LIST included)
    continue()
  endif()
  set(flat "")
  set(seen "")
  set(seen_conditionally "")
  append_file("${root}" "" FALSE)
  string(MAKE_C_IDENTIFIER "${root}" symbol)
  file(WRITE "${OUTPUT}.cl" "${flat}")
  file(READ "${OUTPUT}.cl" hex HEX)
  # Zeros end the text and fill the last row of 8 bytes.
  string(LENGTH "${hex}" length)
  math(EXPR zeros "16 - ${length} % 16")
  string(REPEAT "0" ${zeros} zeros)
  string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\1,0x\\2,0x\\3,0x\\4,0x\\5,0x\\6,0x\\7,0x\\8,\n"
    bytes "${hex}${zeros}")
  string(APPEND text "\nstatic const char ${symbol}[] = {\n${bytes}};\n")
  string(APPEND rows "    {\"${root}\", ${symbol}},\n")
endforeach()
file(REMOVE "${OUTPUT}.cl")
string(APPEND text "\nconst struct cls_source cls_embedded_sources[] = {\n${rows}    {0, 0},\n};\n")
file(WRITE "${OUTPUT}" "${text}")
