/* random_arrays.h - the arrays of one call of clsort_enqueue, in host memory and in buffers between canaries
 *
 * Tests of random plans state the size of each array, fill those that the call reads, set what is expected after the
 * call, and compare. */
#ifndef CLSORT_TESTS_RANDOM_ARRAYS_H
#define CLSORT_TESTS_RANDOM_ARRAYS_H

#include "guarded.h"
#include "random_segments.h"

enum {
    KEYS,
    VALUES,
    OFFSETS,
    ENDS,
    KS,
    COUNT,    /* in device memory; the test fills it */
    KEYS_OUT, /* the first output */
    VALUES_OUT,
    INDEX_OUT,
    RESULT,
    SCRATCH,
    ARRAYS
};

struct arrays {
    uint8_t *before[ARRAYS], *after[ARRAYS]; /* the latter as expected, without SCRATCH */
    size_t size[ARRAYS];                     /* in bytes; 0: the array is absent */
    struct guarded buffer[ARRAYS];
};

/* Sets the sizes of the arrays of the segments. */
void arrays_set_segments(struct arrays *arrays, const struct plan *plan, const struct segments *s);

/* Allocates the arrays. Fills the keys, the values and the segments, and the others with some pattern. */
void arrays_fill(struct arrays *arrays, struct random *random, const struct plan *plan,
                 const struct segments *s);

/* Expects all arrays as they are. */
void arrays_expect_unchanged(struct arrays *arrays);

/* Writes element `from` of the input to element `to` of the expected arrays, those of the outputs or, if in_place, of
 * keys and values. Arrays that are absent are left out. */
void arrays_expect_element(struct arrays *arrays, const struct plan *plan, bool in_place, size_t to,
                           size_t from);

/* Creates the buffers. If in_place, keys and values are inputs and outputs. */
void arrays_create(struct arrays *arrays, const struct env *env, enum guarded_memory memory,
                   size_t offset, bool in_place);

/* Sets the members of *io that are buffers. */
void arrays_set_io(const struct arrays *arrays, clsort_io *io);

/* Runs the plan, and waits. */
void run_plan_once(const struct plan *plan, const clsort_io *io, bool out_of_order);

/* Reads an array to `found`. Returns whether its canaries are intact. Otherwise prints that they are not. */
bool arrays_read(const struct arrays *arrays, const struct env *env, size_t i, uint8_t *found);

/* Compares an array that was read. Prints where it differs. */
bool arrays_compare(const struct arrays *arrays, size_t i, const uint8_t *found);

void arrays_release(struct arrays *arrays);

#endif
