/* errors.c - all ranks return the same error, whichever rank has failed, and the next sort succeeds
 *
 *   clsort-test-mpi-errors [device] [MAXIMUM BYTES OF A MESSAGE] */
#include "fixture.h"

#include "custom_order.h"
#include "failing_calls.h"
#include "launches.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MANY = 1000000 }; /* calls of MPI, more than a sort makes */

/* -- sorts ----------------------------------------------------------------------------------------- */

/* A sort whose arguments a rank can change. */
struct call {
    clsort_desc desc;
    struct part in, out;
};

static struct call begin(const struct ranks *ranks, const struct whole *whole)
{
    return (struct call){whole->desc, part_of_input(ranks, whole, RANDOMLY),
                         part_of_output(ranks, whole, EVENLY)};
}

static clsort_status run(const struct ranks *ranks, const struct call *call)
{
    return clsort_mpi_host(ranks->mpi, &call->desc, call->in.count, call->in.keys, call->in.values,
                           call->out.count, call->out.keys, call->out.values);
}

static void end(struct call call)
{
    part_free(call.in);
    part_free(call.out);
}

/* Checks that the output has not been written to. */
static void check_unchanged(const struct call *call, const struct whole *whole)
{
    for (size_t i = 0; i < call->out.count * whole->key_bytes; i++)
        check(call->out.keys[i] == 0xa5, "byte %zu of the output", i);
}

/* -- wrong arguments ------------------------------------------------------------------------------- */

/* Runs a call that is wrong on the last rank only, and then a right one. */
#define refuse(ranks, change, status, text)                                                        \
    do {                                                                                           \
        struct call call = begin(ranks, &whole), given = call;                                     \
        if ((ranks)->rank == (ranks)->size - 1) {                                                  \
            change;                                                                                \
        }                                                                                          \
        check_failure(run(ranks, &given), status, text);                                           \
        check_unchanged(&call, &whole);                                                            \
        end(call);                                                                                 \
        sort_divided(ranks, &whole, RANDOMLY, EVENLY, "after an error");                           \
    } while (0)

static void arguments(const struct ranks *ranks)
{
    struct whole whole = whole_of_keys(CLSORT_U32, 0, DATA_FEW, 3000, 4);
    whole_sort(&whole);
    refuse(ranks, given.in.keys = NULL, CLSORT_E_ARGUMENT, "keys is NULL");
    refuse(ranks, given.in.values = NULL, CLSORT_E_ARGUMENT, "values is NULL");
    refuse(ranks, given.out.keys = NULL, CLSORT_E_ARGUMENT, "keys_out is NULL");
    refuse(ranks, given.out.count--, CLSORT_E_COUNT, "the sum of out_count");
    refuse(ranks, given.in.count--, CLSORT_E_COUNT, "the sum of out_count");
    refuse(ranks, given.out.keys = given.in.keys, CLSORT_E_OVERLAP, "keys_out overlaps keys");
    refuse(ranks, given.desc.end_bit = 40, CLSORT_E_BITS, "end_bit");
    refuse(ranks, given.desc.operation = CLSORT_ARGSORT, CLSORT_E_OPERATION, "CLSORT_ARGSORT");
    refuse(ranks, given.desc.struct_size = 1, CLSORT_E_ARGUMENT, "struct_size");
    if (ranks->size > 1)
        refuse(ranks, given.desc.flags = CLSORT_DESCENDING, CLSORT_E_ARGUMENT,
               "is not the same as on rank 0");
    whole_free(&whole);
}

/* The text names the first rank that has failed, on all ranks. */
static void sentences(const struct ranks *ranks)
{
    struct whole whole = whole_of_keys(CLSORT_U8, 0, DATA_UNIFORM, 500, 0);
    struct call call = begin(ranks, &whole);
    uint8_t *const keys = call.in.keys;
    const int first = ranks->size / 2;
    if (ranks->rank >= first)
        call.in.keys = NULL;
    char text[64];
    snprintf(text, sizeof text, "rank %d: keys is NULL", first);
    check_failure(run(ranks, &call), CLSORT_E_ARGUMENT, text);
    call.in.keys = keys;
    end(call);
    whole_free(&whole);
}

