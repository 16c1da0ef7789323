/* random_segments.h - random keys and segments, for the tests of segmented sorts and of selections from segments */
#ifndef CLSORT_TESTS_RANDOM_SEGMENTS_H
#define CLSORT_TESTS_RANDOM_SEGMENTS_H

#include "check.h"
#include "env.h"
#include "sort_data.h"

#include "custom_order.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* -- random numbers ---------------------------------------------------------------------------- */

struct random {
    uint64_t state;
};

uint64_t next(struct random *random);

/* Returns a number below `end`. */
size_t below(struct random *random, size_t end);
bool one_in(struct random *random, size_t n);

/* Returns a number from 0 to 2^power whose number of bits is uniform. */
size_t some_size(struct random *random, unsigned power);

/* -- plans and segments ------------------------------------------------------------------------ */

struct plan {
    const struct env *env;
    clsort_desc desc;
    const struct data_type *type; /* of built-in keys */
    const struct custom_order *custom;
    size_t key_size, index_size;
    clsort_plan *plan;
};

/* A plan, and the random numbers of its calls. */
struct random_plan {
    struct random random;
    struct plan plan;
};

/* Sets the key type, the order and the bits of the descriptor. What programs depend on comes from `programs`. */
void draw_key(struct random *programs, struct random *random, struct plan *plan);

struct range {
    uint64_t begin, end;
};

struct segments {
    size_t count; /* elements */
    size_t number;
    struct range *given;  /* as the caller states them */
    struct range *sorted; /* those that are sorted: in order, within the array, and disjoint */
    uint64_t clamped;
};

/* Draws at most 2^max_power elements and their segments. Some offsets are wrong. The caller frees the segments. */
void draw_segments(struct random *random, const struct plan *plan, unsigned max_power,
                   struct segments *s);
void free_segments(struct segments *s);

/* Store and load an index of 4 or 8 bytes. */
void store_index(uint64_t index, size_t size, uint8_t *at);
uint64_t load_index(size_t size, const uint8_t *at);
void fill_keys(struct random *random, const struct plan *plan, size_t count, uint8_t *keys);

/* Returns the indexes of n keys in their order, by a plain reference, or in any order if `less` is no strict weak
 * order. The caller frees them. */
size_t *segment_order(const struct plan *plan, const uint8_t *keys, size_t n);

#endif
