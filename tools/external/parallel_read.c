/* parallel_read.c - clsort-external: reads a part of a file into memory by several threads */
#include "parallel_read.h"

#include "parallel.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

enum { BLOCK = 8 << 20 /* bytes that a thread reads at a time; larger blocks are not faster */ };

struct reading {
    int fd;
    uint64_t offset;
    unsigned char *space;
    size_t size;
    void (*progress)(uint64_t bytes);
    atomic_size_t next; /* the first byte that no thread reads yet */
    atomic_size_t end;  /* the first byte that was not read; the size while all were */
    atomic_int error;
};

static void lower(atomic_size_t *end, size_t at)
{
    size_t before = atomic_load(end);

    while (at < before && !atomic_compare_exchange_weak(end, &before, at))
        ;
}

/* Reads one block after the other, until no block is left or a read at a lower offset has failed. */
static void read_blocks(void *context, size_t part)
{
    struct reading *reading = context;
    size_t at = 0, end = 0;

    (void)part;
    for (;;) {
        if (at == end) {
            at = atomic_fetch_add(&reading->next, BLOCK);
            if (at >= atomic_load(&reading->end))
                return;
            end = reading->size - at < BLOCK ? reading->size : at + BLOCK;
        }
        const ssize_t got =
            pread(reading->fd, reading->space + at, end - at, (off_t)(reading->offset + at));
        if (got > 0) {
            at += (size_t)got;
            reading->progress((uint64_t)got);
        } else if (got == 0 || errno != EINTR) {
            if (got < 0)
                atomic_store(&reading->error, errno);
            lower(&reading->end, at);
            return;
        }
    }
}

bool parallel_read(int fd, uint64_t offset, void *space, size_t size, size_t *size_read,
                   void (*progress)(uint64_t bytes))
{
    struct reading reading = {
        .fd = fd, .offset = offset, .space = space, .size = size, .progress = progress};

    atomic_init(&reading.end, size);
    parallel_run(parallel_parts(size), read_blocks, &reading);
    *size_read = atomic_load(&reading.end);
    errno = atomic_load(&reading.error);
    return errno == 0;
}
