/* spans.c - arrays in host memory that must not overlap */
#include "base/spans.h"

#include "base/error.h"

clsort_status cls_check_host_overlap(const struct cls_host_span *spans, size_t outputs,
                                     size_t arrays)
{
    for (size_t i = 0; i < outputs; i++)
        for (size_t j = i + 1; j < arrays; j++) {
            const struct cls_host_span a = spans[i], b = spans[j];
            const uintptr_t x = (uintptr_t)a.at, y = (uintptr_t)b.at;
            if (a.at && b.at && a.bytes > 0 && b.bytes > 0 && x < y + b.bytes && y < x + a.bytes)
                return cls_fail(CLSORT_E_OVERLAP, "%s overlaps %s", a.name, b.name);
        }
    return CLSORT_OK;
}
