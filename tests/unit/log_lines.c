/* log_lines.c - line numbers in messages of compilers that ignore #line */
#include "device/log_lines.h"

#include "unit.h"

#include <stdlib.h>

static const char SOURCE[] =
    "typedef int first;\n"
    "#line 1 \"prelude\"\n"
    "one\n"
    "two\n"
    "#line 7 \"less\"\n"
    "seven\n"
    "eight";

static void check(const char *log, const char *expected)
{
    char *found = cls_log_with_lines(log, SOURCE);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

static void test_lines_get_their_names(void **state)
{
    (void)state;
    check("<kernel>:3:5: error", "prelude:1:5: error");
    check("<kernel>:4:1: a\nb\n<kernel>:6:2: c\n^\n", "prelude:2:1: a\nb\nless:7:2: c\n^\n");
    check("in <kernel>:7: d", "in less:8: d");
    char *found = cls_log_with_lines("<kernel>:4:1: e", "#line 1 \"prelude\"\na\n#line 5\nb\n");
    assert_string_equal(found, "prelude:5:1: e");
    free(found);
}

static void test_other_lines_stay(void **state)
{
    (void)state;
    check("", "");
    check("less:1:5: error", "less:1:5: error");
    check("<kernel>:1:2: e", "<kernel>:1:2: e"); /* before the first #line */
    check("<kernel>:x<kernel>:", "<kernel>:x<kernel>:");
    check("<kernel>:99:1: f", "less:9:1: f"); /* after the last line */
}

static void test_who_ignores_directives(void **state)
{
    (void)state;
    assert_true(cls_log_ignores_directives("error\n<kernel>:3:5: error"));
    assert_false(cls_log_ignores_directives("less:1:5: error in kernel"));
}

static void test_named_lines(void **state)
{
    static const char *const naming[] = {"less:1:5: error", "error: less:1:5: e",
                                         "e\nless:12",      "\"less\", line 2: error",
                                         "less(3): error",  "clsort_less: x\n<Spelling=less:1:2>"};
    static const char *const others[] = {"",
                                         "less",
                                         "less: error",
                                         "careless:1:5: error",
                                         "prelude:1:5: a less b",
                                         "types.cl:7: 3 less 2"};
    (void)state;
    for (size_t i = 0; i < sizeof naming / sizeof *naming; i++)
        assert_true(cls_log_names_line(naming[i], "less"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(cls_log_names_line(others[i], "less"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_get_their_names),
        cmocka_unit_test(test_other_lines_stay),
        cmocka_unit_test(test_who_ignores_directives),
        cmocka_unit_test(test_named_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
