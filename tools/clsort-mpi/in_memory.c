/* in_memory.c - clsort-mpi: sorts in the memory of the ranks */
#include "in_memory.h"

#include "candidates.h"
#include "large_indexes.h"
#include "large_order.h"
#include "memory.h"
#include "print.h"
#include "progress.h"
#include "unique.h"

#include <clsort_mpi.h>
#include <stdlib.h>
#include <string.h>

/* -- memory ------------------------------------------------------------------------------------ */

enum {
    COPIES = 2, /* the output, and what clsort_mpi_host has of it or of its input */
    STAGING = 16 << 20,
    STAGING_PER_RANK = 512
};

/* Returns the bytes that a rank needs to select from `count` elements, or to add their indexes, while it has these. */
static uint64_t needed_for_candidates(const struct task *task, uint64_t count)
{
    const struct job *job = &task->job;
    const size_t candidates = task_candidates(task, (size_t)count);
    const bool has_indexes = job->options.argsort;
    uint64_t bytes = 0;

    if (has_indexes || task->selects_first)
        bytes += candidates * large_order_size(job);
    if (task->selects_first)
        bytes +=
            (has_indexes ? candidates * sizeof(uint64_t) : 0) +
            pieces_cost_of_selection(&job->device, job->input.type->size, count, candidates, false);
    return bytes;
}

uint64_t in_memory_needed(const struct task *task, uint64_t count)
{
    const struct job *job = &task->job;
    const struct pieces_cost cost = large_order_cost(job);
    const double each = COPIES * (double)large_order_size(job) + cost.per_element;
    const uint64_t sorted = task->selects_first ? task_candidates(task, (size_t)count) : count;

    return STAGING + STAGING_PER_RANK * (uint64_t)task->world.size + cost.fixed +
           count * job->input.type->size + needed_for_candidates(task, count) +
           (uint64_t)(each * (double)sorted);
}

uint64_t in_memory_available(const struct task *task)
{
    const uint64_t limit = task->job.options.buffer_size, used = memory_resident();
    struct memory left = memory_left();

    if (limit > 0)
        return limit > used ? limit - used : 0;
    if (left.ram != UINT64_MAX)
        left.ram /= (uint64_t)task->world.node_size;
    return memory_unswapped(&left);
}

/* -- the sort ---------------------------------------------------------------------------------- */

/* Prints the error of the library's last call, which is the same on all ranks. */
static void print_status(const struct job *job, clsort_status status)
{
    char text[512];

    if (clsort_mpi_last_error(sizeof text, text, NULL) != CLSORT_OK || *text == '\0')
        snprintf(text, sizeof text, "%s", clsort_status_string(status));
    print_error(job->options.custom.less != NULL ? "--less"
                : status == CLSORT_E_ALGORITHM   ? "--algorithm"
                                                 : job->input.name,
                "%s", text);
}

enum { WRITE_BLOCK = 64 << 20 /* bytes */ };

/* Collective. The return value is the same on all ranks, though the library knows of a failure of the last message of a
 * call on one rank only. */
static bool sort_elements(struct task *task, const struct part *in, const struct part *out)
{
    const struct job *job = &task->job;
    clsort_mpi *mpi = NULL;
    clsort_status status = clsort_mpi_create(MPI_COMM_WORLD, job->device.engine, NULL, &mpi);

    if (status != CLSORT_OK)
        print_status(job, status);
    bool done = world_agree(&task->world, status == CLSORT_OK);
    if (done) {
        status = clsort_mpi_host(mpi, &job->desc, in->count, in->elements, NULL, out->count,
                                 out->elements, NULL);
        if (status != CLSORT_OK)
            print_status(job, status);
        done = world_agree(&task->world, status == CLSORT_OK);
    }
    clsort_mpi_destroy(mpi);
    return done;
}

/* Drops repeats from the sorted keys, also of the last key of the rank before this one: a rank without keys has none
 * behind it. Collective. The return value is the same on all ranks. */