/* Functions that need no other rank, or that cannot tell one. */
static void other_functions(const struct ranks *ranks)
{
    clsort_mpi_options options = CLSORT_MPI_OPTIONS_INIT;
    clsort_mpi *mpi = ranks->mpi;
    uint64_t share;
    check_failure(clsort_mpi_create(MPI_COMM_NULL, NULL, NULL, &mpi), CLSORT_E_MPI,
                  "MPI_COMM_NULL");
    check(!mpi, "mpi is set");
    options.max_message_bytes = (size_t)2 << 30;
    check_failure(clsort_mpi_create(MPI_COMM_WORLD, NULL, &options, &mpi), CLSORT_E_ARGUMENT,
                  "max_message_bytes");
    check_failure(clsort_mpi_create(MPI_COMM_WORLD, NULL, NULL, NULL), CLSORT_E_ARGUMENT,
                  "mpi is NULL");
    if (ranks->size > 1) {
        options.max_message_bytes = ranks->rank == 0 ? 100 : 200;
        check_failure(clsort_mpi_create(MPI_COMM_WORLD, NULL, &options, &mpi), CLSORT_E_ARGUMENT,
                      "on one rank");
    }
    size_t size = 1;
    check(clsort_mpi_last_error(1, NULL, &size) == CLSORT_E_ARGUMENT && size == 0, "size is %zu",
          size);
    check_failure(clsort_mpi_balanced_count(NULL, 1, &share), CLSORT_E_ARGUMENT, "mpi is NULL");
    check_failure(clsort_mpi_balanced_count(ranks->mpi, UINT64_MAX, &share),
                  ranks->size > 1 ? CLSORT_E_COUNT : CLSORT_OK, "");
    clsort_mpi_destroy(NULL);
}

/* -- failures on one rank -------------------------------------------------------------------------- */

/* Sorts while the N-th call of an MPI function fails on the last rank. Returns the calls that were left. */
static long sort_with_failure(const struct ranks *ranks, const struct whole *whole, long n,
                              bool is_last)
{
    clsort_mpi *mpi = NULL;
    check_failure(clsort_mpi_create(MPI_COMM_WORLD, ranks->engine, NULL, &mpi), CLSORT_OK, "");
    const struct ranks own = {mpi, ranks->engine, NULL, NULL, ranks->rank, ranks->size};
    const struct call call = begin(&own, whole);
    if (ranks->rank == ranks->size - 1)
        calls_left = n;
    const clsort_status status = run(&own, &call);
    const long left = calls_left;
    calls_left = LONG_MAX;
    if (n == MANY) {
        check_failure(status, CLSORT_OK, "");
    } else {
        /* The other ranks cannot know that the last call has failed. */
        if (!is_last || ranks->rank == ranks->size - 1)
            check_failure(status, CLSORT_E_MPI, "");
        check_failure(run(&own, &call), CLSORT_E_MPI, "MPI");
    }
    end(call);
    clsort_mpi_destroy(mpi);
    return left;
}

/* Each call of an MPI function fails in turn, on one rank. All ranks return CLSORT_E_MPI. */
static void mpi_functions(const struct ranks *ranks, const struct whole *whole)
{
    long calls = MANY - sort_with_failure(ranks, whole, MANY, false);
    MPI_Bcast(&calls, 1, MPI_LONG, ranks->size - 1, MPI_COMM_WORLD);
    check(calls > 4, "%ld calls", calls);
    for (long n = 1; n <= calls; n++)
        sort_with_failure(ranks, whole, n, n == calls);
}

