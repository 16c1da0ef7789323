/* manifest.c - the manifest of sorts that can be continued: what is written is read again, and nothing else is */
#include "manifest.h"

#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A manifest of two inputs of 1000 and 500 elements of 8 bytes, in blocks of 10. */
static struct manifest example(void)
{
    static char options[] = "type u64\nreverse no\nkey 4:u32 \\x0a\n";
    static struct manifest_input inputs[] = {{7, 8100, 1700000000, 999999999, 100, 1000},
                                             {UINT64_MAX, 4000, UINT64_MAX, 0, 0, 500}};
    static struct manifest_run runs[] = {
        {0, 0, 0, 700, 0, UINT64_MAX}, {1, 0, 700, 300, 70, 1}, {0, 0, 70, 95, 100, 0}};

    return (struct manifest){
        .is_created = true,
        .options = options,
        .input_count = 2,
        .inputs = inputs,
        .plan = {1 << 20, 8, 10, 700, 0},
        .progress = {1095, UINT64_MAX, 0, 80, 80 * 4096, 110, 3},
        .run_count = 3,
        .runs = runs,
    };
}

static void written_and_read(void **state)
{
    const struct manifest manifest = example();
    struct manifest again;
    char reason[MANIFEST_REASON_SIZE];
    size_t size, size_again;
    char *text = manifest_format(&manifest, &size);

    (void)state;
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    assert_true(manifest_parse(&again, text, size, reason));
    assert_true(again.is_created);
    assert_string_equal(again.options, manifest.options);
    assert_int_equal(again.input_count, 2);
    assert_memory_equal(again.inputs, manifest.inputs, 2 * sizeof *again.inputs);
    assert_memory_equal(&again.plan, &manifest.plan, sizeof again.plan);
    assert_memory_equal(&again.progress, &manifest.progress, sizeof again.progress);
    assert_int_equal(again.run_count, 3);
    assert_memory_equal(again.runs, manifest.runs, 3 * sizeof *again.runs);
    char *text_again = manifest_format(&again, &size_again);
    assert_string_equal(text, text_again);
    manifest_free(&again);
    free(text);
    free(text_again);
}

static void refused(const char *text, size_t size, const char *expected)
{
    struct manifest manifest;
    char reason[MANIFEST_REASON_SIZE] = "";

    assert_false(manifest_parse(&manifest, text, size, reason));
    if (strstr(reason, expected) == NULL)
        fprintf(stderr, "the reason is \"%s\", not \"%s\"\n", reason, expected);
    assert_non_null(strstr(reason, expected));
    manifest_free(&manifest);
}

/* A text of which a part is missing, or a byte is another one, is refused. */
static void damaged(void **state)
{
    const struct manifest manifest = example();
    size_t size;
    char *text = manifest_format(&manifest, &size);

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < size; i++) {
        refused(text, i, "it ");
        text[i] ^= 1;
        refused(text, size, "it ");
        text[i] ^= 1;
    }
    refused("clsort-manifest 2\nsomething else", 32, "version 2, but this clsort reads version 1");
    refused("", 0, "it does not begin with a line of clsort");
    free(text);
}

/* Parses these lines with an end whose hash is right. */
static void lines_refused(const char *lines, const char *expected)
{
    char text[4096];
    const size_t size = strlen(lines);

    snprintf(text, sizeof text, "%send %016" PRIx64 "\n", lines, manifest_hash(0, lines, size));
    refused(text, strlen(text), expected);
}

/* Each of these replacements in the text of the example is refused. */
static void malformed(void **state)
{
    static const struct {
        const char *from, *to, *reason;
    } changes[] = {
        {"created 1", "created 2", "line 2"},
        {"created 1", "created 01", "line 2"},
        {"created 1", "created  1", "line 2"},
        {"created 1", "created +1", "line 2"},
        {"created 1\n", "created 1\n\n", "line 3"},
        {"type u64", "type \t64", "line 3"},
        {"input 7", "input", "line 6"},
        {"500\nplan", "500plan", "line 7"},
        {"input 7", "input 18446744073709551616", "line 6"},
        {"plan 1048576 8", "plan 1048576 0", "contradict"},
        {"700 0\nprogress", "700 9\nprogress", "contradict"},
        {"10 700 0\n", "0 700 0\n", "contradict"},
        {"10 700 0\n", "10 0 0\n", "contradict"},
        {"8 10 700", "9223372036854775808 10 700", "contradict"},
        {"100 1000\n", "100 9223372036854775807\n", "contradict"},
        {"100 1000\n", "9223372036854775000 1000\n", "contradict"},
        {"progress 1095", "progress 1501", "contradict"},
        {"110 3\n", "110 4\n", "contradict"},
        {" 80 327680", " 79 327680", "contradict"},
        {" 80 327680", " 18446744073709551615 327680", "contradict"},
        {" 80 327680", " 80 9223372036854775808", "contradict"},
        {"327680 110", "327680 109", "contradict"},
        {"327680 110", "327680 18446744073709551615", "contradict"},
        {"327680 110", "327680 400000000000000000", "contradict"}, /* of 24 bytes exceed a file */
        {"run 0 0 0 700", "run 0 0 0 0", "contradict"},
        {"run 0 0 0 700", "run 0 1 0 700", "contradict"},
        {"run 0 0 0 700", "run 2 0 0 700", "contradict"},
        {"run 0 0 0 700", "run 0 0 18446744073709551615 700", "contradict"},
        {"run 1 0 700 300", "run 1 2 700 300", "contradict"},
        {"run 1 0 700 300", "run 1 1 700 300", "contradict"},
        {"run 1 0 700 300", "run 1 0 701 300", "contradict"},
        {"run 1 0 700 300", "run 1 0 0 1000", "contradict"},
        {"run 1 0 700 300 70", "run 1 0 700 300 18446744073709551615", "contradict"},
        {"run 1 0 700 300 70 1", "run 1 0 700 300 70", "line 11"},
        {"run 1 0 700 300 70 1", "run 1 0 700 300 70 1 1", "line 11"},
    };
    const struct manifest manifest = example();
    size_t size;
    char *text = manifest_format(&manifest, &size);

    (void)state;
    assert_non_null(text);
    *strstr(text, "end ") = '\0';
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char changed[4096];
        const char *at = strstr(text, changes[i].from);

        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, changes[i].to,
                 at + strlen(changes[i].from));
        lines_refused(changed, changes[i].reason);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(damaged),
        cmocka_unit_test(malformed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
