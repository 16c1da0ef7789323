/* text.c - reads texts of the library, which all follow the rules of clsort_last_error */
#include "text.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

char *text_read(text_source *source, void *data)
{
    size_t size = 0;
    assert_ok(source(data, 0, NULL, &size));
    assert_true(size > 0);
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, '#', size);
    assert_ok(source(data, size, text, NULL));
    assert_int_equal(strlen(text) + 1, size);

    char start[6] = "#####";
    size_t whole = 0;
    assert_ok(source(data, sizeof start, start, &whole));
    assert_int_equal(whole, size);
    assert_int_equal(strlen(start), size < sizeof start ? size - 1 : sizeof start - 1);
    assert_memory_equal(start, text, strlen(start));
    return text;
}

static clsort_status last_error(void *data, size_t size, char *text, size_t *size_ret)
{
    return clsort_last_error(data, size, text, size_ret);
}

char *text_last_error(clsort_engine *engine)
{
    return text_read(last_error, engine);
}
