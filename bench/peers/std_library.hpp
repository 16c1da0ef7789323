// std_library.hpp - the name and the version of the C++ standard library
#ifndef CLSORT_BENCH_STD_LIBRARY_HPP
#define CLSORT_BENCH_STD_LIBRARY_HPP

#include "text.h"

#include <cstddef>

#ifdef _LIBCPP_VERSION
#define STD_LIBRARY "libc++ " TEXT(_LIBCPP_VERSION)
#else
#define STD_LIBRARY "libstdc++ " TEXT(_GLIBCXX_RELEASE)
#endif

#endif
