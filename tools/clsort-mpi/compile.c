/* compile.c - clsort-mpi: compiles the programs of a sort, on one rank of each node before the others */
#include "compile.h"

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

    return world_agree(world, !is_first || step(job)) && world_agree(world, is_first || step(job));
}

/* -- programs ---------------------------------------------------------------------------------- */

bool compile_sort_of_samples(struct job *job)
{
    clsort_desc desc = job->desc;
    clsort_status status = CLSORT_OK;
    size_t size;

    if (job->options.fields.count == 0 && job->options.custom.less == NULL)
        return true;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof(uint32_t);
    desc.algorithm = NULL;
    for (size_t count = job->count < MAX_SAMPLES ? job->count : MAX_SAMPLES;
         status == CLSORT_OK && count > 1; count /= 2)
        status = clsort_host_describe(job->device.engine, &desc, count, 0, NULL, &size);
    if (status != CLSORT_OK)
        job_print_status(job, status);
    return status == CLSORT_OK;
}
