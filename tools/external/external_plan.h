/* external_plan.h - clsort-external: the sizes of an external sort, and what it costs */
#ifndef CLSORT_EXTERNAL_PLAN_H
#define CLSORT_EXTERNAL_PLAN_H

#include "codec.h"

#include <stdint.h>

/* What a plan depends on. */
struct external_request {
    size_t size; /* of an element, in bytes */
    uint64_t count;
    uint64_t memory;        /* bytes that the sort may take, scratch memory of the sorts included */
    uint64_t scratch_fixed; /* scratch memory of a sort in memory: this, */
    double scratch_per_byte; /* and this for each byte of the elements */
    bool is_counted; /* the elements are keys of 8 or 16 bits whose equal keys are identical */
    enum codec_method compression; /* of runs */
};

struct external_plan {
    bool is_counted;
    size_t size;
    uint64_t count;
    enum codec_method compression; /* of runs; CODEC_NONE if there is one run only */
    size_t block_elements;
    size_t
        block_size; /* bytes of a block in a file: its elements, and up to IO_ALIGNMENT - 1 more */
    size_t run_elements;
    uint64_t run_count;   /* if no part of the input is in order */
    size_t fan_in;        /* maximum number of runs that are merged at a time */
    size_t batch_blocks;  /* blocks that are sorted at a time when runs are merged */
    size_t write_blocks;  /* blocks that are being written */
    size_t pool_blocks;   /* blocks of runs in memory */
    uint64_t merges;      /* of runs to other runs; the last merge writes the output */
    unsigned passes;      /* how often the elements are read and written at most */
    uint64_t bytes_moved; /* read and written */
    uint64_t disk;        /* temporary files in bytes; the output not included */
};

/* Computes a plan. Returns false if the memory does not suffice; *needed is then a sufficient amount. */
bool external_plan_make(struct external_plan *plan, const struct external_request *request,
                        uint64_t *needed);

/* Returns how many runs are merged next, if there are `runs`, to become fewer than fan_in with as few moves as
 * possible; 0 if all can be merged at once. */
size_t external_plan_group(size_t fan_in, uint64_t runs);

/* Returns the bytes of a block in memory. A block of the input need not be aligned. */
size_t external_plan_block_memory(const struct external_plan *plan);

#endif
