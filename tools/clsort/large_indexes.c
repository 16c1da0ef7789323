/* large_indexes.c - --argsort of files that are larger than memory */
#include "large_indexes.h"

#include "bits.h"
#include "elements.h"
#include "indexes.h"
#include "records.h"

#include <string.h>

/* -- the records ------------------------------------------------------------------------------- */

static size_t column_size(const clsort_column *column)
{
    return column->key == CLSORT_BYTES ? column->key_size : data_type_of(column->key)->size;
}

/* Returns the columns of the file: those of its records, or one that has the whole keys. */
static struct fields columns_of(const struct job *job)
{
    struct fields fields = job->options.fields;

    if (fields.count > 0)
        return fields;
    fields.count = 1;
    fields.column[0] = (clsort_column){.key = job->desc.key, .flags = job->desc.flags};
    if (job->options.custom.less != NULL) /* compared as a whole */
        fields.column[0] = (clsort_column){.key = CLSORT_BYTES, .key_size = job->input.type->size};
    return fields;
}

void large_indexes_describe(struct job *job)
{
    struct indexed *indexed = &job->indexed;
    const struct custom *custom = &job->options.custom;
    const bool has_rows = job->rows.count > 1;

    *indexed = (struct indexed){.columns = columns_of(job)};
    struct fields *columns = &indexed->columns;
    for (size_t i = 0; i < columns->count; i++) {
        columns->column[i].offset = indexed->index_offset;
        indexed->index_offset += column_size(&columns->column[i]);
    }
    indexed->index_size = has_rows                                 ? indexes_size(job->rows.length)
                          : job->is_stream || custom->less != NULL ? sizeof(uint64_t)
                                                                   : indexes_size(job->count);
    indexed->is_packed = job->options.fields.count == 0 && custom->less == NULL &&
                         indexed->index_offset <= sizeof(uint32_t) &&
                         indexed->index_size == sizeof(uint32_t);
    if (indexed->is_packed) {
        indexed->size = sizeof(uint64_t);
        job->desc = (clsort_desc)CLSORT_DESC_INIT;
        job->desc.key = CLSORT_U64;
        return;
    }
    indexed->size = indexed->index_offset + indexed->index_size;
    if (indexed->size < sizeof(uint64_t)) /* that of an index in the output */
        indexed->size = sizeof(uint64_t);
    columns->record_size = indexed->size;
    if (custom->less != NULL) {
        /* 8 bytes more give the union of the expression longer arrays, and no other ones. */
        struct custom larger = *custom;

        larger.type.size = indexed->size;
        custom_describe(&larger, job->prelude, &job->desc);
        return;
    }
    job->desc = (clsort_desc)CLSORT_DESC_INIT;
    job->desc.record_size = indexed->size;
    job->desc.columns = columns->column;
    job->desc.column_count = columns->count;
}

static uint64_t index_of(const struct indexed *indexed, const unsigned char *record)
{
    return indexed->is_packed ? (uint32_t)bits_load(record, sizeof(uint64_t))
                              : bits_load(record + indexed->index_offset, indexed->index_size);
}

/* Copies one column of the file, whose elements have `from_size` bytes, to the records. Inlined with a constant column
 * size, so that the copy is one instruction. */
static inline void copy_column(const struct indexed *indexed, unsigned char *to,
                               const unsigned char *from, size_t from_size, size_t size,
                               size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * indexed->size, from + i * from_size, size);
}

/* Sets the indexes of the records, which count from `first` on, within rows of this length. */
static void number_records(const struct indexed *indexed, unsigned char *records, size_t count,
                           uint64_t first, uint64_t length)
{
    uint64_t index = first % length;

    for (size_t i = 0; i < count; i++) {
        unsigned char *to = records + i * indexed->size + indexed->index_offset;
        const uint32_t narrow = (uint32_t)index;

        if (indexed->index_size == sizeof narrow)
            memcpy(to, &narrow, sizeof narrow);
        else
            memcpy(to, &index, sizeof index);
        index = index + 1 < length ? index + 1 : 0;
    }
}

/* Packs the order of keys and their indexes, which count from `first` on, within rows of this length. */
static void pack(const struct job *job, unsigned char *to, const unsigned char *keys, size_t count,
                 uint64_t first, uint64_t length)
{
    const struct data_type *type = job->input.type;
    const uint32_t flags = job->indexed.columns.column[0].flags;
    uint64_t index = first % length;

    for (size_t i = 0; i < count; i++) {
        const uint64_t word = data_order(type, flags, keys + i * type->size) << 32 | index;

        memcpy(to + i * sizeof word, &word, sizeof word);
        index = index + 1 < length ? index + 1 : 0;
    }
}

static void expand(const void *context, void *to, void *from, size_t count, uint64_t first)
{
    const struct job *job = context;
    const struct indexed *indexed = &job->indexed;
    const struct fields *fields = &job->options.fields;
    const size_t from_size = job->input.type->size;
    const uint64_t length = job->rows.count > 1 ? job->rows.length : UINT64_MAX;

    if (indexed->size > indexed->index_offset + indexed->index_size)
        memset(to, 0, count * indexed->size);
    elements_to_keys(&job->input.array, indexed->columns.column[0].flags, from, count);
    if (indexed->is_packed) {
        pack(job, to, from, count, first, length);
        return;
    }
    for (size_t c = 0; c < indexed->columns.count; c++) {
        const clsort_column *column = &indexed->columns.column[c];
        const unsigned char *in =
            (const unsigned char *)from + (fields->count > 0 ? fields->column[c].offset : 0);
        unsigned char *out = (unsigned char *)to + column->offset;
        const size_t size = column_size(column);

        if (size == sizeof(uint32_t))
            copy_column(indexed, out, in, from_size, sizeof(uint32_t), count);
        else if (size == sizeof(uint64_t))
            copy_column(indexed, out, in, from_size, sizeof(uint64_t), count);
        else
            copy_column(indexed, out, in, from_size, size, count);
    }
    number_records(indexed, to, count, first, length);
}

