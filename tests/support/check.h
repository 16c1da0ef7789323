/* check.h - CMocka with the headers that it requires, and an assertion for statuses that prints their names */
#ifndef CLSORT_TESTS_CHECK_H
#define CLSORT_TESTS_CHECK_H

#include <clsort.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_status(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)
#define assert_ok(call) assert_status(call, CLSORT_OK)

void check_status(clsort_status status, clsort_status expected, const char *call, const char *file,
                  int line);

#endif