/* The device of the last rank fails from the n-th launch on. */
static void fail_from(const struct ranks *ranks, size_t n)
{
    launches_counted = 0;
    launches_first_error = n;
    launches_error = ranks->rank == ranks->size - 1 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* The output of the sort, and its size in bytes */
static uint8_t *output;
static size_t output_bytes;

/* A device that fails leaves undefined elements. */
static void spoil(void)
{
    memset(output, 0, output_bytes);
}

/* The host of a rank sorts if its device fails, whatever the device has done before. With more than two ranks, the last
 * launch is that of the sort of what the rank has received, which is in the output. */
static void fail_in_turn(const struct ranks *ranks, struct whole *whole)
{
    whole->desc.algorithm = "radix"; /* otherwise the host sorts if it is faster */
    whole_sort(whole);
    sort_divided(ranks, whole, EVENLY, EVENLY, "a device that works"); /* and is tested */
    fail_from(ranks, SIZE_MAX);
    sort_divided(ranks, whole, RANDOMLY, EVENLY, "a device that works");
    uint64_t launches = launches_counted;
    MPI_Bcast(&launches, 1, MPI_UINT64_T, ranks->size - 1, MPI_COMM_WORLD);
    check(launches > 3, "%d launches", (int)launches);
    for (size_t n = 1; n <= launches; n++) {
        const struct call call = begin(ranks, whole);
        output = call.out.keys;
        output_bytes = call.out.count * whole->key_bytes;
        fail_from(ranks, n);
        check_failure(run(ranks, &call), CLSORT_OK, "");
        part_check(ranks, whole, call.out, "a device that fails");
        check(ranks->rank < ranks->size - 1 || launches_counted >= n, "no launch has failed");
        end(call);
    }
}

static void devices(const struct ranks *ranks)
{
    launches_on_error = spoil;
    struct whole whole = whole_of_keys(CLSORT_U32, 0, DATA_UNIFORM, 300000, 4);
    fail_in_turn(ranks, &whole);
    launches_on_error = NULL;
    whole_free(&whole);
    whole = whole_of_order(custom_order_find("particle"), 200000, 0);
    const struct call call = begin(ranks, &whole);
    fail_from(ranks, 1);
    check_failure(run(ranks, &call), CL_OUT_OF_RESOURCES, "rank ");
    end(call);
    launches_error = CL_SUCCESS;
    whole_free(&whole);
}

#ifndef __SANITIZE_ADDRESS__ /* which reserves terabytes of addresses */
/* One rank has no memory for its copy. */
static void memory(const struct ranks *ranks)
{
    struct whole whole = whole_of_keys(CLSORT_U64, 0, DATA_UNIFORM, (size_t)1 << 21, 0);
    clsort_mpi *mpi = NULL;
    check_failure(clsort_mpi_create(MPI_COMM_WORLD, NULL, NULL, &mpi), CLSORT_OK, "");
    const struct ranks own = {mpi, NULL, NULL, NULL, ranks->rank, ranks->size};
    const struct call call = begin(&own, &whole);
    struct rlimit before, low;
    getrlimit(RLIMIT_AS, &before);
    low = before;
    low.rlim_cur = 1 << 20; /* below what is mapped: no more can be */
    if (ranks->rank == ranks->size - 1)
        setrlimit(RLIMIT_AS, &low);
    const clsort_status status = run(&own, &call);
    setrlimit(RLIMIT_AS, &before);
    check_failure(status, CLSORT_E_MEMORY, "rank ");
    whole_sort(&whole);
    check_failure(run(&own, &call), CLSORT_OK, "");
    part_check(&own, &whole, call.out, "with memory again");
    end(call);
    clsort_mpi_destroy(mpi);
    whole_free(&whole);
}
#endif

int main(int argc, char **argv)
{
    struct ranks ranks;
    clsort_mpi *early = NULL;
    check_failure(clsort_mpi_create(MPI_COMM_WORLD, NULL, NULL, &early), CLSORT_E_MPI,
                  "not initialised");
    ranks_open(&ranks, argc, argv);
    arguments(&ranks);
    sentences(&ranks);
    other_functions(&ranks);
    if (ranks.engine)
        devices(&ranks);
    struct whole numbers = whole_of_keys(CLSORT_U32, 0, DATA_FEW, 900, 4);
    struct whole records = whole_of_records(900, false);
    whole_sort(&numbers);
    whole_sort(&records);
    mpi_functions(&ranks, &numbers);
    mpi_functions(&ranks, &records);
    whole_free(&numbers);
    whole_free(&records);
#ifndef __SANITIZE_ADDRESS__
    memory(&ranks);
#endif
    return ranks_close(&ranks);
}
