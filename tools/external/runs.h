/* runs.h - clsort-external: a list of sorted runs, in the order of the input
 *
 * A run consists of blocks in the store, or of elements of the input that are in order there and need not be written.
 * The last element of each of its blocks is kept in memory: a merge knows from these in which order it needs the blocks
 * of its runs. */
#ifndef CLSORT_EXTERNAL_RUNS_H
#define CLSORT_EXTERNAL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run {
    bool is_input;
    size_t input;         /* if is_input */
    uint64_t first;       /* block of the store, or element of the input */
    uint64_t count;       /* elements */
    unsigned char *marks; /* the last element of each block */
    size_t mark_count, mark_capacity;

    /* For resume.h: the entries of its first `saved` blocks, which follow each other, and their hash. */
    uint64_t entry, saved, hash;
};

struct runs {
    size_t element_size, block_elements;
    struct run *run;
    size_t count, capacity;
};

/* Functions that return bool print an error and return false if memory runs out. */

/* Appends an empty run: that of an input from this element on, or one in the store from this block on. */
bool runs_append_input(struct runs *runs, size_t input, uint64_t first);
bool runs_append_stored(struct runs *runs, uint64_t first);

/* Appends elements to a run. */
bool runs_extend(const struct runs *runs, struct run *run, const unsigned char *elements,
                 size_t count);

/* Appends a block, or the last part of one, whose last element this is. The run consists of whole blocks before. */
bool runs_add_block(const struct runs *runs, struct run *run, const unsigned char *last,
                    size_t count);

/* Replaces `count` runs from `at` on by one, which becomes *run. */
void runs_replace(struct runs *runs, size_t at, size_t count, const struct run *run);

void runs_free_run(struct run *run);
void runs_free(struct runs *runs);

/* Returns the number of blocks of a run, and the last element of one of these. */
uint64_t runs_blocks(const struct runs *runs, const struct run *run);
const unsigned char *runs_last(const struct runs *runs, const struct run *run, uint64_t block);

#endif
