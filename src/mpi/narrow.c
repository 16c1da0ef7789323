/* narrow.c - the exact positions that divide the sorted elements of all ranks, in any order */
#include "mpi/narrow.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "mpi/exchange.h"
#include "mpi/local.h"

#include <stdlib.h>
#include <string.h>

/* Samples that other ranks send to this one, and those that it sends. */
struct samples {
    uint64_t max;
    size_t count;
    char *elements; /* in the order of the ranks that they are from */
    char *sent;
    uint32_t *order,
        *rank; /* of the i-th sample in order: its index, then its rank; of each sample */
};

static clsort_status open_samples(const clsort_mpi *mpi, size_t key_bytes, struct samples *samples)
{
    samples->max = cls_windows_max_samples((uint64_t)mpi->ranks.size, key_bytes);
    samples->elements = calloc((size_t)samples->max, key_bytes);
    samples->sent = calloc((size_t)samples->max, key_bytes);
    samples->order = calloc((size_t)samples->max, sizeof *samples->order);
    samples->rank = calloc((size_t)samples->max, sizeof *samples->rank);
    return samples->elements && samples->sent && samples->order && samples->rank ? CLSORT_OK
                                                                                 : CLSORT_E_MEMORY;
}

static void close_samples(struct samples *samples)
{
    free(samples->elements);
    free(samples->sent);
    free(samples->order);
    free(samples->rank);
}

/* Copies the samples that another rank wants of this one. Returns the number of them. */
static uint64_t pack(const struct cls_wanted *wanted, const char *keys, size_t key_bytes, char *to)
{
    const uint64_t count = cls_window_samples(wanted->window, wanted->step);
    for (uint64_t i = 0; i < count; i++)
        memcpy(to + i * key_bytes,
               keys + (wanted->window.first + (i + 1) * wanted->step - 1) * key_bytes, key_bytes);
    return count;
}

/* Sends each rank the window and the step of the samples that this one wants of it. */
static clsort_status ask(clsort_mpi *mpi, uint64_t step)
{
    for (int i = 0; i < mpi->ranks.size; i++)
        mpi->asked[i] = (struct cls_wanted){mpi->windows[i], step};
    return cls_ranks_called(&mpi->ranks, "MPI_Alltoall",
                            MPI_Alltoall(mpi->asked, sizeof *mpi->asked, MPI_BYTE, mpi->wanted,
                                         sizeof *mpi->wanted, MPI_BYTE, mpi->ranks.comm));
}

/* Exchanges the samples of all windows. */
static clsort_status exchange(clsort_mpi *mpi, const char *keys, size_t key_bytes,
                              struct samples *samples)
{
    struct cls_ranks *ranks = &mpi->ranks;
    uint64_t *const first = mpi->received_first, *const count = mpi->received;
    clsort_status status = CLSORT_OK;
    samples->count = 0;
    for (int i = 0; i < ranks->size; i++) {
        first[i] = samples->count;
        count[i] = cls_window_samples(mpi->asked[i].window, mpi->asked[i].step);
        for (uint64_t j = 0; j < count[i]; j++)
            samples->rank[samples->count++] = (uint32_t)i;
    }
    pack(&mpi->asked[ranks->rank], keys, key_bytes,
         samples->elements + first[ranks->rank] * key_bytes);
    for (int round = 1; round < ranks->size; round++) {
        const int source = cls_exchange_source(ranks, round);
        const struct cls_wanted *wanted = &mpi->wanted[cls_exchange_target(ranks, round)];
        const uint64_t sent = pack(wanted, keys, key_bytes, samples->sent);
        const clsort_status exchanged = cls_exchange_round(
            ranks, round, samples->sent, sent * key_bytes,
            samples->elements + first[source] * key_bytes, count[source] * key_bytes);
        if (status == CLSORT_OK)
            status = exchanged;
    }
    return status;
}

/* Finds out whether any rank has windows to narrow. */
static clsort_status combine(struct cls_ranks *ranks, bool *is_pending)
{
    const int own = *is_pending;
    int all = own;
    const clsort_status status = cls_ranks_called(
        ranks, "MPI_Allreduce", MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, ranks->comm));
    *is_pending = all;
    return status;
}

/* Narrows the windows of this rank by the order of the samples. */
static clsort_status narrow(clsort_mpi *mpi, const struct cls_mpi_elements *elements, uint64_t step,
                            struct samples *samples)
{
    const clsort_status status =
        cls_local_argsort(mpi->engine, elements, samples->count, samples->elements, samples->order);
    if (status != CLSORT_OK)
        return status;
    for (size_t i = 0; i < samples->count; i++)
        samples->order[i] = samples->rank[samples->order[i]];
    cls_windows_narrow(mpi->windows, (size_t)mpi->ranks.size, mpi->first_out[mpi->ranks.rank], step,
                       samples->order, mpi->narrowing);
    return CLSORT_OK;
}

/* Runs rounds until the windows of all ranks are positions, or a rank has failed. No samples are sent before all ranks
 * know which ones the others want. */
static clsort_status run_rounds(clsort_mpi *mpi, const struct cls_mpi_elements *elements,
                                const char *keys, struct samples *samples, clsort_status status)
{
    bool is_pending;
    do {
        const uint64_t step = cls_windows_step(mpi->windows, (size_t)mpi->ranks.size, samples->max);
        is_pending = step > 1;
        const clsort_status combined = combine(&mpi->ranks, &is_pending), asked = ask(mpi, step);
        if (status == CLSORT_OK)
            status = combined != CLSORT_OK ? combined : asked;
        status = cls_ranks_agree(&mpi->ranks, status);
        if (status != CLSORT_OK)
            return status;
        status = exchange(mpi, keys, elements->key_bytes, samples);
        if (status == CLSORT_OK)
            status = narrow(mpi, elements, step, samples);
    } while (is_pending);
    return status;
}

clsort_status cls_narrow(clsort_mpi *mpi, const struct cls_mpi_elements *elements, const char *keys)
{
    struct cls_ranks *ranks = &mpi->ranks;
    struct samples samples = {.count = 0};
    clsort_status status = open_samples(mpi, elements->key_bytes, &samples);
    for (int i = 0; i < ranks->size; i++)
        mpi->windows[i] = (struct cls_window){0, mpi->calls[i].count};
    status = run_rounds(mpi, elements, keys, &samples, status);
    close_samples(&samples);
    for (int i = 0; i < ranks->size; i++)
        mpi->received[i] = mpi->windows[i].first;
    const clsort_status told = cls_ranks_called(
        ranks, "MPI_Alltoall",
        MPI_Alltoall(mpi->received, 1, MPI_UINT64_T, mpi->position, 1, MPI_UINT64_T, ranks->comm));
    return status == CLSORT_OK ? told : status;
}
