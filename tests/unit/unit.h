/* unit.h - CMocka with the headers it wants before it */
#ifndef CLSORT_TESTS_UNIT_H
#define CLSORT_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
