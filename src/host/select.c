/* select.c - selects the first elements in the calling thread
 *
 * The k-th ordered key, the threshold, is found first. The ordered keys are read in blocks, and
 * those that can be among the first k are appended to a buffer for 2 k keys. When it is full, a
 * radix select finds the k-th key in it, and only the first k remain. Later keys must be less than
 * that one. Each time the buffer is full, at least as many keys have been appended as remain, so
 * that the time is linear for all inputs. A second read then finds the elements before the
 * threshold and the first ones that are equal to it, in the order of the input.
 *
 * Cost on one core (AMD EPYC, Zen 5): 1.4 ns per u32 key for the first 100 of 2^24 random keys. */
#include "host/select.h"

#include "base/arithmetic.h"
#include "base/index.h"
#include "host/key.h"
#include "host/sort.h"

#include <stdlib.h>

enum {
    BLOCK = 256, /* keys that are read at a time */
    MIN_BUFFER = 4096,
    RADIX_BITS = 8,
    /* If more than one key in 16 is selected, and all fit in the cache, an argsort of all elements is
     * faster than the selection and the sort of the selected elements. */
    MIN_KEYS_PER_SELECTED = 16,
    MAX_SORTED_COUNT = 1 << 18
};

/* -- the threshold ----------------------------------------------------------------------------- */

/* A word of a given rank, and the number of words before it. */
struct ranked {
    uint64_t word;
    size_t less;
};

/* Returns the word of this rank, counted from 1, among count words, by a radix select with digits
 * below the bits that all words share. `work` has space for as many words. */
static struct ranked select_word(const uint64_t *words, size_t count, size_t rank, uint64_t *work)
{
    uint64_t varying = 0;
    size_t before = 0;
    for (size_t i = 1; i < count; i++)
        varying |= words[i] ^ words[0];
    while (varying != 0) {
        const unsigned end_bit = cls_floor_log2(varying) + 1;
        const unsigned shift = end_bit > RADIX_BITS ? end_bit - RADIX_BITS : 0;
        const uint64_t mask = (1u << RADIX_BITS) - 1;
        size_t counts[1 << RADIX_BITS] = {0}, kept = 0;
        uint64_t digit = 0, first = 0;
        for (size_t i = 0; i < count; i++)
            counts[words[i] >> shift & mask]++;
        for (; rank > counts[digit]; digit++) {
            rank -= counts[digit];
            before += counts[digit];
        }
        varying = 0;
        for (size_t i = 0; i < count; i++) { /* without branches; words may be work */
            const uint64_t word = words[i];
            const bool is_kept = (word >> shift & mask) == digit;
            work[kept] = word;
            first = kept == 0 ? word : first;
            varying |= is_kept ? word ^ first : 0;
            kept += is_kept;
        }
        words = work;
        count = counts[digit];
    }
    return (struct ranked){words[0], before};
}

/* The first k ordered keys so far. */
struct first {
    size_t k, size, capacity; /* the buffer has BLOCK words more than its capacity */
    uint64_t *words, *work;
    uint64_t limit; /* the maximum of further keys */
    bool is_closed; /* no further key can be among the first k */
};

/* Drops all keys but the first k, and lowers the limit. */
static void drop_others(struct first *first)
{
    const struct ranked last = select_word(first->words, first->size, first->k, first->work);
    size_t ties = first->k - last.less, kept = 0;
    for (size_t i = 0; i < first->size; i++) {
        const uint64_t word = first->words[i];
        const bool is_tie = word == last.word && ties > 0;
        first->words[kept] = word;
        kept += word < last.word || is_tie;
        ties -= is_tie;
    }
    first->size = kept;
    first->is_closed = last.word == 0;
    first->limit = last.word - 1;
}

static void append(struct first *first, const uint64_t *words, size_t count)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < count; i++)
        hits |= words[i] <= first->limit;
    if (!hits || first->is_closed)
        return;
    size_t size = first->size;
    for (size_t i = 0; i < count; i++) {
        first->words[size] = words[i];
        size += words[i] <= first->limit;
    }
    first->size = size;
    if (size > first->capacity)
        drop_others(first);
}

