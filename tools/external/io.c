/* io.c - clsort-external: the choice of a backend, and what the backends have in common */
#include "io.h"

#include "clock.h"
#include "linux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct io {
    const struct io_backend *backend;
    void *queue;
    void *threads; /* the queue of requests that convert their data; NULL if there are none */
    struct io_totals totals;
};

/* In the order of preference. */
static const struct io_backend *const backends[] = {
#ifdef CLSORT_HAVE_URING
    &io_ring,
#endif
    &io_threads,
};

struct io *io_create(bool has_streams, bool converts)
{
    const char *name = has_streams ? io_threads.name : getenv("CLSORT_EXTERNAL_IO");
    struct io *io = malloc(sizeof *io);

    for (size_t i = 0; io != NULL && i < sizeof backends / sizeof backends[0]; i++) {
        const bool is_last = i + 1 == sizeof backends / sizeof backends[0];

        if (name != NULL && strcmp(name, backends[i]->name) != 0 && !is_last)
            continue;
        *io = (struct io){.backend = backends[i], .queue = backends[i]->create()};
        if (io->queue == NULL)
            continue;
        if (!converts)
            return io;
        io->threads = io->backend == &io_threads ? io->queue : io_threads.create();
        if (io->threads != NULL)
            return io;
        const int error = errno;
        io->backend->destroy(io->queue);
        errno = error;
        break;
    }
    free(io);
    return NULL;
}

void io_destroy(struct io *io)
{
    if (io != NULL && io->threads != NULL && io->threads != io->queue)
        io_threads.destroy(io->threads);
    if (io != NULL)
        io->backend->destroy(io->queue);
    free(io);
}

const char *io_name(const struct io *io)
{
    return io->backend->name;
}

void io_start(struct io *io, struct io_request *request)
{
    request->error = 0;
    request->retries = 0;
    request->is_buffered = false;
    request->is_started = true;
    request->is_complete = false;
    if (request->convert != NULL)
        io_threads.start(io->threads, request);
    else
        io->backend->start(io->queue, request);
}

bool io_wait(struct io *io, struct io_request *request)
{
    if (!request->is_started)
        return true;
    const double start = clock_now();
    if (request->convert != NULL)
        io_threads.wait(io->threads, request);
    else
        io->backend->wait(io->queue, request);
    io->totals.wait_s += clock_now() - start;
    *(request->is_write ? &io->totals.written : &io->totals.read) += request->done;
    request->is_started = false;
    return request->error == 0;
}

struct io_totals io_totals(const struct io *io)
{
    return io->totals;
}

void io_add_written(struct io *io, uint64_t size)
{
    io->totals.written += size;
}

void io_pause(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Returns whether a call that has failed is repeated. */
static bool is_repeated(struct io_request *request, ssize_t result)
{
    if (result == -EINTR)
        return true;
    if (result == -EAGAIN && request->retries++ < IO_MAX_RETRIES) {
        io_pause();
        return true;
    }
    /* Another request of the same file may have made it buffered meanwhile. */
    if (result == -EINVAL && !request->is_buffered) {
        request->is_buffered = true;
        return linux_make_buffered(request->fd);
    }
    return false;
}

bool io_advance(struct io_request *request, ssize_t result)
{
    const size_t before = request->done;
    const bool is_sequential = request->offset == IO_SEQUENTIAL;

    if (result < 0 && is_repeated(request, result))
        return false;
    if (result < 0)
        request->error = (int)-result;
    else if (result == 0)
        request->error = request->is_write                    ? EIO
                         : request->done >= request->min_size ? 0
                                                              : IO_ERROR_SHORT;
    else
        request->done += (size_t)result;
    if (result <= 0 || request->done >= request->size)
        return true;
    if (is_sequential)
        return false;
    if (!request->is_write && request->done >= request->min_size)
        return true;
    /* The rest of a direct transfer must be aligned, too. */
    const size_t aligned = request->done - request->done % IO_ALIGNMENT;
    if (aligned > before)
        request->done = aligned;
    return false;
}
