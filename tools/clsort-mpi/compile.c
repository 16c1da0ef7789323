/* compile.c - clsort-mpi: compiles the programs of a sort, on one rank of each node before the others */
#include "compile.h"

#include "large_order.h"
#include "prepare.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SAMPLES = 1 << 14 /* elements that clsort_mpi_host takes as samples of records */ };

/* -- turns ------------------------------------------------------------------------------------- */

/* Returns a hash of a property of the device. */
static uint64_t hash(const struct job *job, cl_device_info info)
{
    char *text = device_text(job->device.id, info);
    const uint64_t sum = text == NULL ? 0 : records_checksum(text, strlen(text), 1);

    free(text);
    return sum;
}

/* Returns whether compiled programs are kept for other processes. */
static bool has_cache(void)
{
    const char *cache = getenv("CLSORT_CACHE_DIR");

    return cache == NULL || *cache != '\0';
}

bool compile_in_turn(struct task *task, compile_step *step)
{
    struct job *job = &task->job;
    struct world *world = &task->world;
    const bool has_device = job->device.engine != NULL;
    const uint64_t kind = has_device ? hash(job, CL_DEVICE_NAME) + hash(job, CL_DRIVER_VERSION) : 0;
    const bool is_first = world_is_first(world, kind) || !has_device || !has_cache();

    return world_agree(world, !is_first || step(task)) &&
           world_agree(world, is_first || step(task));
}

/* -- programs ---------------------------------------------------------------------------------- */

/* Compiles what the ranks run for this many elements. */
static bool compile(struct job *job, const clsort_desc *desc, size_t count)
{
    size_t size;
    const clsort_status status =
        clsort_host_describe(job->device.engine, desc, count, 0, NULL, &size);

    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}

/* Compiles what sorts the samples of elements that are no numbers, by which clsort_mpi_host divides them between the
 * ranks. */
static bool compile_sort_of_samples(struct job *job)
{
    clsort_desc desc = job->desc;
    bool done = true;

    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof(uint32_t);
    desc.algorithm = NULL;
    for (size_t count = job->count < MAX_SAMPLES ? job->count : MAX_SAMPLES; done && count > 1;
         count /= 2)
        done = compile(job, &desc, count);
    return done;
}

bool compile_sort(struct task *task)
{
    struct job *job = &task->job;
    const size_t runs = task->run_elements, count = task->count;
    const bool selects = task->selects_first && runs == 0;
    const clsort_desc sort = job->desc;
    bool done = true;

    job->pieces = (struct pieces){runs > 0 && runs < count ? runs : count, 1};
    if (selects)
        job->desc = task->select;
    done = prepare_describe(job);
    job->desc = sort;
    if (done && selects)
        done = compile(job, &job->desc, task_candidates(task, count));
    if (done && runs == 0 && (large_order_has_records(job) || job->options.custom.less != NULL))
        done = compile_sort_of_samples(job);
    return done;
}

bool compile_comparisons(struct task *task)
{
    return large_order_open(&task->job);
}
