/* versioned.c - copies public structs whose size depends on the version of the library */
#include "base/versioned.h"

#include "base/error.h"

#include <string.h>

clsort_status cls_versioned_copy(const void *from, void *to, size_t size, const char *name,
                                 const char *initializer)
{
    size_t given;
    memcpy(&given, from, sizeof given);
    /* In every version, the size is a multiple of sizeof(size_t). A struct of another size would
     * end inside a field. */
    if (given < sizeof given || given % sizeof given != 0)
        return cls_fail(CLSORT_E_ARGUMENT, "%s.struct_size is %zu: initialize the struct with %s",
                        name, given, initializer);
    const unsigned char *bytes = from;
    for (size_t i = size; i < given; i++)
        if (bytes[i] != 0)
            return cls_fail(
                CLSORT_E_VERSION,
                "%s sets a field after its first %zu bytes, which are those that clsort "
                "%s knows: set it to 0, or use a newer version",
                name, size, CLSORT_VERSION_STRING);
    memset(to, 0, size);
    memcpy(to, from, given < size ? given : size);
    return CLSORT_OK;
}
