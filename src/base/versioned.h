/* versioned.h - copies public structs whose size depends on the version of the library */
#ifndef CLSORT_BASE_VERSIONED_H
#define CLSORT_BASE_VERSIONED_H

#include <clsort.h>

/* Copies a struct of any version, which starts with its struct_size, to a struct of this version.
 * Missing fields are set to zero. Returns CLSORT_E_VERSION if a field that this version does not
 * know is not zero, and CLSORT_E_ARGUMENT if the size is invalid. name and initializer are those of
 * the struct, for the error: "clsort_io", "CLSORT_IO_INIT". */
clsort_status cls_versioned_copy(const void *from, void *to, size_t size, const char *name,
                                 const char *initializer);

#endif
