/* select.h - selects the k first elements of the input (cl/select)
 *
 * This is not an algorithm, but a step of operations that need only the first elements. It writes
 * those k elements that a stable sort would put first, in the order of the input: of equal keys,
 * the first ones of the input. A stable sort of its output thus yields the first k elements of the
 * sorted input. The output is the same on all devices. The host does not wait for the device. */
#ifndef CLSORT_ALGO_SELECT_H
#define CLSORT_ALGO_SELECT_H

#include "algo/algo.h"

struct cls_select {
    /* The key order, which must be a built-in one; values are the indexes of the elements. */
    struct cls_spec spec;
    bool is_for_cores;    /* the variant for CPUs */
    struct cls_caps caps; /* of the device; only in the variant for GPUs */
    unsigned group_size, units;
    uint64_t max_chunk; /* elements */
    uint64_t max_count; /* the largest supported input */
};

/* Obstacles that the self-test uses, so that the radix select must read the input. */
enum cls_select_obstacle {
    CLS_SELECT_NO_OBSTACLE,
    CLS_SELECT_BAD_BRACKET, /* the bracket does not contain the threshold, unless it is the minimum */
    CLS_SELECT_FEW_BLOCKS   /* many candidates do not fit in their blocks of scratch */
};

struct cls_select_job {
    uint64_t count; /* elements of the input; at least 1 */
    uint64_t k;     /* 1 .. count */
    /* If the count is in device memory (spec.count_bytes), `count` is its bound. k and count may be 0: then only
     * the result is written, and scratch.mem may be NULL. */
    clsort_buffer count_buffer;
    clsort_buffer result; /* mem is NULL, or the count is known: no result is wanted */
    bool partitions; /* write all elements: those before the k-th, those equal to it, then others */
    bool is_nth;     /* write only the k-th element in sorted order; the outputs have one element */
    clsort_buffer keys_in;
    clsort_buffer keys_out; /* mem is NULL: keys are not written */
    clsort_buffer indexes_out;
    clsort_buffer scratch; /* cls_select_scratch() bytes, aligned to 8 bytes */
    enum cls_select_obstacle obstacle;
};

/* Returns the selection for a sort spec whose values are indexes, and whose order is a built-in one. */
struct cls_select cls_select_for(const struct cls_caps *caps, const struct cls_spec *spec);

/* Returns the size of scratch memory in bytes. It is monotonic in count and k. Pure.
 *
 * Most of it holds the candidates, each a key and an index, for at most
 *     c(count, k) = min(count, min(k, count / 16) + 16 (sqrt(k) + 1) (sqrt(q) + 1) + 32 q)
 * elements, where q is the number of elements per key of the sample: count / 1024, but at most
 * 1024 on CPUs and 4096 on GPUs, unless count / 65536 is more. The other parts are tables: a histogram of 8 KiB per
 * chunk for CPUs, with up to 4 chunks per compute unit, or 32 of 1 KiB for GPUs; a partly filled block of
 * candidates per chunk, of which GPUs have up to 8 per compute unit; and a sample of up to 2^16 keys.
 * There are more chunks if they would exceed max_chunk. */
uint64_t cls_select_scratch(const struct cls_select *select, uint64_t count, uint64_t k);

/* Describes the program of the selection. */
void cls_select_program(const struct cls_select *select, struct cls_program_spec *program);

/* Enqueues the selection. The outputs must not overlap the inputs. Afterwards scratch begins with a
 * cls_select_control (cl/select/layout.h), which has the k-th key, and the number of keys before
 * it. */
cl_int cls_select_enqueue(const cl_kernel *kernels, const struct cls_select *select,
                          const struct cls_select_job *job, struct cls_chain *chain);

/* Returns 8 bytes of scratch which have, after a selection with a count in device memory, the number of elements
 * that were written to the outputs. */
clsort_buffer cls_select_written(const struct cls_select_job *job);

/* Returns the bytes per element that the selection usually reads and writes, by the cost model in
 * cl/select/select.cl. */
uint64_t cls_select_bytes_per_element(const struct cls_select *select, uint64_t count, uint64_t k);

#endif
