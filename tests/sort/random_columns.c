/* random_columns.c - random columns, elements that have them, and the order of these */
#include "random_columns.h"

#include "sort_data.h"

#include <string.h>

size_t random_columns_size(const clsort_column *column)
{
    return column->key == CLSORT_BYTES ? column->key_size : data_type_of(column->key)->size;
}

/* Returns a size of byte strings; most of them are short. */
static size_t draw_size(uint64_t *random)
{
    return 1 + random_below(random, (size_t)1 << (1 + random_below(random, 8)));
}

static void draw_column(uint64_t *random, clsort_column *column)
{
    *column = (clsort_column){.key = CLSORT_BYTES};
    column->flags = random_below(random, 2) ? CLSORT_DESCENDING : 0;
    column->flags |= random_below(random, 2) ? CLSORT_BIG_ENDIAN : 0;
    if (random_below(random, 3) == 0) {
        column->key_size = draw_size(random);
        return;
    }
    const struct data_type *type = data_type_at(random_below(random, 11));
    column->key = type->key;
    column->flags |= data_type_is_float(type) && random_below(random, 2) ? CLSORT_FLOAT_NUMERIC : 0;
}

/* Places the columns in a record: one behind the other or anywhere, with bytes between them or not. */
static void draw_record(uint64_t *random, struct random_columns *layout)
{
    const bool is_packed = random_below(random, 2);
    size_t end = is_packed ? 0 : random_below(random, 9), longest = 0;
    for (size_t i = 0; i < layout->column_count; i++) {
        const size_t size = random_columns_size(&layout->columns[i]);
        layout->columns[i].offset = end;
        end += size + (is_packed ? 0 : random_below(random, 3));
        longest = size > longest ? size : longest;
    }
    if (random_below(random, 4) == 0) { /* columns may overlap */
        end = longest + random_below(random, 20);
        for (size_t i = 0; i < layout->column_count; i++)
            layout->columns[i].offset =
                random_below(random, end - random_columns_size(&layout->columns[i]) + 1);
    }
    layout->element_size = end + (random_below(random, 2) ? 0 : random_below(random, 120));
}

void random_columns_draw(uint64_t *random, clsort_desc *desc, struct random_columns *layout)
{
    layout->column_count = 1;
    if (random_below(random, 4) == 0) {
        layout->columns[0] = (clsort_column){.key = CLSORT_BYTES, .key_size = draw_size(random)};
        layout->columns[0].flags = desc->flags = random_below(random, 2) ? CLSORT_DESCENDING : 0;
        desc->key = CLSORT_BYTES;
        desc->key_size = layout->element_size = layout->columns[0].key_size;
        return;
    }
    layout->column_count =
        1 + random_below(random, random_below(random, 2) ? 3 : CLSORT_MAX_COLUMNS);
    for (size_t i = 0; i < layout->column_count; i++)
        draw_column(random, &layout->columns[i]);
    layout->has_buffers = random_below(random, 3) == 0;
    desc->columns = layout->columns;
    desc->column_count = layout->column_count;
    if (!layout->has_buffers) {
        draw_record(random, layout);
        desc->record_size = layout->element_size;
    }
    for (size_t i = 0; layout->has_buffers && i < layout->column_count; i++)
        layout->element_size += random_columns_size(&layout->columns[i]);
}

/* -- elements ---------------------------------------------------------------------------------- */

size_t random_columns_count(uint64_t *random, unsigned max_power)
{
    const size_t max = (size_t)1 << max_power;
    size_t count = random_below(random, ((size_t)1 << random_below(random, max_power + 1)) + 1);
    if (random_below(random, 4) == 0)
        count = random_below(random, 40);
    else if (random_below(random, 4) == 0)
        count = max / 1024 > 0
                    ? 1024 * random_below(random, max / 1024 + 1) + random_below(random, 3)
                    : max;
    return count < max ? count : max;
}

/* How many elements are equal in how many bytes. */
enum { RANDOM, FEW_BYTES, FEW_ELEMENTS, EQUAL, PREFIX, RARE, LAST_COLUMN, SPECIAL, KINDS };

