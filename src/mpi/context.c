/* context.c - clsort_mpi_create, clsort_mpi_destroy, and how collective functions begin */
#include "mpi/context.h"

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/platform.h"
#include "base/text.h"
#include "base/versioned.h"
#include "mpi/local.h"

#include <stdlib.h>

enum { DEFAULT_MESSAGE_BYTES = 16 << 20, MAX_MESSAGE_BYTES = 1 << 30 };

/* -- communicators ----------------------------------------------------------------------------- */

/* Makes MPI return errors of a communicator. Returns what it did before. */
static int set_returning(MPI_Comm comm, MPI_Errhandler *before)
{
    const int code = MPI_Comm_get_errhandler(comm, before);
    return code == MPI_SUCCESS ? MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) : code;
}

static void restore(MPI_Comm comm, MPI_Errhandler before)
{
    MPI_Comm_set_errhandler(comm, before);
    MPI_Errhandler_free(&before);
}

/* Duplicates an intracommunicator whose errors are returned. */
static clsort_status duplicate(MPI_Comm comm, struct cls_ranks *ranks)
{
    int is_inter = 0;
    clsort_status status =
        cls_ranks_called(ranks, "MPI_Comm_test_inter", MPI_Comm_test_inter(comm, &is_inter));
    if (status != CLSORT_OK)
        return status;
    if (is_inter)
        return cls_fail(CLSORT_E_MPI, "comm is an intercommunicator: its ranks are in two groups");
    status = cls_ranks_called(ranks, "MPI_Comm_dup", MPI_Comm_dup(comm, &ranks->comm));
    if (ranks->comm == MPI_COMM_NULL)
        return status;
    MPI_Comm_set_errhandler(ranks->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(ranks->comm, &ranks->rank);
    MPI_Comm_size(ranks->comm, &ranks->size);
    return CLSORT_OK; /* the ranks agree on a failure of MPI_Comm_dup */
}

/* Does the same with any communicator. MPI reports that one is invalid as an error of MPI_COMM_WORLD or of
 * MPI_COMM_SELF, and would abort by default. */
static clsort_status open_ranks(MPI_Comm comm, struct cls_ranks *ranks)
{
    MPI_Errhandler world, self, own;
    int is_initialized = 0, is_finalized = 0;
    *ranks = (struct cls_ranks){.comm = MPI_COMM_NULL, .size = 1};
    MPI_Initialized(&is_initialized);
    if (is_initialized)
        MPI_Finalized(&is_finalized);
    if (!is_initialized || is_finalized)
        return cls_fail(CLSORT_E_MPI, "MPI is %s",
                        is_finalized ? "finalised" : "not initialised: call MPI_Init_thread first");
    if (comm == MPI_COMM_NULL)
        return cls_fail(CLSORT_E_MPI, "comm is MPI_COMM_NULL");
    set_returning(MPI_COMM_WORLD, &world);
    set_returning(MPI_COMM_SELF, &self);
    clsort_status status =
        cls_ranks_called(ranks, "MPI_Comm_get_errhandler", set_returning(comm, &own));
    if (status == CLSORT_OK) {
        status = duplicate(comm, ranks);
        restore(comm, own);
    }
    restore(MPI_COMM_SELF, self);
    restore(MPI_COMM_WORLD, world);
    return status;
}

/* -- create and destroy ------------------------------------------------------------------------ */

static clsort_status read_options(const clsort_mpi_options *options, size_t *max_message_bytes)
{
    clsort_mpi_options own = CLSORT_MPI_OPTIONS_INIT;
    if (options) {
        const clsort_status status = cls_versioned_copy(
            options, &own, sizeof own, "clsort_mpi_options", "CLSORT_MPI_OPTIONS_INIT");
        if (status != CLSORT_OK)
            return status;
    }
    if (own.max_message_bytes > MAX_MESSAGE_BYTES)
        return cls_fail(CLSORT_E_ARGUMENT,
                        "clsort_mpi_options.max_message_bytes is %zu: at most %d",
                        own.max_message_bytes, MAX_MESSAGE_BYTES);
    *max_message_bytes = own.max_message_bytes > 0 ? own.max_message_bytes : DEFAULT_MESSAGE_BYTES;
    return CLSORT_OK;
}

static void release(clsort_mpi *mpi)
{
    if (!mpi)
        return;
    free(mpi->calls);
    free(mpi->first_out);
    free(mpi->position);
    free(mpi->received);
    free(mpi->received_first);
    free(mpi->windows);
    free(mpi->asked);
    free(mpi->wanted);
    free(mpi->narrowing);
    free(mpi->staging);
    cls_pages_free(mpi->block);
    free(mpi);
}

/* Allocates the memory of this rank. Returns NULL if it is short. */
static clsort_mpi *allocate(const struct cls_ranks *ranks, clsort_engine *engine)
{
    const size_t size = (size_t)ranks->size;
    clsort_mpi *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return NULL;
    mpi->ranks = *ranks;
    mpi->engine = engine;
    mpi->calls = calloc(size, sizeof *mpi->calls);
    mpi->first_out = calloc(size, sizeof *mpi->first_out);
    mpi->position = calloc(size + 1, sizeof *mpi->position);
    mpi->received = calloc(size, sizeof *mpi->received);
    mpi->received_first = calloc(size, sizeof *mpi->received_first);
    mpi->windows = calloc(size, sizeof *mpi->windows);
    mpi->asked = calloc(size, sizeof *mpi->asked);
    mpi->wanted = calloc(size, sizeof *mpi->wanted);
    mpi->narrowing = calloc(CLS_NARROW_WORDS * size, sizeof *mpi->narrowing);
    mpi->staging = malloc(CLS_MERGE_STAGING_BYTES);
    if (mpi->calls && mpi->first_out && mpi->position && mpi->received && mpi->received_first &&
        mpi->windows && mpi->asked && mpi->wanted && mpi->narrowing && mpi->staging)
        return mpi;
    release(mpi);
    return NULL;
}

/* Returns CLSORT_E_ARGUMENT if the maximum size of messages is not the same on all ranks. */
static clsort_status compare_options(struct cls_ranks *ranks)
{
    const uint64_t own[2] = {ranks->max_message_bytes, ~(uint64_t)ranks->max_message_bytes};
    uint64_t minimum[2] = {own[0], own[1]};
    const clsort_status status = cls_ranks_called(
        ranks, "MPI_Allreduce", MPI_Allreduce(own, minimum, 2, MPI_UINT64_T, MPI_MIN, ranks->comm));
    if (status == CLSORT_OK && minimum[0] != ~minimum[1])
        return cls_fail(
            CLSORT_E_ARGUMENT,
            "clsort_mpi_options.max_message_bytes is %llu on one rank and %llu on another",
            (unsigned long long)minimum[0], (unsigned long long)~minimum[1]);
    return status;
}

static clsort_status create(MPI_Comm comm, clsort_engine *engine, const clsort_mpi_options *options,
                            clsort_mpi **mpi)
{
    struct cls_ranks ranks;
    clsort_mpi *created = NULL;
    if (mpi)
        *mpi = NULL;
    clsort_status status = open_ranks(comm, &ranks);
    if (ranks.comm == MPI_COMM_NULL)
        return status;
    status = mpi ? read_options(options, &ranks.max_message_bytes)
                 : cls_fail(CLSORT_E_ARGUMENT, "mpi is NULL");
    if (status == CLSORT_OK) {
        created = allocate(&ranks, engine);
        status = created ? CLSORT_OK : CLSORT_E_MEMORY;
    }
    status = cls_ranks_agree(&ranks, status);
    if (status == CLSORT_OK)
        status = cls_ranks_conclude(&ranks, compare_options(&ranks));
    if (status == CLSORT_OK) {
        *mpi = created;
        return CLSORT_OK;
    }
    release(created);
    MPI_Comm_free(&ranks.comm);
    return status;
}

clsort_status clsort_mpi_create(MPI_Comm comm, clsort_engine *engine,
                                const clsort_mpi_options *options, clsort_mpi **mpi)
{
    cls_error_begin(0);
    return cls_error_end(create(comm, engine, options, mpi));
}

void clsort_mpi_destroy(clsort_mpi *mpi)
{
    int is_finalized = 0;
    if (!mpi)
        return;
    MPI_Finalized(&is_finalized);
    if (!is_finalized)
        MPI_Comm_free(&mpi->ranks.comm);
    release(mpi);
}

clsort_status clsort_mpi_last_error(size_t size, char *text, size_t *size_ret)
{
    if (size_ret)
        *size_ret = 0;
    if (!text && size > 0)
        return CLSORT_E_ARGUMENT;
    cls_text_return(cls_error_about(0), size, text, size_ret);
    return CLSORT_OK;
}

/* -- collective functions ---------------------------------------------------------------------- */

/* Adds up the counts of all ranks. */
static clsort_status add_counts(clsort_mpi *mpi, uint64_t *total)
{
    uint64_t in = 0, out = 0;
    for (int i = 0; i < mpi->ranks.size; i++) {
        mpi->first_out[i] = out;
        if (mpi->calls[i].count > UINT64_MAX - in || mpi->calls[i].out_count > UINT64_MAX - out)
            return cls_fail(CLSORT_E_COUNT, "all ranks together have 2^64 elements or more");
        in += mpi->calls[i].count;
        out += mpi->calls[i].out_count;
    }
    *total = in;
    return in == out
               ? CLSORT_OK
               : cls_fail(CLSORT_E_COUNT,
                          "the sum of out_count of all ranks is %llu, but that of count is %llu",
                          (unsigned long long)out, (unsigned long long)in);
}

clsort_status cls_mpi_begin(clsort_mpi *mpi, clsort_status status, uint64_t hash, uint64_t count,
                            uint64_t out_count, uint64_t *total)
{
    struct cls_ranks *ranks = &mpi->ranks;
    if (ranks->is_broken)
        status = cls_fail(CLSORT_E_MPI, "an MPI function has failed in an earlier call");
    const struct cls_call own = {(uint32_t)status, hash, count, out_count};
    for (int i = 0; i < ranks->size; i++)
        mpi->calls[i] = own;
    cls_ranks_called(
        ranks, "MPI_Allgather",
        MPI_Allgather(&own, sizeof own, MPI_BYTE, mpi->calls, sizeof own, MPI_BYTE, ranks->comm));
    for (int i = 0; i < ranks->size; i++)
        if (mpi->calls[i].status != CLSORT_OK)
            return cls_ranks_share_failure(ranks, i, status);
    for (int i = 1; i < ranks->size; i++)
        if (mpi->calls[i].hash != mpi->calls[0].hash)
            return cls_fail(CLSORT_E_ARGUMENT,
                            "rank %d: the function or clsort_desc is not the same as on rank 0", i);
    return add_counts(mpi, total);
}

clsort_status cls_mpi_take(clsort_mpi *mpi, uint64_t bytes)
{
    if (mpi->block_bytes >= bytes)
        return CLSORT_OK;
    cls_pages_free(mpi->block);
    mpi->block_bytes = (size_t)cls_max(bytes, CLS_MIN_PAGES_BYTES);
    mpi->block = cls_pages_alloc(mpi->block_bytes);
    if (mpi->block)
        return CLSORT_OK;
    mpi->block_bytes = 0;
    return CLSORT_E_MEMORY;
}

static uint64_t balanced(const clsort_mpi *mpi, uint64_t total)
{
    const uint64_t size = (uint64_t)mpi->ranks.size;
    return total / size + ((uint64_t)mpi->ranks.rank < total % size);
}

static clsort_status find_share(clsort_mpi *mpi, uint64_t count, uint64_t *share)
{
    uint64_t total = 0;
    if (!mpi)
        return cls_fail(CLSORT_E_ARGUMENT, "mpi is NULL");
    const clsort_status own = share ? CLSORT_OK : cls_fail(CLSORT_E_ARGUMENT, "share is NULL");
    clsort_status status = cls_mpi_begin(mpi, own, CLS_HASH_START, count, count, &total);
    if (status == CLSORT_OK && mpi->ranks.is_broken)
        status = CLSORT_E_MPI;
    if (status == CLSORT_OK)
        *share = balanced(mpi, total);
    return status;
}

clsort_status clsort_mpi_balanced_count(clsort_mpi *mpi, uint64_t count, uint64_t *share)
{
    if (share)
        *share = 0;
    cls_error_begin(0);
    return cls_error_end(find_share(mpi, count, share));
}
