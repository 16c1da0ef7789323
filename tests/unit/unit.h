/* unit.h - CMocka, with the headers that it requires */
#ifndef CLSORT_TESTS_UNIT_H
#define CLSORT_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
