/* task.c - steps of a run of clsort-mpi that several modes share */
#include "task.h"

#include "header.h"
#include "inputs.h"
#include "large_indexes.h"
#include "prepare.h"
#include "print.h"
#include "selection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- inputs ------------------------------------------------------------------------------------ */

/* Checks that an input is neither a pipe nor a device, from which each rank would take what the others lack. */
static bool check_file(const char *name)
{
    struct stat status;

    if (stat(name, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return true; /* others are reported when they are opened */
    print_error(name,
                "this is no file, but a pipe or a device, which only one rank can read; write "
                "it to a file first");
    return false;
}

static bool check_files(const struct options *options)
{
    for (size_t i = 0; i < options->input_count; i++)
        if (!check_file(options->inputs[i]))
            return false;
    return true;
}

/* Checks that the elements of the open input are in one row. */
static bool check_dimensions(const struct input *input)
{
    if (input->array.dimensions <= 1)
        return true;
    print_error(input->name,
                "the array has %u dimensions, but clsort-mpi sorts arrays of one; use clsort, or "
                "--axis=none",
                input->array.dimensions);
    return false;
}

/* Checks that all ranks have counted the same number of elements. */
static bool check_counts(const struct job *job)
{
    const uint64_t max = world_max(job->count), min = world_min(job->count);

    if (min == max)
        return true;
    print_error(job->input.name,
                "the ranks see between %" PRIu64 " and %" PRIu64
                " elements; all nodes must have the same files, which nobody writes meanwhile",
                min, max);
    return false;
}

/* Describes what the ranks sort, and which part of the result is the output. */
static bool describe(struct task *task)
{
    struct job *job = &task->job;
    const struct options *options = &job->options;
    const bool is_nth = options->selection == SELECTION_NTH;

    job->input.array.shape[0] = job->input.array.count = job->count;
    job->rows = rows_of(&job->input.array, options->axis);
    task->wanted = (struct range){0, job->count};
    if (options->selection != SELECTION_NONE) {
        if (!selection_is_possible(job))
            return false;
        task->wanted = (struct range){is_nth ? options->k : 0, options->k + is_nth};
        task->selects_first = task->wanted.end <= job->count / (uint64_t)task->world.size;
        task->select = job->desc;
        task->select.operation = CLSORT_SELECT;
        task->select.max_k = task->wanted.end > 0 ? (size_t)task->wanted.end : 1;
        task->select.index_size = sizeof(uint64_t);
    }
    job->desc.operation = CLSORT_SORT;
    job->desc.max_k = 0;
    if (options->argsort)
        large_indexes_describe(job);
    return true;
}

bool task_open_inputs(struct task *task)
{
    struct job *job = &task->job;
    struct world *world = &task->world;

    if (!world_agree(world, check_files(&job->options) && inputs_open(job) &&
                                check_dimensions(&job->input) && inputs_count(job)) ||
        !world_agree(world, check_counts(job)) || !world_agree(world, describe(task)))
        return false;
    task->first = world_first(world, job->count, world->rank);
    task->count = (size_t)(world_first(world, job->count, world->rank + 1) - task->first);
    return true;
}

/* -- device ------------------------------------------------------------------------------------ */

enum { NAME_SIZE = 256 };

/* Copies the part of a list that is this rank's turn. */
static void choose_named(const char *list, int turn, char name[NAME_SIZE])
{
    int parts = 1;

    for (const char *comma = list; (comma = strchr(comma, ',')) != NULL; comma++)
        parts++;
    for (turn %= parts; turn > 0; turn--)
        list = strchr(list, ',') + 1;
    snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(list, ","), list);
}

static cl_device_type type_of(cl_device_id id)
{
    cl_device_type type = 0;

    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type;
}

/* Finds the index of the device that is this rank's turn among those of the type of the best. Returns false if there
 * are fewer than two. */
static bool choose_unnamed(int turn, char name[NAME_SIZE])
{
    cl_device_id best, id;
    unsigned found[CLSORT_MAX_GROUP];
    int count = 0;

    if (clsort_find_device(NULL, &best) != CLSORT_OK)
        return false;
    for (unsigned index = 0; count < CLSORT_MAX_GROUP; index++) {
        snprintf(name, NAME_SIZE, "%u", index);
        if (clsort_find_device(name, &id) != CLSORT_OK)
            break;
        if (type_of(id) == type_of(best))
            found[count++] = index;
    }
    if (count >= 2)
        snprintf(name, NAME_SIZE, "%u", found[turn % count]);
    return count >= 2;
}

bool task_open_device(struct task *task)
{
    struct options *options = &task->job.options;
    const int turn = task->world.node_rank;
    const char *given = options->device;
    char name[NAME_SIZE];

    if (given != NULL)
        choose_named(given, turn, name);
    if (given != NULL || (!device_is_named(NULL) && choose_unnamed(turn, name)))
        options->device = name;
    const bool done = prepare_open_device(&task->job);
    options->device = given;
    return world_agree(&task->world, done);
}

/* -- output ------------------------------------------------------------------------------------ */

size_t task_candidates(const struct task *task, size_t count)
{
    return task->wanted.end < count ? (size_t)task->wanted.end : count;
}

bool task_place(struct task *task, size_t header_size, uint64_t before, uint64_t count)
{
    const size_t size =
        task->job.options.argsort ? sizeof(uint64_t) : (size_t)task->job.input.type->size;
    const struct range *wanted = &task->wanted;
    const uint64_t first = before > wanted->first ? before : wanted->first;
    const uint64_t end = before + count < wanted->end ? before + count : wanted->end;
    struct result *result = &task->result;

    result->offset = header_size + (first - wanted->first) * size;
    result->skipped = (first - before) * size;
    result->left = first < end ? (end - first) * size : 0;
    return first < end;
}

bool task_write_header(struct task *task, uint64_t kept, size_t *size)
{
    char text[NPY_MAX_HEADER_SIZE];
    const void *header = header_of_output(&task->job, kept, text, size);

    task->result.offset = 0;
    return task->world.rank > 0 || files_write(&task->result, header, *size);
}
