/* external_plan.h - clsort-external: the sizes of an external sort, and what it costs */
#ifndef CLSORT_EXTERNAL_PLAN_H
#define CLSORT_EXTERNAL_PLAN_H

#include "codec.h"

#include <stdint.h>

/* The part of the elements in order that is output. */
struct external_selection {
    bool is_given;  /* else all are */
    uint64_t first; /* counted from 0 */
    uint64_t count;
    bool
        is_from_end; /* fewer elements follow the first one than precede the end of the part; their number is known */
};

/* What a plan depends on. */
struct external_request {
    size_t size; /* of an element, in bytes */
    uint64_t count;
    uint64_t memory;        /* bytes that the sort may take, scratch memory of the sorts included */
    uint64_t scratch_fixed; /* scratch memory of a sort in memory: this, */
    double scratch_per_byte; /* and this for each byte of the elements */
    bool is_counted; /* the elements are keys of 8 or 16 bits whose equal keys are identical */
    uint64_t
        inputs; /* the elements are in so many inputs, each of which is in order; 0: they are in no order */
    size_t max_fan_in;   /* 0: as many as fit */
    size_t run_elements; /* of runs that have been formed already; 0: as many as fit */
    struct external_selection selection;
    size_t row_elements; /* each row of this length is sorted alone; 0: there are no rows */
    size_t row_kept;     /* elements of a row that are output */
    size_t input_size,
        output_size; /* of elements of the inputs and of the output; 0: that of the others */
    enum codec_method compression; /* of runs */
    bool is_kept; /* temporary files are kept until what replaces them is complete */
};

struct external_plan {
    bool is_counted;
    bool is_merge; /* of inputs in order */
    struct external_selection selection;
    size_t
        candidates; /* space for elements of a selection that is made in one read; 0: all are sorted */
    size_t row_elements, row_kept;
    size_t size, input_size, output_size;
    uint64_t count;
    enum codec_method compression; /* of runs; CODEC_NONE if there is one run only */
    size_t block_elements;
    size_t
        block_size; /* bytes of a block in a file: its elements, and up to IO_ALIGNMENT - 1 more */
    bool
        is_in_place; /* blocks have no padding: runs are written from where they have been sorted */
    bool has_places; /* the store keeps a list of where its blocks are */
    size_t run_elements;
    uint64_t run_count;        /* if no part of the input is in order */
    size_t fan_in;             /* maximum number of runs that are merged at a time */
    size_t batch_blocks;       /* blocks that are sorted at a time when runs are merged */
    size_t write_blocks;       /* blocks that are being written while runs are formed */
    size_t merge_write_blocks; /* blocks that are being written while runs are merged */
    size_t pool_blocks;        /* blocks of fan_in runs in memory */
    unsigned passes;           /* how often the elements are read and written at most */
    uint64_t bytes_moved;      /* read and written */
    uint64_t disk;             /* temporary files in bytes; the output not included */
    uint64_t
        lag; /* part of disk: blocks of runs that are merged to others, before they are punched */
    uint64_t merge_disk; /* bytes more during merges to runs, if files are kept */
};

/* Computes a plan. Returns false if the memory does not suffice; *needed is then a sufficient amount. */
bool external_plan_make(struct external_plan *plan, const struct external_request *request,
                        uint64_t *needed);

/* Returns how many runs are merged next, if there are `runs`, to become fewer than fan_in with as few moves as
 * possible; 0 if all can be merged at once. */
size_t external_plan_group(size_t fan_in, uint64_t runs);

/* The sequence of merges that leaves at most fan_in runs: of neighbouring ones, from the first to the last in each
 * pass. */
struct external_sequence {
    size_t fan_in;
    uint64_t runs;  /* that are left */
    uint64_t first; /* the first of those that are merged */
    uint64_t next;  /* the same for the next merge of this pass */
    unsigned pass;  /* from 1 on; 0: no merge yet */
};

/* Advances to the next merge. Returns the number of runs that it merges; 0 if all that are left can be merged at once.
 */
size_t external_plan_next(struct external_sequence *sequence);

/* Returns the number of passes that are left, of which the first is that of the sequence if it has begun. */
unsigned external_plan_passes_left(struct external_sequence sequence);

/* Returns the number of passes that merge this number of runs to one, the last merge included. */
unsigned external_plan_merge_passes(const struct external_plan *plan, uint64_t runs);

/* Returns the bytes that these merges read and write, at most, if no run is longer than run_elements. */
uint64_t external_plan_merge_bytes(const struct external_plan *plan, uint64_t runs,
                                   double run_elements);

/* Returns how many elements from the beginning or the end of the order contain the selection. */
uint64_t external_plan_near(const struct external_selection *selection, uint64_t count);

/* Returns the maximum number of elements of the output, if the inputs have `count`. */
uint64_t external_plan_output(const struct external_plan *plan, uint64_t count);

/* Returns the bytes of a block in memory. A block of the input need not be aligned. */
size_t external_plan_block_memory(const struct external_plan *plan);

#endif
