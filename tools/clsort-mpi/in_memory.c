/* in_memory.c - clsort-mpi: sorts in the memory of the ranks */
#include "in_memory.h"

#include "elements.h"
#include "large_order.h"
#include "linux.h"
#include "memory.h"
#include "print.h"
#include "unique.h"

#include <clsort_mpi.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* -- memory ------------------------------------------------------------------------------------ */

enum {
    COPIES = 3, /* the input, the output, and what clsort_mpi_host has of either */
    STAGING = 16 << 20,
    STAGING_PER_RANK = 512
};

struct pieces_cost in_memory_cost(const struct task *task)
{
    const struct job *job = &task->job;
    const size_t size = job->input.type->size;

    return job->options.fields.count > 0
               ? pieces_cost_of_records(&job->device, size, 0)
               : pieces_cost_of_keys(&job->device, size, 0, job->desc.flags);
}

uint64_t in_memory_needed(const struct task *task, uint64_t count)
{
    const struct pieces_cost cost = in_memory_cost(task);
    const double each = COPIES * (double)task->job.input.type->size + cost.per_element;

    return STAGING + STAGING_PER_RANK * (uint64_t)task->world.size + cost.fixed +
           (uint64_t)(each * (double)count);
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

struct arrays {
    size_t size; /* in bytes, of each; at least 1 */
    unsigned char *in, *out;
};

static bool allocate(const struct task *task, struct arrays *arrays)
{
    const size_t size = task->count * task->job.input.type->size;

    arrays->size = size > 0 ? size : 1;
    arrays->in = linux_enlarge(NULL, 0, arrays->size);
    arrays->out = linux_enlarge(NULL, 0, arrays->size);
    if (arrays->in != NULL && arrays->out != NULL)
        return true;
    print_error(task->job.input.name, "out of memory: the system does not provide 2 x %zu bytes",
                arrays->size);
    return false;
}

static void release(unsigned char **array, size_t size)
{
    if (*array != NULL)
        munmap(*array, size);
    *array = NULL;
}

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

static bool sort_keys(const struct task *task, const struct arrays *arrays)
{
    const struct job *job = &task->job;
    clsort_mpi *mpi = NULL;
    clsort_status status = clsort_mpi_create(MPI_COMM_WORLD, job->device.engine, NULL, &mpi);

    if (status == CLSORT_OK)
        status = clsort_mpi_host(mpi, &job->desc, task->count, arrays->in, NULL, task->count,
                                 arrays->out, NULL);
    if (status != CLSORT_OK)
        print_status(job, status);
    clsort_mpi_destroy(mpi);
    return status == CLSORT_OK;
}

/* Drops repeats from the sorted keys, also of the last key of the rank before this one: a rank without keys has none
 * behind it. */
static void drop_repeats(struct task *task, unsigned char *keys)
{
    const struct job *job = &task->job;
    const struct world *world = &task->world;
    const struct external_order order = large_order(&task->job);
    const bool has_next = world->rank + 1 < world->size;
    const bool has_last = world->rank > 0;
    unsigned char *last = malloc(order.size);

    if (last == NULL) /* the others wait for this rank */
        MPI_Abort(MPI_COMM_WORLD, EXIT_ERROR);
    const unsigned char *own = task->count > 0 ? keys + (task->count - 1) * order.size : last;
    MPI_Sendrecv(own, (int)order.size, MPI_BYTE, has_next ? world->rank + 1 : MPI_PROC_NULL, 0,
                 last, (int)order.size, MPI_BYTE, has_last ? world->rank - 1 : MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    task->kept = job->options.fields.count > 0
                     ? fields_unique(&job->options.fields, keys, task->count)
                     : unique_keys(job->input.type, job->desc.flags, keys, task->count);
    if (has_last && task->kept > 0 && order.compare(order.context, last, keys) == 0) {
        task->kept--;
        memmove(keys, keys + order.size, (size_t)task->kept * order.size);
    }
    free(last);
}

/* Writes the keys of this rank behind those of the ranks before it. */
static bool write_keys(struct task *task, const unsigned char *keys, uint64_t before, uint64_t all)
{
    const size_t size = task->job.input.type->size;
    size_t header_size;

    if (!task_write_header(task, all, &header_size))
        return false;
    task->result.offset = header_size + before * size;
    return files_write(&task->result, keys, (size_t)task->kept * size);
}

/* Reads the part of this rank, and converts it. */
static bool read_keys(struct task *task, const struct arrays *arrays)
{
    struct job *job = &task->job;

    if (!files_read(job, task->first, task->count, arrays->in))
        return false;
    if (job->options.sum) {
        const struct external_order order = large_order(job);

        job->checksum = order.checksum(order.context, arrays->in, task->count);
    }
    elements_to_keys(&job->input.array, job->desc.flags, arrays->in, task->count);
    return true;
}

static bool sort_arrays(struct task *task, struct arrays *arrays)
{
    struct job *job = &task->job;
    struct world *world = &task->world;
    struct stats *stats = &task->stats;
    const uint64_t bytes = task->count * job->input.type->size;

    if (!world_agree(world, allocate(task, arrays) && read_keys(task, arrays)))
        return false;
    stats->read_s = stats_lap();
    stats_add_phase(stats, "reading", bytes, 0, stats->read_s);
    if (!world_agree(world, sort_keys(task, arrays)))
        return false;
    release(&arrays->in, arrays->size);
    if (job->options.unique)
        drop_repeats(task, arrays->out);
    elements_from_keys(&job->input.array, job->desc.flags, arrays->out, (size_t)task->kept);
    stats->sort_s = stats_lap();
    stats_add_phase(stats, "sorting", 0, 0, stats->sort_s);
    const uint64_t before = world_sum_before(task->kept), all = world_sum(task->kept);
    const bool done = world_agree(world, write_keys(task, arrays->out, before, all));
    stats->write_s = stats_lap();
    stats_add_phase(stats, "writing", 0, task->result.written, stats->write_s);
    return done;
}

bool in_memory_sort(struct task *task)
{
    struct arrays arrays = {.in = NULL};
    const bool done = sort_arrays(task, &arrays);

    release(&arrays.in, arrays.size);
    release(&arrays.out, arrays.size);
    return done;
}
