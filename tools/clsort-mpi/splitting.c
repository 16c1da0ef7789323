/* splitting.c - clsort-mpi: which elements of the sorted runs each rank merges */
#include "splitting.h"

#include "print.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES =
        16, /* of each run for each rank: the part of a rank then exceeds the average by 1/16 at most */
    MAX_SAMPLE_BYTES = 1 << 28
};

/* Where an element is. */
struct origin {
    uint64_t rank, run, position; /* position: in the file */
};

/* Elements and where they are. */
struct samples {
    size_t count;
    unsigned char *elements;
    struct origin *origins;
};

/* -- samples ----------------------------------------------------------------------------------- */

static bool allocate(struct samples *samples, size_t count, size_t size)
{
    samples->count = count;
    samples->elements = malloc(count > 0 ? count * size : 1);
    samples->origins = malloc(count > 0 ? count * sizeof *samples->origins : 1);
    if (samples->elements != NULL && samples->origins != NULL)
        return true;
    print_error("samples", "out of memory");
    return false;
}

static void release(struct samples *samples)
{
    free(samples->elements);
    free(samples->origins);
    *samples = (struct samples){.count = 0};
}

/* Returns the distance of samples in all runs. */
static uint64_t sample_step(const struct task *task, const struct sorted_runs *runs, size_t size)
{
    const uint64_t wanted = SAMPLES * (uint64_t)task->world.size * world_sum(runs->count);
    const uint64_t max = MAX_SAMPLE_BYTES / (size + sizeof(struct origin));
    const uint64_t step = task->job.count / (wanted < max ? wanted : max);

    return step > 0 ? step : 1;
}

/* Takes the samples of the runs of this rank. */
static bool take(struct samples *samples, const struct task *task,
                 const struct external_order *order, const struct sorted_runs *runs, uint64_t step)
{
    size_t count = 0;

    for (size_t i = 0; i < runs->count; i++)
        count += (size_t)((runs->start[i + 1] - runs->start[i]) / step);
    if (!allocate(samples, count, order->size))
        return false;
    count = 0;
    for (size_t i = 0; i < runs->count; i++) {
        for (uint64_t at = runs->start[i] + step - 1; at < runs->start[i + 1]; at += step) {
            unsigned char *to = samples->elements + count * order->size;

            if (!sorted_runs_read(runs, order->size, at, 1, to))
                return false;
            samples->origins[count++] = (struct origin){(uint64_t)task->world.rank, i, at};
        }
    }
    order->decode(order->context, samples->elements, count);
    return true;
}

/* Numbers of elements and of bytes of all ranks, for MPI_Gatherv. */
struct counts {
    int *elements, *bytes, *offsets;
};

static bool allocate_counts(struct counts *counts, const struct world *world)
{
    const size_t ranks = (size_t)world->size;

    counts->elements = calloc(3 * ranks, sizeof *counts->elements);
    if (counts->elements == NULL) {
        print_error("samples", "out of memory");
        return false;
    }
    counts->bytes = counts->elements + ranks;
    counts->offsets = counts->bytes + ranks;
    return true;
}

/* Collects arrays of elements of this size on rank 0. */
static void collect(const struct world *world, struct counts *counts, size_t size, const void *own,
                    size_t own_count, void *all)
{
    for (int i = 0, sum = 0; i < world->size; sum += counts->bytes[i++]) {
        counts->bytes[i] = counts->elements[i] * (int)size;
        counts->offsets[i] = sum;
    }
    world_called("MPI_Gatherv",
                 MPI_Gatherv(own, (int)(own_count * size), MPI_BYTE, all, counts->bytes,
                             counts->offsets, MPI_BYTE, 0, MPI_COMM_WORLD));
}

/* Collects the samples of all ranks on rank 0, in the order of the ranks. */
static bool collect_samples(struct task *task, const struct external_order *order,
                            const struct samples *own, struct samples *all)
{
    struct world *world = &task->world;
    struct counts counts = {.elements = NULL};
    const int count = (int)own->count;
    const size_t total = (size_t)world_sum(own->count);

    bool done = allocate_counts(&counts, world);
    done = world_agree(world, done && allocate(all, world->rank == 0 ? total : 0, order->size));
    if (done) {
        world_called("MPI_Allgather", MPI_Allgather(&count, 1, MPI_INT, counts.elements, 1, MPI_INT,
                                                    MPI_COMM_WORLD));
        done = world_agree(world, true); /* all know the counts */
    }
    if (done) {
        collect(world, &counts, order->size, own->elements, own->count, all->elements);
        collect(world, &counts, sizeof(struct origin), own->origins, own->count, all->origins);
    }
    free(counts.elements);
    return done;
}

