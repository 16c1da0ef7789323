/* data.h - the library clsort-keys: key types by name, generated keys, and order checks
 *
 * The tools, clsort-bench and the tests share it. It does not use clsort, so that it can verify
 * results of clsort. */
#ifndef CLSORT_TOOLS_DATA_H
#define CLSORT_TOOLS_DATA_H

#include <clsort.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data_type {
    const char *name; /* "u8" .. "f64" */
    clsort_key key;
    size_t size; /* in bytes */
};

/* Return the type with this index (0 to 10), name or clsort_key; NULL if there is none. */
const struct data_type *data_type_at(size_t index);
const struct data_type *data_type_find(const char *name);
const struct data_type *data_type_of(clsort_key key);

/* Returns whether keys of the type are floats. */
bool data_type_is_float(const struct data_type *type);

enum data_dist {
    DATA_UNIFORM,  /* all bits random */
    DATA_SORTED,   /* ascending, spread over the range of the type with random gaps */
    DATA_REVERSED, /* descending, same keys as DATA_SORTED */
    DATA_EQUAL,    /* one random value */
    DATA_FEW,      /* 16 distinct random values */
    DATA_ZIPF,     /* probability of rank r proportional to 1/r; ranks map to scattered keys */
    DATA_NORMAL,   /* floats: N(0, 1); integers: mean in the middle of the range, sd 1/8 of it */
    DATA_ENTROPY2, /* bitwise AND of 2 to 5 uniform values (Thearling and Smith 1992) */
    DATA_ENTROPY3,
    DATA_ENTROPY4,
    DATA_ENTROPY5,
    DATA_ORGAN_PIPE,    /* ascending, then descending */
    DATA_CLUSTERS,      /* 8 intervals of very different lengths, most keys in the first */
    DATA_HOT,           /* 9 of 10 keys share their upper half; the others are uniform */
    DATA_SPECIAL,       /* uniform, 1 of 8 keys an extreme: 0, min, max; NaNs, infinities, +-0 */
    DATA_NEARLY_SORTED, /* DATA_SORTED after about sqrt(count) swaps of two keys, far apart */
    DATA_RUNS,          /* 16 ascending sequences of the same length, each over the whole range */
    DATA_ROOT_DUPS,     /* i mod sqrt(count) (this one and the next two: Edelkamp and Weiss 2016) */
    DATA_TWO_DUPS,      /* i^2 + count / 2 mod count */
    DATA_EIGHT_DUPS,    /* i^8 + count / 2 mod count */
    DATA_LEFT_ALIGNED,  /* i in the upper 3/8 of the bits, which is where samples may be stored */
    DATA_ALTERNATING,   /* two random values, alternately */
    DATA_EXPO,          /* the number of significant bits is uniform, from 0 to the key width */
    DATA_BITEXP,        /* each bit is 1 with a probability of 1/10 */
    DATA_STAIRS,        /* i / 1000 * 7, modulo 2^width: 1000 equal keys each */
    DATA_SHARED_PREFIX, /* a random upper half that all keys share; the lower half is uniform */
    DATA_RANDOM_RUNS,   /* ascending sequences, their lengths log-uniform from 1 to count / 4 */
    DATA_DIST_COUNT
};

/* Returns the name of a distribution, such as "entropy2"; NULL if it is unknown. */
const char *data_dist_name(enum data_dist dist);

/* Finds a distribution by name. Returns false if there is none. */
bool data_dist_find(const char *name, enum data_dist *dist);

/* Generates count keys. The same type, distribution, seed and count give the same keys on every
 * machine. Returns false and leaves keys unchanged if the distribution is unknown. */
bool data_fill(const struct data_type *type, enum data_dist dist, uint64_t seed, void *keys,
               size_t count);

/* Generates count keys, starting at index first, of the total keys that data_fill would generate.
 * Data larger than memory can thus be generated in blocks. */
bool data_fill_part(const struct data_type *type, enum data_dist dist, uint64_t seed,
                    uint64_t total, uint64_t first, void *keys, size_t count);

/* Returns a checksum of the multiset of elements, each of 1 to 8 bytes. It does not depend on their
 * order. The checksum of a whole is the sum of the checksums of its parts modulo 2^64. */
uint64_t data_checksum(const void *elements, size_t size, size_t count);

/* Maps a key to its ordered key, an unsigned number. Floats are in IEEE total order, or with
 * numeric in the order of CLSORT_FLOAT_NUMERIC. The code is independent of the library, so that
 * tests can compare both. */
uint64_t data_ordered(const struct data_type *type, bool numeric, const void *key);

/* Returns a number that ascends along keys that are sorted with these flags, and that is the same
 * for equal keys. flags: CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC, as in clsort_desc. */
uint64_t data_order(const struct data_type *type, uint32_t flags, const void *key);

/* Returns the index of the first key that is out of order with its predecessor; count if the keys
 * are in order. flags: CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC, as in clsort_desc. */
size_t data_disorder(const struct data_type *type, uint32_t flags, const void *keys, size_t count);

/* Copies the keys that precede `limit` when they are sorted with these flags or, if is_from_end, those that follow it.
 * They keep their order. From the end, keys that are equal to the limit are copied, too, unless they are identical. to:
 * space for count keys, aligned to their size. Returns the number of keys that are copied. */
size_t data_filter(const struct data_type *type, uint32_t flags, void *to, const void *keys,
                   size_t count, const void *limit, bool is_from_end);

#endif
