/* sort.c - clsort_mpi_host: sorts host arrays over all ranks
 *
 * Sample sort with exact splitters (group/splitters.h):
 *   1. Each rank sorts its input to a copy of it.
 *   2. All ranks find the positions that divide these copies: one part for the output of each rank.
 *   3. The parts are exchanged, from the copies directly to the outputs.
 *   4. Each rank merges what it has.
 *
 * No rank leaves before all have agreed that the step has succeeded. */
#include "mpi/sort.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/spans.h"
#include "host/key.h"
#include "mpi/exchange.h"
#include "mpi/local.h"
#include "mpi/narrow.h"
#include "mpi/search.h"

/* -- positions --------------------------------------------------------------------------------- */

static const char *key_of(const struct cls_mpi_sort *sort, uint64_t position)
{
    return sort->sorted.keys + position * sort->elements.key_bytes;
}

static struct cls_key_counts count_key(const void *data, uint64_t key, uint64_t first, uint64_t end)
{
    const struct cls_mpi_sort *sort = data;
    const struct cls_key_counts counts =
        cls_count_key(&sort->elements.spec, key_of(sort, first), (size_t)(end - first), key);
    return (struct cls_key_counts){first + counts.below, first + counts.not_above};
}

static uint64_t key_at(const void *data, uint64_t position)
{
    const struct cls_mpi_sort *sort = data;
    return cls_host_ordered_key(&sort->elements.spec, key_of(sort, position));
}

/* Returns CLSORT_E_ORDER unless the parts are valid, and those of this output have its size. */
static clsort_status check_parts(const struct cls_mpi_sort *sort)
{
    const clsort_mpi *mpi = sort->mpi;
    uint64_t received = 0;
    bool is_valid = true;
    for (int i = 0; i < mpi->ranks.size; i++) {
        is_valid = is_valid && mpi->position[i] <= mpi->position[i + 1] &&
                   mpi->received[i] <= sort->out_count - received;
        received += is_valid ? mpi->received[i] : 0;
    }
    return is_valid && received == sort->out_count
               ? CLSORT_OK
               : cls_fail(CLSORT_E_ORDER, "clsort_desc.less is not a strict weak order");
}

/* Finds out how the sorted elements are divided, and what this rank gets. */
static clsort_status divide(struct cls_mpi_sort *sort)
{
    clsort_mpi *mpi = sort->mpi;
    struct cls_ranks *ranks = &mpi->ranks;
    const struct cls_sorted_keys keys = {sort, sort->count, count_key, key_at};
    clsort_status status = sort->elements.has_numbers
                               ? cls_search(ranks, &keys, cls_compared_mask(&sort->elements.spec),
                                            (size_t)ranks->size, mpi->first_out, mpi->position)
                               : cls_narrow(mpi, &sort->elements, sort->sorted.keys);
    mpi->position[ranks->size] = sort->count;
    uint64_t *const sent = mpi->received_first; /* until it is set */
    for (int i = 0; i < ranks->size; i++)
        sent[i] = mpi->position[i + 1] - mpi->position[i];
    const clsort_status told = cls_ranks_called(
        ranks, "MPI_Alltoall",
        MPI_Alltoall(sent, 1, MPI_UINT64_T, mpi->received, 1, MPI_UINT64_T, ranks->comm));
    return status == CLSORT_OK ? told : status;
}

/* -- exchange and merge ------------------------------------------------------------------------ */

/* Returns whether the output consists of the part of this rank and that of one other, which are merged. Sets `other` to
 * the latter. */
static bool has_two_runs(const struct cls_mpi_sort *sort, int *other)
{
    const clsort_mpi *mpi = sort->mpi;
    int count = 0;
    for (int i = 0; i < mpi->ranks.size; i++)
        if (mpi->received[i] > 0 && i != mpi->ranks.rank) {
            count++;
            *other = i;
        }
    return count == 1 && mpi->received[mpi->ranks.rank] > 0 && cls_local_can_merge(&sort->elements);
}

/* The elements of this rank that stay. */
static struct cls_run own_run(const struct cls_mpi_sort *sort)
{
    const clsort_mpi *mpi = sort->mpi;
    return (struct cls_run){
        cls_arrays_at(&sort->elements, sort->sorted, mpi->position[mpi->ranks.rank]),
        mpi->received[mpi->ranks.rank]};
}

/* Receives all parts directly in the output: one behind the other in the order of the ranks or, if there are two runs,
 * the other one at the end. */
static clsort_status exchange(struct cls_mpi_sort *sort)
{
    clsort_mpi *mpi = sort->mpi;
    uint64_t first = 0;
    int other = 0;
    for (int i = 0; i < mpi->ranks.size; i++) {
        mpi->received_first[i] = first;
        first += mpi->received[i];
    }
    if (has_two_runs(sort, &other))
        mpi->received_first[other] = sort->out_count - mpi->received[other];
    const struct cls_exchange_parts parts = {mpi->position, mpi->received_first, mpi->received};
    const struct cls_exchange_array arrays[] = {
        {sort->sorted.keys, sort->out.keys, sort->elements.key_bytes},
        {sort->sorted.values, sort->out.values, sort->elements.value_bytes}};
    return cls_exchange(&mpi->ranks, &parts, arrays, sort->elements.value_bytes > 0 ? 2 : 1);
}

/* Returns whether the output has elements of more than one rank. */
static bool has_runs(const struct cls_mpi_sort *sort)
{
    int count = 0;
    for (int i = 0; i < sort->mpi->ranks.size; i++)
        count += sort->mpi->received[i] > 0;
    return count > 1;
}

