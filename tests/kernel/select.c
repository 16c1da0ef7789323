/* select.c - tests the selection of the k first elements (algo/select) on a device, without a plan
 *
 *   select MAX_COUNT INDEXES TYPE[,TYPE...] [SOURCE...]
 *   select =COUNT INDEXES TYPE[,TYPE...] [SOURCE...]    this count only, with few cases
 *
 * INDEXES is the size of the indexes, 4 or 8, with `/64` for kernels with 64-bit indexes. At least one case must take
 * the threshold from each SOURCE: low, high, candidates or input (SELECT_FROM_... in cl/select/layout.h). */
#include "algo/select/select.h"
#include "algo/common/programs.h"
#include "check.h"
#include "cl/select/layout.h"
#include "data.h"
#include "device/probe.h"
#include "guarded.h"
#include "plan/request.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES = 4 };

static const char *const SOURCE_NAMES[SOURCES] = {"low", "high", "candidates", "input"};

/* What the command line requests. */
static struct {
    size_t max_count, only_count; /* only_count: 0 if there are several */
    size_t index_size;
    unsigned index_bits;
    const char *types;
    size_t seen[SOURCES]; /* number of cases */
} options;

/* The device, and the selection by one key order. */
struct selector {
    struct env env;
    struct cls_device *device;
    struct reference reference;
    struct cls_select select;
    cl_kernel kernels[CLS_MAX_KERNELS];
};

/* An input with its sorted order. */
struct input {
    size_t count;
    enum data_dist dist;
    uint8_t *keys;
    size_t *order; /* the index of the element that is j-th in order */
    struct guarded device_keys;
};

struct selected {
    size_t k, count; /* elements of the output */
    bool is_nth, has_keys;
    size_t *indexes;       /* the expected elements */
    uint64_t below;        /* the expected number of keys before the threshold */
    uint8_t *keys, *found; /* arrays of `count` keys or indexes */
};

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes + 1);
    assert_non_null(memory);
    return memory;
}

/* -- the selection of a key order -------------------------------------------------------------- */

static void selector_open(struct selector *selector)
{
    assert_ok(env_open(&selector->env));
    assert_ok(cls_device_open(selector->env.context, selector->env.device, "", &selector->device));
    assert_ok(cls_probe(selector->device));
}

static void selector_close(struct selector *selector)
{
    cls_device_release(selector->device);
    env_close(&selector->env);
}

static void selector_compile(struct selector *selector, const struct reference *reference)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    struct cls_program_spec program;
    desc.key = reference->type->key;
    desc.flags = reference->flags;
    desc.begin_bit = reference->begin_bit;
    desc.end_bit = reference->end_bit;
    assert_ok(cls_request_read(&desc, &request));
    request.spec.value_bytes = options.index_size;
    request.spec.value_is_index = true;
    request.spec.index_bits = options.index_bits;
    selector->reference = *reference;
    selector->select = cls_select_for(&selector->device->caps, &request.spec);
    cls_select_program(&selector->select, &program);
    assert_ok(cls_kernels_create(selector->device, &program, 1, NULL, selector->kernels));
}

/* -- inputs ------------------------------------------------------------------------------------ */

static void input_create(struct input *input, const struct selector *selector, size_t count,
                         enum data_dist dist)
{
    const struct data_type *type = selector->reference.type;
    *input = (struct input){.count = count, .dist = dist};
    input->keys = allocate(count * type->size);
    input->order = allocate(count * sizeof *input->order);
    assert_true(data_fill(type, dist, count + dist, input->keys, count));
    assert_true(reference_order(&selector->reference, input->keys, count, input->order));
    /* No vector is aligned. */
    assert_ok(guarded_create(&input->device_keys, &selector->env, GUARDED_PLAIN, GUARDED_INPUT,
                             3 * type->size, count * type->size, input->keys));
}

static void input_free(struct input *input)
{
    guarded_release(&input->device_keys);
    free(input->keys);
    free(input->order);
}

/* -- the expected output ----------------------------------------------------------------------- */

static int compare_indexes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static uint64_t compared_key(const struct selector *selector, const uint8_t *key)
{
    const struct cls_spec *spec = &selector->select.spec;
    uint64_t number = 0;
    memcpy(&number, key, spec->key_bytes); /* of a little-endian machine */
    return cls_ordered(spec, number) & cls_compared_mask(spec);
}

static uint64_t compared_at(const struct selector *selector, const struct input *input, size_t i)
{
    return compared_key(selector, input->keys + i * selector->reference.type->size);
}

static void selected_create(struct selected *selected, const struct selector *selector,
                            const struct input *input)
{
    const size_t size = selector->reference.type->size;
    const uint64_t threshold = compared_at(selector, input, input->order[selected->k - 1]);
    selected->count = selected->is_nth ? 1 : selected->k;
    selected->indexes = allocate(selected->count * sizeof *selected->indexes);
    selected->keys = allocate(selected->count * size);
    selected->found =
        allocate(selected->count * (size > options.index_size ? size : options.index_size));
    memcpy(selected->indexes, input->order + selected->k - selected->count,
           selected->count * sizeof *selected->indexes);
    qsort(selected->indexes, selected->count, sizeof *selected->indexes, compare_indexes);
    for (size_t i = 0; i < selected->count; i++)
        memcpy(selected->keys + i * size, input->keys + selected->indexes[i] * size, size);
    selected->below = selected->k - 1;
    while (selected->below > 0 &&
           compared_at(selector, input, input->order[selected->below - 1]) == threshold)
        selected->below--;
}

