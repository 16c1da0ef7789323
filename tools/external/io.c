/* io.c - clsort-external: the choice of a backend, and what the backends have in common */
#include "io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct io {
    const struct io_backend *backend;
    void *queue;
    void *threads; /* the queue of requests that convert their data; NULL if there are none */
};

/* In the order of preference. */
static const struct io_backend *const backends[] = {
#ifdef CLSORT_HAVE_URING
    &io_ring,
#endif
    &io_threads,
};

struct io *io_create(bool converts)
{
    const char *name = getenv("CLSORT_EXTERNAL_IO");
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
    request->done = 0;
    request->error = 0;
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
    if (request->convert != NULL)
        io_threads.wait(io->threads, request);
    else
        io->backend->wait(io->queue, request);
    request->is_started = false;
    return request->error == 0;
}

bool io_advance(struct io_request *request, ssize_t result)
{
    const size_t before = request->done;

    if (result == -EINTR || result == -EAGAIN)
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
    if (!request->is_write && request->done >= request->min_size)
        return true;
    /* The rest of a direct transfer must be aligned, too. */
    const size_t aligned = request->done - request->done % IO_ALIGNMENT;
    if (aligned > before)
        request->done = aligned;
    return false;
}
