/* buffers.c - clsort_mpi_buffers gives the bytes of one sort, and refuses wrong buffers on all ranks
 *
 *   clsort-test-mpi-buffers device [MAXIMUM BYTES OF A MESSAGE] */
#include "fixture.h"

#include "custom_order.h"

#include <CL/cl.h>

/* Returns a buffer that has these bytes from an offset on. If size is 0, its memory object is NULL. */
static clsort_buffer buffer_of(const struct ranks *ranks, uint8_t *bytes, size_t size,
                               size_t offset)
{
    clsort_buffer buffer = {NULL, offset};
    if (size == 0)
        return buffer;
    buffer.mem = clCreateBuffer(ranks->context, CL_MEM_READ_WRITE, size + offset, NULL, NULL);
    check(buffer.mem && clEnqueueWriteBuffer(ranks->queue, buffer.mem, CL_TRUE, offset, size, bytes,
                                             0, NULL, NULL) == CL_SUCCESS,
          "no buffer of %zu bytes", size);
    return buffer;
}

/* Reads the buffer, if there is one, and releases it. */
static void take(const struct ranks *ranks, clsort_buffer buffer, uint8_t *bytes, size_t size)
{
    if (!buffer.mem)
        return;
    check(clEnqueueReadBuffer(ranks->queue, buffer.mem, CL_TRUE, buffer.offset, size, bytes, 0,
                              NULL, NULL) == CL_SUCCESS,
          "reading %zu bytes", size);
    clReleaseMemObject(buffer.mem);
}

/* Sorts, and checks the output, or that the call fails if a buffer of the last rank is too small by this number of
 * bytes. */
static void sort(const struct ranks *ranks, struct whole *whole, enum division how, size_t offset,
                 size_t missing)
{
    whole_sort(whole);
    const struct part in = part_of_input(ranks, whole, how);
    const struct part out = part_of_output(ranks, whole, EVENLY);
    const size_t keys = whole->key_bytes, values = whole->value_bytes;
    const size_t short_by = ranks->rank == ranks->size - 1 ? missing : 0;
    clsort_io io = CLSORT_IO_INIT;
    io.count = in.count;
    io.keys = buffer_of(ranks, in.keys, in.count * keys, offset);
    io.values = buffer_of(ranks, in.values, in.count * values, 0);
    io.keys_out = buffer_of(ranks, out.keys, out.count * keys - short_by, 0);
    io.values_out = buffer_of(ranks, out.values, out.count * values, 0);
    const clsort_status status =
        clsort_mpi_buffers(ranks->mpi, ranks->queue, &whole->desc, &io, out.count);
    check_failure(status, missing > 0 ? CLSORT_E_BUFFER_SIZE : CLSORT_OK,
                  missing > 0 ? "keys_out" : "");
    take(ranks, io.keys, in.keys, in.count * keys);
    take(ranks, io.values, in.values, in.count * values);
    take(ranks, io.keys_out, out.keys, out.count * keys - short_by);
    take(ranks, io.values_out, out.values, out.count * values);
    if (missing == 0)
        part_check(ranks, whole, out, "buffers");
    part_free(in);
    part_free(out);
    whole_free(whole);
}

int main(int argc, char **argv)
{
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_EQUAL, DATA_SORTED};
    struct ranks ranks;
    ranks_open(&ranks, argc, argv);
    for (size_t i = 0; i < sizeof dists / sizeof *dists; i++)
        for (int how = 0; how < DIVISIONS; how++) {
            struct whole whole = whole_of_keys(CLSORT_U32, 0, dists[i], 70000, i % 2 ? 0 : 4);
            sort(&ranks, &whole, (enum division)how, 64 * i, 0);
        }
    struct whole few = whole_of_keys(CLSORT_F64, CLSORT_DESCENDING, DATA_SPECIAL, 5, 8);
    sort(&ranks, &few, ALL_ON_LAST, 0, 0);
    struct whole particles = whole_of_order(custom_order_find("particle"), 8000, 4);
    sort(&ranks, &particles, RANDOMLY, 0, 0);
    struct whole small = whole_of_keys(CLSORT_U32, 0, DATA_UNIFORM, 9000, 0);
    sort(&ranks, &small, EVENLY, 0, 4);
    return ranks_close(&ranks);
}
