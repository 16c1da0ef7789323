/* next.c - the functions that a test program or a preloaded library replaces */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "next.h"

#include <dlfcn.h>

void next_function(const char *name, void *function)
{
    *(void **)function = dlsym(RTLD_NEXT, name); /* as POSIX requires, though ISO C forbids it */
}
