/* check.c - clsort_mpi_check: whether the elements of all ranks are in order, their number and a checksum */
#include "base/arithmetic.h"
#include "base/error.h"
#include "host/key.h"
#include "mpi/context.h"
#include "mpi/local.h"

#include <stdlib.h>

enum { PIECE = 1 << 15 /* elements that are sorted at once */ };

struct check {
    clsort_mpi *mpi;
    struct cls_mpi_elements elements;
    uint64_t count;
    const char *keys, *values;
    uint32_t *index; /* of PIECE elements, unless the keys have a built-in type */
    char *border;    /* the last key before those of this rank, and the first one of this rank */
};

/* -- order ------------------------------------------------------------------------------------- */

static bool are_numbers_in_order(const struct cls_mpi_elements *elements, uint64_t count,
                                 const char *keys)
{
    uint64_t before = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t key = cls_host_ordered_key(&elements->spec, keys + i * elements->key_bytes);
        if (key < before)
            return false;
        before = key;
    }
    return true;
}

/* Sets *in_order to whether keys are in order: whether a stable sort of each piece, which includes the first key of the
 * next one, moves nothing. */
static clsort_status are_in_order(const struct check *check, uint64_t count, const char *keys,
                                  bool *in_order)
{
    const struct cls_mpi_elements *elements = &check->elements;
    *in_order = true;
    if (elements->has_numbers) {
        *in_order = are_numbers_in_order(elements, count, keys);
        return CLSORT_OK;
    }
    for (uint64_t first = 0; first + 1 < count && *in_order; first += PIECE - 1) {
        const size_t length = (size_t)cls_min(count - first, PIECE);
        const clsort_status status = cls_local_argsort(
            check->mpi->engine, elements, length, keys + first * elements->key_bytes, check->index);
        if (status != CLSORT_OK)
            return status;
        for (size_t i = 0; i < length; i++)
            *in_order = *in_order && check->index[i] == i;
    }
    return CLSORT_OK;
}

/* Returns the nearest rank with elements in a direction, or MPI_PROC_NULL. */
static int neighbour(const clsort_mpi *mpi, int direction)
{
    for (int i = mpi->ranks.rank + direction; i >= 0 && i < mpi->ranks.size; i += direction)
        if (mpi->calls[i].count > 0)
            return i;
    return MPI_PROC_NULL;
}

/* Sends the last key to the next rank with elements, and receives that of the one before. *has_border becomes whether
 * there is one. */
static clsort_status exchange_border(const struct check *check, bool *has_border)
{
    struct cls_ranks *ranks = &check->mpi->ranks;
    const size_t bytes = check->elements.key_bytes;
    clsort_status status = CLSORT_OK;
    *has_border = false;
    if (check->count == 0)
        return CLSORT_OK;
    const int before = neighbour(check->mpi, -1), next = neighbour(check->mpi, 1);
    const char *last = check->keys + (check->count - 1) * bytes;
    for (size_t at = 0; at < bytes && status == CLSORT_OK; at += ranks->max_message_bytes) {
        const int length = (int)cls_min(bytes - at, ranks->max_message_bytes);
        status = cls_ranks_called(ranks, "MPI_Sendrecv",
                                  MPI_Sendrecv(last + at, length, MPI_BYTE, next, 0,
                                               check->border + at, length, MPI_BYTE, before, 0,
                                               ranks->comm, MPI_STATUS_IGNORE));
    }
    memcpy(check->border + bytes, check->keys, bytes);
    *has_border = before != MPI_PROC_NULL;
    return status;
}

/* -- checksum ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const char *at, size_t bytes)
{
    while (bytes > 0) {
        const size_t length = bytes < sizeof hash ? bytes : sizeof hash;
        uint64_t word = 0;
        memcpy(&word, at, length);
        hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25);
        hash ^= hash >> 32;
        at += length;
        bytes -= length;
    }
    return hash;
}

/* Returns the sum of the hashes of all elements of this rank. */
static uint64_t sum_up(const struct check *check)
{
    const size_t key_bytes = check->elements.key_bytes;
    const size_t value_bytes = check->elements.value_bytes;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < check->count; i++) {
        uint64_t hash = mix(CLS_HASH_START, check->keys + i * key_bytes, key_bytes);
        if (value_bytes > 0)
            hash = mix(hash, check->values + i * value_bytes, value_bytes);
        hash = (hash ^ hash >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        sum += hash ^ hash >> 32;
    }
    return sum;
}

/* -- the check --------------------------------------------------------------------------------- */

/* Checks the elements of this rank. */
static clsort_status check_own(struct check *check, bool *in_order)
{
    if (!check->elements.has_numbers)
        check->index = calloc(PIECE, sizeof *check->index);
    check->border = malloc(2 * check->elements.key_bytes);
    return check->border && (check->index || check->elements.has_numbers)
               ? are_in_order(check, check->count, check->keys, in_order)
               : CLSORT_E_MEMORY;
}

static clsort_status check_ranks(struct check *check, bool *in_order, uint64_t *checksum)
{
    struct cls_ranks *ranks = &check->mpi->ranks;
    bool own = true, is_after = true, has_border;
    clsort_status status = cls_ranks_agree(ranks, check_own(check, &own));
    if (status != CLSORT_OK)
        return status;
    status = exchange_border(check, &has_border);
    if (status == CLSORT_OK && has_border)
        status = are_in_order(check, 2, check->border, &is_after);
    const uint64_t sent[2] = {!(own && is_after), sum_up(check)};
    uint64_t sum[2] = {sent[0], sent[1]};
    const clsort_status summed = cls_ranks_called(
        ranks, "MPI_Allreduce", MPI_Allreduce(sent, sum, 2, MPI_UINT64_T, MPI_SUM, ranks->comm));
    status = cls_ranks_conclude(ranks, status == CLSORT_OK ? summed : status);
    *in_order = sum[0] == 0;
    *checksum = sum[1];
    return status;
}

static clsort_status run(struct check *check, const clsort_desc *desc, bool *in_order,
                         uint64_t *total, uint64_t *checksum)
{
    struct cls_mpi_elements *elements = &check->elements;
    if (!check->mpi)
        return cls_fail(CLSORT_E_ARGUMENT, "mpi is NULL");
    clsort_status status = cls_elements_read(desc, check->mpi->engine, elements);
    if (status == CLSORT_OK)
        status =
            cls_arrays_check(elements, check->count, check->keys, check->values, "keys", "values");
    status =
        cls_mpi_begin(check->mpi, status, elements->hash + 1, check->count, check->count, total);
    if (status != CLSORT_OK)
        return status;
    status = check_ranks(check, in_order, checksum);
    free(check->index);
    free(check->border);
    return status;
}

clsort_status clsort_mpi_check(clsort_mpi *mpi, const clsort_desc *desc, uint64_t count,
                               const void *keys, const void *values, int *in_order, uint64_t *total,
                               uint64_t *checksum)
{
    struct check check = {.mpi = mpi, .count = count, .keys = keys, .values = values};
    bool are = false;
    uint64_t all = 0, sum = 0;
    cls_error_begin(0);
    const clsort_status status = run(&check, desc, &are, &all, &sum);
    if (in_order)
        *in_order = status == CLSORT_OK && are;
    if (total)
        *total = status == CLSORT_OK ? all : 0;
    if (checksum)
        *checksum = status == CLSORT_OK ? sum : 0;
    return cls_error_end(status);
}
