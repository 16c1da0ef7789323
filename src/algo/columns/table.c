/* table.c - the words of an element, and the columns that they consist of (cl/columns/words.cl) */
#include "algo/columns/table.h"

#include <stdlib.h>

enum { WORD_BYTES = 8 };

void cls_columns_table_free(struct cls_columns_table *table)
{
    free(table->parts);
    free(table->firsts);
    *table = (struct cls_columns_table){0, NULL, NULL};
}

/* Adds the last `bytes` bytes, or those before them, of a number whose lowest byte is byte `end` - 1 of all bytes
 * of the columns, if any of them are in the word. */
static void place(cls_columns_part *part, unsigned word, unsigned end)
{
    const unsigned word_end = (word + 1) * WORD_BYTES;
    part->left = end < word_end ? 8 * (word_end - end) : 0;
    part->right = end > word_end ? 8 * (end - word_end) : 0;
}

/* Returns the largest of 8 and 4 that divides all positions of the numbers and their size, or 1. */
static unsigned unit_of(const struct cls_ordered_column *column, unsigned offset, unsigned load)
{
    for (unsigned unit = 8; unit >= 4; unit /= 2)
        if (column->stride % unit == 0 && offset % unit == 0 && load % unit == 0)
            return unit;
    return 1;
}

/* Sets how a number of `load` bytes at an offset in the element is read. */
static void set_load(const struct cls_ordered_column *column, unsigned offset, unsigned load,
                     cls_columns_part *part)
{
    part->buffer = column->buffer;
    part->stride = column->stride;
    part->offset = offset;
    part->load = load;
    part->unit = unit_of(column, offset, load);
}

/* Returns a part for a number, which is the whole column. */
static cls_columns_part number_part(const struct cls_ordered_column *column)
{
    const struct cls_spec *spec = &column->spec;
    const unsigned bits = 8 * spec->key_bytes;
    cls_columns_part part = {.mask = UINT64_MAX >> (64 - bits), .flip = spec->flip};
    set_load(column, column->column.offset, spec->key_bytes, &part);
    part.is_big_endian = (column->column.flags & CLSORT_BIG_ENDIAN) != 0;
    if (spec->order != CLS_ORDER_INTEGER)
        part.sign = (uint64_t)1 << (bits - 1);
    if (spec->order == CLS_ORDER_NUMERIC)
        part.infinity = cls_infinity(bits);
    return part;
}

/* Sets *part to a part of a byte string: as many of `bytes` bytes at an offset in the string as can be read as
 * a number within the element. Returns their number. */
static unsigned bytes_part(const struct cls_ordered_column *column, unsigned offset, unsigned bytes,
                           cls_columns_part *part)
{
    const uint32_t at = column->column.offset + offset, stride = column->stride;
    unsigned load = WORD_BYTES;
    *part = (cls_columns_part){.is_big_endian = 1};
    if (stride >= WORD_BYTES && (bytes & (bytes - 1)) != 0) { /* with bytes before or behind it */
        const uint32_t from = at <= stride - WORD_BYTES ? at : stride - WORD_BYTES;
        set_load(column, from, WORD_BYTES, part);
        part->drop = 8 * (WORD_BYTES - bytes - (at - from));
    } else {
        while (load > bytes)
            load /= 2;
        bytes = load;
        set_load(column, at, load, part);
    }
    part->mask = UINT64_MAX >> (64 - 8 * bytes);
    part->flip = column->column.flags & CLSORT_DESCENDING ? part->mask : 0;
    return bytes;
}

/* Adds the parts of a column in a word. The column is the bytes from `begin` on of all columns. Returns the number
 * of parts. If parts is NULL, only counts them. */
static size_t add_parts(const struct cls_ordered_column *column, unsigned word, unsigned begin,
                        cls_columns_part *parts)
{
    const unsigned end = begin + column->column.bytes;
    const unsigned word_begin = word * WORD_BYTES, word_end = word_begin + WORD_BYTES;
    unsigned from = begin > word_begin ? begin : word_begin;
    const unsigned to = end < word_end ? end : word_end;
    cls_columns_part part;
    size_t count = 0;
    while (from < to) {
        if (column->column.key == CLSORT_BYTES)
            from += bytes_part(column, from - begin, to - from, &part);
        else {
            part = number_part(column);
            from = end;
        }
        place(&part, word, from);
        if (parts)
            parts[count] = part;
        count++;
    }
    return count;
}

/* Adds the parts of all words to parts, or counts them if it is NULL. Sets firsts unless it is NULL. */
static size_t add_all(const struct cls_ordered_column *columns, size_t count, unsigned words,
                      cls_columns_part *parts, cls_u32 *firsts)
{
    size_t all = 0;
    for (unsigned word = 0; word < words; word++) {
        unsigned begin = 0;
        if (firsts)
            firsts[word] = (cls_u32)all;
        for (size_t i = 0; i < count; begin += columns[i++].column.bytes)
            all += add_parts(&columns[i], word, begin, parts ? parts + all : NULL);
    }
    if (firsts)
        firsts[words] = (cls_u32)all;
    return all;
}

bool cls_columns_table_make(const struct cls_ordered_column *columns, size_t count,
                            struct cls_columns_table *table)
{
    unsigned bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += columns[i].column.bytes;
    table->words = (bytes + WORD_BYTES - 1) / WORD_BYTES;
    table->parts = calloc(add_all(columns, count, table->words, NULL, NULL), sizeof *table->parts);
    table->firsts = calloc(table->words + 1, sizeof *table->firsts);
    if (!table->parts || !table->firsts)
        return false;
    add_all(columns, count, table->words, table->parts, table->firsts);
    return true;
}
