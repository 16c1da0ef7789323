/* dlfcn.h - dlsym for tests that replace functions of the OpenCL loader */
#ifndef CLSORT_TESTS_DLFCN_H
#define CLSORT_TESTS_DLFCN_H

#include <string.h>
#include <windows.h>

#define RTLD_NEXT GetModuleHandleA("OpenCL.dll")

static inline void *dlsym(HMODULE module, const char *name)
{
    const FARPROC function = GetProcAddress(module, name);
    void *address = NULL;
    memcpy(&address, &function, sizeof address);
    return address;
}

#endif
