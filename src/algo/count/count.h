/* count.h - what the variants of counting sort share
 *
 * One variant has one work-item per core, two are for work-groups: one for keys of 8 bits, one for keys of 16 bits. */
#ifndef CLSORT_ALGO_COUNT_H
#define CLSORT_ALGO_COUNT_H

#include "algo/algo.h"

/* Returns whether counting can sort such keys; otherwise sets *why. */
bool cls_count_supports(const struct cls_spec *spec, const char **why);

/* -- the variants for work-groups ------------------------------------------------------------------ */

enum {
    CLS_COUNT_MIN_TILES =
        4, /* of an 8-bit chunk, and of a section of the output: fewer do not pay */
    CLS_COUNT_MAX_LEVELS = 5, /* of 16-bit counters: log 15 of CLS_COUNT_MAX_CHUNK_16, rounded up */
    CLS_COUNT_MAX_CHUNK_16 = 400000, /* 6 keys per counter if uniform: few counters overflow */
    CLS_COUNT_MAX_GROUPS_PER_UNIT = 6
};

/* Keys of a tile: a pack for each work-item. */
uint64_t cls_count_tile(const struct cls_tuning *tuning);

/* The common start of supports(): the tuning before it is reduced to fit the device. */
struct cls_tuning cls_count_tuning(const struct cls_caps *caps, const struct cls_spec *spec,
                                   unsigned max_group_size);

/* Reduces the size of the chunks and the maximum count to what a device with this limit on the iterations of a
 * work-item can sort. table_bytes: of a chunk's table. Returns false if none is left. */
bool cls_count_limit_iterations(uint64_t max_iterations, uint64_t table_bytes,
                                struct cls_tuning *tuning);

/* Returns the number of chunks: useful_chunks, reduced to what the tables may take, but not fewer than the counters
 * allow. */
uint64_t cls_count_chunks(const struct cls_tuning *tuning, uint64_t table_bytes,
                          uint64_t useful_chunks, uint64_t count);

/* Divides count keys into so many chunks of whole tiles. */
struct cls_count_work_group_schedule cls_count_divide(const struct cls_tuning *tuning,
                                                      uint64_t chunks, uint64_t count);

/* Keys that each group of the fill kernel writes: whole tiles. */
uint32_t cls_count_section(const struct cls_tuning *tuning, uint64_t count);

uint64_t cls_count_bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                     uint64_t count);

#endif
