/* gather.c - CLSORT_GATHER with values and indexes of all sizes, many counts, also in device memory, and canaries
 * around all arrays
 *
 *     gather [MAX]
 *
 * MAX leaves out larger counts, for slow devices. */
#include "bits.h"
#include "check.h"
#include "guarded.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static const size_t counts[] = {1, 2, 31, 64, 65, 1000, 4097, 70001};
static const size_t value_sizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 100, 1000};

struct gather {
    const struct env *env;
    size_t count, source_count, value_size, index_size;
    size_t count_size; /* of the count in device memory; 0: there is none */
    uint64_t device_count;
    size_t offset; /* of all buffers, in multiples of 8 bytes */
    enum guarded_memory memory;
};

static void store_index(uint64_t index, size_t size, uint8_t *at)
{
    const uint32_t narrow = (uint32_t)index;
    memcpy(at, size == sizeof narrow ? (const void *)&narrow : (const void *)&index, size);
}

/* Returns the number of rows that are gathered. */
static size_t rows_of(const struct gather *gather)
{
    const bool is_less = gather->count_size > 0 && gather->device_count < gather->count;
    return is_less ? (size_t)gather->device_count : gather->count;
}

/* Fills the indexes, an eighth of which are out of bounds, and the expected output, of which rows behind the count are
 * unchanged. Returns the expected result. */
static uint64_t make_data(const struct gather *gather, const uint8_t *source, uint8_t *index,
                          uint8_t *expected)
{
    const size_t size = gather->value_size;
    uint64_t random = gather->count + size, wrong = 0;
    for (size_t i = 0; i < gather->count; i++) {
        const uint64_t number = bits_mix(random += BITS_GAMMA);
        uint64_t at = number % (gather->source_count + gather->source_count / 8 + 1);
        if (number >> 60 == 1) /* out of bounds by far */
            at = gather->index_size == 4 ? UINT32_MAX : UINT64_MAX;
        store_index(at, gather->index_size, index + i * gather->index_size);
        if (i >= rows_of(gather))
            continue;
        if (at < gather->source_count)
            memcpy(expected + i * size, source + at * size, size);
        else
            memset(expected + i * size, 0, size);
        wrong += at >= gather->source_count;
    }
    return gather->count_size > 0 && gather->device_count > gather->count
               ? wrong | CLSORT_COUNT_EXCEEDED
               : wrong;
}

static void run(const struct gather *gather, clsort_plan *plan)
{
    const size_t source_bytes = gather->source_count * gather->value_size,
                 bytes = gather->count * gather->value_size,
                 index_bytes = gather->count * gather->index_size;
    uint8_t *source = malloc(source_bytes + 1), *expected = malloc(bytes + 1),
            *before = malloc(bytes + 1), *index = malloc(index_bytes + 1), count[8];
    struct guarded buffers[5];
    assert_true(source && expected && before && index);
    memset(before, 0xa5, bytes);
    memset(expected, 0xa5, bytes);
    for (size_t i = 0; i < gather->source_count; i++)
        reference_value(i, gather->value_size, source + i * gather->value_size);
    const uint64_t wrong = make_data(gather, source, index, expected);
    const size_t offset = 8 * gather->offset;
    assert_ok(guarded_create(&buffers[0], gather->env, gather->memory, GUARDED_INPUT, offset,
                             source_bytes, source));
    assert_ok(guarded_create(&buffers[1], gather->env, gather->memory, GUARDED_INPUT, offset,
                             index_bytes, index));
    assert_ok(guarded_create(&buffers[2], gather->env, gather->memory, GUARDED_OUTPUT, offset,
                             bytes, before));
    assert_ok(guarded_create(&buffers[3], gather->env, GUARDED_PLAIN, GUARDED_OUTPUT, offset,
                             sizeof wrong, NULL));
    store_index(gather->device_count, gather->count_size, count);
    if (gather->count_size > 0)
        assert_ok(guarded_create(&buffers[4], gather->env, GUARDED_PLAIN, GUARDED_INPUT, offset,
                                 gather->count_size, count));
    clsort_io io = CLSORT_IO_INIT;
    io.count = gather->count;
    io.source_count = gather->source_count;
    io.values = buffers[0].buffer;
    io.index = buffers[1].buffer;
    io.values_out = buffers[2].buffer;
    io.result = buffers[3].buffer;
    if (gather->count_size > 0)
        io.count_buffer = buffers[4].buffer;
    cl_event event = NULL;
    const cl_command_queue queue =
        gather->count % 2 ? gather->env->out_of_order : gather->env->queue;
    assert_ok(clsort_enqueue(plan, queue, &io, 0, NULL, &event));
    assert_true(env_finish_event(event));
    static const char *const names[] = {"values", "index", "values_out", "result", "count_buffer"};
    const void *const contents[] = {source, index, expected, &wrong, count};
    for (size_t i = 0; i < (gather->count_size > 0 ? 5 : 4); i++) {
        assert_true(guarded_has(&buffers[i], gather->env, names[i], contents[i]));
        guarded_release(&buffers[i]);
    }
    free(source);
    free(expected);
    free(before);
    free(index);
}

static size_t max_count = SIZE_MAX;

/* Runs the gather with counts in device memory: none, one, fewer than the maximum, the maximum, and more. */
static void run_counted(struct gather gather, clsort_plan *plan)
{
    const uint64_t device_counts[] = {0, 1, gather.count / 2, gather.count, gather.count + 1};
    for (size_t i = 0; i < sizeof device_counts / sizeof *device_counts; i++) {
        gather.device_count = device_counts[i];
        run(&gather, plan);
    }
}

static void all_counts(const struct env *env, size_t value_size, size_t index_size,
                       size_t count_size)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_plan *plan = NULL;
    desc.operation = CLSORT_GATHER;
    desc.value_size = value_size;
    desc.index_size = (uint32_t)index_size;
    desc.count_size = (uint32_t)count_size;
    assert_ok(clsort_plan_create(env->engine, &desc, &plan));
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct gather gather = {.env = env,
                                .count = counts[c],
                                .source_count = counts[c] * 3 / 2,
                                .value_size = value_size,
                                .index_size = index_size,
                                .count_size = count_size,
                                .offset = c % 3,
                                .memory = GUARDED_CONST};
        if (counts[c] > max_count || counts[c] * value_size > (size_t)8 << 20)
            continue;
        if (count_size > 0) {
            run_counted(gather, plan);
            continue;
        }
        run(&gather, plan);
        gather.source_count = 1 + c;
        gather.memory = (enum guarded_memory)(c % GUARDED_MEMORY_COUNT);
        if (gather.memory == GUARDED_NARROW) /* Oclgrind reports reads of write-only buffers */
            gather.memory = GUARDED_PLAIN;
        run(&gather, plan);
    }
    clsort_plan_destroy(plan);
}

static void gathers(void **state)
{
    struct env env;
    (void)state;
    assert_ok(env_open(&env));
    for (size_t v = 0; v < sizeof value_sizes / sizeof *value_sizes; v++)
        for (size_t index_size = 4; index_size <= 8; index_size += 4) {
            all_counts(&env, value_sizes[v], index_size, 0);
            all_counts(&env, value_sizes[v], index_size, index_size);
        }
    env_close(&env);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gathers)};
    if (argc > 1)
        max_count = (size_t)strtoull(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
