/* warm.c - clsort --warm */
#include "warm.h"

#include "indexes.h"

clsort_status warm(clsort_engine *engine, cl_device_id device, const clsort_desc *desc,
                   size_t key_size)
{
    const size_t element = desc->value_size > key_size ? desc->value_size : key_size;
    clsort_desc at_count = *desc;
    cl_ulong largest = 0;
    cl_int status =
        clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    size_t size;

    /* A plan depends on the count by thresholds, most of which are powers of two, or close to one.
     * Arrays that exceed a buffer are sorted in pieces of half a buffer to a whole one, which twice
     * the capacity of a buffer covers, too. */
    for (size_t power = 2; status == CLSORT_OK && power / 2 <= largest / element; power *= 2) {
        const size_t counts[] = {power, power + 1, power / 4 * 5, power / 2 * 3, power / 4 * 7};

        for (size_t i = 0; status == CLSORT_OK && i < sizeof counts / sizeof counts[0]; i++) {
            if (desc->operation == CLSORT_ARGSORT)
                at_count.index_size = (uint32_t)indexes_size(counts[i]);
            status = clsort_host_describe(engine, &at_count, counts[i], 0, NULL, &size);
        }
    }
    return status;
}
