/* local.c - sorts the elements of one rank: on its device, or in the calling thread if that fails */
#include "mpi/local.h"

#include "base/error.h"

clsort_status cls_local_sort_in_place(clsort_engine *engine, const struct cls_elements *elements,
                                      uint64_t count, struct cls_arrays arrays,
                                      struct cls_arrays copy)
{
    clsort_status status =
        clsort_host(engine, NULL, &elements->desc, (size_t)count, arrays.keys, arrays.values);
    if (status == CLSORT_OK)
        return CLSORT_OK;
    cls_library_failed(status);
    if (!engine || elements->desc.key == CLSORT_CUSTOM)
        return status;
    clsort_desc desc = elements->desc;
    desc.algorithm = NULL;
    cls_arrays_copy(elements, copy, arrays, count);
    return clsort_host(NULL, NULL, &desc, (size_t)count, arrays.keys, arrays.values) == CLSORT_OK
               ? CLSORT_OK
               : status;
}

clsort_status cls_local_sort(clsort_engine *engine, const struct cls_elements *elements,
                             uint64_t count, struct cls_arrays from, struct cls_arrays to)
{
    cls_arrays_copy(elements, from, to, count);
    return cls_local_sort_in_place(engine, elements, count, to, from);
}

clsort_status cls_local_argsort(clsort_engine *engine, const struct cls_elements *elements,
                                size_t count, const char *keys, uint32_t *index)
{
    clsort_desc desc = elements->desc;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof *index;
    desc.value_size = 0;
    desc.max_count = 0;
    desc.algorithm = NULL; /* it may be one that is not stable */
    desc.flags &= ~(uint32_t)(CLSORT_UNSTABLE | CLSORT_NO_SCRATCH);
    /* The keys are only read. */
    clsort_status status = clsort_host(engine, NULL, &desc, count, (void *)(uintptr_t)keys, index);
    if (status == CLSORT_OK)
        return CLSORT_OK;
    cls_library_failed(status);
    if (!engine || elements->desc.key == CLSORT_CUSTOM)
        return status;
    return clsort_host(NULL, NULL, &desc, count, (void *)(uintptr_t)keys, index) == CLSORT_OK
               ? CLSORT_OK
               : status;
}
