/* tune_table.c - the measured ladders are complete and in order, and every device has ladders */
#include "plan/ladder.h"

#include "plan/tune_table.h"

#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = sizeof TUNE_ROWS / sizeof *TUNE_ROWS };

/* Finds a row's ladder of a kind, independently of the library. Returns false if the row has none. */
static bool find_ladder(const struct tune_row *row, size_t kind, struct cls_ladder *ladder)
{
    char name[16];
    const int length = snprintf(name, sizeof name, "%s: ", cls_kind_name(kind));
    const char *text = strstr(row->ladders, name);
    if (!text)
        return false;
    text += length;
    if (!cls_ladder_read(text, strcspn(text, "\n"), ladder))
        fail_msg("%s%.*s is no ladder", name, (int)strcspn(text, "\n"), text);
    return true;
}

static void test_rows_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const struct tune_row *row = &TUNE_ROWS[i];
        struct cls_ladders ladders = {0};
        size_t lines = 0, kinds = 0;
        assert_true(row->source && *row->source);
        for (const char *line = row->ladders; *line; lines++) {
            const size_t length = strcspn(line, "\n");
            assert_int_equal(line[length], '\n');
            const char *problem = cls_ladders_read(line, length, row->source, &ladders);
            if (problem)
                fail_msg("row %zu: %.*s: %s", i, (int)length, line, problem);
            line += length + 1;
        }
        for (size_t kind = 0; kind < CLS_KINDS; kind++) {
            const struct cls_ladder *ladder = &ladders.of[kind];
            kinds += ladder->steps > 0;
            /* The counts must increase. */
            for (size_t step = 1; step < ladder->steps; step++)
                assert_true(ladder->step[step - 1].max < ladder->step[step].max ||
                            ladder->step[step - 1].max == UINT64_MAX);
        }
        assert_int_equal(lines, kinds); /* no kind occurs twice */
    }
}

/* The conditions of a row on a device. */
enum rank { DEVICE, VENDOR, TYPE, DEFAULT };

static enum rank rank_of(const struct tune_row *row)
{
    return row->device ? DEVICE : row->vendor ? VENDOR : row->type ? TYPE : DEFAULT;
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Returns whether every device that matches the row also matches the earlier row. */
static bool hides(const struct tune_row *before, const struct tune_row *row)
{
    return (!before->device || (row->device && begins(row->device, before->device))) &&
           (!before->vendor || (row->vendor && begins(row->vendor, before->vendor))) &&
           (!before->type || before->type == row->type) && before->vector_ints <= row->vector_ints;
}

static void test_rows_are_in_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < ROWS; i++) {
        assert_true(rank_of(&TUNE_ROWS[i - 1]) <= rank_of(&TUNE_ROWS[i]));
        for (size_t j = 0; j < i; j++)
            if (hides(&TUNE_ROWS[j], &TUNE_ROWS[i]))
                fail_msg("row %zu is never reached, for row %zu", i, j);
    }
}

static void test_default_row(void **state)
{
    const struct tune_row *last = &TUNE_ROWS[ROWS - 1];
    (void)state;
    assert_int_equal(rank_of(last), DEFAULT);
    for (size_t kind = 0; kind < CLS_KINDS; kind++) {
        struct cls_ladder ladder = {0};
        assert_true(find_ladder(last, kind, &ladder));
    }
}

static struct cls_caps device_of(cl_device_type type, const char *name, const char *vendor)
{
    struct cls_caps caps = {.type = type, .identified = true};
    snprintf(caps.name, sizeof caps.name, "%s", name);
    snprintf(caps.vendor, sizeof caps.vendor, "%s", vendor);
    return caps;
}

/* Checks that the device has the row's ladders for the kinds of the row, and those of later rows for the others. */
static void has_ladders_of(const struct cls_caps *caps, size_t row)
{
    const struct cls_ladders ladders = cls_ladders_for(caps);
    for (size_t kind = 0; kind < CLS_KINDS; kind++) {
        struct cls_ladder expected = {0};
        assert_true(ladders.of[kind].steps > 0);
        if (!find_ladder(&TUNE_ROWS[row], kind, &expected)) {
            assert_string_not_equal(ladders.of[kind].source, TUNE_ROWS[row].source);
            continue;
        }
        assert_string_equal(ladders.of[kind].source, TUNE_ROWS[row].source);
        assert_int_equal(ladders.of[kind].steps, expected.steps);
        assert_memory_equal(ladders.of[kind].step, expected.step, sizeof expected.step);
    }
}

