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

/* A place is a file, an offset and a size in units of IO_ALIGNMENT, from the highest bits to the lowest: numbers in the
 * order of the places. Blocks have up to 16 GiB, and files up to 1 PiB. */
enum { FILE_BITS = 4, OFFSET_BITS = 38, SIZE_BITS = 22, MIN_PLACES = 64 };

_Static_assert(STORE_MAX_FOLDERS <= 1 << FILE_BITS, "a place has too few bits");

static uint64_t make_place(size_t file, uint64_t offset, size_t size)
{
    return ((uint64_t)file << OFFSET_BITS | offset / IO_ALIGNMENT) << SIZE_BITS |
           size / IO_ALIGNMENT;
}

static size_t place_file(uint64_t place)
{
    return (size_t)(place >> (OFFSET_BITS + SIZE_BITS));
}

static uint64_t place_offset(uint64_t place)
{
    return (place >> SIZE_BITS & ((UINT64_C(1) << OFFSET_BITS) - 1)) * IO_ALIGNMENT;
}

static size_t place_size(uint64_t place)
{
    return (size_t)(place & ((UINT64_C(1) << SIZE_BITS) - 1)) * IO_ALIGNMENT;
}

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

/* Returns the bytes of each of the files, whose sizes differ by at most a block. */
static uint64_t share_of(uint64_t size, size_t folder_count, size_t block_size)
{
    return folder_count == 1 || size == 0
               ? size
               : size / folder_count / IO_ALIGNMENT * IO_ALIGNMENT + block_size;
}

bool store_open(struct store *store, const char *const *folders, size_t folder_count,
                size_t block_size, uint64_t size, bool is_allocated)
{
    const uint64_t share = is_allocated ? share_of(size, folder_count, block_size) : block_size;
    const uint64_t present = store->is_kept && is_allocated ? allocated(store->kept) : 0;
    const uint64_t needed = share + store->reserve > present ? share + store->reserve - present : 0;

    store->block_size = block_size;
    store->can_punch = !store->is_kept;
    store->max_punched = (size_t)(size / STORE_PUNCHES / block_size) + 1;
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

void store_trim(struct store *store, bool will_grow)
{
    const uint64_t lag =
        will_grow && !store->is_kept ? (store->max_punched - 1) * store->block_size : 0;

    measure(store);
    for (size_t i = 0; (store->can_punch || store->is_kept) && i < store->count; i++)
        if (ftruncate(store->fd[i],
                      (off_t)(store->end[i] + share_of(lag, store->count, store->block_size))) != 0)
            return; /* nothing depends on it */
}

/* Returns the first of the shortest files. */
static size_t shortest_file(const struct store *store)
{
    size_t file = 0;

    for (size_t i = 1; i < store->count; i++)
        if (store->end[i] < store->end[file])
            file = i;
    return file;
}

uint64_t store_take(struct store *store, uint64_t block, size_t size, size_t *file)
{
    pthread_mutex_lock(&store->lock);
    *file = store->has_places ? shortest_file(store) : (size_t)(block % store->count);
    const uint64_t offset = store->end[*file];
    store->end[*file] += store->has_places ? size : store->block_size;
    pthread_mutex_unlock(&store->lock);
    return offset;
}

bool store_set_place(struct store *store, uint64_t block, size_t file, uint64_t offset, size_t size)
{
    if (!store->has_places)
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
    store->places[block] = make_place(file, offset, size);
    return true;
}

void store_end_run(struct store *store)
{
    store->sample.position = 0;
}

size_t store_file(const struct store *store, uint64_t block)
{
    return store->has_places ? place_file(store->places[block]) : (size_t)(block % store->count);
}

uint64_t store_offset(const struct store *store, uint64_t block)
{
    return store->has_places ? place_offset(store->places[block])
                             : block / store->count * store->block_size;
}

size_t store_stored_size(const struct store *store, uint64_t block)
{
    return store->has_places ? place_size(store->places[block]) : store->block_size;
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
    store->punched[store->punched_count++] = make_place(
        store_file(store, block), store_offset(store, block), store_stored_size(store, block));
    if (store->punched_count == store->max_punched && !store->is_kept)
        store_release(store);
}

static int compare_places(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

    return (first > second) - (first < second);
}

void store_release(struct store *store)
{
    const uint64_t *places = store->punched;
    const size_t count = store->punched_count;

    measure(store);
    qsort(store->punched, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count;) {
        const size_t file = place_file(places[i]);
        const uint64_t offset = place_offset(places[i]);
        uint64_t end = offset;

        for (; i < count && place_file(places[i]) == file && place_offset(places[i]) == end; i++)
            end += place_size(places[i]);
        linux_punch(store->fd[file], offset, end - offset);
    }
    store->punched_count = 0;
}
