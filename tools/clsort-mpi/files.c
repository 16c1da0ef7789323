/* files.c - clsort-mpi: the inputs and the output as files of MPI, which all ranks read and write */
#include "files.h"

#include "print.h"
#include "progress.h"

#include <limits.h>
#include <stdio.h>

enum { MAX_TRANSFER = 64 << 20 /* bytes of a call of MPI, whose counts are int */ };

/* -- inputs ------------------------------------------------------------------------------------ */

static int next_size(size_t left)
{
    return left < MAX_TRANSFER ? (int)left : MAX_TRANSFER;
}

/* Reads a part of one file. */
static bool read_bytes(const char *name, uint64_t offset, size_t size, char *to)
{
    MPI_File file;
    MPI_Status status;
    int got = 0;

    if (!world_check(name, MPI_File_open(MPI_COMM_SELF, (char *)name, MPI_MODE_RDONLY,
                                         MPI_INFO_NULL, &file)))
        return false;
    bool done = true;
    for (size_t at = 0; done && at < size; at += (size_t)got) {
        done = world_check(name, MPI_File_read_at(file, (MPI_Offset)(offset + at), to + at,
                                                  next_size(size - at), MPI_BYTE, &status));
        if (!done)
            break;
        MPI_Get_count(&status, MPI_BYTE, &got);
        done = got > 0;
        if (!done)
            print_error(name, "file became shorter while it was read; sort a copy of it");
        progress_add((uint64_t)got);
    }
    MPI_File_close(&file);
    return done;
}

bool files_read(const struct job *job, uint64_t first, size_t count, void *elements)
{
    const size_t size = job->input.type->size;
    char *to = elements;

    for (size_t i = 0; i < job->inputs.count && count > 0; i++) {
        const struct external_input *input = &job->inputs.sources[i];

        if (first >= input->count) {
            first -= input->count;
            continue;
        }
        const uint64_t left = input->count - first;
        const size_t part = left < count ? (size_t)left : count;
        if (!read_bytes(input->name, input->offset + first * size, part * size, to))
            return false;
        to += part * size;
        count -= part;
        first = 0;
    }
    return true;
}

/* -- output ------------------------------------------------------------------------------------ */

bool files_open(struct result *result, struct job *job, struct world *world)
{
    char name[PATH_MAX] = "";

    *result =
        (struct result){.name = job->options.output, .file = MPI_FILE_NULL, .left = UINT64_MAX};
    if (!world_agree(world, world->rank > 0 || output_open_shared(&job->output, result->name)))
        return false;
    if (world->rank == 0)
        snprintf(name, sizeof name, "%s", job->output.temporary.path);
    world_called("MPI_Bcast", MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD));
    return world_agree(world, true) && /* all know the name */
           world_agree(
               world, world_check(result->name, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY,
                                                              MPI_INFO_NULL, &result->file)));
}

bool files_write(void *context, const void *data, size_t size)
{
    struct result *result = context;
    const size_t skipped = result->skipped < size ? (size_t)result->skipped : size;
    const char *from = (const char *)data + skipped;
    MPI_Status status;
    int put = 0;

    size -= skipped;
    size = result->left < size ? (size_t)result->left : size;
    result->skipped -= skipped;
    result->left -= size;
    for (; size > 0; from += put, size -= (size_t)put) {
        if (!world_check(result->name,
                         MPI_File_write_at(result->file, (MPI_Offset)result->offset, (void *)from,
                                           next_size(size), MPI_BYTE, &status)))
            return false;
        MPI_Get_count(&status, MPI_BYTE, &put);
        if (put <= 0) {
            print_error(result->name, "the file system has written no bytes; it may be full");
            return false;
        }
        result->offset += (uint64_t)put;
        result->written += (uint64_t)put;
    }
    return true;
}

bool files_commit(struct result *result, struct job *job, struct world *world)
{
    progress_wait_for_disk();
    const bool is_synced = world_check(result->name, MPI_File_sync(result->file));
    if (!world_agree(world, files_close(result) && is_synced))
        return false;
    return world_agree(world, world->rank > 0 || output_commit(&job->output));
}

bool files_close(struct result *result)
{
    return result->file == MPI_FILE_NULL ||
           world_check(result->name, MPI_File_close(&result->file));
}
