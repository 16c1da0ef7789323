/* host_records.c - clsort_host for records and byte strings: in the calling thread, on the device and in pieces */
#include "check.h"
#include "env.h"
#include "reference.h"

#include "bits.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 3, MAX_COUNT = 40000 };

/* The calling thread sorts all but the last one. */
static const size_t counts[] = {0, 1, 2, 16, 17, 300, 5000, MAX_COUNT};

struct layout {
    size_t record_size; /* 0: byte strings, which the first column describes */
    size_t column_count;
    clsort_column columns[MAX_COLUMNS];
};

static const struct layout layouts[] = {
    {100, 1, {{CLSORT_BYTES, 0, 10, 0}}},
    {32, 1, {{CLSORT_F32, CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC, 0, 0}}},
    {21,
     3,
     {{CLSORT_U32, 0, 0, 3},
      {CLSORT_F64, CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_BIG_ENDIAN, 0, 8},
      {CLSORT_I8, 0, 0, 0}}},
    {41,
     3,
     {{CLSORT_BYTES, CLSORT_DESCENDING, 13, 5},
      {CLSORT_U16, CLSORT_BIG_ENDIAN, 0, 39},
      {CLSORT_I64, CLSORT_DESCENDING, 0, 21}}},
    {3, 1, {{CLSORT_U8, 0, 0, 1}}},
    {0, 1, {{CLSORT_BYTES, 0, 16, 0}}},
    {0, 1, {{CLSORT_BYTES, CLSORT_DESCENDING, 19, 0}}},
};

/* How many records are equal in how many columns. */
enum kind { RANDOM, FEW, EQUAL, SORTED, KINDS };

struct records {
    const struct layout *layout;
    size_t size, count;
    uint8_t *given, *found, *indexes;
    size_t *order; /* the expected permutation */
};

/* -- the reference ----------------------------------------------------------------------------- */

static int compare_numbers(const clsort_column *column, const uint8_t *a, const uint8_t *b)
{
    const struct data_type *type = data_type_of(column->key);
    const struct reference reference = {type, column->flags & ~CLSORT_BIG_ENDIAN, 0, 0};
    uint8_t keys[2][8];
    const uint8_t one[2] = {1, 0};
    uint16_t probe;
    memcpy(&probe, one, sizeof probe);
    const bool is_swapped = (column->flags & CLSORT_BIG_ENDIAN) != 0 && probe == 1;
    for (size_t i = 0; i < type->size; i++) {
        const size_t from = column->offset + (is_swapped ? type->size - 1 - i : i);
        keys[0][i] = a[from];
        keys[1][i] = b[from];
    }
    const uint64_t x = reference_rank(&reference, keys[0]), y = reference_rank(&reference, keys[1]);
    return (x > y) - (x < y);
}

static const struct records *compared; /* qsort has no context */

static int compare(const void *a, const void *b)
{
    const size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const struct layout *layout = compared->layout;
    const uint8_t *x = compared->given + i * compared->size,
                  *y = compared->given + j * compared->size;
    for (size_t c = 0; c < layout->column_count; c++) {
        const clsort_column *column = &layout->columns[c];
        int order;
        if (column->key == CLSORT_BYTES) {
            order = memcmp(x + column->offset, y + column->offset, column->key_size);
            order = column->flags & CLSORT_DESCENDING ? -order : order;
        } else
            order = compare_numbers(column, x, y);
        if (order != 0)
            return order;
    }
    return (i > j) - (i < j);
}

/* -- records ----------------------------------------------------------------------------------- */

static void fill(const struct records *records, enum kind kind)
{
    uint64_t random = 7;
    for (size_t i = 0; i < records->count * records->size; i++) {
        const uint64_t bits = bits_mix(random += BITS_GAMMA);
        records->given[i] = (uint8_t)(kind == RANDOM ? bits : kind == FEW ? bits % 16 == 0 : 5);
    }
    if (kind !=
        EQUAL) /* bytes in no column, or the last ones of the key, differ from record to record */
        return;
    for (size_t i = 0; i < records->count; i++)
        records->given[(i + 1) * records->size - 1] = (uint8_t)(i % 251);
}

static struct records make_records(const struct layout *layout, size_t count, enum kind kind)
{
    const size_t size = layout->record_size > 0 ? layout->record_size : layout->columns[0].key_size;
    struct records records = {layout,
                              size,
                              count,
                              malloc(count * size + 1),
                              malloc(count * size + 1),
                              malloc(count * 8 + 1),
                              malloc((count + 1) * sizeof *records.order)};
    assert_non_null(records.given);
    assert_non_null(records.found);
    assert_non_null(records.indexes);
    assert_non_null(records.order);
    fill(&records, kind);
    for (size_t i = 0; i < count; i++)
        records.order[i] = i;
    compared = &records;
    qsort(records.order, count, sizeof *records.order, compare);
    for (size_t i = 0; i < count && kind == SORTED; i++)
        memcpy(records.found + i * size, records.given + records.order[i] * size, size);
    if (kind == SORTED) {
        memcpy(records.given, records.found, count * size);
        for (size_t i = 0; i < count; i++)
            records.order[i] = i;
    }
    memcpy(records.found, records.given, count * size);
    return records;
}

static void free_records(const struct records *records)
{
    free(records->given);
    free(records->found);
    free(records->indexes);
    free(records->order);
}