static void selected_free(struct selected *selected)
{
    free(selected->indexes);
    free(selected->keys);
    free(selected->found);
}

/* Returns whether the found indexes are those of the expected elements. */
static bool has_indexes(const struct selected *selected)
{
    bool right = true;
    for (size_t i = 0; i < selected->count; i++) {
        const uint64_t index = selected->indexes[i]; /* of a little-endian machine */
        right &= memcmp(selected->found + i * options.index_size, &index, options.index_size) == 0;
    }
    return right;
}

/* -- cases ------------------------------------------------------------------------------------- */

static void fail_case(const struct selector *selector, const struct input *input,
                      const struct selected *selected, const char *what)
{
    const struct reference *reference = &selector->reference;
    fail_msg("%s: %s flags=%u bits=%u..%u n=%zu dist=%s k=%zu%s%s", what, reference->type->name,
             reference->flags, reference->begin_bit, reference->end_bit, input->count,
             data_dist_name(input->dist), selected->k, selected->is_nth ? " nth" : "",
             selected->has_keys ? "" : " without keys");
}

/* Reads the output and returns what is wrong with it, or NULL. */
static const char *check(const struct selector *selector, const struct input *input,
                         const struct selected *selected, const struct guarded *keys,
                         const struct guarded *indexes, const struct guarded *scratch)
{
    uint8_t *bytes = allocate(scratch->size);
    bool intact[3];
    cls_select_control control;
    assert_ok(guarded_read(scratch, &selector->env, bytes, &intact[0]));
    memcpy(&control, bytes, sizeof control);
    free(bytes);
    options.seen[control.source]++;
    assert_ok(guarded_read(keys, &selector->env, selected->found, &intact[1]));
    if (selected->has_keys && memcmp(selected->found, selected->keys, keys->size) != 0)
        return "wrong keys";
    assert_ok(guarded_read(indexes, &selector->env, selected->found, &intact[2]));
    if (!has_indexes(selected))
        return "wrong indexes";
    if (!intact[0] || !intact[1] || !intact[2])
        return "a canary has changed";
    if (control.threshold != compared_at(selector, input, input->order[selected->k - 1]))
        return "wrong threshold";
    if (control.below != selected->below || control.ties != selected->k - selected->below)
        return "wrong number of keys before the threshold";
    return control.head.is_sorted ? "the control block claims that the input is sorted" : NULL;
}

static void run(const struct selector *selector, const struct input *input,
                struct selected *selected)
{
    const size_t size = selector->reference.type->size;
    struct guarded keys, indexes, scratch;
    struct cls_chain chain;
    cl_event event;
    selected_create(selected, selector, input);
    const uint64_t bytes = cls_select_scratch(&selector->select, input->count, selected->k);
    assert_ok(guarded_create(&keys, &selector->env, GUARDED_PLAIN, GUARDED_OUTPUT, size,
                             selected->has_keys ? selected->count * size : 0, NULL));
    assert_ok(guarded_create(&indexes, &selector->env, GUARDED_PLAIN, GUARDED_OUTPUT,
                             options.index_size, selected->count * options.index_size, NULL));
    assert_ok(guarded_create(&scratch, &selector->env, GUARDED_PLAIN, GUARDED_BOTH,
                             CLS_REGION_ALIGNMENT, bytes, NULL));
    struct cls_select_job job = {
        .count = input->count,
        .k = selected->k,
        .is_nth = selected->is_nth,
        .keys_in = input->device_keys.buffer,
        .indexes_out = indexes.buffer,
        .scratch = scratch.buffer,
    };
    if (selected->has_keys)
        job.keys_out = keys.buffer;
    assert_ok(cls_chain_begin(&chain, selector->env.out_of_order, 0, NULL, true));
    assert_ok(cls_chain_end(
        &chain, cls_select_enqueue(selector->kernels, &selector->select, &job, &chain), &event));
    assert_true(env_finish_event(event));
    const char *wrong = check(selector, input, selected, &keys, &indexes, &scratch);
    guarded_release(&keys);
    guarded_release(&indexes);
    guarded_release(&scratch);
    if (wrong)
        fail_case(selector, input, selected, wrong);
    selected_free(selected);
}

static void run_count(const struct selector *selector, size_t count, enum data_dist dist)
{
    struct input input;
    const size_t ks[] = {100, count / 2, 1, 2, count / 16, count - 1, count};
    const size_t tested = options.only_count ? 2 : sizeof ks / sizeof *ks;
    input_create(&input, selector, count, dist);
    for (size_t i = 0; i < tested; i++) {
        if (ks[i] == 0 || ks[i] > count)
            continue;
        struct selected selected = {.k = ks[i], .has_keys = i % 2 == 0};
        run(selector, &input, &selected);
        selected.is_nth = true;
        selected.has_keys = true;
        run(selector, &input, &selected);
    }
    input_free(&input);
}

