/* host_segments.c - clsort_host_segments and clsort_array_sort_rows: segments of host arrays
 *
 * Each segment is compared with a stable sort by the reference, and elements in no segment must not change. */
#include "check.h"
#include "env.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Below and above the count up to which the calling thread sorts. */
enum { FEW = 5000, MANY = 60000 };

/* With small buffers, some segments exceed a buffer, and others fit in one together. */
enum { LONG = 250000 };

struct range {
    uint64_t begin, end;
};

struct sort {
    const struct data_type *type;
    uint32_t operation, flags, segments, index_size;
    size_t count, value_size; /* value_size: CLSORT_ARGSORT: of an index */
    size_t number;            /* of segments */
    struct range *ranges;     /* those that are sorted, in ascending order */
    bool is_misaligned;
};

/* -- segments ---------------------------------------------------------------------------------- */

/* Makes segments of many lengths. Forms with offsets begin at the element 3. Only begins and ends have gaps. */
static void make_ranges(struct sort *sort)
{
    static const size_t few[] = {0, 1, 2, 30, 5, 600, 0, 7, 3000, 64, 1, 33},
                        many[] = {5,    70000, 3, 20000, 9000,  9000, 9000,
                                  9000, 4000,  0, 1,     60000, 2,    200};
    const bool is_long = sort->count == LONG;
    const size_t *lengths = is_long ? many : few, number = is_long ? LENGTH(many) : LENGTH(few);
    sort->ranges = malloc((sort->count + 1) * sizeof *sort->ranges);
    assert_non_null(sort->ranges);
    sort->number = 0;
    uint64_t at = 3;
    if (sort->segments == CLSORT_ROWS) {
        sort->number = 20;
        for (size_t i = 0; i < sort->number; i++)
            sort->ranges[i] = (struct range){i * sort->count / 20, (i + 1) * sort->count / 20};
        return;
    }
    for (size_t i = 0; at + lengths[i % number] + 9 < sort->count; i++) {
        sort->ranges[i] = (struct range){at, at + lengths[i % number]};
        at = sort->ranges[i].end + (sort->segments == CLSORT_BEGIN_END ? i % 3 : 0);
        sort->number++;
    }
}

static void store(uint64_t offset, size_t size, uint8_t *at)
{
    const uint32_t narrow = (uint32_t)offset;
    memcpy(at, size == 4 ? (const void *)&narrow : &offset, size);
}

/* Stores offsets, or begins and ends in an order that is not ascending. */
static void store_segments(const struct sort *sort, uint8_t *offsets, uint8_t *ends)
{
    const size_t n = sort->number, size = sort->index_size;
    for (size_t i = 0; i < n; i++) {
        const size_t to = sort->segments == CLSORT_BEGIN_END ? n - 1 - i : i;
        store(sort->ranges[i].begin, size, offsets + to * size);
        store(sort->ranges[i].end, size, ends + to * size);
    }
    if (sort->segments == CLSORT_OFFSETS)
        store(n > 0 ? sort->ranges[n - 1].end : 3, size, offsets + n * size);
}

/* -- sorts ------------------------------------------------------------------------------------- */

struct arrays {
    uint8_t *memory[4]; /* keys, values, offsets, ends */
    uint8_t *at[4];     /* in memory, possibly misaligned */
    uint8_t *keys, *values;
};

static uint8_t *allocate(size_t bytes)
{
    uint8_t *memory = calloc(bytes + 16, 1);
    assert_non_null(memory);
    return memory;
}

static void make_arrays(const struct sort *sort, struct arrays *arrays)
{
    const size_t sizes[4] = {sort->count * sort->type->size, sort->count * sort->value_size,
                             (sort->number + 1) * sort->index_size,
                             sort->number * sort->index_size};
    for (size_t i = 0; i < 4; i++) {
        arrays->memory[i] = allocate(sizes[i]);
        arrays->at[i] = arrays->memory[i] + sort->is_misaligned;
    }
    arrays->keys = allocate(sizes[0]);
    arrays->values = allocate(sizes[1]);
    assert_true(data_fill(sort->type, DATA_FEW, sort->count, arrays->keys, sort->count));
    for (size_t i = 0; i < sort->count; i++)
        reference_value(i, sort->value_size, arrays->values + i * sort->value_size);
    memcpy(arrays->at[0], arrays->keys, sizes[0]);
    memcpy(arrays->at[1], arrays->values, sizes[1]);
    store_segments(sort, arrays->at[2], arrays->at[3]);
}

