/* columns_request.c - reads a descriptor of an operation by columns or on CLSORT_BYTES */
#include "plan/columns_request.h"

#include "base/error.h"
#include "plan/operation.h"

enum { MAX_RECORD_BYTES = 1 << 30 };

bool cls_columns_are_set(const clsort_desc *desc)
{
    return desc->columns || desc->column_count > 0 || desc->record_size > 0 ||
           desc->key == CLSORT_BYTES;
}

/* -- what operations by columns do not support ------------------------------------------------- */

/* Fails if a member is set that describes a key, besides the type and the size of CLSORT_BYTES. */
static clsort_status check_key_members(const clsort_desc *desc)
{
    const bool has_columns = desc->key != CLSORT_BYTES;
    const uint32_t allowed = CLSORT_UNSTABLE | (has_columns ? 0 : CLSORT_DESCENDING);
    const uint32_t refused = desc->flags & ~allowed & ~CLSORT_NO_SCRATCH;
    if (refused)
        return cls_fail(CLSORT_E_FLAGS, "clsort_desc.flags is 0x%x: 0x%x is not for %s",
                        desc->flags, refused,
                        has_columns ? "columns, which have flags of their own" : "CLSORT_BYTES");
    if (desc->begin_bit != 0 || desc->end_bit != 0)
        return cls_fail(CLSORT_E_BITS,
                        "clsort_desc.begin_bit is %u and end_bit is %u: both must be 0 with "
                        "columns and CLSORT_BYTES",
                        desc->begin_bit, desc->end_bit);
    const char *custom = has_columns && desc->key_size != 0 ? "key_size"
                         : desc->key_type                   ? "key_type"
                         : desc->less                       ? "less"
                         : desc->prelude                    ? "prelude"
                                                            : NULL;
    return custom ? cls_fail(CLSORT_E_ORDER,
                             "clsort_desc.%s is set: not with columns or CLSORT_BYTES", custom)
                  : CLSORT_OK;
}

static clsort_status check_supported(const clsort_desc *desc)
{
    const struct cls_operation_info *operation = cls_operation_at(desc->operation);
    const bool is_whole = desc->segments == CLSORT_WHOLE;
    const bool is_counted = desc->count_size != 0;
    const char *unsupported = desc->value_size != 0                   ? "values"
                              : !is_whole && !operation->has_segments ? "segments"
                              : is_counted && !operation->has_counts  ? "counts in device memory"
                              : desc->flags & CLSORT_NO_SCRATCH       ? "CLSORT_NO_SCRATCH"
                              : !operation->has_columns               ? operation->name
                              : !operation->selects                   ? NULL
                              : desc->flags & CLSORT_INPUT_ORDER      ? "CLSORT_INPUT_ORDER"
                              : desc->flags & CLSORT_PARTITION        ? "CLSORT_PARTITION"
                                                                      : NULL;
    return unsupported
               ? cls_fail(CLSORT_E_UNSUPPORTED,
                          "operations by columns or on CLSORT_BYTES do not support %s", unsupported)
               : CLSORT_OK;
}

/* -- columns ----------------------------------------------------------------------------------- */

