/* io.h - clsort-external: asynchronous reads and writes of files at given offsets
 *
 * Two backends do the same: io_uring, if it was there when clsort was built and the system allows it, and threads that
 * call pread and pwrite. Short transfers and EINTR are continued until a request is complete, EAGAIN for a while. A
 * direct transfer that the file system refuses by EINVAL is repeated through the page cache, and so are all later ones
 * by the same descriptor. One thread calls these functions. */
#ifndef CLSORT_EXTERNAL_IO_H
#define CLSORT_EXTERNAL_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What direct transfers (O_DIRECT) align offsets, sizes and addresses to. */
enum { IO_ALIGNMENT = 4096 };

enum { IO_WORKERS = 8 }; /* threads that transfer and convert data */

struct io_request {
    int fd;
    bool is_write;
    unsigned char *data;
    size_t size;
    size_t min_size; /* a read may end there, because the file ends */
    uint64_t offset; /* IO_SEQUENTIAL: the current position of the file, as that of a pipe */
    size_t done;     /* bytes that have been transferred; those before the start are skipped */

    /* NULL, or a function that is called in a thread: before data are written, whose size and offset it may set, or
     * after they have been read. worker: the index of the thread. Returns an error of the request, or 0. */
    int (*convert)(struct io_request *request, size_t worker);
    void *context; /* of the function */

    /* Set by the functions below. */
    int error;        /* errno, or 0 */
    int retries;      /* after EAGAIN */
    bool is_buffered; /* a transfer has been refused by EINVAL */
    bool is_started;
    bool is_complete;
    struct io_request *next;
};

#define IO_SEQUENTIAL UINT64_MAX

/* Errors of a request: the file has ended before min_size; the data cannot be converted */
enum { IO_ERROR_SHORT = -1, IO_ERROR_CORRUPT = -2 };

struct io;

/* Returns NULL and sets errno on failure. has_streams: there are sequential requests, which threads continue while the
 * calling one is busy. Else $CLSORT_EXTERNAL_IO names a backend, uring or threads, for tests. converts: requests may
 * have a function that converts the data; these are left to threads. */
struct io *io_create(bool has_streams, bool converts);

/* Waits for all requests and frees the memory. io may be NULL. */
void io_destroy(struct io *io);

/* Returns the name of the backend. */
const char *io_name(const struct io *io);

/* Begins a request. Its data must not be used until io_wait has returned. */
void io_start(struct io *io, struct io_request *request);

/* Waits until a request is complete. Returns true at once if it has not been started. Returns false after an error,
 * with the cause in request->error. The request can be started again. */
bool io_wait(struct io *io, struct io_request *request);

/* What has been transferred, and how long io_wait has waited. */
struct io_totals {
    uint64_t read, written; /* bytes */
    double wait_s;
};

struct io_totals io_totals(const struct io *io);

/* Adds bytes that have been written without a request. */
void io_add_written(struct io *io, uint64_t size);

/* -- for the backends -------------------------------------------------------------------------- */

struct io_backend {
    const char *name;
    void *(*create)(void);
    void (*destroy)(void *queue);
    void (*start)(void *queue, struct io_request *request);
    void (*wait)(void *queue, struct io_request *request);
};

extern const struct io_backend io_threads;
#ifdef CLSORT_HAVE_URING
extern const struct io_backend io_ring;
#endif

enum { IO_MAX_RETRIES = 250 }; /* of calls that fail with EAGAIN, each after a pause */

/* Sleeps for about a millisecond. */
void io_pause(void);

/* Takes the result of a system call, or -errno, for the part of the request that begins at request->done. Returns
 * whether the request is complete; otherwise the rest has to be transferred. */
bool io_advance(struct io_request *request, ssize_t result);

#endif
