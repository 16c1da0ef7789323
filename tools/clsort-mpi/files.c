/* files.c - clsort-mpi: the inputs and the output as files of MPI, which all ranks read and write */
#include "files.h"

#include "print.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

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

/* Tells all ranks the name of the temporary file that rank 0 has opened. The caller frees it. */
static char *share_name(const struct job *job)
{
    const char *own = job->output.temporary.path;
    int size = own == NULL ? 0 : (int)strlen(own) + 1;

    MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *name = calloc((size_t)size, 1);
    if (name == NULL) /* it would have to be agreed on before the name is sent */
        MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR);
    if (own != NULL)
        memcpy(name, own, (size_t)size);
    MPI_Bcast(name, size, MPI_CHAR, 0, MPI_COMM_WORLD);
    return name;
}

bool files_open(struct result *result, struct job *job, struct world *world)
{
    *result = (struct result){.name = job->options.output, .left = UINT64_MAX};
    if (!world_agree(world, world->rank > 0 || output_open_shared(&job->output, result->name)))
        return false;
    char *name = share_name(job);
    const int code =
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY, MPI_INFO_NULL, &result->file);
    free(name);
    result->is_open = code == MPI_SUCCESS;
    return world_agree(world, world_check(result->name, code));
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
    if (!world_agree(world, world_check(result->name, MPI_File_sync(result->file))))
        return false;
    files_close(result);
    return world_agree(world, world->rank > 0 || output_commit(&job->output));
}

void files_close(struct result *result)
{
    if (result->is_open)
        MPI_File_close(&result->file);
    result->is_open = false;
}
