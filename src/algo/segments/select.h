/* select.h - selects the first elements, or the n-th one, of each segment (cl/segments/select_group.cl)
 *
 * This is not an algorithm, but a step of selections from segments. The output of a segment is in the order of
 * the input, and of equal keys the first ones of the input are selected. The host does not wait for the
 * device. */
#ifndef CLSORT_ALGO_SEGMENTS_SELECT_H
#define CLSORT_ALGO_SEGMENTS_SELECT_H

#include "algo/algo.h"

struct cls_segments_select {
    /* A built-in order, unless segments are sorted; values are indexes. A whole array is one sorted segment, whose
     * count is in device memory. */
    struct cls_spec spec;
    /* The elements are taken from sorted segments, so that the kernel that selects is not needed. */
    bool takes_sorted;
    bool is_for_cores; /* the variant for CPUs */
    unsigned group_size, units;
    uint64_t max_count; /* elements */
};

struct cls_segments_select_job {
    uint64_t count;         /* elements */
    uint64_t segment_count; /* at most UINT32_MAX; may be 0; of a whole array, 1 */
    uint64_t k;             /* as in clsort_io */
    uint64_t places;        /* of each segment in the outputs */
    bool is_nth;
    clsort_buffer keys_in;                   /* mem may be NULL if there are no elements */
    clsort_buffer offsets, ends, ks, result; /* mem may be NULL */
    /* spec.count_bytes: the number of segments, of which segment_count is the bound, or that of the elements of a
     * whole array, whose bound is `count`. */
    clsort_buffer count_buffer;
    clsort_buffer keys_out;    /* mem is NULL: keys are not written */
    clsort_buffer indexes_out; /* mem may be NULL if there are no places */
    clsort_buffer sorted;      /* takes_sorted: the indexes in the order of each segment */
    clsort_buffer control;     /* CLS_SEGMENTS_SELECT_CONTROL bytes of scratch */
    clsort_buffer rows;        /* cls_segments_select_rows() bytes of scratch */
};

enum { CLS_SEGMENTS_SELECT_CONTROL = 64, CLS_MAX_SEGMENTS_SELECT_PROGRAMS = 2 };

/* Returns the selection for a sort spec whose values are indexes. */
struct cls_segments_select cls_segments_select_for(const struct cls_caps *caps,
                                                   const struct cls_spec *spec);

/* Returns the size of the rows. After the selection these are two arrays of 8-byte numbers: the first place of
 * each segment, and the place after its last selected element. */
uint64_t cls_segments_select_rows(uint64_t segment_count);

/* Describes the programs, whose kernels the functions below need in this order. Returns their number. */
size_t cls_segments_select_programs(const struct cls_segments_select *select,
                                    struct cls_program_spec *programs);

/* Enqueues the selection. */
cl_int cls_segments_select_enqueue(const cl_kernel *kernels,
                                   const struct cls_segments_select *select,
                                   const struct cls_segments_select_job *job,
                                   struct cls_chain *chain);

/* Enqueues the copy of the selected elements, of some bytes each, after the selection in the same chain. */
cl_int cls_segments_select_copy(const cl_kernel *kernels, const struct cls_segments_select *select,
                                const struct cls_segments_select_job *job, size_t bytes,
                                clsort_buffer from, clsort_buffer to, struct cls_chain *chain);

#endif
