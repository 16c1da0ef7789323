/* partition.h - divides elements in host memory into ranges of keys, on all cores */
#ifndef CLSORT_HOST_PARTITION_H
#define CLSORT_HOST_PARTITION_H

#include "base/spec.h"

#include <clsort.h>

/* Elements in host memory; values is not read if the sort spec has none. */
struct cls_host_elements {
    void *keys, *values;
};

/* Returns the elements from index i on. */
struct cls_host_elements cls_host_elements_at(const struct cls_spec *spec,
                                              struct cls_host_elements elements, size_t i);

/* Copies count elements, on all cores. */
void cls_host_copy(const struct cls_spec *spec, struct cls_host_elements from,
                   struct cls_host_elements to, size_t count);

/* Returns whether the keys are in order; uses 1 to CLS_MAX_HOST_THREADS threads. Keys in no order are
 * not all read. Custom orders are not supported. */
bool cls_host_is_sorted(const struct cls_spec *spec, const void *keys, size_t count,
                        size_t threads);

enum {
    CLS_MAX_TARGETS = 28, /* ranges of distinct words; a word that fills a range adds at most two */
    CLS_MAX_SPLITTERS = 2 * CLS_MAX_TARGETS + 7, /* a power of two, minus 1 */
    CLS_MAX_CELL = 4095                          /* the maximum word that a table of ranges has */
};

/* The splitters of ranges are words, which are computed from ordered keys by cls_host_word. Range i has
 * the words from splitter[i - 1] to splitter[i] - 1. The first range has no lower limit, and the last
 * one, range `count`, has no upper limit. */
struct cls_splitters {
    uint64_t base;  /* an ordered key whose word is 0 */
    unsigned shift; /* of the difference of an ordered key and the base */
    uint32_t max;   /* the maximum of words; at most CLS_MAX_CELL if the input allows it */
    size_t count;
    uint32_t splitter[CLS_MAX_SPLITTERS]; /* increasing, above 0 */
    bool is_equal[CLS_MAX_SPLITTERS + 1]; /* range i has equal keys only */
};

/* Returns the word of an ordered key. A smaller key has a smaller word or the same one. */
static inline uint32_t cls_host_word(const struct cls_splitters *splitters, uint64_t ordered)
{
    const uint64_t above =
        ordered > splitters->base ? (ordered - splitters->base) >> splitters->shift : 0;
    return above < splitters->max ? (uint32_t)above : splitters->max;
}

/* Returns the number of ranges into which count elements with distinct keys are divided so that
 * nearly always none has more than max > 0. */
size_t cls_host_ranges(size_t count, size_t max);

/* Chooses splitters by a sample. Each range is expected to have at most max elements or keys of one
 * word; ranges are larger if cls_host_ranges(count, max) exceeds CLS_MAX_TARGETS. A range whose keys
 * are not equal has fewer than count elements. 0 < max < count. Custom orders are not supported.
 * Returns CLSORT_E_MEMORY if memory for the sample is short. */
clsort_status cls_host_choose_splitters(const struct cls_spec *spec, const void *keys, size_t count,
                                        size_t max, struct cls_splitters *splitters);

/* Moves the elements of each range to a part of `to`, in the order of the ranges; stable. Range i
 * ends before end[i], i <= splitters->count. `from` and `to` do not overlap. */
void cls_host_partition(const struct cls_spec *spec, const struct cls_splitters *splitters,
                        size_t count, struct cls_host_elements from, struct cls_host_elements to,
                        size_t *end);

#endif
