/* ranks_stats.c - clsort-mpi --stats */
#include "ranks_stats.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the name of the device, which the caller frees. NULL: it is unknown, or the host. */
static char *device_name(const struct job *job)
{
    return job->device.engine == NULL ? NULL : device_text(job->device.id, CL_DEVICE_NAME);
}

/* Returns the text for this name. */
static const char *title(const struct job *job, const char *name)
{
    return job->device.engine == NULL ? "host" : name == NULL ? "unknown" : name;
}

void ranks_print_device(const struct job *job)
{
    char *name = device_name(job);

    printf("device   %s\n", title(job, name));
    free(name);
}

bool ranks_stats(struct task *task)
{
    struct stats *stats = &task->stats;
    struct job *job = &task->job;
    double own[] = {stats->setup_s, stats->build_s, stats->self_test_s,   stats->read_s,
                    stats->sort_s,  stats->write_s, (double)memory_peak()};
    double max[sizeof own / sizeof own[0]] = {0};
    bool done = true;

    world_called("MPI_Allreduce", MPI_Allreduce(own, max, sizeof own / sizeof own[0], MPI_DOUBLE,
                                                MPI_MAX, MPI_COMM_WORLD));
    stats->setup_s = max[0];
    stats->build_s = max[1];
    stats->self_test_s = max[2];
    stats->read_s = max[3];
    stats->sort_s = max[4];
    stats->write_s = max[5];
    stats->peak_bytes = max[6];
    stats->ranks = (size_t)task->world.size;
    if (task->world.rank == 0) {
        char *name = device_name(job);

        stats->device = title(job, name);
        stats->algorithm = job->plan;
        stats->type = job->input.type->name;
        stats->elements = job->count;
        stats->key_size = job->input.type->size;
        stats->pieces = stats->report.io == NULL ? 1 : (size_t)stats->report.runs;
        done = stats_print(stats, job->options.stats == STATS_JSON);
        free(name);
    }
    return world_agree(&task->world, done);
}