static void run_order(struct selector *selector, const struct reference *reference)
{
    static const size_t counts[] = {1, 2, 33, 1000, 4095, 4096, 4097, 70000, (1 << 20) + 1};
    static const enum data_dist dists[] = {DATA_UNIFORM, DATA_SORTED,  DATA_REVERSED,
                                           DATA_EQUAL,   DATA_FEW,     DATA_ZIPF,
                                           DATA_HOT,     DATA_SPECIAL, DATA_ALTERNATING};
    selector_compile(selector, reference);
    for (size_t d = 0; d < sizeof dists / sizeof *dists && options.only_count; d += 4)
        run_count(selector, options.only_count, dists[d]);
    for (size_t c = 0; c < sizeof counts / sizeof *counts && counts[c] <= options.max_count; c++)
        for (size_t d = 0; d < sizeof dists / sizeof *dists; d++)
            run_count(selector, counts[c], dists[d]);
    cls_kernels_release(selector->kernels);
}

/* -- tests ------------------------------------------------------------------------------------- */

static void test_orders(void **state)
{
    char name[8];
    struct selector selector;
    (void)state;
    selector_open(&selector);
    for (const char *types = options.types; *types;) {
        const size_t length = strcspn(types, ",");
        assert_true(length < sizeof name);
        memcpy(name, types, length);
        name[length] = '\0';
        types += length + (types[length] == ',');
        struct reference reference = {.type = data_type_find(name)};
        assert_non_null(reference.type);
        const uint32_t width = (uint32_t)reference.type->size * 8;
        run_order(&selector, &reference);
        if (options.only_count)
            continue;
        reference.flags = CLSORT_DESCENDING;
        run_order(&selector, &reference);
        if (data_type_is_float(reference.type)) {
            reference.flags = CLSORT_FLOAT_NUMERIC;
            run_order(&selector, &reference);
            reference.flags |= CLSORT_DESCENDING;
            run_order(&selector, &reference);
        } else {
            reference.begin_bit = width / 4 + 1;
            reference.end_bit = width;
            run_order(&selector, &reference);
            reference.end_bit = width - 2;
            run_order(&selector, &reference);
        }
    }
    selector_close(&selector);
}

/* Scratch must not shrink if the input or the output grows. */
static void test_scratch(void **state)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};
    struct cls_spec spec = {.key_bytes = 4, .index_bits = 32, .end_bit = 32};
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        const struct cls_caps caps = {.type = types[t],
                                      .units = 24,
                                      .group_size = 256,
                                      .index32_max = UINT32_MAX,
                                      .max_iterations = t == 0 ? UINT64_MAX : 65535};
        const struct cls_select select = cls_select_for(&caps, &spec);
        uint64_t last_of_count[128] = {0};
        for (uint64_t count = 1; count < (uint64_t)1 << 33; count += count / 7 + 1) {
            uint64_t last = 0;
            for (uint64_t i = 0, k = 1; k <= count; i++, k += k / 3 + 1) {
                const uint64_t bytes = cls_select_scratch(&select, count, k);
                assert_true(bytes >= last);
                assert_true(i < 128 && bytes >= last_of_count[i]);
                last = last_of_count[i] = bytes;
            }
        }
        /* The documented bound: keys and indexes of about the output, and tables. */
        assert_true(cls_select_scratch(&select, 1 << 26, 100) < 8 << 20);
        assert_true(cls_select_scratch(&select, 1 << 26, 1 << 25) < (size_t)1 << 28);
    }
}

static bool parse(int argc, char **argv)
{
    if (argc < 4)
        return false;
    char *end;
    if (*argv[1] == '=')
        options.only_count = strtoul(argv[1] + 1, NULL, 10);
    else
        options.max_count = strtoul(argv[1], NULL, 10);
    options.index_size = strtoul(argv[2], &end, 10);
    options.index_bits = strcmp(end, "/64") == 0 ? 64 : 32;
    options.types = argv[3];
    return (*end == '\0' || options.index_bits == 64) &&
           (options.index_size == 4 || options.index_size == 8);
}

/* Returns whether a case took the threshold from the source of this name. */
static bool was_seen(const char *name)
{
    for (size_t s = 0; s < SOURCES; s++)
        if (strcmp(name, SOURCE_NAMES[s]) == 0)
            return options.seen[s] > 0;
    return false;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders),
                                       cmocka_unit_test(test_scratch)};
    if (!parse(argc, argv)) {
        fprintf(stderr, "usage: select MAX_COUNT|=COUNT INDEXES TYPE[,TYPE...] [SOURCE...]\n");
        return EXIT_FAILURE;
    }
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t s = 0; s < SOURCES; s++)
        printf("threshold from %s: %zu cases\n", SOURCE_NAMES[s], options.seen[s]);
    for (int i = 4; i < argc; i++) {
        if (!was_seen(argv[i])) {
            printf("no threshold is from %s\n", argv[i]);
            failures++;
        }
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
