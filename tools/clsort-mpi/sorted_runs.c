/* sorted_runs.c - clsort-mpi: the part of a rank as sorted runs in a temporary file */
#include "sorted_runs.h"

#include "linux.h"
#include "print.h"
#include "temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
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

/* Reads the elements of a run, sorts them and writes them to the file. */
static bool form_run(struct sorted_runs *runs, const struct task *task,
                     const struct external_order *order, uint64_t at, size_t count,
                     unsigned char *elements)
{
    if (!files_read(&task->job, task->first + at, count, elements))
        return false;
    runs->checksum += order->checksum(order->context, elements, count);
    order->decode(order->context, elements, count);
    if (!order->sort(order->context, elements, count))
        return false;
    order->encode(order->context, elements, count);
    if (!write_fully(runs->folder, runs->fd, at * order->size, elements, count * order->size))
        return false;
    runs->start[++runs->count] = at + count;
    return true;
}

bool sorted_runs_form(struct sorted_runs *runs, struct task *task,
                      const struct external_order *order, size_t run_elements)
{
    const size_t max = task->count < run_elements ? task->count : run_elements;
    const size_t run_count = task->count / run_elements + (task->count % run_elements > 0);
    const size_t size = max > 0 ? max * order->size : 1;

    *runs = (struct sorted_runs){.folder = temporary_folder(task)};
    runs->fd = temporary_open_removed(runs->folder);
    if (runs->fd < 0) {
        print_errno(runs->folder);
        return false;
    }
    runs->start = calloc(run_count + 1, sizeof *runs->start);
    unsigned char *elements = linux_enlarge(NULL, 0, size);
    bool done = runs->start != NULL && elements != NULL;
    if (!done)
        print_error(task->job.input.name, "out of memory: the system does not provide %zu bytes",
                    size);
    for (size_t at = 0; done && at < task->count; at += max) {
        const size_t left = task->count - at;

        done = form_run(runs, task, order, at, left < max ? left : max, elements);
    }
    if (elements != NULL)
        munmap(elements, size);
    return done;
}

void sorted_runs_free(struct sorted_runs *runs)
{
    if (runs->fd >= 0)
        close(runs->fd);
    free(runs->start);
    *runs = (struct sorted_runs){.fd = -1};
}
