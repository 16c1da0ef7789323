/* 12_mpi_ranks.c - sort numbers over all ranks of MPI: mpirun -n 4 ./12_mpi_ranks */
#include <clsort_mpi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000 }; /* numbers of each rank */

/* All ranks fail together, so that each can end as usual. */
static void need(clsort_status status, const char *call, int rank)
{
    char text[256] = "";

    if (status == CLSORT_OK)
        return;
    clsort_mpi_last_error(sizeof text, text, NULL);
    if (rank == 0)
        fprintf(stderr, "%s: %s: %s\n", call, clsort_status_string(status), text);
    MPI_Finalize();
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    clsort_mpi *mpi;
    clsort_desc desc = CLSORT_DESC_INIT;
    uint64_t out_count, total, before, after;
    int provided, rank, in_order;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    uint64_t *in = malloc(COUNT * sizeof *in);
    if (in == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    for (uint64_t i = 0; i < COUNT; i++)
        in[i] = ((uint64_t)rank * COUNT + i) * 0x9e3779b97f4a7c15u;
    desc.key = CLSORT_U64;

    /* Without an engine, each rank sorts by one thread of its CPU. */
    need(clsort_mpi_create(MPI_COMM_WORLD, NULL, NULL, &mpi), "clsort_mpi_create", rank);
    need(clsort_mpi_balanced_count(mpi, COUNT, &out_count), "clsort_mpi_balanced_count", rank);
    uint64_t *out = malloc((size_t)out_count * sizeof *out);
    if (out == NULL)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    need(clsort_mpi_check(mpi, &desc, COUNT, in, NULL, NULL, NULL, &before), "clsort_mpi_check",
         rank);
    need(clsort_mpi_host(mpi, &desc, COUNT, in, NULL, out_count, out, NULL), "clsort_mpi_host",
         rank);
    need(clsort_mpi_check(mpi, &desc, out_count, out, NULL, &in_order, &total, &after),
         "clsort_mpi_check", rank);
    if (rank == 0)
        printf("%" PRIu64 " numbers: %s, %s\n", total, in_order ? "ordered" : "NOT ordered",
               before == after ? "the same as before" : "NOT the same as before");
    free(in);
    free(out);
    clsort_mpi_destroy(mpi);
    MPI_Finalize();
    return in_order && before == after ? EXIT_SUCCESS : EXIT_FAILURE;
}
