/* check.c - CMocka, and an assertion for statuses that prints their names */
#include "check.h"

#include <string.h>

/* Checks that there is a text about a failed call of the library, and none about a successful one. */
static void check_last_error(clsort_status status, const char *call, const char *file, int line)
{
    static const char prefix[] = "clsort_";
    size_t size = 0;
    if (strncmp(call, prefix, sizeof prefix - 1) != 0 || strstr(call, "clsort_last_error"))
        return;
    if (clsort_last_error(NULL, 0, NULL, &size) != CLSORT_OK ||
        (size > 1) != (status != CLSORT_OK)) {
        print_error("%s: the last error has %zu bytes after status %d\n", call, size, status);
        _fail(file, line);
    }
}

void check_status(clsort_status status, clsort_status expected, const char *call, const char *file,
                  int line)
{
    if (status != expected) {
        print_error("%s: %d (%s) instead of %d (%s)\n", call, status, clsort_status_string(status),
                    expected, clsort_status_string(expected));
        _fail(file, line);
    }
    check_last_error(status, call, file, line);
}
