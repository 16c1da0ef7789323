/* store.c - clsort-external: temporary files that hold the runs, as numbered blocks */
#include "store.h"

#include "io.h"
#include "linux.h"
#include "print.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    SIZE_BITS = 24, /* of the size in an entry of places: up to 64 GiB, and files of up to 4 PiB */
    MIN_PLACES = 64
};

static int open_file(const struct store *store, const char *folder)
{
    int fd = store->is_kept ? fcntl(store->kept, F_DUPFD_CLOEXEC, 0)
                            : linux_open_unnamed(folder, O_RDWR, 0600);
    int direct;

    if (fd < 0 && !store->is_kept)
        fd = temporary_open_removed(folder);
    if (fd < 0)
        return -1;
    direct = linux_open_direct(fd, O_RDWR);
    if (direct < 0)
        return fd;
    close(fd);
    return direct;
}

bool store_find_space(const char *folder, uint64_t *available)
{
    struct statvfs system;

    if (statvfs(folder, &system) != 0)
        return false;
    *available = (uint64_t)system.f_bavail * system.f_frsize;
    return true;
}

bool store_check_space(const char *folder, const char *what, const char *advice, uint64_t needed)
{
    uint64_t available;

    if (!store_find_space(folder, &available)) {
        print_errno(folder);
        return false;
    }
    if (needed <= available)
        return true;
    print_error(folder, "%s needs %" PRIu64 " bytes, but %" PRIu64 " are free; %s", what, needed,
                available, advice);
    return false;
}

bool store_is_same_system(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev;
}

/* Allocates space. File systems that cannot allocate have been asked for their free space. */
static bool allocate(struct store *store, size_t file, uint64_t size)
{
    if (linux_allocate(store->fd[file], 0, size)) {
        /* Nothing has been written yet, so that the punched block can be allocated again. */
        store->can_punch = store->can_punch && linux_punch(store->fd[file], 0, store->block_size) &&
                           linux_allocate(store->fd[file], 0, size);
        return true;
    }
    if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) {
        store->can_punch = false;
        return true;
    }
    print_errno(store->folder[file]);
    return false;
}

/* Returns the space that a file has. */
static uint64_t allocated(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 ? 512 * (uint64_t)status.st_blocks : 0;
}

bool store_open(struct store *store, const char *const *folders, size_t folder_count,
                size_t block_size, uint64_t blocks, bool is_allocated)
{
    const uint64_t share = (is_allocated ? blocks / folder_count + 1 : 1) * block_size;
    const uint64_t present = store->is_kept && is_allocated ? allocated(store->kept) : 0;
    const uint64_t needed = share + store->reserve > present ? share + store->reserve - present : 0;

    store->block_size = block_size;
    store->can_punch = !store->is_kept;
    store->max_punched = (size_t)(blocks / STORE_PUNCHES) + 1;
    store->punched = malloc(store->max_punched * sizeof *store->punched);
    if (store->punched == NULL) {
        print_error("temporary files", "out of memory");
        return false;
    }
    for (size_t i = 0; i < folder_count; i++) {
        uint64_t in_system = 0; /* of all folders in the same file system */

        for (size_t j = 0; j < folder_count; j++)
            in_system += j >= i && store_is_same_system(folders[i], folders[j]) ? needed : 0;
        if (!store_check_space(folders[i], "sorting in runs",
                               store->is_kept
                                   ? "name a folder with more space by --resume"
                                   : "name a folder with more space by --temporary-directory",
                               in_system))
            return false;
        store->folder[i] = folders[i];
        store->fd[i] = open_file(store, folders[i]);
        if (store->fd[i] < 0) {
            print_errno(folders[i]);
            return false;
        }
        store->count++;
        if (!allocate(store, i, share))
            return false;
    }
    return true;
}

/* Measures the space of the files. This is done whenever it is about to fall. */
static void measure(struct store *store)
{
    uint64_t size = 0;

    for (size_t i = 0; i < store->count; i++)
        size += allocated(store->fd[i]);
    if (size > store->peak)
        store->peak = size;
}

void store_close(struct store *store)
{
    measure(store);
    for (size_t i = 0; i < store->count; i++)
        close(store->fd[i]);
    store->count = 0;
    free(store->punched);
    store->punched = NULL;
    free(store->places);
    store->places = NULL;
}

void store_trim(struct store *store)
{
    measure(store);
    for (size_t i = 0; (store->can_punch || store->is_kept) && i < store->count; i++)
        if (ftruncate(store->fd[i], (off_t)store->end[i]) != 0)
            return; /* nothing depends on it */
}

uint64_t store_take(struct store *store, uint64_t block, size_t size)
{
    const size_t file = (size_t)(block % store->count);

    return atomic_fetch_add(&store->end[file], store->codec == NULL ? store->block_size : size);
}

bool store_set_place(struct store *store, uint64_t block, uint64_t offset, size_t size)
{
    if (store->codec == NULL)
        return true;
    if (block >= store->place_capacity) {
        const size_t capacity = block < MIN_PLACES / 2 ? MIN_PLACES : 2 * (size_t)block;
        uint64_t *larger = realloc(store->places, capacity * sizeof *larger);

        if (larger == NULL) {
            print_error("temporary files", "out of memory");
            return false;
        }
        store->places = larger;
        store->place_capacity = capacity;
    }
    store->places[block] = offset / IO_ALIGNMENT << SIZE_BITS | size / IO_ALIGNMENT;
    return true;
}

void store_end_run(struct store *store)
{
    store->sample.position = 0;
}

const char *store_folder(const struct store *store, uint64_t block)
{
    return store->folder[block % store->count];
}

int store_file(const struct store *store, uint64_t block)
{
    return store->fd[block % store->count];
}

uint64_t store_offset(const struct store *store, uint64_t block)
{
    return store->codec == NULL ? block / store->count * store->block_size
                                : (store->places[block] >> SIZE_BITS) * IO_ALIGNMENT;
}

size_t store_stored_size(const struct store *store, uint64_t block)
{
    return store->codec == NULL
               ? store->block_size
               : (size_t)(store->places[block] & ((UINT64_C(1) << SIZE_BITS) - 1)) * IO_ALIGNMENT;
}

/* Doubles the list of blocks that are to be punched. */
static bool enlarge_list(struct store *store)
{
    uint64_t *larger = realloc(store->punched, 2 * store->max_punched * sizeof *larger);

    if (larger == NULL)
        return false;
    store->punched = larger;
    store->max_punched *= 2;
    return true;
}

void store_punch(struct store *store, uint64_t block)
{
    if (store->keeps_all || (!store->can_punch && !store->is_kept))
        return;
    if (store->punched_count == store->max_punched && !enlarge_list(store))
        return; /* its space is returned at the end */
    store->punched[store->punched_count++] = block;
    if (store->punched_count == store->max_punched && !store->is_kept)
        store_release(store);
}

void store_release(struct store *store)
{
    measure(store);
    for (size_t i = 0; i < store->punched_count; i++)
        linux_punch(store_file(store, store->punched[i]), store_offset(store, store->punched[i]),
                    store_stored_size(store, store->punched[i]));
    store->punched_count = 0;
}
