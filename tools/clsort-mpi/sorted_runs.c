/* sorted_runs.c - clsort-mpi: the part of a rank as sorted runs in a temporary file */
#include "sorted_runs.h"

#include "part.h"
#include "print.h"
#include "progress.h"
#include "temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char DEFAULT_FOLDER[] = "/var/tmp"; /* /tmp may be in memory */

const char *temporary_folder(const struct task *task)
{
    const struct options *options = &task->job.options;
    const char *folder = getenv("TMPDIR");

    if (options->folder_count > 0)
        return options->folders[(size_t)task->world.node_rank % options->folder_count];
    return folder != NULL && *folder != '\0' ? folder : DEFAULT_FOLDER;
}

bool write_fully(const char *name, int fd, uint64_t offset, const void *data, size_t size)
{
    const char *from = data;

    while (size > 0) {
        const ssize_t put = pwrite(fd, from, size, (off_t)offset);

        if (put < 0 && errno != EINTR) {
            print_errno(name);
            return false;
        }
        if (put > 0) {
            from += put;
            offset += (uint64_t)put;
            size -= (size_t)put;
        }
    }
    return true;
}

bool sorted_runs_read(const struct sorted_runs *runs, size_t size, uint64_t first, size_t count,
                      void *elements)
{
    size_t left = count * size;
    char *to = elements;
    uint64_t offset = first * size;

    while (left > 0) {
        const ssize_t got = pread(runs->fd, to, left, (off_t)offset);

        if (got == 0 || (got < 0 && errno != EINTR)) {
            if (got == 0)
                errno = EIO; /* the file has no other end */
            print_errno(runs->folder);
            return false;
        }
        if (got > 0) {
            to += got;
            offset += (uint64_t)got;
            left -= (size_t)got;
        }
    }
    return true;
}

/* Reads elements of the inputs and converts them to those that are sorted. read: space for them, unless these are the
 * same. */
static bool take(struct sorted_runs *runs, const struct task *task,
                 const struct external_order *order, const struct part *elements,
                 const struct part *read, uint64_t at, size_t count)
{
    const uint64_t first = task->first + at;

    if (order->expand == NULL) {
        if (!files_read(&task->job, first, count, elements->elements))
            return false;
        runs->input_checksum += order->checksum(order->context, elements->elements, count);
        runs->checksum = runs->input_checksum;
        order->decode(order->context, elements->elements, count);
        return true;
    }
    if (!files_read(&task->job, first, count, read->elements))
        return false;
    runs->input_checksum += order->input_checksum(order->context, read->elements, count);
    order->expand(order->context, elements->elements, read->elements, count, first);
    runs->checksum += order->checksum(order->context, elements->elements, count);
    return true;
}

/* Sorts the elements of a run and writes them to the file. */
static bool put(struct sorted_runs *runs, const struct external_order *order,
                const struct part *elements, uint64_t at, size_t count)
{
    if (!order->sort(order->context, elements->elements, count))
        return false;
    order->encode(order->context, elements->elements, count);
    if (!write_fully(runs->folder, runs->fd, at * order->size, elements->elements,
                     count * order->size))
        return false;
    progress_add(count * order->size);
    runs->start[++runs->count] = at + count;
    return true;
}

/* Allocates memory for a run, and for the starts of all. */
static bool allocate(struct sorted_runs *runs, const struct task *task,
                     const struct external_order *order, size_t max, struct part *elements,
                     struct part *read)
{
    const size_t run_count = task->count / task->run_elements + 1;

    runs->start = calloc(run_count + 1, sizeof *runs->start);
    if (runs->start == NULL)
        print_error(task->job.input.name, "out of memory");
    return runs->start != NULL && part_allocate(elements, &task->job, max, order->size) &&
           (order->expand == NULL || part_allocate(read, &task->job, max, order->input_size));
}

bool sorted_runs_form(struct sorted_runs *runs, struct task *task,
                      const struct external_order *order)
{
    const size_t max = task->count < task->run_elements ? task->count : task->run_elements;
    struct part elements = {.count = 0}, read = {.count = 0};

    *runs = (struct sorted_runs){.folder = temporary_folder(task)};
    runs->fd = temporary_open_removed(runs->folder);
    if (runs->fd < 0) {
        print_errno(runs->folder);
        return false;
    }
    bool done = allocate(runs, task, order, max, &elements, &read);
    for (size_t at = 0; done && at < task->count; at += max) {
        const size_t left = task->count - at, count = left < max ? left : max;

        done = take(runs, task, order, &elements, &read, at, count) &&
               put(runs, order, &elements, at, count);
    }
    part_free(&elements);
    part_free(&read);
    if (order->release != NULL)
        order->release(order->context);
    return done;
}

void sorted_runs_free(struct sorted_runs *runs)
{
    if (runs->fd >= 0)
        close(runs->fd);
    free(runs->start);
    *runs = (struct sorted_runs){.fd = -1};
}
