/* ladder.c - ladders, the lists of algorithms with maximum counts: their text, and the kinds of sorts */
#include "plan/ladder.h"

#include "plan/request.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

/* -- texts ----------------------------------------------------------------------------------------- */

/* Reads the first bytes of a text from memory of exactly that size, so that a sanitizer detects reads out of bounds. */
static bool read_bytes(const char *text, size_t length, struct cls_ladder *ladder)
{
    char *copy = test_malloc(length + !length);
    memcpy(copy, text, length);
    const bool is_ladder = cls_ladder_read(copy, length, ladder);
    test_free(copy);
    return is_ladder;
}

static bool read_text(const char *text, struct cls_ladder *ladder)
{
    return read_bytes(text, strlen(text), ladder);
}

/* Numbers have digits as values, words their index. */
static unsigned parameter(const struct cls_algorithm_request *named, const char *name)
{
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && named->algo->parameters[i].name; i++)
        if (strcmp(named->algo->parameters[i].name, name) == 0)
            return named->parameters.value[i];
    fail_msg("%s has no parameter %s", named->algo->name, name);
    return 0;
}

static void is_step(const struct cls_step *step, const char *name, uint64_t max)
{
    assert_string_equal(step->algorithm.algo->name, name);
    assert_true(step->max == max);
}

/* A ladder can have this many steps. */
#define TWELVE_STEPS "cpu 1;cpu 2;cpu 3;cpu 4;cpu 5;cpu 6;cpu 7;cpu 8;cpu 9;cpu 10;cpu 11;cpu 12"

static void test_steps(void **state)
{
    struct cls_ladder ladder = {.source = "of this test"};
    (void)state;
    assert_true(read_text("bitonic 4096; merge 100000; radix", &ladder));
    assert_int_equal(ladder.steps, 3);
    is_step(&ladder.step[0], "bitonic", 4096);
    is_step(&ladder.step[1], "merge", 100000);
    is_step(&ladder.step[2], "radix", UINT64_MAX);
    assert_string_equal(ladder.source, "of this test");

    /* The text replaces all steps of a longer ladder. */
    assert_true(read_text("cpu", &ladder));
    assert_int_equal(ladder.steps, 1);
    is_step(&ladder.step[0], "cpu", UINT64_MAX);
    assert_null(ladder.step[1].algorithm.algo);

    assert_true(read_text(TWELVE_STEPS, &ladder));
    assert_int_equal(ladder.steps, CLS_MAX_STEPS);
    for (unsigned i = 0; i < CLS_MAX_STEPS; i++)
        is_step(&ladder.step[i], "cpu", i + 1);
}

/* A step without a count is used for all counts that it supports, and the following steps for the others. */
static void test_no_count(void **state)
{
    struct cls_ladder ladder = {0};
    (void)state;
    assert_true(read_text("local; radix 100; merge", &ladder));
    is_step(&ladder.step[0], "local", UINT64_MAX);
    is_step(&ladder.step[1], "radix", 100);
    is_step(&ladder.step[2], "merge", UINT64_MAX);
}

static void test_parameters(void **state)
{
    struct cls_ladder ladder = {0};
    (void)state;
    assert_true(read_text("radix:bits=4,items=8 1000; radix:scatter=direct,bits=5", &ladder));
    is_step(&ladder.step[0], "radix", 1000);
    assert_int_equal(parameter(&ladder.step[0].algorithm, "bits"), 4);
    assert_int_equal(parameter(&ladder.step[0].algorithm, "items"), 8);
    assert_int_equal(parameter(&ladder.step[0].algorithm, "scatter"), 0);
    is_step(&ladder.step[1], "radix", UINT64_MAX);
    assert_int_equal(parameter(&ladder.step[1].algorithm, "bits"), 5);
    assert_int_equal(parameter(&ladder.step[1].algorithm, "items"), 0);
    const unsigned direct = parameter(&ladder.step[1].algorithm, "scatter");
    assert_int_not_equal(direct, 0);
    /* The name of a parameter can be omitted before a word. */
    assert_true(read_text("radix:direct 5", &ladder));
    assert_int_equal(parameter(&ladder.step[0].algorithm, "scatter"), direct);
}

static void test_spaces(void **state)
{
    static const char *const texts[] = {"radix 12;merge", " radix 12 ; merge ",
                                        "   radix   12   ;   merge", "radix 0012;merge "};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cls_ladder ladder = {0};
        assert_true(read_text(texts[i], &ladder));
        assert_int_equal(ladder.steps, 2);
        is_step(&ladder.step[0], "radix", 12);
        is_step(&ladder.step[1], "merge", UINT64_MAX);
    }
}

static void test_large_counts(void **state)
{
    struct cls_ladder ladder = {0};
    (void)state;
    assert_true(read_text("radix 1; merge 1000000000000000000; cpu", &ladder));
    is_step(&ladder.step[0], "radix", 1);
    is_step(&ladder.step[1], "merge", 1000000000000000000);
}

