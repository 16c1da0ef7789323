/* format.h - lets the compiler check format strings of the library's functions */
#ifndef CLSORT_BASE_FORMAT_H
#define CLSORT_BASE_FORMAT_H

#include <stdio.h>

/* Attribute of a function whose parameter number `string` is a format string as of printf; its
 * arguments begin with number `first`. GCC for Windows takes "printf" for Microsoft's formats, which lack
 * %zu, although MinGW-w64 replaces the functions by standard ones. */
#ifdef __MINGW_PRINTF_FORMAT
#define CLS_FORMAT(string, first) __attribute__((format(__MINGW_PRINTF_FORMAT, string, first)))
#else
#define CLS_FORMAT(string, first) __attribute__((format(printf, string, first)))
#endif

#endif
