/* columns_test_data.c - records, columns and their order, for self-tests of operations by columns */
#include "plan/columns_test_data.h"

#include "base/index.h"
#include "host/sort.h"
#include "plan/request.h"
#include "plan/test_buffers.h"

#include <stdlib.h>

enum {
    STRING_END = 24,   /* of the byte string in a record */
    FIELDS_BYTES = 28, /* of a record; the remaining bytes do not affect the order */
    POOL = 8
};

/* Unaligned columns of all kinds, whose words have parts of several of them. */
static const struct cls_column COLUMNS[CLS_TEST_COLUMNS] = {
    {1, 2, CLSORT_U16, CLSORT_DESCENDING},
    {3, 8, CLSORT_F64, CLSORT_FLOAT_NUMERIC | CLSORT_BIG_ENDIAN},
    {11, 13, CLSORT_BYTES, 0},
    {24, 4, CLSORT_I32, 0},
};

/* -- the host ---------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15;
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    return x ^ (x >> 31);
}

void cls_test_records_fill(const struct cls_test_records *records, int round)
{
    static const unsigned values[2][CLS_TEST_COLUMNS] = {{5, 3, 7, POOL}, {2, 2, 2, POOL}};
    uint64_t random = 1 + (uint64_t)round;
    char pool[POOL][FIELDS_BYTES];
    for (size_t i = 0; i < sizeof pool; i++)
        ((char *)pool)[i] = (char)next_random(&random);
    for (uint64_t i = 0; i < records->count; i++) {
        char *record = records->records + i * records->record_bytes;
        for (size_t byte = 0; byte < records->record_bytes; byte++)
            record[byte] = (char)next_random(&random);
        for (size_t c = 0; c < CLS_TEST_COLUMNS; c++) {
            const struct cls_column *column = &COLUMNS[c];
            unsigned value = (unsigned)(next_random(&random) % values[round][c]);
            if (round > 0 && c < 2)
                value = next_random(&random) % 1024 == 0;
            memcpy(record + column->offset, pool[value] + column->offset, column->bytes);
        }
        if (i % 4 ==
            0) /* some strings differ in their last byte only, which is in the third word */
            record[STRING_END - 1] = (char)next_random(&random);
    }
}

/* Returns the number of a column in the byte order of the device. */
static uint64_t load_number(const struct cls_device *device, const struct cls_column *column,
                            const char *at)
{
    cl_bool is_little = CL_TRUE;
    uint64_t number = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_ENDIAN_LITTLE, sizeof is_little, &is_little, NULL);
    const bool is_little_endian = is_little && !(column->flags & CLSORT_BIG_ENDIAN);
    for (unsigned i = 0; i < column->bytes; i++) {
        const unsigned byte = is_little_endian ? column->bytes - 1 - i : i;
        number = number << 8 | (unsigned char)at[byte];
    }
    return number;
}

void cls_test_record_key(const struct cls_test_records *records, uint64_t i,
                         unsigned char key[CLS_TEST_KEY_BYTES])
{
    const char *record = records->records + i * records->record_bytes;
    size_t length = 0;
    memset(key, 0, CLS_TEST_KEY_BYTES);
    for (size_t c = 0; c < CLS_TEST_COLUMNS; c++) {
        const struct cls_column *column = &COLUMNS[c];
        struct cls_spec spec;
        if (cls_key_spec(column->key, column->flags, &spec)) {
            const uint64_t number =
                cls_ordered(&spec, load_number(records->device, column, record + column->offset));
            for (unsigned byte = 0; byte < column->bytes; byte++)
                key[length + byte] = (unsigned char)(number >> 8 * (column->bytes - 1 - byte));
        } else
            memcpy(key + length, record + column->offset, column->bytes);
        length += column->bytes;
    }
}

/* Sorts by the last word first, each time keeping the order of equal elements. */
clsort_status cls_test_records_order(const struct cls_test_records *records, size_t index,
                                     char *indexes)
{
    const size_t count = (size_t)records->count;
    const struct cls_spec pairs = {.key_bytes = sizeof(uint64_t),
                                   .order = CLS_ORDER_INTEGER,
                                   .stable = true,
                                   .end_bit = 64,
                                   .value_bytes = index};
    uint64_t *words = malloc(count * sizeof *words);
    clsort_status status = words ? CLSORT_OK : CLSORT_E_MEMORY;
    cls_number_elements(index, count, indexes);
    for (size_t at = CLS_TEST_KEY_BYTES; at > 0 && status == CLSORT_OK; at -= sizeof *words) {
        for (size_t i = 0; i < count; i++) {
            unsigned char key[CLS_TEST_KEY_BYTES];
            cls_test_record_key(records, cls_load_index(indexes + i * index, index), key);
            words[i] = 0;
            for (size_t byte = at - sizeof *words; byte < at; byte++)
                words[i] = words[i] << 8 | key[byte];
        }
        status = cls_host_sort(&pairs, count, words, indexes);
    }
    free(words);
    return status;
}

/* -- the device -------------------------------------------------------------------------------- */

clsort_status cls_test_records_input(const struct cls_test_records *records, bool has_buffers,
                                     struct cls_columns_input *input)
{
    struct cls_columns columns = {.count = CLS_TEST_COLUMNS,
                                  .record_bytes =
                                      has_buffers ? 0 : (uint32_t)records->record_bytes};
    memcpy(columns.column, COLUMNS, sizeof COLUMNS);
    return cls_columns_input_create(records->device, &columns, input);
}

/* Creates a buffer of a column of the records. */
static cl_int create_column(const struct cls_test_records *records, const struct cls_column *column,
                            cl_mem *buffer)
{
    const size_t bytes = column->bytes, count = (size_t)records->count;
    char *values = malloc(count * bytes);
    cl_int status = values ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (size_t i = 0; values && i < count; i++)
        memcpy(values + i * bytes, records->records + i * records->record_bytes + column->offset,
               bytes);
    *buffer = cls_test_buffer_create(records->device, count * bytes, values, &status);
    free(values);
    return status;
}

cl_int cls_test_records_buffers(const struct cls_test_records *records, bool has_buffers,
                                cl_mem buffers[CLS_TEST_COLUMNS])
{
    cl_int status = CL_SUCCESS;
    if (!has_buffers)
        buffers[0] =
            cls_test_buffer_create(records->device, (size_t)records->count * records->record_bytes,
                                   records->records, &status);
    for (size_t i = 0; has_buffers && i < CLS_TEST_COLUMNS && status == CL_SUCCESS; i++)
        status = create_column(records, &COLUMNS[i], &buffers[i]);
    return status;
}
