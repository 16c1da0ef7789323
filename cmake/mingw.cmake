# mingw.cmake - toolchain file: builds for 64-bit Windows with MinGW-w64, on Debian
#
# OpenCL needs no package for Windows: the headers are the host's, and the import library of OpenCL.dll is generated
# from the functions that they declare. Both are in build/mingw-opencl. The headers are copied because the host's
# folder also has those of its C library. Programs run with Wine, if it is installed.

get_filename_component(build "${CMAKE_CURRENT_LIST_DIR}/../build" ABSOLUTE)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix) # has POSIX threads
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# GCC's library and winpthreads become part of each program and DLL.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 "${build}/mingw-cmocka") # scripts/mingw.sh builds CMocka
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(CLSORT_WINE wine)
if(CLSORT_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${CLSORT_WINE}")
endif()

set(opencl "${build}/mingw-opencl")
if(NOT EXISTS "${opencl}/libOpenCL.a")
  find_program(CLSORT_DLLTOOL x86_64-w64-mingw32-dlltool REQUIRED)
  file(COPY /usr/include/CL DESTINATION "${opencl}/include")
  file(STRINGS "${opencl}/include/CL/cl.h" lines REGEX "cl[A-Z][A-Za-z0-9]*\\(")
  list(TRANSFORM lines REPLACE ".*(cl[A-Z][A-Za-z0-9]*)\\(.*" "\\1")
  list(JOIN lines "\n" functions)
  file(WRITE "${opencl}/OpenCL.def" "LIBRARY OpenCL.dll\nEXPORTS\n${functions}\n")
  execute_process(COMMAND "${CLSORT_DLLTOOL}" --input-def "${opencl}/OpenCL.def" --output-lib "${opencl}/libOpenCL.a"
    COMMAND_ERROR_IS_FATAL ANY)
endif()
set(OpenCL_INCLUDE_DIR "${opencl}/include" CACHE PATH "The headers of OpenCL")
set(OpenCL_LIBRARY "${opencl}/libOpenCL.a" CACHE FILEPATH "The import library of OpenCL.dll")
