/* check.c - CMocka, and an assertion for statuses that prints their names */
#include "check.h"

void check_status(clsort_status status, clsort_status expected, const char *call, const char *file,
                  int line)
{
    if (status != expected) {
        print_error("%s: %d (%s) instead of %d (%s)\n", call, status, clsort_status_string(status),
                    expected, clsort_status_string(expected));
        _fail(file, line);
    }
}
