/* records_fixture.h - the elements of the fixture as records of 4 bytes */
#ifndef CLSORT_TESTS_RECORDS_FIXTURE_H
#define CLSORT_TESTS_RECORDS_FIXTURE_H

#include "fixture.h"

enum { RECORD = 4 };

extern const clsort_column by_key;

/* Returns a descriptor of a sort of FIXTURE_COUNT records. */
clsort_desc records_desc(const clsort_column *columns, size_t count);

/* Creates a plan, which the caller destroys. */
clsort_plan *records_plan(const struct fixture *fixture, const clsort_desc *desc);

/* Returns the valid sort of the fixture without its values. */
clsort_io records_io(const struct fixture *fixture);

#endif