static void is_refused(const char *text, size_t length)
{
    struct cls_ladder before = {.source = "of this test"}, after;
    assert_true(read_text("bitonic 10; radix:bits=3 20; merge", &before));
    memcpy(&after, &before, sizeof after);
    if (read_bytes(text, length, &after))
        fail_msg("'%.*s' is read as a ladder", (int)length, text);
    assert_memory_equal(&after, &before, sizeof after);
}

static void are_refused(const char *const *texts)
{
    for (; *texts; texts++)
        is_refused(*texts, strlen(*texts));
}

static void test_missing_steps(void **state)
{
    static const char *const texts[] = {
        "",          " ",       ";",           " ; ",          ";radix",        "radix;",
        "radix 10;", "radix; ", "radix 10 ; ", "radix;;merge", "radix; ;merge", "radix 10;;",
        NULL};
    (void)state;
    are_refused(texts);
}

static void test_other_algorithms(void **state)
{
    static const char *const texts[] = {
        "bubble", "radix; bubble", "bubble 10; radix", "Radix",   "radi",        "radixx", "auto",
        "10",     "10 radix",      "radix\t10",        "\tradix", "radix,merge", NULL};
    (void)state;
    are_refused(texts);
}

static void test_other_parameters(void **state)
{
    static const char *const texts[] = {"radix:",
                                        "radix:bits",
                                        "radix:bits=",
                                        "radix:bits=0",
                                        "radix:bits=99",
                                        "radix:bits=4,",
                                        "radix:bits=4,bits=4",
                                        "radix:bits=4, items=8",
                                        "radix: bits=4",
                                        "radix :bits=4",
                                        "radix:=4",
                                        "radix:speed=4",
                                        "radix:scatter=odd",
                                        "radix:bits=4;items=8",
                                        "cpu:bits=4",
                                        "radix:bits=4294967300",
                                        NULL};
    (void)state;
    are_refused(texts);
}

static void test_no_counts(void **state)
{
    static const char *const texts[] = {"radix 0",
                                        "radix 0; merge",
                                        "radix 000",
                                        "radix -1",
                                        "radix +1",
                                        "radix 1.5",
                                        "radix 1e6",
                                        "radix 0x10",
                                        "radix 18446744073709551616",
                                        "radix 184467440737095516150",
                                        "radix 99999999999999999999",
                                        NULL};
    (void)state;
    are_refused(texts);
}

static void test_junk(void **state)
{
    static const char *const texts[] = {"radix 10x",       "radix 10 x",  "radix 10 20",
                                        "radix x",         "radix merge", "radix 10 merge",
                                        "radix 10, merge", "radix 10k",   "radix 10; merge 20 x",
                                        "radix 10\n",      "radix 10.",   NULL};
    (void)state;
    are_refused(texts);
    is_refused("radix\0", 6);
    is_refused("radix 10\0", 9);
    is_refused("\0radix", 6);
    is_refused("ra\0dix", 6);
}

static void test_too_many_steps(void **state)
{
    static const char *const texts[] = {TWELVE_STEPS ";cpu 13", TWELVE_STEPS ";", NULL};
    (void)state;
    are_refused(texts);
}

/* Bytes after the given length are not read. */
static void test_length(void **state)
{
    static const char text[] = "radix 1234; merge; cpu";
    struct cls_ladder ladder = {0};
    (void)state;
    assert_true(cls_ladder_read(text, 5, &ladder));
    is_step(&ladder.step[0], "radix", UINT64_MAX);
    assert_true(cls_ladder_read(text, 8, &ladder));
    is_step(&ladder.step[0], "radix", 12);
    assert_true(cls_ladder_read(text, 17, &ladder));
    assert_int_equal(ladder.steps, 2);
    assert_false(cls_ladder_read(text, 16, &ladder)); /* "merg" */
    assert_false(cls_ladder_read(text, 11, &ladder)); /* "radix 1234;" */
}

/* -- kinds ----------------------------------------------------------------------------------------- */

static const char *kind_of(const clsort_desc *desc)
{
    struct cls_request request;
    assert_int_equal(cls_request_read(desc, &request), CLSORT_OK);
    const size_t kind = cls_kind_of(&request.spec);
    assert_in_range(kind, 0, CLS_KINDS - 1);
    return cls_kind_name(kind);
}

/* Checks the kind of keys without values, and then of the same keys with values of each size. */
static void is_kind(clsort_desc desc, unsigned bytes)
{
    static const size_t value_sizes[] = {1, 4, 16, 17, 1024};
    char name[16];
    snprintf(name, sizeof name, "keys %u", bytes);
    assert_string_equal(kind_of(&desc), name);
    snprintf(name, sizeof name, "pairs %u", bytes);
    for (size_t i = 0; i < sizeof value_sizes / sizeof *value_sizes; i++) {
        desc.value_size = value_sizes[i];
        assert_string_equal(kind_of(&desc), name);
    }
}