/* Stores the ordered keys of at most BLOCK elements. */
static void read_block(const struct cls_spec *spec, const char *keys, size_t count, uint64_t *words)
{
    char *to = (char *)words;
    if (spec->key_bytes == 1)
        cls_host_read_keys(spec, 1, keys, count, to, sizeof *words);
    else if (spec->key_bytes == 2)
        cls_host_read_keys(spec, 2, keys, count, to, sizeof *words);
    else if (spec->key_bytes == 4)
        cls_host_read_keys(spec, 4, keys, count, to, sizeof *words);
    else
        cls_host_read_keys(spec, 8, keys, count, to, sizeof *words);
}

/* Returns the k-th ordered key, counted from 1. The buffer has space for all keys or 2 k of them. */
static struct ranked find_threshold(const struct cls_spec *spec, const char *keys, size_t count,
                                    struct first *first)
{
    uint64_t block[BLOCK];
    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t size = count - at < BLOCK ? count - at : BLOCK;
        read_block(spec, keys + at * spec->key_bytes, size, block);
        append(first, block, size);
    }
    return select_word(first->words, first->size, first->k, first->work);
}

/* -- the output -------------------------------------------------------------------------------- */

/* Writes the indexes of the elements before the threshold and of the first `ties` equal ones, or only
 * of the last of these ties. `indexes` has space for one more. */
static void find_indexes(const struct cls_spec *spec, const struct cls_host_selection *selection,
                         const struct ranked *threshold, size_t ties, uint64_t *indexes)
{
    const char *keys = selection->keys;
    const uint64_t last = threshold->word;
    const size_t total = cls_host_selected(selection);
    const bool is_nth = selection->is_nth;
    uint64_t block[BLOCK];
    size_t found = 0, tie = 0;
    for (size_t at = 0; found < total; at += BLOCK) {
        const size_t size = (size_t)cls_min(selection->count - at, BLOCK);
        uint64_t hits = 0;
        read_block(spec, keys + at * spec->key_bytes, size, block);
        for (size_t i = 0; i < size; i++)
            hits |= block[i] <= last;
        for (size_t i = 0; i < size && hits; i++) {
            const bool is_tie = block[i] == last, is_less = block[i] < last;
            tie += is_tie;
            indexes[found] = at + i;
            found += is_nth ? is_tie && tie == ties : is_less || (is_tie && tie <= ties);
        }
    }
}

/* Writes the indexes of all elements: those before the threshold, equal to it, and after it. `other`
 * has space for as many indexes. */
static void partition_indexes(const struct cls_spec *spec,
                              const struct cls_host_selection *selection,
                              const struct ranked *threshold, uint64_t *indexes, uint64_t *other)
{
    const char *keys = selection->keys;
    const uint64_t last = threshold->word;
    uint64_t *const rest = indexes + threshold->less;
    uint64_t block[BLOCK];
    size_t less = 0, equal = 0, greater = 0;
    for (size_t at = 0; at < selection->count; at += BLOCK) {
        const size_t size = (size_t)cls_min(selection->count - at, BLOCK);
        read_block(spec, keys + at * spec->key_bytes, size, block);
        for (size_t i = 0; i < size; i++) {
            const bool is_less = block[i] < last, is_equal = block[i] == last;
            uint64_t *const to = is_less    ? indexes + less
                                 : is_equal ? other + equal
                                            : rest + greater;
            *to = at + i;
            less += is_less;
            equal += is_equal;
            greater += !is_less && !is_equal;
        }
    }
    memmove(rest + equal, rest, greater * sizeof *rest);
    memcpy(rest, other, equal * sizeof *rest);
}

static inline void gather_of(const char *values, size_t bytes, const char *indexes,
                             unsigned index_bytes, size_t count, char *to)
{
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * bytes,
               values + cls_load_index(indexes + i * index_bytes, index_bytes) * bytes, bytes);
}

void cls_host_gather(const void *values, size_t value_bytes, const void *indexes,
                     unsigned index_bytes, size_t count, void *to)
{
    /* Compilers inline copies whose size is a constant. */
    if (value_bytes == 4)
        gather_of(values, 4, indexes, index_bytes, count, to);
    else if (value_bytes == 8)
        gather_of(values, 8, indexes, index_bytes, count, to);
    else
        gather_of(values, value_bytes, indexes, index_bytes, count, to);
}

/* Sorts the selected keys with their indexes, unless nobody can tell equal elements apart. */
static clsort_status sort_selected(const struct cls_spec *spec,
                                   const struct cls_host_selection *selection, void *keys,
                                   uint64_t *indexes)
{
    const bool keys_only =
        !selection->values_out && !selection->index_out && !cls_equal_keys_may_differ(spec);
    struct cls_spec pairs = *spec;
    pairs.value_bytes = keys_only ? 0 : sizeof *indexes;
    return cls_host_sort(&pairs, cls_host_selected(selection), keys, keys_only ? NULL : indexes);
}

