/* rows.c - elements that are more than a key and a value: rows of columns, byte strings and records */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 8, BLOCK = 1024 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* -- the layout -------------------------------------------------------------------------------- */

static void add_column(struct row_layout *layout, clsort_key key, uint32_t flags, size_t key_size,
                       size_t offset)
{
    clsort_column *column = &layout->columns[layout->column_count];
    *column = (clsort_column){key, flags, key_size, offset};
    layout->described[layout->column_count] = *column;
    if (layout->has_arrays)
        layout->described[layout->column_count].offset = 0;
    layout->column_count++;
}

void rows_lay_out(enum operation operation, size_t string_size, struct row_layout *layout)
{
    *layout = (struct row_layout){.has_arrays = operation == OP_COLUMNS};
    layout->type.name = layout->name;
    if (operation == OP_COLUMNS) {
        strcpy(layout->name, "u32-f64-u8");
        layout->type.size = sizeof(struct row_of_columns);
        add_column(layout, CLSORT_U32, 0, 0, offsetof(struct row_of_columns, first));
        add_column(layout, CLSORT_F64, CLSORT_DESCENDING, 0,
                   offsetof(struct row_of_columns, second));
        add_column(layout, CLSORT_U8, 0, 0, offsetof(struct row_of_columns, third));
    } else if (operation == OP_STRINGS) {
        snprintf(layout->name, sizeof layout->name, "bytes%zu", string_size);
        layout->type.size = string_size;
        add_column(layout, CLSORT_BYTES, 0, string_size, 0);
    } else if (operation == OP_RECORDS) {
        snprintf(layout->name, sizeof layout->name, "bytes%d", ROWS_RECORD_KEY_BYTES);
        layout->type.size = ROWS_RECORD_BYTES;
        layout->payload_offset = ROWS_RECORD_KEY_BYTES;
        add_column(layout, CLSORT_BYTES, 0, ROWS_RECORD_KEY_BYTES, 0);
    } else {
        strcpy(layout->name, "f32");
        layout->type.size = ROWS_PARTICLE_BYTES;
        layout->payload_offset = sizeof(float);
        add_column(layout, CLSORT_F32, CLSORT_DESCENDING, 0, 0);
    }
}

void rows_describe(const struct row_layout *layout, clsort_desc *desc)
{
    const clsort_column *first = &layout->columns[0];
    if (first->key_size == layout->type.size) { /* the row is a byte string */
        desc->key = CLSORT_BYTES;
        desc->key_size = first->key_size;
        return;
    }
    desc->columns = layout->described;
    desc->column_count = layout->column_count;
    desc->record_size = layout->has_arrays ? 0 : layout->type.size;
}

/* -- generation -------------------------------------------------------------------------------- */

/* A part of the key with a distribution of its own: a column, or up to 8 bytes of a byte string. */
struct part {
    const struct data_type *type;
    bool is_big_endian;
    size_t offset, bytes;
};

static size_t parts_of(const clsort_column *column)
{
    return column->key == CLSORT_BYTES ? (column->key_size + WORD_BYTES - 1) / WORD_BYTES : 1;
}

static struct part part_of(const clsort_column *column, size_t index)
{
    const size_t from = index * WORD_BYTES;
    if (column->key == CLSORT_BYTES)
        return (struct part){data_type_of(CLSORT_U64), true, column->offset + from,
                             smaller(WORD_BYTES, column->key_size - from)};
    const struct data_type *type = data_type_of(column->key);
    return (struct part){type, false, column->offset, type->size};
}

static enum data_dist dist_of_part(enum data_dist dist, size_t part, size_t parts)
{
    if (dist != DATA_SHARED_PREFIX)
        return part == 0 || dist == DATA_EQUAL ? dist : DATA_UNIFORM;
    return 2 * part + 1 < parts    ? DATA_EQUAL
           : 2 * part + 1 == parts ? DATA_SHARED_PREFIX
                                   : DATA_UNIFORM;
}

/* Copies a number to a row, most significant byte first if that is asked for. */
static void put(const struct part *part, const unsigned char *number, unsigned char *row)
{
    uint64_t word;
    if (!part->is_big_endian) {
        memcpy(row + part->offset, number, part->bytes);
        return;
    }
    memcpy(&word, number, sizeof word);
    for (size_t i = 0; i < part->bytes; i++)
        row[part->offset + i] = (unsigned char)(word >> (8 * (WORD_BYTES - 1 - i)));
}