static void test_kinds_of_keys(void **state)
{
    static const struct {
        clsort_key key;
        unsigned bytes;
    } rows[] = {{CLSORT_U8, 1},  {CLSORT_I8, 1},  {CLSORT_U16, 2}, {CLSORT_I16, 2},
                {CLSORT_F16, 2}, {CLSORT_U32, 4}, {CLSORT_I32, 4}, {CLSORT_F32, 4},
                {CLSORT_U64, 8}, {CLSORT_I64, 8}, {CLSORT_F64, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t flags = 0; flags <= CLSORT_DESCENDING; flags += CLSORT_DESCENDING) {
            clsort_desc desc = CLSORT_DESC_INIT;
            desc.key = rows[i].key;
            desc.flags = flags;
            is_kind(desc, rows[i].bytes);
        }
}

/* The kind depends on the compared bits, not on the size of keys. */
static void test_kinds_of_bit_ranges(void **state)
{
    static const struct {
        clsort_key key;
        uint32_t begin, end;
        unsigned bytes;
    } rows[] = {
        {CLSORT_U64, 0, 1, 1},   {CLSORT_U64, 0, 16, 2},  {CLSORT_U64, 48, 64, 2},
        {CLSORT_U64, 0, 17, 4},  {CLSORT_U64, 20, 52, 4}, {CLSORT_U64, 20, 53, 8},
        {CLSORT_U64, 33, 33, 1}, {CLSORT_F64, 0, 64, 8},  {CLSORT_U32, 16, 32, 2},
        {CLSORT_U32, 15, 32, 4}, {CLSORT_U32, 8, 16, 1},  {CLSORT_U32, 8, 17, 2},
        {CLSORT_U16, 3, 5, 1},   {CLSORT_I64, 31, 64, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = rows[i].key;
        desc.begin_bit = rows[i].begin;
        desc.end_bit = rows[i].end;
        is_kind(desc, rows[i].bytes);
    }
}

static void test_kinds_of_orders(void **state)
{
    static const struct {
        size_t key_size;
        unsigned bytes;
    } rows[] = {{1, 1}, {2, 2}, {3, 4}, {4, 4}, {5, 8}, {8, 8}, {9, 8}, {12, 8}, {1 << 20, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clsort_desc desc = CLSORT_DESC_INIT;
        desc.key = CLSORT_CUSTOM;
        desc.key_size = rows[i].key_size;
        desc.key_type = "struct key";
        desc.less = "a.x < b.x";
        is_kind(desc, rows[i].bytes);
    }
}

static void test_kind_names(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < CLS_KINDS; kind++)
        for (size_t other = 0; other < kind; other++)
            assert_string_not_equal(cls_kind_name(kind), cls_kind_name(other));
    assert_null(cls_kind_name(CLS_KINDS));
    assert_null(cls_kind_name(SIZE_MAX));
}

/* -- lines ----------------------------------------------------------------------------------------- */

static const char *read_line(const char *line, struct cls_ladders *ladders)
{
    return cls_ladders_read(line, strlen(line), "of this test", ladders);
}

static void test_lines(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < CLS_KINDS; kind++) {
        struct cls_ladders ladders = {0};
        char line[64];
        snprintf(line, sizeof line, "%s: cpu 10; merge", cls_kind_name(kind));
        assert_null(read_line(line, &ladders));
        for (size_t other = 0; other < CLS_KINDS; other++)
            assert_int_equal(ladders.of[other].steps, other == kind ? 2 : 0);
        is_step(&ladders.of[kind].step[0], "cpu", 10);
        assert_string_equal(ladders.of[kind].source, "of this test");
    }
}

static void test_refused_lines(void **state)
{
    static const struct {
        const char *line, *reason;
    } rows[] = {
        {"", "kind"},
        {"merge", "kind"},
        {": merge", "kind"},
        {"keys: merge", "kind"},
        {"keys 3: merge", "kind"},
        {"keys 44: merge", "kind"},
        {"keys 4", "kind"},
        {"keys 4 : merge", "kind"},
        {" keys 4: merge", "kind"},
        {"Keys 4: merge", "kind"},
        {"keys 4:", "algorithm"},
        {"keys 4: bubble", "algorithm"},
        {"keys 4: merge 10;", "algorithm"},
        {"keys 4: merge\n", "algorithm"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cls_caps caps = {.type = CL_DEVICE_TYPE_GPU};
        const struct cls_ladders before = cls_ladders_for(&caps);
        struct cls_ladders after;
        memcpy(&after, &before, sizeof after);
        const char *reason = read_line(rows[i].line, &after);
        if (!reason || !strstr(reason, rows[i].reason))
            fail_msg("the line '%s' gives '%s'", rows[i].line, reason ? reason : "nothing");
        assert_memory_equal(&after, &before, sizeof after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_no_count),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_missing_steps),
        cmocka_unit_test(test_other_algorithms),
        cmocka_unit_test(test_other_parameters),
        cmocka_unit_test(test_no_counts),
        cmocka_unit_test(test_junk),
        cmocka_unit_test(test_too_many_steps),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_kinds_of_keys),
        cmocka_unit_test(test_kinds_of_bit_ranges),
        cmocka_unit_test(test_kinds_of_orders),
        cmocka_unit_test(test_kind_names),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_refused_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
