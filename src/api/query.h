/* query.h - what the public functions that return a text have in common */
#ifndef CLSORT_API_QUERY_H
#define CLSORT_API_QUERY_H

#include "base/error.h"
#include "base/text.h"

/* Sets *size_ret to 0 and checks the arguments. `name` is that of the argument `object`. */
static inline clsort_status cls_check_query(const void *object, const char *name, size_t size,
                                            const char *text, size_t *size_ret)
{
    if (size_ret)
        *size_ret = 0;
    if (!object)
        return cls_fail(CLSORT_E_ARGUMENT, "%s is NULL", name);
    return size > 0 && !text ? cls_fail(CLSORT_E_ARGUMENT, "text is NULL, but size is %zu", size)
                             : CLSORT_OK;
}

#endif