static bool drop_repeats(struct task *task, struct part *part)
{
    const struct job *job = &task->job;
    struct world *world = &task->world;
    const struct external_order order = large_order(&task->job);
    const bool has_next = world->rank + 1 < world->size;
    const bool has_last = world->rank > 0;
    unsigned char *keys = part->elements, *last = calloc(1, order.size);

    if (last == NULL)
        print_error(job->input.name, "out of memory");
    if (!world_agree(world, last != NULL)) {
        free(last);
        return false;
    }
    const unsigned char *own = part->count > 0 ? keys + (part->count - 1) * order.size : last;
    world_called("MPI_Sendrecv",
                 MPI_Sendrecv(own, (int)order.size, MPI_BYTE,
                              has_next ? world->rank + 1 : MPI_PROC_NULL, 0, last, (int)order.size,
                              MPI_BYTE, has_last ? world->rank - 1 : MPI_PROC_NULL, 0,
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    part->count = job->options.fields.count > 0
                      ? fields_unique(&job->options.fields, keys, part->count)
                      : unique_keys(job->input.type, job->desc.flags, keys, part->count);
    if (has_last && part->count > 0 && order.compare(order.context, last, keys) == 0) {
        part->count--;
        memmove(keys, keys + order.size, part->count * order.size);
    }
    free(last);
    return true;
}

/* Writes bytes in blocks, between which the progress is updated. */
static bool write_blocks(struct result *result, const unsigned char *data, size_t size)
{
    progress_phase("writing", size);
    for (size_t at = 0, block; at < size; at += block) {
        block = size - at < WRITE_BLOCK ? size - at : WRITE_BLOCK;
        if (!files_write(result, data + at, block))
            return false;
        progress_add(block);
    }
    return true;
}

/* Writes the elements of this rank, or their indexes, behind those of the ranks before it. */
static bool write_elements(struct task *task, const struct part *part, uint64_t before,
                           uint64_t all)
{
    const struct job *job = &task->job;
    size_t header_size, bytes = part->count * job->input.type->size;

    if (!task_write_header(task, all, &header_size))
        return false;
    if (!task_place(task, header_size, before, part->count))
        return true;
    if (job->options.argsort)
        bytes = large_indexes_extract(job, part->elements, part->elements, part->count);
    return write_blocks(&task->result, part->elements, bytes);
}

/* Reads the part of this rank, as it is in the files. */
static bool read_elements(struct task *task, struct part *part)
{
    struct job *job = &task->job;

    if (!part_allocate(part, job, task->count, job->input.type->size) ||
        !files_read(job, task->first, task->count, part->elements))
        return false;
    if (job->options.sum) {
        const struct external_order order = large_order(job);

        job->checksum = (order.expand != NULL ? order.input_checksum : order.checksum)(
            order.context, part->elements, part->count);
    }
    return true;
}

/* Sorts the elements of `in`, and releases it. */
static bool sort_part(struct task *task, struct part *in, struct part *out)
{
    struct world *world = &task->world;
    const uint64_t all = world_sum(in->count), first = world_first(world, all, world->rank);
    const size_t count = (size_t)(world_first(world, all, world->rank + 1) - first);

    if (!world_agree(world, part_allocate(out, &task->job, count, large_order_size(&task->job))) ||
        !sort_elements(task, in, out))
        return false;
    part_free(in);
    return !task->job.options.unique || drop_repeats(task, out);
}

static bool sort_parts(struct task *task, struct part *in, struct part *out)
{
    const struct external_order order = large_order(&task->job);
    struct world *world = &task->world;
    struct stats *stats = &task->stats;

    const uint64_t bytes = task->count * task->job.input.type->size;

    progress_phase("reading", bytes);
    if (!world_agree(world, read_elements(task, in)))
        return false;
    stats->read_s = stats_lap();
    stats_add_phase(stats, "reading", bytes, 0, stats->read_s);
    progress_phase("sorting", bytes);
    if (!world_agree(world, candidates_take(task, in)) || !sort_part(task, in, out))
        return false;
    order.encode(order.context, out->elements, out->count);
    progress_add(bytes);
    stats->sort_s = stats_lap();
    stats_add_phase(stats, "sorting", 0, 0, stats->sort_s);
    const uint64_t before = world_sum_before(out->count), all = world_sum(out->count);
    const bool done = world_agree(world, write_elements(task, out, before, all));
    stats->write_s = stats_lap();
    stats_add_phase(stats, "writing", 0, task->result.written, stats->write_s);
    return done;
}

bool in_memory_sort(struct task *task)
{
    struct part in = {.count = 0}, out = {.count = 0};
    const bool done = sort_parts(task, &in, &out);

    part_free(&in);
    part_free(&out);
    return done;
}
