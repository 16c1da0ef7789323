/* merge_pieces.c - the merge of sorted pieces, by keys and by indexes: order, stability, and any number of pieces */
#include "bits.h"
#include "merge.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 1000 };

struct element {
    uint64_t order;
    size_t index;
    unsigned char key[8];
};

static int compare(const void *a, const void *b)
{
    const struct element *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts keys stably by data_order, which the tests of clsort-keys compare with the library. indexes:
 * becomes the permutation. */
static void sort(const struct data_type *type, uint32_t flags, unsigned char *keys,
                 uint64_t *indexes, size_t count)
{
    static struct element elements[MAX_COUNT];
    for (size_t i = 0; i < count; i++) {
        elements[i] =
            (struct element){.order = data_order(type, flags, keys + i * type->size), .index = i};
        memcpy(elements[i].key, keys + i * type->size, type->size);
    }
    qsort(elements, count, sizeof elements[0], compare);
    for (size_t i = 0; i < count; i++) {
        memcpy(keys + i * type->size, elements[i].key, type->size);
        indexes[i] = elements[i].index;
    }
}

/* Merges pieces and compares every byte. chunk: the number of keys that are taken at a time. */
static void merges(struct merge *merge, const struct data_type *type, uint32_t flags,
                   enum data_dist dist, size_t count, size_t piece, size_t chunk)
{
    static unsigned char keys[MAX_COUNT * 8], sorted[sizeof keys], expected[sizeof keys],
        merged[sizeof keys];
    static uint64_t indexes[MAX_COUNT], expected_indexes[MAX_COUNT], merged_indexes[MAX_COUNT];
    static uint32_t narrow[MAX_COUNT];
    const size_t size = type->size;
    assert_true(data_fill(type, dist, count + piece, keys, count));
    memcpy(expected, keys, count * size);
    memcpy(sorted, keys, count * size);
    sort(type, flags, expected, expected_indexes, count);
    for (size_t at = 0; at < count; at += piece)
        sort(type, flags, sorted + at * size, indexes + at,
             count - at < piece ? count - at : piece);
    for (size_t i = 0; i < count; i++)
        narrow[i] = (uint32_t)indexes[i];

    merge_start(merge, sorted, count);
    for (size_t at = 0; at < count; at += chunk)
        merge_take(merge, merged + at * size, count - at < chunk ? count - at : chunk);
    assert_memory_equal(merged, expected, count * size);
    for (size_t index_size = 4; index_size <= 8; index_size += 4) {
        merge_start_indexes(merge, keys, index_size == 4 ? (void *)narrow : indexes, index_size,
                            count);
        for (size_t at = 0; at < count; at += chunk)
            merge_take_indexes(merge, merged_indexes + at, count - at < chunk ? count - at : chunk);
        assert_memory_equal(merged_indexes, expected_indexes, count * sizeof *indexes);
    }
}

static void all_types_and_orders(void **state)
{
    (void)state;
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_SPECIAL, DATA_EQUAL, DATA_SORTED,
                                           DATA_REVERSED};
    for (size_t t = 0; data_type_at(t) != NULL; t++) {
        const struct data_type *type = data_type_at(t);
        for (uint32_t flags = 0; flags < 4; flags++) {
            const uint32_t order =
                (flags & 1 ? CLSORT_DESCENDING : 0) |
                (flags & 2 && data_type_is_float(type) ? CLSORT_FLOAT_NUMERIC : 0);
            struct merge *merge = merge_create(type, order, MAX_COUNT, 100);
            assert_non_null(merge);
            for (size_t d = 0; d < sizeof dists / sizeof dists[0]; d++) {
                merges(merge, type, order, dists[d], MAX_COUNT, 100, 64);
                merges(merge, type, order, dists[d], MAX_COUNT - 37, 100, MAX_COUNT);
            }
            merge_destroy(merge);
        }
    }
}

static void all_piece_counts(void **state)
{
    (void)state;
    const struct data_type *type = data_type_find("f32");
    for (size_t piece = 1; piece <= 70; piece++) {
        struct merge *merge = merge_create(type, CLSORT_FLOAT_NUMERIC, 70, piece);
        assert_non_null(merge);
        for (size_t count = 0; count <= 70; count += 7)
            merges(merge, type, CLSORT_FLOAT_NUMERIC, DATA_SPECIAL, count, piece, 3);
        merge_destroy(merge);
    }
    merge_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types_and_orders),
        cmocka_unit_test(all_piece_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
