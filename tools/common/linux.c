/* linux.c - clsort-tool-common: calls that POSIX lacks; no other file of the tools has any */
#define _GNU_SOURCE /* mremap, O_TMPFILE, O_DIRECT, F_OFD_SETLK, fallocate */
#include "linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/vfs.h>

/* Types of file systems, as in statfs(2). */
static const uint32_t TMPFS = 0x01021994, RAMFS = 0x858458f6;

void *linux_enlarge(void *mapping, size_t size, size_t new_size)
{
    void *enlarged;

    if (mapping == NULL)
        enlarged = mmap(NULL, new_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else
        enlarged = mremap(mapping, size, new_size, MREMAP_MAYMOVE);
    if (enlarged == MAP_FAILED)
        return NULL;
    madvise(enlarged, new_size, MADV_HUGEPAGE); /* reduces page faults; may fail */
    return enlarged;
}

int linux_open_unnamed(const char *folder, int access, mode_t mode)
{
    return open(folder, access | O_TMPFILE | O_CLOEXEC, mode);
}

int linux_open_direct(int fd, int access)
{
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, access | O_DIRECT | O_CLOEXEC);
}

bool linux_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

bool linux_make_buffered(int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_DIRECT) == 0;
}

bool linux_allocate(int fd, uint64_t offset, uint64_t size)
{
    int result;

    do
        result = fallocate(fd, 0, (off_t)offset, (off_t)size);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

void linux_start_writing(int fd, uint64_t offset, uint64_t size)
{
    sync_file_range(fd, (off_t)offset, (off_t)size, SYNC_FILE_RANGE_WRITE);
}

bool linux_is_in_memory(int fd)
{
    struct statfs system;

    if (fstatfs(fd, &system) != 0)
        return false;
    const uint32_t type = (uint32_t)system.f_type;
    return type == TMPFS || type == RAMFS;
}

bool linux_punch(int fd, uint64_t offset, uint64_t size)
{
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size) ==
           0;
}
