/* traffic.c - counts the bytes of keys that leave a rank */
#include "traffic.h"

#include <mpi.h>
#include <stddef.h>
#include <string.h>

static uint64_t *sent_to;

void traffic_count(uint64_t *to, int ranks)
{
    sent_to = to;
    if (to)
        memset(to, 0, (size_t)ranks * sizeof *to);
}

/* Adds elements that are sent to a rank of the communicator. */
static void add(int count, MPI_Datatype type, int target, MPI_Comm comm)
{
    MPI_Group group, world;
    int size, rank, self;
    if (!sent_to || target == MPI_PROC_NULL)
        return;
    PMPI_Type_size(type, &size);
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &target, world, &rank);
    PMPI_Group_rank(world, &self);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    if (rank != self)
        sent_to[rank] += (uint64_t)count * (uint64_t)size;
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int target, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    add(count, type, target, comm);
    return PMPI_Isend(from, count, type, target, tag, comm, request);
}

int MPI_Alltoallv(const void *from, const int *counts, const int *firsts, MPI_Datatype type,
                  void *to, const int *to_counts, const int *to_firsts, MPI_Datatype to_type,
                  MPI_Comm comm)
{
    int size;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++)
        add(counts[i], type, i, comm);
    return PMPI_Alltoallv(from, counts, firsts, type, to, to_counts, to_firsts, to_type, comm);
}