static void free_arrays(struct arrays *arrays)
{
    for (size_t i = 0; i < 4; i++)
        free(arrays->memory[i]);
    free(arrays->keys);
    free(arrays->values);
}

static void call(const struct sort *sort, clsort_engine *engine, const struct arrays *arrays)
{
    const bool has_offsets = sort->segments != CLSORT_ROWS,
               has_ends = sort->segments == CLSORT_BEGIN_END;
    uint64_t clamped = 77;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = sort->operation;
    desc.key = sort->type->key;
    desc.flags = sort->flags;
    desc.value_size = sort->operation == CLSORT_ARGSORT ? 0 : sort->value_size;
    desc.segments = sort->segments;
    if (has_offsets || sort->operation == CLSORT_ARGSORT)
        desc.index_size = sort->index_size;
    assert_ok(clsort_host_segments(engine, NULL, &desc, sort->count, arrays->at[0],
                                   sort->value_size > 0 ? arrays->at[1] : NULL, sort->number,
                                   has_offsets ? arrays->at[2] : NULL,
                                   has_ends ? arrays->at[3] : NULL, &clamped));
    assert_int_equal(clamped, 0);
}

/* Sorts a segment of the expected arrays, which are still the input there. */
static void expect_segment(const struct sort *sort, const struct arrays *arrays, struct range range,
                           uint8_t *keys, uint8_t *values)
{
    const size_t begin = (size_t)range.begin, n = (size_t)range.end - begin, key = sort->type->size,
                 value = sort->value_size;
    const struct reference reference = {sort->type, sort->flags, 0, 0};
    size_t *order = malloc((n + 1) * sizeof *order);
    assert_non_null(order);
    assert_true(reference_order(&reference, arrays->keys + begin * key, n, order));
    for (size_t i = 0; i < n; i++) {
        const size_t from = begin + order[i], to = begin + i;
        if (sort->operation == CLSORT_ARGSORT) {
            store(from, value, values + to * value);
            continue;
        }
        memcpy(keys + to * key, arrays->keys + from * key, key);
        memcpy(values + to * value, arrays->values + from * value, value);
    }
    free(order);
}

static void run(const struct sort *sort, clsort_engine *engine)
{
    struct arrays arrays;
    make_arrays(sort, &arrays);
    uint8_t *keys = allocate(sort->count * sort->type->size);
    uint8_t *values = allocate(sort->count * sort->value_size);
    memcpy(keys, arrays.keys, sort->count * sort->type->size);
    memcpy(values, arrays.values, sort->count * sort->value_size);
    for (size_t i = 0; i < sort->number; i++)
        expect_segment(sort, &arrays, sort->ranges[i], keys, values);
    call(sort, engine, &arrays);
    assert_memory_equal(arrays.at[0], keys, sort->count * sort->type->size);
    assert_memory_equal(arrays.at[1], values, sort->count * sort->value_size);
    free(keys);
    free(values);
    free_arrays(&arrays);
}

/* -- results ----------------------------------------------------------------------------------- */