/* A device that satisfies only the conditions of a row has its ladders. */
static void test_first_row_wins(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const struct tune_row *row = &TUNE_ROWS[i];
        char name[64], vendor[64];
        /* Names only have to begin with those of the row. */
        snprintf(name, sizeof name, "%s 9000", row->device ? row->device : "made up");
        snprintf(vendor, sizeof vendor, "%s Inc.", row->vendor ? row->vendor : "Nobody");
        const cl_device_type type = row->type     ? row->type
                                    : row->vendor ? CL_DEVICE_TYPE_GPU
                                                  : CL_DEVICE_TYPE_CUSTOM;
        struct cls_caps plain = device_of(type, name, vendor),
                        preferred = device_of(type | CL_DEVICE_TYPE_DEFAULT, name, vendor);
        plain.vector_ints = preferred.vector_ints = row->vector_ints;
        has_ladders_of(&plain, i);
        has_ladders_of(&preferred, i);
    }
}

static size_t first_row_of(enum rank rank, cl_device_type type)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rank_of(&TUNE_ROWS[i]) == rank && (!type || TUNE_ROWS[i].type == type))
            return i;
    fail_msg("there is no such row");
    return 0;
}

/* A row matches devices with wider vectors than it requires, but not with narrower ones. */
static void test_vectors(void **state)
{
    struct cls_caps caps = device_of(CL_DEVICE_TYPE_CPU, "made up", "Nobody");
    const size_t widest = first_row_of(TYPE, CL_DEVICE_TYPE_CPU);
    (void)state;
    assert_int_equal(TUNE_ROWS[widest].vector_ints, 16);
    caps.vector_ints = 32;
    has_ladders_of(&caps, widest);
    caps.vector_ints = 8;
    has_ladders_of(&caps, widest + 1);
}

/* Names are compared from the beginning and with case; a name without its vendor does not match. */
static void test_other_names(void **state)
{
    const struct tune_row *row = &TUNE_ROWS[first_row_of(DEVICE, 0)];
    const size_t gpu = first_row_of(TYPE, CL_DEVICE_TYPE_GPU);
    char name[64], vendor[64];
    (void)state;
    snprintf(name, sizeof name, "%s", row->device);
    struct cls_caps caps = device_of(CL_DEVICE_TYPE_GPU, name, "Nobody");
    has_ladders_of(&caps, gpu);
    snprintf(vendor, sizeof vendor, "Not %s", row->vendor);
    caps = device_of(CL_DEVICE_TYPE_GPU, name, vendor);
    has_ladders_of(&caps, gpu);
    name[strlen(name) - 1] = '\0'; /* too short */
    caps = device_of(CL_DEVICE_TYPE_GPU, name, row->vendor);
    has_ladders_of(&caps, first_row_of(VENDOR, 0));
    snprintf(name, sizeof name, "my %s", row->device);
    caps = device_of(CL_DEVICE_TYPE_GPU, name, row->vendor);
    has_ladders_of(&caps, first_row_of(VENDOR, 0));
}

static void test_every_device_has_ladders(void **state)
{
    static const cl_device_type types[] = {
        0,
        CL_DEVICE_TYPE_CPU,
        CL_DEVICE_TYPE_GPU,
        CL_DEVICE_TYPE_ACCELERATOR,
        CL_DEVICE_TYPE_CUSTOM,
        CL_DEVICE_TYPE_DEFAULT,
        CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU,
        CL_DEVICE_TYPE_ALL,
    };
    static const char *const names[] = {"", "made up", "NVIDIA H200", "NVIDIA", "AMD", "pthread"};
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            for (size_t v = 0; v < sizeof names / sizeof *names; v++) {
                const struct cls_caps caps = device_of(types[t], names[n], names[v]);
                const struct cls_ladders ladders = cls_ladders_for(&caps);
                for (size_t kind = 0; kind < CLS_KINDS; kind++) {
                    assert_in_range(ladders.of[kind].steps, 1, CLS_MAX_STEPS);
                    assert_non_null(ladders.of[kind].source);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_can_be_read),
        cmocka_unit_test(test_rows_are_in_order),
        cmocka_unit_test(test_default_row),
        cmocka_unit_test(test_first_row_wins),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_other_names),
        cmocka_unit_test(test_every_device_has_ladders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
