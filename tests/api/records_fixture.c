/* records_fixture.c - the elements of the fixture as records of 4 bytes */
#include "records_fixture.h"

const clsort_column by_key = {CLSORT_U32, 0, 0, 0};

clsort_desc records_desc(const clsort_column *columns, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    desc.max_count = FIXTURE_COUNT;
    desc.columns = columns;
    desc.column_count = count;
    desc.record_size = RECORD;
    return desc;
}

clsort_plan *records_plan(const struct fixture *fixture, const clsort_desc *desc)
{
    clsort_plan *plan = NULL;
    assert_ok(clsort_plan_create(fixture->env.engine, desc, &plan));
    return plan;
}

clsort_io records_io(const struct fixture *fixture)
{
    clsort_io io = fixture->io;
    io.values.mem = io.values_out.mem = NULL;
    return io;
}