/* Checks the type and the flags of a column, and sets its key. */
static clsort_status read_key(const clsort_column *from, size_t i, struct cls_column *column)
{
    const uint32_t known = CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC | CLSORT_BIG_ENDIAN;
    struct cls_spec spec;
    if (from->key == CLSORT_CUSTOM)
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.columns[%zu].key is CLSORT_CUSTOM: columns have no custom "
                        "orders",
                        i);
    if (from->key != CLSORT_BYTES && !cls_key_spec(from->key, from->flags, &spec))
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.columns[%zu].key is %d: unknown; the keys are CLSORT_U8 to "
                        "CLSORT_F64 and CLSORT_BYTES",
                        i, (int)from->key);
    if (from->flags & ~known)
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.columns[%zu].flags is 0x%x: 0x%x is not a flag of columns", i,
                        from->flags, from->flags & ~known);
    if (from->flags & CLSORT_FLOAT_NUMERIC &&
        (from->key == CLSORT_BYTES || spec.order != CLS_ORDER_NUMERIC))
        return cls_fail(CLSORT_E_COLUMNS,
                        "CLSORT_FLOAT_NUMERIC is set in clsort_desc.columns[%zu].flags: floats "
                        "only",
                        i);
    const size_t max_size = from->key == CLSORT_BYTES ? CLSORT_MAX_BYTES : 0;
    if (from->key_size > max_size || (max_size > 0 && from->key_size == 0))
        return cls_fail(CLSORT_E_COLUMNS, "clsort_desc.columns[%zu].key_size is %zu: %s", i,
                        from->key_size,
                        max_size > 0 ? "1 to 256 with CLSORT_BYTES"
                                     : "it must be 0, other than with CLSORT_BYTES");
    column->key = (uint8_t)from->key;
    column->flags = (uint8_t)from->flags;
    column->bytes = (uint16_t)(max_size > 0 ? from->key_size : spec.key_bytes);
    return CLSORT_OK;
}

/* Checks where a column is, and sets its offset. record_size is 0 if it has a buffer of its own. */
static clsort_status read_offset(const clsort_column *from, size_t i, size_t record_size,
                                 struct cls_column *column)
{
    if (record_size == 0 && from->offset != 0)
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.columns[%zu].offset is %zu: it must be 0 without records, "
                        "since clsort_io.columns has the offsets of buffers",
                        i, from->offset);
    if (record_size > 0 &&
        (from->offset > record_size || column->bytes > record_size - from->offset))
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.columns[%zu] has %u bytes at offset %zu: outside of the "
                        "record of %zu bytes",
                        i, column->bytes, from->offset, record_size);
    column->offset = (uint32_t)from->offset;
    return CLSORT_OK;
}

static clsort_status read_columns(const clsort_desc *desc, struct cls_columns *columns)
{
    if (!desc->columns || desc->column_count == 0)
        return cls_fail(CLSORT_E_COLUMNS, "clsort_desc.%s: records need columns",
                        desc->columns ? "column_count is 0" : "columns is NULL");
    if (desc->column_count > CLSORT_MAX_COLUMNS)
        return cls_fail(CLSORT_E_COLUMNS, "clsort_desc.column_count is %zu: at most %d",
                        desc->column_count, CLSORT_MAX_COLUMNS);
    if (desc->record_size > MAX_RECORD_BYTES)
        return cls_fail(CLSORT_E_COLUMNS, "clsort_desc.record_size is %zu: at most %d",
                        desc->record_size, MAX_RECORD_BYTES);
    if (desc->key != CLSORT_U32)
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.key is %d: it must be that of CLSORT_DESC_INIT, since the "
                        "columns have the keys",
                        (int)desc->key);
    columns->count = (unsigned)desc->column_count;
    columns->record_bytes = (uint32_t)desc->record_size;
    for (size_t i = 0; i < desc->column_count; i++) {
        clsort_status status = read_key(&desc->columns[i], i, &columns->column[i]);
        if (status == CLSORT_OK)
            status = read_offset(&desc->columns[i], i, desc->record_size, &columns->column[i]);
        if (status != CLSORT_OK)
            return status;
    }
    return CLSORT_OK;
}

/* Keys of CLSORT_BYTES are records that consist of one column. */
static clsort_status read_bytes(const clsort_desc *desc, struct cls_columns *columns)
{
    if (desc->record_size > 0)
        return cls_fail(CLSORT_E_COLUMNS,
                        "clsort_desc.record_size is %zu, but the key is CLSORT_BYTES: describe the "
                        "key as a column of the records",
                        desc->record_size);
    if (desc->key_size == 0 || desc->key_size > CLSORT_MAX_BYTES)
        return cls_fail(CLSORT_E_KEY, "clsort_desc.key_size is %zu: 1 to %d with CLSORT_BYTES",
                        desc->key_size, CLSORT_MAX_BYTES);
    columns->count = 1;
    columns->record_bytes = (uint32_t)desc->key_size;
    columns->column[0] = (struct cls_column){.bytes = (uint16_t)desc->key_size,
                                             .key = CLSORT_BYTES,
                                             .flags = desc->flags & CLSORT_DESCENDING};
    return CLSORT_OK;
}