static void all_forms(void **state)
{
    const struct env *env = *state;
    static const struct {
        clsort_key key;
        uint32_t operation, flags, index_size;
        size_t value_size;
    } kinds[] = {{CLSORT_U32, CLSORT_SORT, 0, 4, 0},
                 {CLSORT_F64, CLSORT_SORT, CLSORT_DESCENDING, 8, 0},
                 {CLSORT_I16, CLSORT_SORT, CLSORT_DESCENDING, 4, 4},
                 {CLSORT_U64, CLSORT_SORT, 0, 8, 40},
                 {CLSORT_F32, CLSORT_ARGSORT, CLSORT_FLOAT_NUMERIC, 4, 4},
                 {CLSORT_U8, CLSORT_ARGSORT, CLSORT_DESCENDING, 8, 8}};
    static const size_t counts[] = {0, 1, 20, FEW, MANY, LONG};
    for (size_t k = 0; k < LENGTH(kinds); k++)
        for (uint32_t form = CLSORT_ROWS; form <= CLSORT_BEGIN_END; form++)
            for (size_t c = form == CLSORT_ROWS ? 2 : 0; c < LENGTH(counts); c++) {
                struct sort sort = {.type = data_type_of(kinds[k].key),
                                    .operation = kinds[k].operation,
                                    .flags = kinds[k].flags,
                                    .segments = form,
                                    .index_size = kinds[k].index_size,
                                    .count = counts[c],
                                    .value_size = kinds[k].value_size};
                make_ranges(&sort);
                run(&sort, env->engine);
                run(&sort, NULL);
                sort.is_misaligned = counts[c] == MANY;
                if (sort.is_misaligned)
                    run(&sort, env->engine);
                free(sort.ranges);
            }
}

static void rows_of_an_array(void **state)
{
    static int32_t keys[300][200];
    (void)state;
    for (int32_t row = 0; row < 300; row++)
        for (int32_t i = 0; i < 200; i++)
            keys[row][i] = row - 7 * i % 200;
    assert_ok(clsort_array_sort_rows(CLSORT_I32, keys, 300, 200)); /* on the device */
    assert_ok(clsort_array_sort_rows(CLSORT_I32, keys, 3, 200));
    for (int32_t row = 0; row < 300; row++)
        for (int32_t i = 0; i < 200; i++)
            assert_int_equal(keys[row][i], row - 199 + i);
    assert_ok(clsort_array_sort_rows(CLSORT_I32, NULL, 0, 200));
    assert_ok(clsort_array_sort_rows(CLSORT_I32, NULL, 300, 0));
    assert_status(clsort_array_sort_rows(CLSORT_I32, NULL, 3, 2), CLSORT_E_ARGUMENT);
    assert_status(clsort_array_sort_rows(CLSORT_CUSTOM, keys, 3, 2), CLSORT_E_KEY);
    assert_status(clsort_array_sort_rows(CLSORT_I32, keys, SIZE_MAX / 2, 3), CLSORT_E_COUNT);
    assert_status(clsort_array_sort_rows(CLSORT_U64, keys, SIZE_MAX / 4, 2), CLSORT_E_COUNT);
}

/* Sorts descending keys in segments that overlap or exceed the array, in the calling thread and on the device. */
static void clamps(void **state)
{
    const struct env *env = *state;
    static const struct {
        uint32_t segments;
        uint64_t offsets[4], ends[3]; /* of three segments */
        uint64_t clamped;
        struct range sorted[3];
    } cases[] = {
        {CLSORT_OFFSETS, {100, 200, 150, MANY + 5}, {0}, 2, {{100, 200}, {200, 200}, {200, MANY}}},
        {CLSORT_OFFSETS, {UINT64_MAX, 9, 50, 60}, {0}, 1, {{MANY, MANY}, {9, 50}, {50, 60}}},
        {CLSORT_BEGIN_END,
         {500, 100, 300},
         {600, 400, 350},
         1,
         {{100, 400}, {400, 400}, {500, 600}}},
        {CLSORT_BEGIN_END, {100, 100, 50}, {200, 90, UINT64_MAX}, 3, {{50, MANY}, {0, 0}, {0, 0}}},
    };
    for (size_t c = 0; c < LENGTH(cases); c++)
        for (int on_device = 0; on_device < 2; on_device++) {
            static uint32_t keys[MANY];
            uint64_t clamped = 77;
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.segments = cases[c].segments;
            for (uint32_t i = 0; i < MANY; i++)
                keys[i] = MANY - i;
            assert_ok(clsort_host_segments(
                on_device ? env->engine : NULL, NULL, &desc, MANY, keys, NULL, 3, cases[c].offsets,
                desc.segments == CLSORT_BEGIN_END ? cases[c].ends : NULL, &clamped));
            assert_int_equal(clamped, cases[c].clamped);
            for (uint32_t i = 0; i < MANY; i++) {
                uint64_t expected = MANY - i;
                for (size_t s = 0; s < 3; s++)
                    if (i >= cases[c].sorted[s].begin && i < cases[c].sorted[s].end)
                        expected =
                            MANY - (cases[c].sorted[s].begin + cases[c].sorted[s].end - 1 - i);
                assert_int_equal(keys[i], expected);
            }
        }
}

