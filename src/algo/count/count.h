/* count.h - functions that the variants of counting sort share
 *
 * One variant has one work-item per core. Two variants are for work-groups, one for keys of 8 bits
 * and one for keys of 16 bits. */
#ifndef CLSORT_ALGO_COUNT_H
#define CLSORT_ALGO_COUNT_H

#include "algo/algo.h"

/* Returns whether counting sort supports the sort spec. Otherwise sets *why. */
bool cls_count_supports(const struct cls_spec *spec, const char **why);

/* -- the variants for work-groups -------------------------------------------------------------- */

enum {
    /* The minimum number of tiles of a chunk of 8-bit keys, and of a section of the output. */
    CLS_COUNT_MIN_TILES = 4,
    /* The maximum number of 16-bit keys of a chunk: 6 per counter, so that few counters overflow if
     * the keys are uniformly distributed. */
    CLS_COUNT_MAX_CHUNK_16 = 400000,
    CLS_COUNT_MAX_GROUPS_PER_UNIT = 6
};

/* Returns the number of keys of a tile: a pack for each work-item. */
uint64_t cls_count_tile(const struct cls_tuning *tuning);

/* Returns the tuning with which supports() starts, before it is reduced to fit the device. */
struct cls_tuning cls_count_tuning(const struct cls_caps *caps, const struct cls_spec *spec,
                                   unsigned max_group_size);

/* Reduces the size of the chunks and the maximum count, so that no work-item exceeds
 * max_iterations. table_bytes is the size of a chunk's table. Returns false if no count is small
 * enough. */
bool cls_count_limit_iterations(uint64_t max_iterations, uint64_t table_bytes,
                                struct cls_tuning *tuning);

/* Returns the number of chunks: useful_chunks, but at most what the memory for the tables allows,
 * and at least what the size of the counters requires. */
uint64_t cls_count_chunks(const struct cls_tuning *tuning, uint64_t table_bytes,
                          uint64_t useful_chunks, uint64_t count);

/* Divides count keys into at most `chunks` chunks of whole tiles. */
struct cls_count_work_group_schedule cls_count_divide(const struct cls_tuning *tuning,
                                                      uint64_t chunks, uint64_t count);

/* Returns the number of keys that each group of the fill kernel writes: whole tiles. If there are many
 * keys, fillers_per_unit work-items per compute unit write them. */
uint32_t cls_count_section(const struct cls_tuning *tuning, unsigned fillers_per_unit,
                           uint64_t count);

uint64_t cls_count_bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                     uint64_t count);

#endif
