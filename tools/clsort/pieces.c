/* pieces.c - divides rows into pieces whose sort fits in memory */
#include "pieces.h"

#include "indexes.h"
#include "memory.h"
#include "print.h"

#include <string.h>

enum {
    UNIT = 1 << 16, /* the keys of the smallest piece; all pieces but the last are multiples */

    /* What the driver and the merge need besides scratch memory. With PoCL 3.1 and all programs
     * compiled, a sort of up to 2^26 keys took at most 8 MiB of address space; the merge needs
     * about 1 MiB. */
    RESERVE = 16 << 20,

    TABLES = 32 << 20,     /* scratch is at most 17/16 of the keys, and this (docs/design.md) */
    SELECTION = 64 << 20,  /* the same for a selection (clsort_scratch_size in clsort.h) */
    HOST_BUFFER = 1 << 13, /* words that a selection on the host needs besides those of the keys */
    MERGE_BLOCK = 1 << 9   /* elements that are merged at a time */
};

static bool shares_memory(const struct device *device)
{
    cl_bool shares = CL_TRUE;

    clGetDeviceInfo(device->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof shares, &shares, NULL);
    return shares;
}

uint64_t pieces_limit(const struct device *device, uint64_t memory)
{
    cl_ulong max = 0;

    if (device->engine == NULL || clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                                  sizeof max, &max, NULL) != CL_SUCCESS)
        return memory;
    return max < memory ? max : memory;
}

struct pieces_cost pieces_cost_of_keys(const struct device *device, size_t key_size,
                                       size_t index_size, uint32_t flags)
{
    struct pieces_cost cost = {RESERVE, 0};

    if (device->engine == NULL) {
        /* Two words (src/host/sort.c), of 4 bytes if elements that compare equal are identical. */
        cost.per_element =
            key_size <= 4 && index_size == 0 && !(flags & CLSORT_FLOAT_NUMERIC) ? 8 : 16;
        return cost;
    }
    if (shares_memory(device)) { /* otherwise scratch is in the memory of the device */
        cost.fixed += TABLES;
        cost.per_element = (double)(key_size + index_size) * 17 / 16;
        if (index_size > 0) /* a copy of the keys is sorted */
            cost.per_element += (double)key_size;
    }
    if (device->group != NULL) /* a copy of all, and another one of the keys that have indexes */
        cost.per_element += (double)(key_size + index_size + (index_size > 0 ? key_size : 0));
    return cost;
}

struct pieces_cost pieces_cost_of_records(const struct device *device, size_t record_size,
                                          size_t index_size)
{
    /* Words and indexes, twice, and a copy of the records */
    const size_t pair = 2 * (sizeof(uint64_t) + sizeof(uint64_t));
    const size_t copy = index_size > 0 ? 0 : record_size;
    struct pieces_cost cost = {RESERVE, (double)copy};

    if (device->engine == NULL) {
        cost.per_element = (double)(pair + copy);
    } else if (shares_memory(device)) {
        cost.fixed += TABLES;
        cost.per_element = (double)(pair + pair / 16 + copy);
    }
    /* Another copy. Records with indexes take two, and parts of more than two shares a third one. */
    const size_t copies = device->group_count > 2 ? 3 : 2;
    if (device->group != NULL)
        cost.per_element +=
            (double)(index_size > 0 ? copies * (record_size + index_size) : record_size);
    return cost;
}

static struct pieces_cost cost_of(const struct device *device, const struct rows *rows,
                                  uint32_t flags, size_t other_size)
{
    struct pieces_cost cost = pieces_cost_of_keys(device, rows->key_size, rows->index_size, flags);

    cost.fixed += other_size;
    return cost;
}

/* Returns the maximum number of keys of a piece, up to `length`. */
static size_t max_keys(const struct pieces_cost *cost, uint64_t bytes, size_t length)
{
    if (bytes < cost->fixed)
        return 0;
    const double max =
        cost->per_element > 0 ? (double)(bytes - cost->fixed) / cost->per_element : (double)length;
    return max < (double)length ? (size_t)max : length;
}

/* Prints an error if the memory is less than needed. */
static void print_shortage(const char *name, uint64_t needed, const struct memory *left)
{
    char reason[MEMORY_SHORTAGE_SIZE];

    print_error(name, "%s", memory_shortage(reason, "sorting", needed, left));
}

bool pieces_fit(const struct rows *rows, uint32_t flags, size_t missing_size,
                const struct device *device)
{
    const struct pieces_cost cost = cost_of(device, rows, flags, missing_size);
    const struct memory left = memory_left();

    return max_keys(&cost, memory_unswapped(&left), rows->length) == rows->length;
}

bool pieces_check_row(const char *name, const struct rows *rows, uint32_t flags,
                      size_t missing_size, const struct device *device)
{
    const struct pieces_cost cost = cost_of(device, rows, flags, missing_size);
    const struct memory left = memory_left();

    if (max_keys(&cost, memory_total(&left), rows->length) == rows->length)
        return true;
    print_shortage(name, cost.fixed + (uint64_t)(cost.per_element * (double)rows->length), &left);
    return false;
}

