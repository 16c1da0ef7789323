/* ranks_check.c - clsort-mpi --check */
#include "ranks_check.h"

#include "check.h"
#include "elements.h"
#include "large_order.h"
#include "print.h"
#include "progress.h"

#include <stdlib.h>

enum { CHUNK_SIZE = 4 << 20 };

/* Sets parts to what the inputs have of `count` elements from `first` on. Returns the number of parts. */
static size_t slice(const struct job *job, uint64_t first, uint64_t count,
                    struct external_input *parts)
{
    const size_t size = job->input.type->size;
    size_t number = 0;

    for (size_t i = 0; i < job->inputs.count && count > 0; i++) {
        struct external_input part = job->inputs.sources[i];

        if (first >= part.count) {
            first -= part.count;
            continue;
        }
        part.offset += first * size;
        part.count -= first;
        part.count = part.count < count ? part.count : count;
        count -= part.count;
        first = 0;
        parts[number++] = part;
    }
    return number;
}

/* Returns the checksum of the element before the part of this rank, which that of the rank before has, too. */
static bool sum_before(struct task *task, const struct external_order *order, unsigned char *space,
                       uint64_t *sum)
{
    const bool done = files_read(&task->job, task->first - 1, 1, space);

    *sum = done ? order->checksum(order->context, space, 1) : 0;
    return done;
}

/* Checks the part of this rank, from the element before it on. space: for three elements. disorder->at becomes the
 * index of the first element that is out of order, or EXTERNAL_ORDERED if all are in order. */
static bool check_part(struct task *task, struct external_input *parts, unsigned char *space,
                       struct external_disorder *disorder)
{
    struct job *job = &task->job;
    const struct external_order order = large_order(job);
    const bool has_before = task->first > 0 && task->count > 0;
    const uint64_t first = task->first - has_before;
    const size_t chunk = CHUNK_SIZE / order.size;
    struct external external = {
        .order = &order,
        .inputs = parts,
        .input_count = slice(job, first, task->count + has_before, parts),
        .is_verified = job->options.sum,
        .progress = progress_add,
    };
    uint64_t before = 0;

    *disorder = (struct external_disorder){EXTERNAL_ORDERED, space, space + order.size};
    if (external.input_count == 0)
        return true;
    if (job->options.sum && has_before &&
        !sum_before(task, &order, space + 2 * order.size, &before))
        return false;
    const bool done = external_check(&external, chunk > 0 ? chunk : 1, disorder);
    if (disorder->at != EXTERNAL_ORDERED)
        disorder->at += first;
    job->checksum = external.checksum - before;
    return done;
}

/* Prints the elements that are out of order on the rank that has found the first ones. */
static void print_disorder(const struct job *job, const struct external_disorder *disorder)
{
    if (job->options.fields.count > 0)
        check_print_records(job->input.name, (size_t)disorder->at);
    else
        check_print(job->input.name, &job->input.array, job->desc.flags, disorder->before,
                    (size_t)disorder->at - 1, disorder->after, (size_t)disorder->at);
}

bool ranks_check(struct task *task, bool *ordered)
{
    struct job *job = &task->job;
    struct external_input *parts = calloc(job->inputs.count, sizeof *parts);
    unsigned char *space = malloc(3 * job->input.type->size);
    struct external_disorder disorder = {.at = EXTERNAL_ORDERED};
    bool done = parts != NULL && space != NULL;

    if (!done)
        print_error(job->input.name, "out of memory");
    progress_phase("checking", task->count * job->input.type->size);
    done = world_agree(&task->world, done && check_part(task, parts, space, &disorder));
    const uint64_t first = world_min(disorder.at < INT64_MAX ? disorder.at : INT64_MAX);
    *ordered = first == INT64_MAX;
    if (done && !*ordered && disorder.at == first)
        print_disorder(job, &disorder);
    free(space);
    free(parts);
    return done && world_agree(&task->world, true);
}