/* -- arguments --------------------------------------------------------------------------------- */

static clsort_status call_with(clsort_engine *engine, clsort_desc change, size_t count, void *keys,
                               void *values, size_t number, const void *offsets, const void *ends)
{
    uint64_t clamped = 77;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.operation = change.operation;
    desc.flags = change.flags;
    desc.value_size = change.value_size;
    desc.algorithm = change.algorithm;
    desc.segments = change.segments;
    desc.max_segments = change.max_segments;
    desc.index_size = change.index_size;
    const clsort_status status = clsort_host_segments(engine, NULL, &desc, count, keys, values,
                                                      number, offsets, ends, &clamped);
    if (status != CLSORT_OK)
        assert_int_equal(clamped, 0);
    return status;
}

static void bad_arguments(void **state)
{
    const struct env *env = *state;
    static const uint64_t offsets[] = {0, 2, 4};
    uint32_t keys[4] = {4, 3, 2, 1}, values[4] = {0};
    const struct {
        clsort_desc change;
        size_t count;
        void *keys, *values;
        size_t number;
        const void *offsets, *ends;
        clsort_status expected;
    } cases[] = {
        {{.segments = CLSORT_WHOLE}, 4, keys, NULL, 0, NULL, NULL, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_ROWS}, 4, keys, NULL, 3, NULL, NULL, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_ROWS}, 4, keys, NULL, 0, NULL, NULL, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_ROWS}, 4, keys, NULL, 2, offsets, NULL, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_OFFSETS}, 4, keys, NULL, 2, offsets, offsets, CLSORT_E_SEGMENTS},
        {{.segments = CLSORT_OFFSETS}, 4, keys, NULL, 2, NULL, NULL, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_BEGIN_END}, 4, keys, NULL, 2, offsets, NULL, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_OFFSETS}, 4, NULL, NULL, 2, offsets, NULL, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_OFFSETS}, 4, keys, values, 2, offsets, NULL, CLSORT_E_ARGUMENT},
        {{.segments = CLSORT_OFFSETS}, 4, keys, NULL, SIZE_MAX / 8, offsets, NULL, CLSORT_E_COUNT},
        {{.segments = CLSORT_OFFSETS, .max_segments = 1},
         4,
         keys,
         NULL,
         2,
         offsets,
         NULL,
         CLSORT_E_COUNT},
        {{.segments = CLSORT_OFFSETS}, 4, keys, NULL, 1, keys, NULL, CLSORT_E_OVERLAP},
        {{.segments = CLSORT_OFFSETS, .value_size = 4},
         4,
         keys,
         values,
         1,
         values,
         NULL,
         CLSORT_E_OVERLAP},
        {{.segments = CLSORT_BEGIN_END}, 4, keys, NULL, 1, offsets, keys, CLSORT_E_OVERLAP},
        {{.segments = CLSORT_ROWS, .value_size = 4},
         4,
         keys,
         keys + 1,
         1,
         NULL,
         NULL,
         CLSORT_E_OVERLAP},
        {{.segments = CLSORT_ROWS, .algorithm = "radix"},
         4,
         keys,
         NULL,
         2,
         NULL,
         NULL,
         CLSORT_E_UNSUPPORTED},
        {{.segments = CLSORT_ROWS, .flags = CLSORT_NO_SCRATCH},
         4,
         keys,
         NULL,
         2,
         NULL,
         NULL,
         CLSORT_E_UNSUPPORTED},
        {{.operation = CLSORT_NTH}, 4, keys, NULL, 2, NULL, NULL, CLSORT_E_OPERATION},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int on_device = 0; on_device < 2; on_device++) {
            assert_status(call_with(on_device ? env->engine : NULL, cases[i].change, cases[i].count,
                                    cases[i].keys, cases[i].values, cases[i].number,
                                    cases[i].offsets, cases[i].ends),
                          cases[i].expected);
            assert_int_equal(keys[0], 4);
        }
    assert_status(clsort_host_segments(NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, NULL),
                  CLSORT_E_ARGUMENT);
    assert_ok(
        call_with(NULL, (clsort_desc){.segments = CLSORT_OFFSETS}, 4, keys, NULL, 0, NULL, NULL));
    assert_ok(call_with(env->engine, (clsort_desc){.segments = CLSORT_ROWS}, 0, NULL, NULL, 0, NULL,
                        NULL));
}

