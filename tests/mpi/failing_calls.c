/* failing_calls.c - functions of MPI, of which one call fails on this rank */
#include "failing_calls.h"

#include <limits.h>
#include <string.h>

long calls_left = LONG_MAX;

/* Returns the result of a call that has been made, or an error instead of success. */
static int result(int code)
{
    return calls_left != LONG_MAX && --calls_left == 0 ? MPI_ERR_OTHER : code;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return result(PMPI_Send(buffer, count, type, to, tag, comm));
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    return result(PMPI_Recv(buffer, count, type, from, tag, comm, status));
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return result(PMPI_Isend(buffer, count, type, to, tag, comm, request));
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return result(PMPI_Irecv(buffer, count, type, from, tag, comm, request));
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm comm)
{
    return result(PMPI_Allreduce(from, to, count, type, operation, comm));
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm comm)
{
    return result(PMPI_Allgather(from, count, type, to, to_count, to_type, comm));
}

/* A call that fails has received zeros. */
int MPI_Alltoall(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                 MPI_Datatype to_type, MPI_Comm comm)
{
    const int code = result(PMPI_Alltoall(from, count, type, to, to_count, to_type, comm));
    int size, ranks;
    MPI_Type_size(to_type, &size);
    MPI_Comm_size(comm, &ranks);
    if (code != MPI_SUCCESS)
        memset(to, 0, (size_t)to_count * (size_t)size * (size_t)ranks);
    return code;
}

int MPI_Exscan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation,
               MPI_Comm comm)
{
    return result(PMPI_Exscan(from, to, count, type, operation, comm));
}

int MPI_Sendrecv(const void *from, int count, MPI_Datatype type, int to_rank, int tag, void *to,
                 int to_count, MPI_Datatype to_type, int from_rank, int to_tag, MPI_Comm comm,
                 MPI_Status *status)
{
    return result(PMPI_Sendrecv(from, count, type, to_rank, tag, to, to_count, to_type, from_rank,
                                to_tag, comm, status));
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return result(PMPI_Bcast(buffer, count, type, root, comm));
}

int MPI_Scan(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation,
             MPI_Comm comm)
{
    return result(PMPI_Scan(from, to, count, type, operation, comm));
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int *counts,
                const int *offsets, MPI_Datatype to_type, int root, MPI_Comm comm)
{
    return result(PMPI_Gatherv(from, count, type, to, counts, offsets, to_type, root, comm));
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    return result(PMPI_Comm_split(comm, color, key, part));
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    return result(PMPI_Comm_split_type(comm, type, key, info, part));
}

int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    return result(PMPI_File_open(comm, name, mode, info, file));
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *to, int count, MPI_Datatype type,
                     MPI_Status *status)
{
    return result(PMPI_File_read_at(file, offset, to, count, type, status));
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void *from, int count,
                      MPI_Datatype type, MPI_Status *status)
{
    return result(PMPI_File_write_at(file, offset, from, count, type, status));
}

int MPI_File_sync(MPI_File file)
{
    return result(PMPI_File_sync(file));
}

int MPI_File_close(MPI_File *file)
{
    return result(PMPI_File_close(file));
}
