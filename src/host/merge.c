/* merge.c - merges two sorted runs in host memory, on all cores
 *
 * The output is divided into parts of equal size by co-ranks (as in cl/merge/co_rank.cl), one for
 * each thread. */
#include "host/merge.h"

#include "base/platform.h"
#include "host/key.h"

#include <pthread.h>

enum {
    MAX_THREADS = 64,
    MIN_PART = 1 << 14 /* outputs for which creating a thread pays off */
};

struct cls_host_elements cls_host_elements_at(const struct cls_spec *spec,
                                              struct cls_host_elements elements, size_t i)
{
    return (struct cls_host_elements){
        (char *)elements.keys + i * spec->key_bytes,
        spec->value_bytes > 0 ? (char *)elements.values + i * spec->value_bytes : NULL};
}

void cls_host_copy(const struct cls_spec *spec, struct cls_host_elements from,
                   struct cls_host_elements to, size_t count)
{
    memcpy(to.keys, from.keys, count * spec->key_bytes);
    if (spec->value_bytes > 0)
        memcpy(to.values, from.values, count * spec->value_bytes);
}

/* A merge of the elements [a, a_end) of one run and [b, b_end) of another. */
struct merge {
    const struct cls_spec *spec;
    const char *a, *a_end, *b, *b_end; /* keys */
    const char *a_values, *b_values;
    char *to, *to_values;
};

/* The part of the output that one thread writes: two merges, which are interleaved, since the next
 * keys of a merge depend on its last comparison. */
struct part {
    struct merge merges[2];
};

/* The two runs and their output. */
struct runs {
    const struct cls_spec *spec;
    struct cls_host_elements a, b, to;
    size_t a_count, b_count;
};

static uint64_t ordered_key_at(const struct cls_spec *spec, struct cls_host_elements elements,
                               size_t i)
{
    return cls_host_ordered_key(spec, (const char *)elements.keys + i * spec->key_bytes);
}

