/* rows.c - the rows of an array: the sequences of keys along one axis, which are sorted alone */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SIZE = 1 << 20, /* bytes of rows that are collected at a time; they fit in L2 */
    LINE_SIZE = 64,       /* bytes of a cache line */
    STRIPE = 8            /* keys of a row that are copied at a time */
};

/* -- shapes ------------------------------------------------------------------------------------ */

bool rows_axis_exists(const struct npy_array *array, int axis)
{
    const int dimensions = (int)array->dimensions;

    return axis >= -dimensions && axis < dimensions;
}

unsigned rows_axis_index(const struct npy_array *array, int axis)
{
    return axis < 0 ? array->dimensions - (unsigned)-axis : (unsigned)axis;
}

/* Returns the size of a dimension in the order of memory, in which the last varies fastest. */
static size_t memory_shape(const struct npy_array *array, unsigned dimension)
{
    return (size_t)array->shape[array->is_fortran ? array->dimensions - 1 - dimension : dimension];
}

struct rows rows_of(const struct npy_array *array, int axis)
{
    struct rows rows = {.count = 1, .inner = 1, .key_size = array->type->size};
    unsigned in_memory = rows_axis_index(array, axis);

    if (array->count == 0) /* products of other dimensions could overflow */
        return rows;
    if (array->is_fortran)
        in_memory = array->dimensions - 1 - in_memory;
    rows.length = memory_shape(array, in_memory);
    rows.count = (size_t)array->count / rows.length;
    for (unsigned d = in_memory + 1; d < array->dimensions; d++)
        rows.inner *= memory_shape(array, d);
    return rows;
}

size_t rows_key(const struct rows *rows, size_t row, size_t position)
{
    return (row / rows->inner * rows->length + position) * rows->inner + row % rows->inner;
}

void rows_format_index(char text[ROWS_INDEX_SIZE], const struct npy_array *array, size_t key)
{
    size_t indexes[NPY_MAX_DIMENSIONS];
    const unsigned last = array->dimensions - 1;

    for (unsigned d = array->dimensions; d-- > 0; key /= memory_shape(array, d))
        indexes[array->is_fortran ? last - d : d] = key % memory_shape(array, d);
    if (last == 0) {
        sprintf(text, "%zu", indexes[0]);
        return;
    }
    for (unsigned d = 0; d <= last; d++)
        text += sprintf(text, "%s%zu", d == 0 ? "(" : ", ", indexes[d]);
    strcpy(text, ")");
}

/* -- transposition ----------------------------------------------------------------------------- */

/* Some neighbouring columns of a matrix, which are copied to rows and back. */
struct block {
    char *columns; /* the first element of the first column */
    char *rows;
    size_t size;   /* of an element */
    size_t pitch;  /* elements between neighbours in a column */
    size_t length; /* of a column */
    size_t count;  /* of columns */
};

/* Copies in stripes, so that all cache lines of a stripe stay in the cache until each of their
 * elements is copied. Inlined with a constant size, so that the copy of an element is one
 * instruction. */
static inline void copy_elements(const struct block *block, size_t size, bool to_rows)
{
    for (size_t first = 0; first < block->length; first += STRIPE) {
        const size_t rest = block->length - first;
        const size_t end = first + (rest < STRIPE ? rest : STRIPE);

        for (size_t c = 0; c < block->count; c++) {
            for (size_t i = first; i < end; i++) {
                char *in_column = block->columns + (i * block->pitch + c) * size;
                char *in_row = block->rows + (c * block->length + i) * size;

                memcpy(to_rows ? in_row : in_column, to_rows ? in_column : in_row, size);
            }
        }
    }
}

static void copy_block(const struct block *block, bool to_rows)
{
    switch (block->size) {
    case 1:
        copy_elements(block, 1, to_rows);
        break;
    case 2:
        copy_elements(block, 2, to_rows);
        break;
    case 4:
        copy_elements(block, 4, to_rows);
        break;
    default:
        copy_elements(block, 8, to_rows);
        break;
    }
}

/* -- visits ------------------------------------------------------------------------------------ */

struct row rows_adjacent(const struct rows *rows, void *keys, void *indexes, size_t number)
{
    const size_t first = number * rows->length;

    return (struct row){
        .number = number,
        .keys = (char *)keys + first * rows->key_size,
        .indexes = indexes == NULL ? NULL : (char *)indexes + first * rows->index_size,
    };
}

/* Visits `count` adjacent rows, of which the first one has the number `first`. */
static clsort_status visit_adjacent(const struct rows *rows, void *keys, void *indexes,
                                    size_t first, size_t count, rows_visitor *visit, void *context)
{
    clsort_status status = CLSORT_OK;

    for (size_t i = 0; i < count && status == CLSORT_OK; i++) {
        struct row row = rows_adjacent(rows, keys, indexes, i);

        row.number += first;
        status = visit(context, &row);
    }
    return status;
}

/* Returns the number of columns that are copied at a time: as many as fit in BLOCK_SIZE, but enough
 * to use whole cache lines. */
static size_t block_width(const struct rows *rows)
{
    const size_t narrowest = rows->index_size > 0 && rows->index_size < rows->key_size
                                 ? rows->index_size
                                 : rows->key_size;
    const size_t line = LINE_SIZE / narrowest;
    const size_t width =
        BLOCK_SIZE / (rows->key_size + rows->index_size) / rows->length / line * line;
    const size_t useful = width > 0 ? width : line;

    return useful < rows->inner ? useful : rows->inner;
}

size_t rows_copy_size(const struct rows *rows)
{
    return rows->inner == 1
               ? 0
               : block_width(rows) * rows->length * (rows->key_size + rows->index_size);
}

/* Allocates the rows of a block of `width` columns. Returns false if memory runs out. */
static bool create_block(struct block *block, const struct rows *rows, size_t size, size_t width)
{
    *block = (struct block){.size = size, .pitch = rows->inner, .length = rows->length};
    block->rows = size > 0 ? malloc(width * rows->length * size) : NULL;
    return size == 0 || block->rows != NULL;
}

/* Moves a block to the columns of the rows from `row` on. */
static void move_block(struct block *block, const struct rows *rows, char *array, size_t row,
                       size_t count)
{
    if (array != NULL)
        block->columns = array + rows_key(rows, row, 0) * block->size;
    block->count = count;
}

clsort_status rows_visit(const struct rows *rows, void *keys, void *indexes, bool is_written,
                         rows_visitor *visit, void *context)
{
    clsort_status status = CLSORT_OK;

    if (rows->inner == 1)
        return visit_adjacent(rows, keys, indexes, 0, rows->count, visit, context);
    const size_t width = block_width(rows);
    struct block key_block, index_block;
    const bool has_keys = create_block(&key_block, rows, rows->key_size, width);
    const bool has_indexes = create_block(&index_block, rows, rows->index_size, width);
    if (!has_keys || !has_indexes)
        status = CLSORT_E_MEMORY;
    for (size_t row = 0; row < rows->count && status == CLSORT_OK; row += key_block.count) {
        const size_t column = row % rows->inner, rest = rows->inner - column;
        const size_t count = rest < width ? rest : width;

        move_block(&key_block, rows, keys, row, count);
        move_block(&index_block, rows, indexes, row, count);
        copy_block(&key_block, true);
        status = visit_adjacent(rows, key_block.rows, index_block.rows, row, count, visit, context);
        if (is_written)
            copy_block(indexes != NULL ? &index_block : &key_block, false);
    }
    free(key_block.rows);
    free(index_block.rows);
    return status;
}