static void fill_part(const struct row_layout *layout, const struct part *part, enum data_dist dist,
                      uint64_t seed, uint64_t total, uint64_t first, unsigned char *rows,
                      size_t count)
{
    uint64_t block[BLOCK];
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        const size_t n = smaller(BLOCK, count - begin);
        data_fill_part(part->type, dist, seed, total, first + begin, block, n);
        for (size_t i = 0; i < n; i++)
            put(part, (const unsigned char *)block + i * part->type->size,
                rows + (begin + i) * layout->type.size);
    }
}

void rows_fill_payload(uint64_t index, void *payload, size_t size)
{
    uint64_t word = index;
    for (size_t at = 0; at < size; at += sizeof word) {
        memcpy((unsigned char *)payload + at, &word, smaller(sizeof word, size - at));
        word += UINT64_C(0x9e3779b97f4a7c15);
    }
}

void rows_fill(const struct row_layout *layout, enum data_dist dist, uint64_t seed, uint64_t total,
               uint64_t first, void *rows, size_t count)
{
    const size_t size = layout->type.size, payload = layout->payload_offset;
    size_t parts = 0, part = 0;
    memset(rows, 0, count * size); /* the bytes between columns */
    for (size_t c = 0; c < layout->column_count; c++)
        parts += parts_of(&layout->columns[c]);
    for (size_t c = 0; c < layout->column_count; c++)
        for (size_t i = 0; i < parts_of(&layout->columns[c]); i++, part++) {
            const struct part filled = part_of(&layout->columns[c], i);
            fill_part(layout, &filled, dist_of_part(dist, part, parts), seed + part, total, first,
                      rows, count);
        }
    for (size_t i = 0; payload > 0 && i < count; i++)
        rows_fill_payload(first + i, (unsigned char *)rows + i * size + payload, size - payload);
}

/* -- rows ---------------------------------------------------------------------------------------- */

size_t rows_column_bytes(const struct row_layout *layout, size_t column)
{
    const clsort_column *described = &layout->columns[column];
    return described->key == CLSORT_BYTES ? described->key_size
                                          : data_type_of(described->key)->size;
}

void rows_copy_column(const struct row_layout *layout, size_t column, const void *rows,
                      size_t count, void *out)
{
    const size_t bytes = rows_column_bytes(layout, column);
    const unsigned char *from = (const unsigned char *)rows + layout->columns[column].offset;
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)out + i * bytes, from + i * layout->type.size, bytes);
}

static int compare_column(const clsort_column *column, const void *a, const void *b)
{
    if (column->key == CLSORT_BYTES)
        return memcmp(a, b, column->key_size);
    const struct data_type *type = data_type_of(column->key);
    const uint64_t x = data_order(type, column->flags, a), y = data_order(type, column->flags, b);
    return (x > y) - (x < y);
}

int rows_compare(const struct row_layout *layout, const void *a, const void *b)
{
    int order = 0;
    for (size_t c = 0; c < layout->column_count && order == 0; c++) {
        const size_t offset = layout->columns[c].offset;
        order = compare_column(&layout->columns[c], (const unsigned char *)a + offset,
                               (const unsigned char *)b + offset);
    }
    return order;
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

const char *rows_check_prefixes(const struct row_layout *layout, const void *rows, size_t count)
{
    uint64_t *prefixes = malloc(count * sizeof *prefixes);
    if (!prefixes)
        return "there is no memory to check the keys";
    for (size_t i = 0; i < count; i++)
        memcpy(&prefixes[i], (const unsigned char *)rows + i * layout->type.size, WORD_BYTES);
    qsort(prefixes, count, sizeof *prefixes, compare_words);
    bool differ = true;
    for (size_t i = 1; differ && i < count; i++)
        differ = prefixes[i - 1] != prefixes[i];
    free(prefixes);
    return differ ? NULL : "some keys have the same first 8 bytes, and it compares no others";
}

uint64_t rows_index(const struct row_layout *layout, const void *row)
{
    uint64_t index;
    memcpy(&index, (const unsigned char *)row + layout->payload_offset, sizeof index);
    return index;
}