/* Writes the values and the indexes of the selected elements. */
static void write_values(const struct cls_spec *spec, const struct cls_host_selection *selection,
                         const uint64_t *indexes)
{
    const size_t total = cls_host_selected(selection);
    if (selection->values_out)
        cls_host_gather(selection->values, spec->value_bytes, indexes, sizeof *indexes, total,
                        selection->values_out);
    for (size_t i = 0; i < total && selection->index_out; i++)
        cls_store_index(indexes[i], selection->index_bytes,
                        (char *)selection->index_out + i * selection->index_bytes);
}

/* Writes the outputs. `other` has space for the selected keys. */
static clsort_status write_outputs(const struct cls_spec *spec,
                                   const struct cls_host_selection *selection, uint64_t *indexes,
                                   void *other)
{
    const size_t total = cls_host_selected(selection);
    const bool sorts = !selection->is_nth && !selection->partitions && !selection->input_order;
    void *keys = selection->keys_out ? selection->keys_out : other;
    if (sorts || selection->keys_out)
        cls_host_gather(selection->keys, spec->key_bytes, indexes, sizeof *indexes, total, keys);
    const clsort_status status = sorts ? sort_selected(spec, selection, keys, indexes) : CLSORT_OK;
    if (status == CLSORT_OK)
        write_values(spec, selection, indexes);
    return status;
}

/* Selects by an argsort of all elements. */
static clsort_status sort_all(const struct cls_spec *spec,
                              const struct cls_host_selection *selection)
{
    const size_t count = selection->count, k = selection->k;
    struct cls_spec argsort = *spec;
    if (count > SIZE_MAX / sizeof(uint64_t))
        return CLSORT_E_MEMORY;
    uint64_t *const indexes = malloc(count * sizeof *indexes);
    if (!indexes)
        return CLSORT_E_MEMORY;
    argsort.value_is_index = true;
    argsort.value_bytes = sizeof *indexes;
    /* The keys are only read. */
    const clsort_status status = cls_host_sort(&argsort, count, (void *)selection->keys, indexes);
    if (status == CLSORT_OK && selection->keys_out)
        cls_host_gather(selection->keys, spec->key_bytes, indexes, sizeof *indexes, k,
                        selection->keys_out);
    if (status == CLSORT_OK)
        write_values(spec, selection, indexes);
    free(indexes);
    return status;
}

clsort_status cls_host_select(const struct cls_spec *spec,
                              const struct cls_host_selection *selection)
{
    const size_t count = selection->count,
                 k = selection->k + (selection->is_nth || selection->partitions);
    uint64_t first_index[] = {0, 0};
    if (k == 0)
        return CLSORT_OK;
    if (count == 1) {
        char *const key = malloc(spec->key_bytes);
        const clsort_status status =
            key ? write_outputs(spec, selection, first_index, key) : CLSORT_E_MEMORY;
        free(key);
        return status;
    }
    if (!selection->is_nth && !selection->partitions && !selection->input_order &&
        k > count / MIN_KEYS_PER_SELECTED && count <= MAX_SORTED_COUNT)
        return sort_all(spec, selection);
    const size_t capacity =
        k < (count - 1) / 2 && !selection->partitions ? 2 * k + MIN_BUFFER : count;
    if (capacity > SIZE_MAX / (4 * sizeof(uint64_t)) - BLOCK)
        return CLSORT_E_MEMORY;
    const size_t words = (capacity < count ? capacity : count) + BLOCK;
    uint64_t *const buffer = malloc(2 * words * sizeof *buffer);
    if (!buffer)
        return CLSORT_E_MEMORY;
    struct first first = {
        .k = k, .capacity = capacity, .words = buffer, .work = buffer + words, .limit = UINT64_MAX};
    const struct ranked threshold = find_threshold(spec, selection->keys, count, &first);
    if (selection->partitions)
        partition_indexes(spec, selection, &threshold, buffer, buffer + words);
    else
        find_indexes(spec, selection, &threshold, k - threshold.less, buffer);
    const clsort_status status = write_outputs(spec, selection, buffer, buffer + words);
    free(buffer);
    return status;
}