/* Brings the elements of the output in order. */
static clsort_status merge(struct cls_mpi_sort *sort)
{
    const clsort_mpi *mpi = sort->mpi;
    const struct cls_mpi_elements *elements = &sort->elements;
    const struct cls_run own = own_run(sort);
    int other = 0;
    if (has_two_runs(sort, &other)) {
        const struct cls_run late = {cls_arrays_at(elements, sort->out, mpi->received_first[other]),
                                     mpi->received[other]};
        const bool is_first = other < mpi->ranks.rank;
        const struct cls_run runs[2] = {is_first ? late : own, is_first ? own : late};
        cls_local_merge(elements, runs, is_first ? 0 : 1, sort->out, mpi->staging);
        return CLSORT_OK;
    }
    cls_arrays_copy(elements, own.at,
                    cls_arrays_at(elements, sort->out, mpi->received_first[mpi->ranks.rank]),
                    own.count);
    if (!has_runs(sort))
        return CLSORT_OK;
    if (mpi->engine)
        cls_arrays_copy(elements, sort->out, sort->sorted, sort->out_count);
    struct cls_mpi_elements unlimited = *elements;
    unlimited.desc.max_count = 0; /* it limits the input only */
    return cls_local_sort_in_place(mpi->engine, &unlimited, sort->out_count, sort->out,
                                   sort->sorted);
}

clsort_status cls_sort_divide(struct cls_mpi_sort *sort, clsort_status status)
{
    struct cls_ranks *ranks = &sort->mpi->ranks;
    status = cls_ranks_agree(ranks, status);
    if (status == CLSORT_OK)
        status = cls_ranks_agree(ranks, divide(sort));
    /* The parts of a rank are also wrong if another one has failed, which is the better reason. */
    return status == CLSORT_OK ? cls_ranks_agree(ranks, check_parts(sort)) : status;
}

clsort_status cls_sort_output(struct cls_mpi_sort *sort)
{
    const clsort_status status = exchange(sort);
    return status == CLSORT_OK ? merge(sort) : status;
}

/* -- host arrays ------------------------------------------------------------------------------- */

clsort_status cls_sort_take_memory(struct cls_mpi_sort *sort)
{
    const struct cls_mpi_elements *elements = &sort->elements;
    const uint64_t count = cls_max(sort->count, sort->out_count) + 1;
    const uint64_t key_bytes = cls_round_up(count * elements->key_bytes, 64);
    const clsort_status status = cls_mpi_take(sort->mpi, key_bytes + count * elements->value_bytes);
    sort->sorted = (struct cls_mpi_arrays){
        sort->mpi->block,
        elements->value_bytes > 0 && sort->mpi->block ? sort->mpi->block + key_bytes : NULL};
    return status;
}

/* Returns an error if no output may overlap another array, but one does. */
static clsort_status check_overlap(const struct cls_mpi_sort *sort, const void *keys,
                                   const void *values)
{
    const size_t key_bytes = sort->elements.key_bytes, value_bytes = sort->elements.value_bytes;
    const size_t in = (size_t)sort->count, out = (size_t)sort->out_count;
    const struct cls_host_span spans[] = {{"keys_out", sort->out.keys, out * key_bytes},
                                          {"values_out", sort->out.values, out * value_bytes},
                                          {"keys", keys, in * key_bytes},
                                          {"values", values, in * value_bytes}};
    return cls_check_host_overlap(spans, 2, 4);
}

/* Reads the descriptor, and checks the arrays. */
static clsort_status read_arguments(struct cls_mpi_sort *sort, const clsort_desc *desc,
                                    const void *keys, const void *values)
{
    struct cls_mpi_elements *elements = &sort->elements;
    clsort_status status = cls_elements_read(desc, sort->mpi->engine, elements);
    if (status == CLSORT_OK)
        status = cls_arrays_check(elements, sort->count, keys, values, "keys", "values");
    if (status == CLSORT_OK)
        status = cls_arrays_check(elements, sort->out_count, sort->out.keys, sort->out.values,
                                  "keys_out", "values_out");
    return status == CLSORT_OK ? check_overlap(sort, keys, values) : status;
}

static clsort_status sort_arrays(struct cls_mpi_sort *sort, const clsort_desc *desc,
                                 const void *keys, const void *values)
{
    uint64_t total;
    if (!sort->mpi)
        return cls_fail(CLSORT_E_ARGUMENT, "mpi is NULL");
    clsort_status status = read_arguments(sort, desc, keys, values);
    status =
        cls_mpi_begin(sort->mpi, status, sort->elements.hash, sort->count, sort->out_count, &total);
    if (status != CLSORT_OK)
        return status;
    /* The arrays are only read. */
    const struct cls_mpi_arrays in = {(char *)(uintptr_t)keys, (char *)(uintptr_t)values};
    status = cls_sort_take_memory(sort);
    if (status == CLSORT_OK)
        status = cls_local_sort(sort->mpi->engine, &sort->elements, sort->count, in, sort->sorted);
    status = cls_sort_divide(sort, status);
    return status == CLSORT_OK ? cls_ranks_conclude(&sort->mpi->ranks, cls_sort_output(sort))
                               : status;
}

clsort_status clsort_mpi_host(clsort_mpi *mpi, const clsort_desc *desc, uint64_t count,
                              const void *keys, const void *values, uint64_t out_count,
                              void *keys_out, void *values_out)
{
    struct cls_mpi_sort sort = {
        .mpi = mpi, .count = count, .out_count = out_count, .out = {keys_out, values_out}};
    cls_error_begin(0);
    return cls_error_end(sort_arrays(&sort, desc, keys, values));
}