static clsort_desc desc_of(const struct layout *layout, uint32_t index_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.record_size = layout->record_size;
    if (layout->record_size > 0) {
        desc.columns = layout->columns;
        desc.column_count = layout->column_count;
    } else {
        desc.key = CLSORT_BYTES;
        desc.key_size = layout->columns[0].key_size;
        desc.flags = layout->columns[0].flags;
    }
    desc.operation = index_size > 0 ? CLSORT_ARGSORT : CLSORT_SORT;
    desc.index_size = index_size;
    return desc;
}

static void check_sort(clsort_engine *engine, const struct layout *layout, size_t count,
                       enum kind kind, uint32_t index_size)
{
    const struct records records = make_records(layout, count, kind);
    const clsort_desc desc = desc_of(layout, index_size);
    const size_t size = records.size;
    assert_ok(clsort_host(engine, NULL, &desc, count, records.found,
                          index_size > 0 ? records.indexes : NULL));
    for (size_t i = 0; i < count; i++) {
        uint32_t narrow = 0;
        uint64_t wide = 0;
        const size_t from = index_size > 0 ? i : records.order[i]; /* an argsort reads only */
        assert_memory_equal(records.found + i * size, records.given + from * size, size);
        if (index_size == 0)
            continue;
        memcpy(index_size == 4 ? (void *)&narrow : (void *)&wide, records.indexes + i * index_size,
               index_size);
        assert_int_equal(narrow + wide, records.order[i]);
    }
    free_records(&records);
}

/* -- results ----------------------------------------------------------------------------------- */

static void sorts(void **state)
{
    const struct env *env = *state;
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int kind = 0; kind < KINDS; kind++) {
                const uint32_t index_size = kind % 2 == 0 ? 4 : 8;
                check_sort(env->engine, &layouts[l], counts[c], (enum kind)kind, 0);
                check_sort(env->engine, &layouts[l], counts[c], (enum kind)kind, index_size);
            }
}

static void without_device(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (int kind = 0; kind < KINDS; kind++) {
            check_sort(NULL, &layouts[l], MAX_COUNT, (enum kind)kind, 0);
            check_sort(NULL, &layouts[l], MAX_COUNT, (enum kind)kind, 4);
        }
}

/* The description has the records, and says where they are sorted. */
static void describes(void **state)
{
    const struct env *env = *state;
    const clsort_desc desc = desc_of(&layouts[0], 0);
    const char *max_alloc = getenv("CLSORT_MAX_ALLOC");
    char text[1024];
    assert_ok(clsort_host_describe(env->engine, &desc, 10, sizeof text, text, NULL));
    assert_non_null(strstr(text, "host records of 100 bytes by 10 bytes at 0: too few"));
    assert_ok(clsort_host_describe(env->engine, &desc, MAX_COUNT, sizeof text, text, NULL));
    assert_non_null(strstr(text, "records of 100 bytes by 10 bytes at 0"));
    assert_true((strstr(text, "in 20 pieces, merged on the host") != NULL) ==
                (max_alloc && strcmp(max_alloc, "200000") == 0));
}

static void first(void **state)
{
    const struct env *env = *state;
    const clsort_desc desc = desc_of(&layouts[0], 0);
    int is_first = 0;
    assert_ok(clsort_host_first(env->engine, &desc, 10, &is_first));
    assert_int_equal(is_first, 1);
    check_sort(env->engine, &layouts[0], MAX_COUNT, RANDOM,
               0); /* compiles and tests the programs */
    assert_ok(clsort_host_first(env->engine, &desc, MAX_COUNT, &is_first));
    assert_int_equal(is_first, 0);
}

/* -- errors ------------------------------------------------------------------------------------ */

static void refusals(void **state)
{
    const struct env *env = *state;
    static const clsort_column outside = {CLSORT_U32, 0, 0, 29}, lone = {CLSORT_U32, 0, 0, 0};
    uint8_t records[64] = {1}, indexes[16];
    clsort_desc desc = desc_of(&layouts[1], 0);
    desc.columns = &outside;
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, NULL), CLSORT_E_COLUMNS);
    desc = desc_of(&layouts[1], 0);
    desc.operation = CLSORT_UNIQUE;
    assert_int_not_equal(clsort_host(env->engine, NULL, &desc, 2, records, NULL), CLSORT_OK);
    desc = desc_of(&layouts[1], 0);
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, indexes), CLSORT_E_ARGUMENT);
    assert_status(clsort_host(env->engine, NULL, &desc, 2, NULL, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_host(env->engine, NULL, &desc, SIZE_MAX / 64, records, NULL),
                  CLSORT_E_COUNT);
    desc.max_count = 1;
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, NULL), CLSORT_E_COUNT);
    desc = desc_of(&layouts[1], 4);
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, NULL), CLSORT_E_ARGUMENT);
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, records + 8), CLSORT_E_OVERLAP);
    desc.columns = &lone;
    desc.record_size = 0; /* a buffer for each column */
    assert_status(clsort_host(env->engine, NULL, &desc, 2, records, indexes), CLSORT_E_UNSUPPORTED);
    assert_int_equal(records[0], 1);
    assert_status(clsort_array(CLSORT_BYTES, records, 2), CLSORT_E_KEY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts), cmocka_unit_test(without_device), cmocka_unit_test(describes),
        cmocka_unit_test(first), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
