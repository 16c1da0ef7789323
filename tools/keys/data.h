/* data.h - key types by name, data by distribution, and checks that do not depend on clsort itself
 *
 * Shared by the tools, clsort-bench and the tests. */
#ifndef CLSORT_TOOLS_DATA_H
#define CLSORT_TOOLS_DATA_H

#include <clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data_type {
    const char *name; /* "u8" .. "f64" */
    clsort_key key;
    size_t size; /* bytes */
};

/* The index-th of the eleven types, NULL past the last; the type of a name or key, NULL if none. */
const struct data_type *data_type_at(size_t index);
const struct data_type *data_type_find(const char *name);
const struct data_type *data_type_of(clsort_key key);

/* Whether keys of the type are floats. */
bool data_type_is_float(const struct data_type *type);

enum data_dist {
    DATA_UNIFORM,  /* every bit random */
    DATA_SORTED,   /* ascending in the type's total order, spread over all of it at random gaps */
    DATA_REVERSED, /* the same, descending */
    DATA_EQUAL,    /* one random value */
    DATA_FEW,      /* 16 distinct random values */
    DATA_ZIPF,     /* rank r with probability proportional to 1/r, ranks scattered over the type */
    DATA_NORMAL,   /* integers: around the middle of the range, sd 1/8 of it; floats: N(0, 1) */
    DATA_ENTROPY2, /* the AND of 2 .. 5 uniform values (Thearling and Smith 1992) */
    DATA_ENTROPY3,
    DATA_ENTROPY4,
    DATA_ENTROPY5,
    DATA_ORGAN_PIPE, /* ascending, then descending */
    DATA_CLUSTERS,   /* 8 intervals, most keys in the first, most of the others in the next, ... */
    DATA_HOT,        /* 9 of 10 keys share their upper half, the rest are uniform */
    DATA_SPECIAL,    /* uniform, with extremes sprinkled in: 0, min, max; NaNs, infinities, +-0 */
    DATA_DIST_COUNT
};

const char *data_dist_name(enum data_dist dist); /* "uniform", "entropy2", ... NULL if unknown */
bool data_dist_find(const char *name, enum data_dist *dist);

/* Fills count keys; the same type, distribution, seed and count give the same bytes everywhere.
 * False, and nothing done, when the distribution is unknown. */
bool data_fill(const struct data_type *type, enum data_dist dist, uint64_t seed, void *keys,
               size_t count);

/* Fills keys with the count elements from index first on of the total that data_fill would make, so
 * that data larger than memory can be made block by block. */
bool data_fill_part(const struct data_type *type, enum data_dist dist, uint64_t seed,
                    uint64_t total, uint64_t first, void *keys, size_t count);

/* A checksum of the multiset of elements (of 1 to 8 bytes): it does not depend on their order, and
 * the sum, modulo 2^64, of the checksums of two parts is the checksum of the whole. */
uint64_t data_checksum(const void *elements, size_t size, size_t count);

/* The key as an unsigned number of the same order (ascending, total order of floats; with numeric,
 * CLSORT_FLOAT_NUMERIC's), written independently of the library so that tests can trust it. */
uint64_t data_ordered(const struct data_type *type, bool numeric, const void *key);

/* The index of the first key that is out of order with the one before it, or count when none is.
 * flags: CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC, as in clsort_desc (so true means descending). */
size_t data_disorder(const struct data_type *type, uint32_t flags, const void *keys, size_t count);

#endif
