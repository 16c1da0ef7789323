/* records.c - sorts records in host memory by columns
 *
 * The calling thread sorts pairs of the first word of the key and the index of the record. Runs of
 * records that are equal in a word are sorted by the next one, short runs by insertion. The records
 * move once, at the end. */
#include "host/records.h"

#include "base/index.h"
#include "host/key.h"
#include "host/sort.h"

#include <stdlib.h>

enum { WORD_BYTES = 8, MAX_INSERTION = 16 /* elements; longer runs are sorted by words */ };

/* -- keys -------------------------------------------------------------------------------------- */

/* Returns the number at this address whose first byte is the most significant one. */
static uint64_t load_big_endian(const char *at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | (unsigned char)at[i];
    return number;
}

/* Returns the ordered key of a number. */
static uint64_t ordered_number(const struct cls_host_column *column, const char *record)
{
    const char *at = record + column->column.offset;
    const size_t bytes = column->column.bytes;
    const bool is_big_endian = column->column.flags & CLSORT_BIG_ENDIAN;
    return cls_ordered(&column->spec,
                       is_big_endian ? load_big_endian(at, bytes) : cls_host_load(at, bytes));
}

/* Returns the ordered key of the bytes [from, to) of a byte string, at most 8 of them. */
static uint64_t ordered_bytes(const struct cls_host_column *column, const char *record, size_t from,
                              size_t to)
{
    const uint64_t number = load_big_endian(record + column->column.offset + from, to - from);
    const uint64_t all = UINT64_MAX >> 8 * (WORD_BYTES - (to - from));
    return column->column.flags & CLSORT_DESCENDING ? number ^ all : number;
}

uint64_t cls_host_record_word(const struct cls_host_records *records, unsigned word,
                              const char *record)
{
    const size_t word_begin = (size_t)word * WORD_BYTES, word_end = word_begin + WORD_BYTES;
    uint64_t key = 0;
    size_t begin = 0, end; /* of the column in the key */
    for (unsigned i = 0; i < records->columns && begin < word_end; i++, begin = end) {
        const struct cls_host_column *column = &records->column[i];
        const size_t from = begin > word_begin ? begin : word_begin;
        end = begin + column->column.bytes;
        if (end <= word_begin)
            continue;
        if (column->column.key == CLSORT_BYTES) {
            const size_t to = end < word_end ? end : word_end;
            key |= ordered_bytes(column, record, from - begin, to - begin) << 8 * (word_end - to);
        } else if (end <= word_end)
            key |= ordered_number(column, record) << 8 * (word_end - end);
        else
            key |= ordered_number(column, record) >> 8 * (end - word_end);
    }
    return key;
}

int cls_host_compare_records(const struct cls_host_records *records, const char *a, const char *b)
{
    for (unsigned i = 0; i < records->columns; i++) {
        const struct cls_host_column *column = &records->column[i];
        const struct cls_column *at = &column->column;
        int order;
        if (at->key == CLSORT_BYTES) {
            order = memcmp(a + at->offset, b + at->offset, at->bytes);
            if (at->flags & CLSORT_DESCENDING)
                order = (order < 0) - (order > 0);
        } else {
            const uint64_t x = ordered_number(column, a), y = ordered_number(column, b);
            order = (x > y) - (x < y);
        }
        if (order != 0)
            return order;
    }
    return 0;
}

bool cls_host_are_records_sorted(const struct cls_host_records *records, const char *at,
                                 size_t count)
{
    const size_t bytes = records->record_bytes;
    for (size_t i = 1; i < count; i++)
        if (cls_host_compare_records(records, at + (i - 1) * bytes, at + i * bytes) > 0)
            return false;
    return true;
}

/* -- sort -------------------------------------------------------------------------------------- */

/* A sort that is running. */
struct sort {
    const struct cls_host_records *records;
    const char *at; /* the records */
    char *indexes;
    size_t index_bytes;
    uint64_t *words; /* of the elements, in their present order */
};