size_t large_indexes_extract(const struct job *job, void *to, const void *records, size_t count)
{
    const struct indexed *indexed = &job->indexed;
    const unsigned char *from = records;

    for (size_t i = 0; i < count; i++) {
        const uint64_t index = index_of(indexed, from + i * indexed->size);

        memcpy((unsigned char *)to + i * sizeof index, &index, sizeof index);
    }
    return count * sizeof(uint64_t);
}

/* -- the order --------------------------------------------------------------------------------- */

/* A stable sort leaves equal keys in the order of their indexes. */
static int compare(const void *context, const void *a, const void *b)
{
    const struct job *job = context;
    const struct indexed *indexed = &job->indexed;
    const int order = job->options.custom.less != NULL
                          ? device_order_compare(job->device_order, a, b)
                          : fields_compare(&indexed->columns, a, b);
    const uint64_t x = index_of(indexed, a), y = index_of(indexed, b);

    return order != 0 ? order : (x > y) - (x < y);
}

/* The same for records of one number in the byte order of the machine. */
static size_t find_disorder_of_numbers(const struct indexed *indexed, const unsigned char *records,
                                       size_t count)
{
    const clsort_column *column = &indexed->columns.column[0];
    const struct data_type *type = data_type_of(column->key);
    uint64_t last_key = 0, last_index = 0;

    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = records + i * indexed->size;
        const uint64_t key = data_order(type, column->flags, record);
        const uint64_t index = index_of(indexed, record);

        if (i > 0 && (key < last_key || (key == last_key && index < last_index)))
            return i;
        last_key = key;
        last_index = index;
    }
    return count;
}

static size_t find_disorder(const void *context, const void *records, size_t count)
{
    const struct job *job = context;
    const struct indexed *indexed = &job->indexed;
    const clsort_column *column = &indexed->columns.column[0];
    const unsigned char *bytes = records;

    if (job->options.custom.less != NULL) /* the order of equal elements is not checked */
        return device_order_disorder(job->device_order, records, count);
    if (indexed->columns.count == 1 && column->key != CLSORT_BYTES &&
        !(column->flags & CLSORT_BIG_ENDIAN))
        return find_disorder_of_numbers(indexed, bytes, count);
    for (size_t i = 1; i < count; i++)
        if (compare(context, bytes + (i - 1) * indexed->size, bytes + i * indexed->size) > 0)
            return i;
    return count;
}

static size_t filter(const void *context, void *to, const void *records, size_t count,
                     const void *limit, bool is_from_end)
{
    const struct job *job = context;
    const size_t size = job->indexed.size;
    unsigned char *out = to;

    for (size_t i = 0; i < count; i++) {
        const unsigned char *record = (const unsigned char *)records + i * size;

        if ((compare(context, record, limit) < 0) == is_from_end)
            continue;
        memcpy(out, record, size);
        out += size;
    }
    return (size_t)(out - (unsigned char *)to) / size;
}

static int compare_packed(const void *context, const void *a, const void *b)
{
    const uint64_t x = bits_load(a, sizeof x), y = bits_load(b, sizeof y);

    (void)context;
    return (x > y) - (x < y);
}

static size_t find_disorder_of_packed(const void *context, const void *words, size_t count)
{
    (void)context;
    return data_disorder(data_type_of(CLSORT_U64), 0, words, count);
}

static size_t filter_packed(const void *context, void *to, const void *words, size_t count,
                            const void *limit, bool is_from_end)
{
    (void)context;
    return data_filter(data_type_of(CLSORT_U64), 0, to, words, count, limit, is_from_end);
}

static uint64_t sum_packed(const void *context, const void *words, size_t count)
{
    (void)context;
    return data_checksum(words, sizeof(uint64_t), count);
}

static uint64_t sum_records(const void *context, const void *records, size_t count)
{
    const struct job *job = context;

    return records_checksum(records, job->indexed.size, count);
}

static uint64_t sum_input(const void *context, const void *elements, size_t count)
{
    const struct job *job = context;
    const size_t size = job->input.type->size;

    return job->options.fields.count > 0 || job->options.custom.less != NULL
               ? records_checksum(elements, size, count)
               : data_checksum(elements, size, count);
}

/* The keys have been converted by expand. */
static void keep(const void *context, void *records, size_t count)
{
    (void)context;
    (void)records;
    (void)count;
}

void large_indexes_order(const struct job *job, struct external_order *order)
{
    const bool is_packed = job->indexed.is_packed;

    order->size = job->indexed.size;
    order->compare = is_packed ? compare_packed : compare;
    order->disorder = is_packed ? find_disorder_of_packed : find_disorder;
    order->filter = is_packed ? filter_packed : filter;
    order->checksum = is_packed ? sum_packed : sum_records;
    order->decode = keep;
    order->encode = keep;
    order->expand = expand;
    order->input_size = job->input.type->size;
    order->input_checksum = sum_input;
}