/* A custom order is sorted on the device, however few elements there are. */
static void custom_order(void **state)
{
    const struct env *env = *state;
    uint32_t keys[6] = {1, 2, 3, 4, 5, 6};
    static const uint32_t sorted[6] = {3, 2, 1, 6, 5, 4};
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 4;
    desc.key_type = "uint";
    desc.less = "a > b";
    desc.segments = CLSORT_ROWS;
    assert_status(clsort_host_segments(NULL, NULL, &desc, 6, keys, NULL, 2, NULL, NULL, NULL),
                  CLSORT_E_ARGUMENT);
    assert_ok(clsort_host_segments(env->engine, env->out_of_order, &desc, 6, keys, NULL, 2, NULL,
                                   NULL, NULL));
    assert_memory_equal(keys, sorted, sizeof sorted);
}

static void describes(void **state)
{
    const struct env *env = *state;
    char text[512];
    int is_first = 7;
    cl_device_type type = 0;
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.segments = CLSORT_ROWS;
    clGetDeviceInfo(env->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    assert_ok(clsort_host_describe(NULL, &desc, MANY, sizeof text, text, NULL));
    assert_string_equal(text, "host u32 asc in rows: without OpenCL");
    assert_ok(clsort_host_describe(env->engine, &desc, FEW, sizeof text, text, NULL));
    assert_non_null(strstr(text, "too few elements"));
    assert_ok(clsort_host_describe(env->engine, &desc, 40000, sizeof text, text, NULL));
    assert_true(strstr(text, "segmented u32 asc in rows, for ") ||
                (type & CL_DEVICE_TYPE_GPU && /* by length */
                 strstr(text, "segmented u32 asc in rows, up to ")));
    assert_ok(clsort_host_describe(env->engine, &desc, LONG, sizeof text, text, NULL));
    assert_true(!strstr(text, "in batches of segments") == !getenv("CLSORT_MAX_ALLOC"));
    assert_ok(clsort_host_first(env->engine, &desc, 40000, &is_first));
    assert_int_equal(is_first, 0); /* the description has compiled the programs */
    desc.key = CLSORT_CUSTOM;
    desc.key_size = 1;
    desc.key_type = "uchar";
    desc.less = "a < b";
    assert_ok(clsort_host_first(env->engine, &desc, 40000, &is_first));
    assert_int_equal(is_first, 0);
    desc = (clsort_desc)CLSORT_DESC_INIT;
    desc.segments = CLSORT_ROWS;
    assert_ok(clsort_host_first(env->engine, &desc, FEW, &is_first));
    assert_int_equal(is_first, 1);
    desc.algorithm = "radix";
    assert_status(clsort_host_describe(env->engine, &desc, FEW, sizeof text, text, NULL),
                  CLSORT_E_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms),    cmocka_unit_test(rows_of_an_array),
        cmocka_unit_test(clamps),       cmocka_unit_test(bad_arguments),
        cmocka_unit_test(custom_order), cmocka_unit_test(describes),
    };
    return cmocka_run_group_tests(tests, env_set_up, env_tear_down);
}