clsort_status cls_columns_read(const clsort_desc *desc, struct cls_request *request)
{
    struct cls_columns *columns = &request->columns;
    const bool has_columns = desc->columns || desc->column_count > 0;
    const struct cls_operation_info *operation = cls_operation_at(desc->operation);
    const bool is_argsort = desc->operation == CLSORT_ARGSORT;
    clsort_status status = check_supported(desc);
    if (status == CLSORT_OK)
        status = has_columns || desc->key != CLSORT_BYTES ? read_columns(desc, columns)
                                                          : read_bytes(desc, columns);
    if (status == CLSORT_OK)
        status = check_key_members(desc);
    if (status == CLSORT_OK)
        status = cls_request_read_selection(desc, request);
    if (status == CLSORT_OK && columns->record_bytes == 0 && desc->operation == CLSORT_SORT)
        status = cls_fail(CLSORT_E_OPERATION,
                          "clsort_desc.operation is %s, but columns have a buffer each: use "
                          "CLSORT_ARGSORT, and reorder them by CLSORT_GATHER",
                          operation->name);
    const bool has_indexes = operation->has_indexes || cls_request_has_offsets(desc) ||
                             (operation->indexes_columns && columns->record_bytes == 0);
    if (status == CLSORT_OK && desc->index_size != 0 && !has_indexes)
        status = cls_fail(CLSORT_E_OPERATION, "clsort_desc.index_size is %u: %s has no indexes%s",
                          desc->index_size, operation->name,
                          operation->indexes_columns ? " of records" : "");
    if (status == CLSORT_OK && has_indexes)
        status = cls_request_index_size(desc, &request->index_bytes);
    if (status != CLSORT_OK)
        return status;
    unsigned bytes = columns->record_bytes;
    for (unsigned i = 0; columns->record_bytes == 0 && i < columns->count; i++)
        bytes += columns->column[i].bytes;
    request->spec =
        (struct cls_spec){.operation = (clsort_operation)desc->operation,
                          .key_name = "records",
                          .key_bytes = bytes,
                          .order = CLS_ORDER_INTEGER,
                          .end_bit = 8 * bytes,
                          .stable = true,
                          .count_bytes = desc->count_size,
                          .value_bytes = is_argsort ? request->index_bytes : 0,
                          .value_is_index = is_argsort,
                          .column_buffers = columns->record_bytes > 0 ? 0 : columns->count};
    if (operation->compares_rows) {
        request->spec.order = CLS_ORDER_COLUMNS;
        request->spec.column_words = cls_columns_words(columns);
        request->spec.index_bytes = request->index_bytes;
    }
    return cls_request_read_segments(desc, request);
}

void cls_columns_describe(const struct cls_request *request, struct cls_text *text)
{
    const struct cls_columns *columns = &request->columns;
    cls_text_add(text, "%s", cls_operation_of(&request->spec)->description);
    if (columns->record_bytes > 0)
        cls_text_add(text, "records of %u bytes by ", columns->record_bytes);
    else
        cls_text_add(text, "columns ");
    for (unsigned i = 0; i < columns->count; i++) {
        const struct cls_column *column = &columns->column[i];
        struct cls_spec spec;
        if (cls_key_spec(column->key, column->flags, &spec))
            cls_text_add(text, "%s%s", i > 0 ? ", " : "", spec.key_name);
        else
            cls_text_add(text, "%s%u bytes", i > 0 ? ", " : "", column->bytes);
        cls_text_add(text, "%s%s%s", column->flags & CLSORT_DESCENDING ? " desc" : "",
                     column->flags & CLSORT_FLOAT_NUMERIC ? " numeric" : "",
                     column->flags & CLSORT_BIG_ENDIAN ? " big-endian" : "");
        if (columns->record_bytes > 0)
            cls_text_add(text, " at %u", column->offset);
    }
    if (request->spec.count_bytes > 0)
        cls_text_add(text, ", count in device memory");
}
