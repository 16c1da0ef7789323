/* local.c - sorts the elements of one rank: on its device, or in the calling thread if that fails */
#include "mpi/local.h"

#include "base/error.h"

/* Runs an operation on host arrays. If the device fails, the calling thread repeats it; before that, it copies the
 * elements of *copy back, unless copy is NULL. */
static clsort_status run(clsort_engine *engine, const struct cls_mpi_elements *elements,
                         const clsort_desc *desc, uint64_t count, struct cls_mpi_arrays arrays,
                         const struct cls_mpi_arrays *copy)
{
    clsort_desc by_host = *desc;
    const clsort_status status =
        clsort_host(engine, NULL, desc, (size_t)count, arrays.keys, arrays.values);
    if (status == CLSORT_OK)
        return CLSORT_OK;
    cls_library_failed(status);
    if (!engine || desc->key == CLSORT_CUSTOM)
        return status;
    if (copy)
        cls_arrays_copy(elements, *copy, arrays, count);
    by_host.algorithm = NULL;
    return clsort_host(NULL, NULL, &by_host, (size_t)count, arrays.keys, arrays.values) == CLSORT_OK
               ? CLSORT_OK
               : status;
}

clsort_status cls_local_sort_in_place(clsort_engine *engine,
                                      const struct cls_mpi_elements *elements, uint64_t count,
                                      struct cls_mpi_arrays arrays, struct cls_mpi_arrays copy)
{
    return run(engine, elements, &elements->desc, count, arrays, &copy);
}

clsort_status cls_local_sort(clsort_engine *engine, const struct cls_mpi_elements *elements,
                             uint64_t count, struct cls_mpi_arrays from, struct cls_mpi_arrays to)
{
    cls_arrays_copy(elements, from, to, count);
    return cls_local_sort_in_place(engine, elements, count, to, from);
}

clsort_status cls_local_argsort(clsort_engine *engine, const struct cls_mpi_elements *elements,
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
    const struct cls_mpi_arrays arrays = {(char *)(uintptr_t)keys, (char *)index};
    return run(engine, elements, &desc, count, arrays, NULL);
}
