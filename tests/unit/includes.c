/* includes.c - which texts of custom orders may include files */
#include "device/includes.h"

#include "unit.h"

static void test_texts(void **state)
{
    static const struct {
        const char *text;
        bool expected;
    } rows[] = {
        {"", false},
        {"#define MY_LESS(a, b) \\\n ((a) < (b))", false},
        {"struct inc { uint lude; };", false},
        {"#include \"a.h\"", true},
        {"  #\tinclude <a.h>", true},
        {"%: include \"a.h\"", true},
        {"?\?=include \"a.h\"", true},
        {"#inc\\\nlude \"a.h\"", true},
        {"#inc\\ \t\r\nlude \"a.h\"", true},
        {"#inc?\?/\nlude \"a.h\"", true},
        {"#inc\\\n\\\nlude \"a.h\"", true},
        {"#include_next <a.h>", true},
        {"#import \"a.h\"", true},
        {"#if __has_include(\"a.h\")\n#endif", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cls_custom customs[] = {{rows[i].text, "uint", "a < b", 4},
                                             {"", rows[i].text, "a < b", 4},
                                             {"", "uint", rows[i].text, 4}};
        for (size_t c = 0; c < 3; c++)
            assert_int_equal(cls_may_include(&customs[c]), rows[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
