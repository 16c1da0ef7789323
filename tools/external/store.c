/* store.c - clsort-external: temporary files that hold the runs, as numbered blocks */
#include "store.h"

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

static int open_file(const char *folder)
{
    int fd = linux_open_unnamed(folder, O_RDWR, 0600);
    int direct;

    if (fd < 0)
        fd = temporary_open_removed(folder);
    if (fd < 0)
        return -1;
    direct = linux_open_direct(fd, O_RDWR);
    if (direct < 0)
        return fd;
    close(fd);
    return direct;
}

bool store_check_space(const char *folder, const char *what, const char *advice, uint64_t needed)
{
    struct statvfs system;

    if (statvfs(folder, &system) != 0) {
        print_errno(folder);
        return false;
    }
    const uint64_t available = (uint64_t)system.f_bavail * system.f_frsize;
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
        store->can_punch = linux_punch(store->fd[file], 0, store->block_size) &&
                           linux_allocate(store->fd[file], 0, size) && store->can_punch;
        return true;
    }
    if (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL) {
        store->can_punch = false;
        return true;
    }
    print_errno(store->folder[file]);
    return false;
}

bool store_open(struct store *store, const char *const *folders, size_t folder_count,
                size_t block_size, uint64_t blocks, bool is_allocated)
{
    const uint64_t share = (is_allocated ? blocks / folder_count + 1 : 1) * block_size;

    *store = (struct store){.block_size = block_size, .can_punch = true};
    store->max_punched = (size_t)(blocks / STORE_PUNCHES) + 1;
    store->punched = malloc(store->max_punched * sizeof *store->punched);
    if (store->punched == NULL) {
        print_error("temporary files", "out of memory");
        return false;
    }
    for (size_t i = 0; i < folder_count; i++) {
        uint64_t in_system = 0; /* of all folders in the same file system */

        for (size_t j = 0; j < folder_count; j++)
            in_system += j >= i && store_is_same_system(folders[i], folders[j]) ? share : 0;
        if (!store_check_space(folders[i], "sorting in runs",
                               "name a folder with more space by --temporary-directory", in_system))
            return false;
        store->folder[i] = folders[i];
        store->fd[i] = open_file(folders[i]);
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

/* Measures the space of the files. It falls only when blocks are punched, so that it is measured before that. */
static void measure(struct store *store)
{
    struct stat status;
    uint64_t size = 0;

    for (size_t i = 0; i < store->count; i++)
        if (fstat(store->fd[i], &status) == 0)
            size += 512 * (uint64_t)status.st_blocks;
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
    return block / store->count * store->block_size;
}

void store_punch(struct store *store, uint64_t block)
{
    if (!store->can_punch)
        return;
    store->punched[store->punched_count++] = block;
    if (store->punched_count < store->max_punched)
        return;
    measure(store);
    for (size_t i = 0; i < store->punched_count; i++)
        linux_punch(store_file(store, store->punched[i]), store_offset(store, store->punched[i]),
                    store->block_size);
    store->punched_count = 0;
}