static const char *record_of(const struct sort *sort, size_t i)
{
    const uint64_t index = cls_load_index(sort->indexes + i * sort->index_bytes, sort->index_bytes);
    return sort->at + index * sort->records->record_bytes;
}

/* Sorts the elements [first, end), whose words have been sorted already, by comparison. */
static void insert(const struct sort *sort, size_t first, size_t end)
{
    const size_t bytes = sort->index_bytes;
    for (size_t i = first + 1; i < end; i++) {
        const char *record = record_of(sort, i);
        const uint64_t index = cls_load_index(sort->indexes + i * bytes, bytes);
        size_t to = i;
        while (to > first &&
               cls_host_compare_records(sort->records, record_of(sort, to - 1), record) > 0)
            to--;
        memmove(sort->indexes + (to + 1) * bytes, sort->indexes + to * bytes, (i - to) * bytes);
        cls_store_index(index, bytes, sort->indexes + to * bytes);
    }
}

/* Sorts the elements [first, end), which are equal in the words before this one. */
static clsort_status sort_by_word(const struct sort *sort, unsigned word, size_t first, size_t end)
{
    const struct cls_spec pairs = {.key_bytes = WORD_BYTES,
                                   .order = CLS_ORDER_INTEGER,
                                   .stable = true,
                                   .end_bit = 8 * WORD_BYTES,
                                   .value_bytes = sort->index_bytes};
    uint64_t *const words = sort->words;
    for (size_t i = first; i < end; i++)
        words[i] = cls_host_record_word(sort->records, word, record_of(sort, i));
    clsort_status status = cls_host_sort(&pairs, end - first, words + first,
                                         sort->indexes + first * sort->index_bytes);
    for (size_t i = first, run_end; i < end && status == CLSORT_OK; i = run_end) {
        for (run_end = i + 1; run_end < end && words[run_end] == words[i];)
            run_end++;
        if (word + 1 == sort->records->words || run_end - i == 1)
            continue;
        if (run_end - i <= MAX_INSERTION)
            insert(sort, i, run_end);
        else
            status = sort_by_word(sort, word + 1, i, run_end);
    }
    return status;
}

/* Sets the permutation that sorts the records. */
static clsort_status find_permutation(const struct cls_host_records *records, size_t count,
                                      const char *at, char *indexes, size_t index_bytes)
{
    struct sort sort = {records, at, indexes, index_bytes, calloc(count, WORD_BYTES)};
    clsort_status status = CLSORT_E_MEMORY;
    if (sort.words) {
        cls_number_elements(index_bytes, count, indexes);
        status = sort_by_word(&sort, 0, 0, count);
    }
    free(sort.words);
    return status;
}

/* Moves the records in the calling thread. */
static clsort_status move_records(size_t record_bytes, size_t count, char *at, const char *indexes,
                                  size_t index_bytes)
{
    char *copy = malloc(count * record_bytes);
    if (!copy)
        return CLSORT_E_MEMORY;
    memcpy(copy, at, count * record_bytes);
    for (size_t i = 0; i < count; i++)
        memcpy(at + i * record_bytes,
               copy + cls_load_index(indexes + i * index_bytes, index_bytes) * record_bytes,
               record_bytes);
    free(copy);
    return CLSORT_OK;
}

clsort_status cls_host_sort_records(const struct cls_host_records *records, size_t count, char *at,
                                    char *indexes, size_t index_bytes)
{
    if (count == 0)
        return CLSORT_OK;
    if (index_bytes > 0)
        return find_permutation(records, count, at, indexes, index_bytes);
    const size_t own_bytes = count <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
    char *own = malloc(count * own_bytes);
    if (!own)
        return CLSORT_E_MEMORY;
    clsort_status status = find_permutation(records, count, at, own, own_bytes);
    if (status == CLSORT_OK)
        status = move_records(records->record_bytes, count, at, own, own_bytes);
    free(own);
    return status;
}