/* Fills `size` bytes with a number that occurs in special cases of floats and integers. */
static void fill_special(uint64_t *random, uint8_t *at, size_t size)
{
    static const uint8_t bytes[] = {0, 0, 0x80, 0xff, 0x7f, 0x7c, 0xfc, 0xf0, 0x01};
    for (size_t i = 0; i < size; i++)
        at[i] = bytes[random_below(random, i % 4 == 0 ? sizeof bytes : 3)];
}

void random_columns_fill(uint64_t *random, const struct random_columns *layout, uint8_t *elements,
                         size_t count)
{
    enum { POOL = 40 };
    const size_t size = layout->element_size, kind = random_below(random, KINDS);
    const size_t varying = 1 + random_below(random, size < 12 ? size : 12),
                 pool = 1 + random_below(random, POOL);
    const clsort_column *last = &layout->columns[layout->column_count - 1];
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = elements + i * size;
        for (size_t byte = 0; byte < size; byte++)
            at[byte] = kind == FEW_BYTES ? (uint8_t)(random_below(random, 2) * 255)
                                         : (uint8_t)random_below(random, 256);
        const size_t from = kind == FEW_ELEMENTS ? random_below(random, pool) : 0;
        if (kind == SPECIAL)
            fill_special(random, at, size);
        if (i <= from || kind == RANDOM || kind == FEW_BYTES || kind == SPECIAL)
            continue;
        /* A copy of an earlier element, with changes. */
        uint8_t changed[4096];
        memcpy(changed, at, size);
        memcpy(at, elements + from * size, size);
        if (kind == PREFIX)
            memcpy(at + size - varying, changed + size - varying, varying);
        else if (kind == RARE && random_below(random, 3000) == 0)
            at[random_below(random, size)] = changed[0];
        else if (kind == LAST_COLUMN && !layout->has_buffers)
            memcpy(at + last->offset, changed + last->offset, random_columns_size(last));
    }
}

const uint8_t *random_columns_at(const struct random_columns *layout, const uint8_t *elements,
                                 size_t c, size_t i)
{
    size_t offset = layout->columns[c].offset;
    for (size_t before = 0; layout->has_buffers && before < c; before++)
        offset += random_columns_size(&layout->columns[before]);
    return elements + i * layout->element_size + offset;
}

static int compare_column(const clsort_column *column, const uint8_t *a, const uint8_t *b)
{
    const size_t size = random_columns_size(column);
    if (column->key == CLSORT_BYTES) {
        const int order = memcmp(a, b, size);
        return column->flags & CLSORT_DESCENDING ? -order : order;
    }
    uint8_t native[2][8];
    for (size_t i = 0; i < size; i++) {
        const size_t from = column->flags & CLSORT_BIG_ENDIAN ? size - 1 - i : i;
        native[0][i] = a[from];
        native[1][i] = b[from];
    }
    const struct data_type *type = data_type_of(column->key);
    const uint32_t flags = column->flags & (CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC);
    const uint64_t x = data_order(type, flags, native[0]), y = data_order(type, flags, native[1]);
    return x < y ? -1 : x > y;
}

int random_columns_compare(const struct random_columns *layout, const uint8_t *elements, size_t a,
                           size_t b)
{
    int order = 0;
    for (size_t c = 0; c < layout->column_count && order == 0; c++)
        order = compare_column(&layout->columns[c], random_columns_at(layout, elements, c, a),
                               random_columns_at(layout, elements, c, b));
    return order;
}

static bool precedes(const struct random_columns *layout, const uint8_t *elements, size_t a,
                     size_t b)
{
    const int order = random_columns_compare(layout, elements, a, b);
    return order != 0 ? order < 0 : a < b;
}

/* Merge sort of the indexes in order[0] to order[count - 1]. */
static void sort_indexes(const struct random_columns *layout, const uint8_t *elements,
                         size_t *order, size_t *other, size_t count)
{
    const size_t half = count / 2;
    if (count < 2)
        return;
    sort_indexes(layout, elements, order, other, half);
    sort_indexes(layout, elements, order + half, other, count - half);
    memcpy(other, order, half * sizeof *order);
    for (size_t to = 0, a = 0, b = half; a < half; to++)
        order[to] =
            b < count && precedes(layout, elements, order[b], other[a]) ? order[b++] : other[a++];
}

void random_columns_order(const struct random_columns *layout, const uint8_t *elements,
                          size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    sort_indexes(layout, elements, order, order + count, count);
}
