/* candidates.c - clsort-mpi: what the ranks sort in memory */
#include "candidates.h"

#include "elements.h"
#include "large_order.h"
#include "print.h"

#include <stdlib.h>

/* Selects from the keys of the part. indexes: NULL, or those of the selected keys. */
static bool select_keys(struct task *task, struct part *part, uint64_t *indexes,
                        struct part *selected)
{
    struct job *job = &task->job;
    const uint32_t flags = task->select.flags;

    if (selected->count == 0)
        return true;
    elements_to_keys(&job->input.array, flags, part->elements, part->count);
    const clsort_status status =
        clsort_host_select(job->device.engine, NULL, &task->select, part->count, part->elements,
                           NULL, selected->count, selected->elements, NULL, indexes);
    if (status != CLSORT_OK)
        job_print_status(job, status);
    elements_from_keys(&job->input.array, flags, selected->elements, selected->count);
    for (size_t i = 0; indexes != NULL && i < selected->count; i++)
        indexes[i] += task->first;
    return status == CLSORT_OK;
}

/* Replaces the part by the elements that the output may have of it. *indexes: becomes theirs, with --argsort; the
 * caller frees it. */
static bool select_candidates(struct task *task, struct part *part, uint64_t **indexes)
{
    struct job *job = &task->job;
    struct part selected;
    const size_t count = task_candidates(task, part->count);
    bool done = part_allocate(&selected, job, count, job->input.type->size);

    if (done && job->options.argsort) {
        *indexes = malloc((count > 0 ? count : 1) * sizeof **indexes);
        done = *indexes != NULL;
        if (!done)
            print_error(job->input.name, "out of memory");
    }
    done = done && select_keys(task, part, *indexes, &selected);
    part_free(part);
    *part = selected;
    return done;
}

/* Replaces the elements by records of them and their indexes. indexes: NULL if they follow each other. */
static bool add_indexes(const struct task *task, struct part *part, const uint64_t *indexes,
                        const struct external_order *order)
{
    struct part records;
    const bool done = part_allocate(&records, &task->job, part->count, order->size);

    if (done && indexes == NULL)
        order->expand(order->context, records.elements, part->elements, part->count, task->first);
    for (size_t i = 0; done && indexes != NULL && i < part->count; i++)
        order->expand(order->context, records.elements + i * order->size,
                      part->elements + i * order->input_size, 1, indexes[i]);
    part_free(part);
    *part = records;
    return done;
}

bool candidates_take(struct task *task, struct part *part)
{
    const struct external_order order = large_order(&task->job);
    uint64_t *indexes = NULL;
    bool done = !task->selects_first || select_candidates(task, part, &indexes);

    if (done && order.expand != NULL)
        done = add_indexes(task, part, indexes, &order);
    else if (done)
        order.decode(order.context, part->elements, part->count);
    free(indexes);
    return done;
}
