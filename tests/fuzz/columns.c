/* columns.c - fuzz target: descriptors with columns or byte strings; the table of accepted columns must read only bytes
 * of the element, and its words must be the ordered bytes of the columns
 *
 * An input is a sequence of little-endian numbers: the descriptor in the order of read_descriptor, and then the bytes
 * of an element. Missing numbers are 0. */
#include "plan/columns_input.h"
#include "plan/request.h"

#include "fuzz.h"

#include <string.h>

enum { MAX_COLUMNS = CLSORT_MAX_COLUMNS + 1, MAX_KEY = CLSORT_MAX_COLUMNS * CLSORT_MAX_BYTES };

struct input {
    const uint8_t *data;
    size_t size;
};

static uint32_t take(struct input *input, size_t bytes)
{
    uint32_t number = 0;
    for (size_t i = 0; i < bytes && input->size > 0; i++, input->size--)
        number |= (uint32_t)*input->data++ << 8 * i;
    return number;
}

static clsort_status read_descriptor(struct input *input, struct cls_request *request)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    clsort_column columns[MAX_COLUMNS];
    const uint32_t operation = take(input, 1);
    desc.operation = operation % 9;
    desc.segments = operation / 9 % 5;
    desc.key = (clsort_key)take(input, 1);
    desc.flags = take(input, 2);
    desc.key_size = take(input, 2);
    desc.record_size = take(input, 2);
    desc.column_count = take(input, 1) % (MAX_COLUMNS + 1);
    desc.columns = desc.column_count > 0 ? columns : NULL;
    for (size_t i = 0; i < desc.column_count; i++) {
        columns[i].key = (clsort_key)take(input, 1);
        columns[i].flags = take(input, 1);
        columns[i].key_size = take(input, 2);
        columns[i].offset = take(input, 2);
    }
    return cls_request_read(&desc, request);
}

/* -- the reference ----------------------------------------------------------------------------- */

/* Appends the ordered bytes of a column, the highest first. The element is of a little-endian device. */
static size_t append_column(const struct cls_ordered_column *column, const uint8_t *at,
                            uint8_t *key)
{
    const unsigned bytes = column->column.bytes;
    const bool is_swapped = column->column.flags & CLSORT_BIG_ENDIAN;
    uint64_t number = 0;
    if (column->column.key == CLSORT_BYTES) {
        for (unsigned i = 0; i < bytes; i++)
            key[i] = at[i] ^ (column->column.flags & CLSORT_DESCENDING ? 0xff : 0);
        return bytes;
    }
    for (unsigned i = 0; i < bytes; i++)
        number = number << 8 | at[is_swapped ? i : bytes - 1 - i];
    number = cls_ordered(&column->spec, number);
    for (unsigned i = 0; i < bytes; i++)
        key[i] = (uint8_t)(number >> 8 * (bytes - 1 - i));
    return bytes;
}

/* -- the table --------------------------------------------------------------------------------- */

/* Returns the part of a word, as cl/columns/words.cl computes it. */
static uint64_t evaluate(const cls_columns_part *part, const uint8_t *element)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < part->load; i++)
        x |= (uint64_t)element[part->offset + (part->is_big_endian ? part->load - 1 - i : i)]
             << 8 * i;
    x = x >> part->drop & part->mask;
    const uint64_t magnitude = x & ~part->sign;
    if (part->infinity != 0 && magnitude > part->infinity)
        x = part->mask;
    else if (part->infinity != 0 && magnitude == 0)
        x = part->flip;
    else
        x = (x & part->sign ? x ^ (part->sign - 1) : x) ^ part->flip;
    require(part->left < 64 && part->right < 64);
    return x << part->left >> part->right;
}

/* All loads must be aligned as the part says, and within the element. */
static void check_part(const cls_columns_part *part, const struct cls_ordered_column *columns,
                       size_t count)
{
    require(part->load == 1 || part->load == 2 || part->load == 4 || part->load == 8);
    require(part->unit == 1 || part->unit == 4 || part->unit == 8);
    require(part->unit == 1 || part->load % part->unit == 0);
    require(part->offset % part->unit == 0 && part->stride % part->unit == 0);
    require(part->buffer < count && part->stride == columns[part->buffer].stride);
    require(part->load <= part->stride && part->offset <= part->stride - part->load);
    require(part->drop < 64);
}

/* Checks the words of an element, whose columns are at at[buffer]. */
static void check_words(const struct cls_columns_table *table, const uint8_t *const *at,
                        const uint8_t *key)
{
    for (unsigned w = 0; w < table->words; w++) {
        uint64_t word = 0, expected = 0;
        for (cls_u32 p = table->firsts[w]; p < table->firsts[w + 1]; p++)
            word |= evaluate(&table->parts[p], at[table->parts[p].buffer]);
        for (unsigned i = 0; i < 8; i++)
            expected = expected << 8 | key[8 * w + i];
        require(word == expected);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct cls_request request;
    struct cls_ordered_column ordered[CLSORT_MAX_COLUMNS];
    struct cls_columns_table table;
    const uint8_t *at[CLSORT_MAX_COLUMNS] = {NULL};
    uint8_t element[UINT16_MAX] = {0}, key[MAX_KEY + 8] = {0};
    if (read_descriptor(&input, &request) != CLSORT_OK || request.columns.count == 0)
        return 0;
    const struct cls_columns *columns = &request.columns;
    require(columns->count <= CLSORT_MAX_COLUMNS);
    memcpy(element, input.data, input.size < sizeof element ? input.size : sizeof element);
    cls_columns_order(columns, ordered);
    size_t length = 0, buffers = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        /* Columns with a buffer each are one after the other. */
        at[i] = element + (columns->record_bytes > 0 ? 0 : buffers);
        buffers += columns->record_bytes > 0 ? 0 : columns->column[i].bytes;
        length += append_column(&ordered[i], at[i] + ordered[i].column.offset, key + length);
    }
    require(cls_columns_table_make(ordered, columns->count, &table));
    require(table.words == cls_columns_words(columns) && table.firsts[0] == 0);
    for (cls_u32 p = 0; p < table.firsts[table.words]; p++)
        check_part(&table.parts[p], ordered, columns->count);
    check_words(&table, at, key);
    cls_columns_table_free(&table);
    return 0;
}
