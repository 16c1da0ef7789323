/* columns_test_data.h - records, columns and their order, for self-tests of operations by columns */
#ifndef CLSORT_PLAN_COLUMNS_TEST_DATA_H
#define CLSORT_PLAN_COLUMNS_TEST_DATA_H

#include "device/device.h"
#include "plan/columns_input.h"

enum {
    CLS_TEST_COLUMNS = 4,
    /* The minimum size of a record. With an alignment of the plan's records, the same program moves them. */
    CLS_TEST_RECORD_BYTES = 40,
    CLS_TEST_WORDS = 4, /* of all columns */
    CLS_TEST_KEY_BYTES = 8 * CLS_TEST_WORDS
};

struct cls_test_records {
    const struct cls_device *device;
    uint64_t count;
    size_t record_bytes;
    char *records;
};

/* Makes records whose columns have few values, of random bits. Columns that vary little leave long and short runs
 * of elements that are equal in several words. In round 1, most elements agree in the first two columns, so that a
 * sample misses the others. */
void cls_test_records_fill(const struct cls_test_records *records, int round);

/* Sets the bytes of all columns of a record, which memcmp orders. */
void cls_test_record_key(const struct cls_test_records *records, uint64_t i,
                         unsigned char key[CLS_TEST_KEY_BYTES]);

/* Sets the indexes, of `index` bytes each, of the records in their order. */
clsort_status cls_test_records_order(const struct cls_test_records *records, size_t index,
                                     char *indexes);

/* Creates the table of the columns, which are fields of the records or have a buffer each. The caller releases it. */
clsort_status cls_test_records_input(const struct cls_test_records *records, bool has_buffers,
                                     struct cls_columns_input *input);

/* Creates the buffers of the columns, or that of the records as the first one. The caller releases those that are not
 * NULL, also after a failure. */
cl_int cls_test_records_buffers(const struct cls_test_records *records, bool has_buffers,
                                cl_mem buffers[CLS_TEST_COLUMNS]);

#endif
