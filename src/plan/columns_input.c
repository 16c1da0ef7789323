/* columns_input.c - the table of the columns in device memory */
#include "plan/columns_input.h"

#include "base/error.h"
#include "plan/request.h"

#include <stdlib.h>

void cls_columns_order(const struct cls_columns *columns, struct cls_ordered_column *ordered)
{
    for (unsigned i = 0; i < columns->count; i++) {
        const struct cls_column *column = &columns->column[i];
        const bool has_buffer = columns->record_bytes == 0;
        ordered[i] = (struct cls_ordered_column){.column = *column,
                                                 .buffer = has_buffer ? i : 0,
                                                 .stride = has_buffer ? column->bytes
                                                                      : columns->record_bytes};
        if (has_buffer)
            ordered[i].column.offset = 0;
        cls_key_spec(column->key, column->flags, &ordered[i].spec);
    }
}

static clsort_status upload(const struct cls_device *device, const struct cls_columns_table *table,
                            struct cls_columns_input *input)
{
    const size_t parts = table->firsts[table->words] * sizeof *table->parts;
    const size_t firsts = (table->words + 1) * sizeof *table->firsts;
    cl_int status;
    char *bytes = malloc(parts + firsts);
    if (!bytes)
        return CLSORT_E_MEMORY;
    memcpy(bytes, table->parts, parts);
    memcpy(bytes + parts, table->firsts, firsts);
    input->table = clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                  parts + firsts, bytes, &status);
    input->firsts_offset = parts;
    free(bytes);
    return cls_called("clCreateBuffer", status);
}

clsort_status cls_columns_input_create(const struct cls_device *device,
                                       const struct cls_columns *columns,
                                       struct cls_columns_input *input)
{
    struct cls_ordered_column ordered[CLSORT_MAX_COLUMNS];
    struct cls_columns_table table;
    *input = (struct cls_columns_input){.words = cls_columns_words(columns),
                                        .record_bytes = columns->record_bytes,
                                        .buffers = columns->record_bytes > 0 ? 1 : columns->count};
    cls_columns_order(columns, ordered);
    const clsort_status status = cls_columns_table_make(ordered, columns->count, &table)
                                     ? upload(device, &table, input)
                                     : CLSORT_E_MEMORY;
    cls_columns_table_free(&table);
    return status;
}

void cls_columns_input_release(const struct cls_columns_input *input)
{
    if (input->table)
        clReleaseMemObject(input->table);
}

void cls_columns_input_set(const struct cls_columns_input *input, struct cls_arrays *arrays)
{
    arrays->parts = (clsort_buffer){input->table, 0};
    arrays->firsts = (clsort_buffer){input->table, input->firsts_offset};
}