bool pieces_choose(struct pieces *pieces, const char *name, const struct rows *rows, uint32_t flags,
                   size_t missing_size, const struct device *device)
{
    const struct pieces_cost cost =
        cost_of(device, rows, flags, rows_copy_size(rows) + missing_size);
    const struct memory left = memory_left();
    const size_t length = rows->length, smallest = length < UNIT ? length : UNIT;
    size_t max = max_keys(&cost, memory_unswapped(&left), length);

    if (max < smallest && max_keys(&cost, memory_total(&left), length) >= smallest)
        max = smallest;
    if (max < smallest) {
        print_shortage(name, cost.fixed + (uint64_t)(cost.per_element * (double)smallest), &left);
        return false;
    }
    *pieces = (struct pieces){length, length > 0};
    if (max == length)
        return true;
    const size_t most = max / UNIT * UNIT;
    pieces->count = length / most + (length % most != 0);
    const size_t even = length / pieces->count + (length % pieces->count != 0);
    pieces->length = even / UNIT * UNIT + (even % UNIT != 0 ? UNIT : 0);
    pieces->count = length / pieces->length + (length % pieces->length != 0);
    return true;
}

uint64_t pieces_cost_of_selection(const struct device *device, size_t key_size, uint64_t length,
                                  uint64_t k, bool is_nth)
{
    const uint64_t selected = k < length ? k : length;
    const uint64_t words = 2 * selected < length ? 2 * selected : length;

    if (device->engine == NULL)
        return RESERVE + 2 * sizeof(uint64_t) * (words + HOST_BUFFER + 2 * selected);
    if (!shares_memory(device))
        return RESERVE;
    /* Candidates are at most 1/8 of many keys (src/algo/select/select.h). */
    const uint64_t elements = is_nth ? length / 8 : 4 * selected;
    return RESERVE + SELECTION + elements * (key_size + 8) + length / 16;
}

bool pieces_choose_selection(struct pieces *pieces, const char *name, const struct rows *rows,
                             uint64_t k, bool is_nth, size_t missing_size,
                             const struct device *device)
{
    const struct memory left = memory_left();
    const uint64_t needed =
        pieces_cost_of_selection(device, rows->key_size, rows->length, k, is_nth) +
        rows_copy_size(rows) + missing_size;

    *pieces = (struct pieces){rows->length, rows->length > 0};
    if (needed <= memory_total(&left))
        return true;
    print_shortage(name, needed, &left);
    return false;
}

bool pieces_check_records(const char *name, const struct rows *rows, size_t missing_size,
                          const struct device *device)
{
    const struct pieces_cost cost =
        pieces_cost_of_records(device, rows->key_size, rows->index_size);
    const struct memory left = memory_left();
    const uint64_t needed = cost.fixed + missing_size + rows->length * (uint64_t)cost.per_element;

    if (needed <= memory_total(&left))
        return true;
    print_shortage(name, needed, &left);
    return false;
}

clsort_status pieces_sort(const struct pieces *pieces, const struct rows *rows,
                          const struct row *row, pieces_sorter *sort, void *context)
{
    char *keys = row->keys, *indexes = row->indexes;
    clsort_status status = CLSORT_OK;

    for (size_t at = 0; at < rows->length && status == CLSORT_OK; at += pieces->length) {
        const size_t rest = rows->length - at;

        status = sort(context, keys + at * rows->key_size,
                      indexes == NULL ? NULL : indexes + at * rows->index_size,
                      rest < pieces->length ? rest : pieces->length);
    }
    return status;
}

void pieces_start_merge(struct merge *merge, const struct rows *rows, const struct row *row)
{
    if (row->indexes == NULL)
        merge_start(merge, row->keys, rows->length);
    else
        merge_start_indexes(merge, row->keys, row->indexes, rows->index_size, rows->length);
}

clsort_status pieces_merge(const struct pieces *pieces, const struct rows *rows,
                           const struct data_type *type, uint32_t flags, const struct row *row,
                           void *array)
{
    const bool has_indexes = row->indexes != NULL;
    const size_t size = has_indexes ? rows->index_size : rows->key_size;
    uint64_t block[MERGE_BLOCK], indexes[MERGE_BLOCK]; /* block: elements of any size */
    struct merge *merge = merge_create(type, flags, rows->length, pieces->length);

    if (merge == NULL)
        return CLSORT_E_MEMORY;
    pieces_start_merge(merge, rows, row);
    for (size_t at = 0, count; at < rows->length; at += count) {
        const size_t rest = rows->length - at;

        count = rest < MERGE_BLOCK ? rest : MERGE_BLOCK;
        if (has_indexes) {
            merge_take_indexes(merge, indexes, count);
            indexes_narrow(block, size, indexes, count);
        } else {
            merge_take(merge, block, count);
        }
        for (size_t i = 0; i < count; i++)
            memcpy((char *)array + rows_key(rows, row->number, at + i) * size,
                   (char *)block + i * size, size);
    }
    merge_destroy(merge);
    return CLSORT_OK;
}