/* Returns how many of the first `rank` outputs come from a. */
static size_t co_rank(const struct runs *all, size_t rank)
{
    size_t low = rank > all->b_count ? rank - all->b_count : 0;
    size_t high = rank < all->a_count ? rank : all->a_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ordered_key_at(all->spec, all->b, rank - 1 - middle) <
            ordered_key_at(all->spec, all->a, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Writes the next output, without a branch that depends on the keys. Both runs must have elements
 * left. */
static inline void merge_next(struct merge *merge, size_t key_bytes, size_t value_bytes)
{
    struct cls_spec spec = *merge->spec;
    spec.key_bytes = (unsigned)key_bytes;
    const uint64_t a = cls_host_ordered_key(&spec, merge->a);
    const uint64_t b = cls_host_ordered_key(&spec, merge->b);
    const size_t is_b = b < a, is_a = 1 - is_b;
    const char *const keys[] = {merge->a, merge->b};
    memcpy(merge->to, keys[is_b], key_bytes);
    merge->a += is_a * key_bytes;
    merge->b += is_b * key_bytes;
    merge->to += key_bytes;
    if (value_bytes > 0) {
        const char *const values[] = {merge->a_values, merge->b_values};
        memcpy(merge->to_values, values[is_b], value_bytes);
        merge->a_values += is_a * value_bytes;
        merge->b_values += is_b * value_bytes;
        merge->to_values += value_bytes;
    }
}

/* Returns a number of outputs during which no run can end. */
static inline size_t min_left(const struct merge *merge, size_t key_bytes)
{
    const size_t a = (size_t)(merge->a_end - merge->a), b = (size_t)(merge->b_end - merge->b);
    return (a < b ? a : b) / key_bytes;
}

/* Merges until a run ends, and copies the rest of the other one. */
static inline void finish(struct merge merge, size_t key_bytes, size_t value_bytes)
{
    while (min_left(&merge, key_bytes) > 0)
        merge_next(&merge, key_bytes, value_bytes);
    const size_t a_bytes = (size_t)(merge.a_end - merge.a);
    const size_t b_bytes = (size_t)(merge.b_end - merge.b);
    memcpy(merge.to, a_bytes > 0 ? merge.a : merge.b, a_bytes + b_bytes);
    if (value_bytes > 0)
        memcpy(merge.to_values, a_bytes > 0 ? merge.a_values : merge.b_values,
               (a_bytes + b_bytes) / key_bytes * value_bytes);
}

/* Callers pass constant sizes, so that the compiler replaces memcpy by moves. */
static inline void merge_both(const struct part *part, size_t key_bytes, size_t value_bytes)
{
    struct merge x = part->merges[0], y = part->merges[1];
    for (;;) {
        const size_t left_x = min_left(&x, key_bytes), left_y = min_left(&y, key_bytes);
        const size_t left = left_x < left_y ? left_x : left_y;
        if (left == 0)
            break;
        for (size_t i = 0; i < left; i++) {
            merge_next(&x, key_bytes, value_bytes);
            merge_next(&y, key_bytes, value_bytes);
        }
    }
    finish(x, key_bytes, value_bytes);
    finish(y, key_bytes, value_bytes);
}

static inline void merge_keys_of(const struct part *part, size_t key_bytes)
{
    const size_t value_bytes = part->merges[0].spec->value_bytes;
    switch (value_bytes) {
    case 0:
        merge_both(part, key_bytes, 0);
        break;
    case 4:
        merge_both(part, key_bytes, 4);
        break;
    case 8:
        merge_both(part, key_bytes, 8);
        break;
    default:
        merge_both(part, key_bytes, value_bytes);
    }
}

static void *merge_part(void *data)
{
    const struct part *part = data;
    switch (part->merges[0].spec->key_bytes) {
    case 1:
        merge_keys_of(part, 1);
        break;
    case 2:
        merge_keys_of(part, 2);
        break;
    case 4:
        merge_keys_of(part, 4);
        break;
    default:
        merge_keys_of(part, 8);
    }
    return NULL;
}

/* Returns the merge whose outputs are [first, end). */
static struct merge merge_of(const struct runs *all, size_t first, size_t end)
{
    const struct cls_spec *spec = all->spec;
    const size_t a = co_rank(all, first), a_end = co_rank(all, end);
    const struct cls_host_elements from_a = cls_host_elements_at(spec, all->a, a),
                                   from_b = cls_host_elements_at(spec, all->b, first - a),
                                   to = cls_host_elements_at(spec, all->to, first);
    const size_t a_count = a_end - a, b_count = end - first - a_count;
    return (struct merge){.spec = spec,
                          .a = from_a.keys,
                          .a_end = (const char *)from_a.keys + a_count * spec->key_bytes,
                          .b = from_b.keys,
                          .b_end = (const char *)from_b.keys + b_count * spec->key_bytes,
                          .a_values = from_a.values,
                          .b_values = from_b.values,
                          .to = to.keys,
                          .to_values = to.values};
}

void cls_host_merge(const struct cls_spec *spec, struct cls_host_elements from, size_t middle,
                    size_t count, struct cls_host_elements to)
{
    const struct runs all = {.spec = spec,
                             .a = from,
                             .b = cls_host_elements_at(spec, from, middle),
                             .to = to,
                             .a_count = middle,
                             .b_count = count - middle};
    struct part parts[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    bool started[MAX_THREADS] = {false};
    size_t used = cls_cores();
    if (used > MAX_THREADS)
        used = MAX_THREADS;
    if (used > count / MIN_PART)
        used = count / MIN_PART > 0 ? count / MIN_PART : 1;
    for (size_t i = 0; i < used; i++) {
        const size_t first = i * (count / used);
        const size_t end = i + 1 < used ? first + count / used : count;
        const size_t half = first + (end - first) / 2;
        parts[i] = (struct part){{merge_of(&all, first, half), merge_of(&all, half, end)}};
        started[i] = i + 1 < used && pthread_create(&threads[i], NULL, merge_part, &parts[i]) == 0;
        if (!started[i])
            merge_part(&parts[i]);
    }
    for (size_t i = 0; i < used; i++)
        if (started[i])
            pthread_join(threads[i], NULL);
}