/* -- splitters --------------------------------------------------------------------------------- */

/* Chooses the splitters from the samples of all ranks, which are in the order of the ranks, and of the positions in
 * the runs of each, so that a stable sort orders equal ones by these. */
static bool choose(struct task *task, const struct external_order *order,
                   const struct samples *samples, struct samples *splitters)
{
    const struct job *job = &task->job;
    const size_t ranks = (size_t)task->world.size;
    uint32_t *index = malloc(samples->count * sizeof *index);
    clsort_desc desc = job->desc;

    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof *index;
    if (index == NULL) {
        print_error("samples", "out of memory");
        return false;
    }
    const clsort_status status =
        clsort_host(job->device.engine, NULL, &desc, samples->count, samples->elements, index);
    if (status != CLSORT_OK)
        job_print_status(job, status);
    for (size_t i = 0; status == CLSORT_OK && i < splitters->count; i++) {
        const uint32_t at = index[samples->count * (i + 1) / ranks];

        memcpy(splitters->elements + i * order->size, samples->elements + at * order->size,
               order->size);
        splitters->origins[i] = samples->origins[at];
    }
    free(index);
    return status == CLSORT_OK;
}

/* Finds the splitters on rank 0, and tells them all ranks. */
static bool find_splitters(struct task *task, const struct external_order *order,
                           const struct samples *own, struct samples *splitters)
{
    struct world *world = &task->world;
    struct samples all = {.count = 0};
    const size_t count = (size_t)world->size - 1;

    bool done = collect_samples(task, order, own, &all);
    done =
        done && world_agree(world, allocate(splitters, count, order->size) &&
                                       (world->rank > 0 || choose(task, order, &all, splitters)));
    release(&all);
    if (!done)
        return false;
    world_called("MPI_Bcast", MPI_Bcast(splitters->elements, (int)(count * order->size), MPI_BYTE,
                                        0, MPI_COMM_WORLD));
    world_called("MPI_Bcast",
                 MPI_Bcast(splitters->origins, (int)(count * sizeof *splitters->origins), MPI_BYTE,
                           0, MPI_COMM_WORLD));
    return world_agree(world, true); /* all have the splitters */
}

/* Finds the first element of a run that does not precede the splitter in the order of (element, rank, run, position).
 * *at: from there on; becomes its position. space: for an element. */
static bool find_cut(const struct task *task, const struct external_order *order,
                     const struct sorted_runs *runs, size_t run, const unsigned char *splitter,
                     const struct origin *origin, unsigned char *space, uint64_t *at)
{
    const uint64_t rank = (uint64_t)task->world.rank;
    const bool is_before = rank < origin->rank || (rank == origin->rank && run < origin->run);
    uint64_t low = *at, high = runs->start[run + 1];

    if (rank == origin->rank && run == origin->run)
        low = high = origin->position;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (!sorted_runs_read(runs, order->size, middle, 1, space))
            return false;
        order->decode(order->context, space, 1);
        if (order->compare(order->context, space, splitter) < is_before)
            low = middle + 1;
        else
            high = middle;
    }
    *at = low;
    return true;
}

static bool find_cuts(const struct task *task, const struct external_order *order,
                      const struct sorted_runs *runs, const struct samples *splitters,
                      uint64_t *cuts)
{
    unsigned char *space = malloc(order->size);
    bool done = space != NULL;

    if (!done)
        print_error("samples", "out of memory");
    for (size_t i = 0; i < runs->count; i++) {
        uint64_t at = cuts[i] = runs->start[i];

        for (size_t s = 0; done && s < splitters->count; s++) {
            done = find_cut(task, order, runs, i, splitters->elements + s * order->size,
                            &splitters->origins[s], space, &at);
            cuts[(s + 1) * runs->count + i] = at;
        }
        cuts[(splitters->count + 1) * runs->count + i] = runs->start[i + 1];
    }
    free(space);
    return done;
}

bool splitting_find(struct task *task, const struct external_order *order,
                    const struct sorted_runs *runs, uint64_t *cuts)
{
    const uint64_t step = sample_step(task, runs, order->size);
    struct samples own = {.count = 0}, splitters = {.count = 0};

    bool done = world_agree(&task->world, take(&own, task, order, runs, step)) &&
                find_splitters(task, order, &own, &splitters);
    done = done && world_agree(&task->world, find_cuts(task, order, runs, &splitters, cuts));
    release(&own);
    release(&splitters);
    return done;
}
