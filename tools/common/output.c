/* output.c - clsort-tool-common: output files that are replaced atomically */
#include "output.h"

#include "linux.h"
#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WRITE_BLOCK = 8 << 20,   /* bytes per write, which bounds how long a signal waits */
    DIRECT_BLOCK = 64 << 20, /* the same for writes past the page cache, which the system divides */
    DIRECT_SIZE = 16 << 20,
    ALIGNMENT = 4096 /* which all file systems accept */
};

/* -- opening ----------------------------------------------------------------------------------- */

/* Gives the new file the owner and the mode of the existing one. Nobody but the writer may get more
 * rights than before. */
static bool take_attributes(int fd, const struct stat *existing)
{
    mode_t mode = existing->st_mode & 0777;

    /* Only root can change the owner. Others can set a group to which they belong. EINVAL: the user
     * namespace does not have the owner or the group. */
    if (fchown(fd, existing->st_uid, existing->st_gid) != 0) {
        if (errno != EPERM && errno != EINVAL)
            return false;
        if (fchown(fd, (uid_t)-1, existing->st_gid) != 0) {
            if (errno != EPERM && errno != EINVAL)
                return false;
            /* The file has a group of the writer. Its members had the rights of others, or those
             * of the old group if they belong to that as well. The members of the old group now
             * have the rights of others. So both classes get the rights that both had. */
            const mode_t common = mode & (mode >> 3) & 07;
            mode = (mode & 0700) | common << 3 | common;
        }
    }
    return fchmod(fd, mode) == 0;
}

/* Opens a new file in the folder of the target. existing: the file to replace, NULL if there is
 * none. */
static bool open_temporary(struct output *output, const struct stat *existing, bool is_shared)
{
    /* Until the group is set, only the writer has access. */
    const mode_t mode = existing == NULL ? 0666 : existing->st_mode & 0700;

    output->fd = (is_shared ? temporary_open_named : temporary_open)(&output->temporary,
                                                                     output->target, mode);
    return output->fd >= 0 && (existing == NULL || take_attributes(output->fd, existing));
}

/* Returns the number of the descriptor that a path such as /dev/stdout or /dev/fd/N names; -1 if it
 * names none. These are symbolic links, in the end into the folder /proc/self/fd. */
static int descriptor_of(const char *path)
{
    enum { MAX_LINKS = 40 };
    char name[PATH_MAX], link[PATH_MAX], folder[PATH_MAX], descriptors[PATH_MAX];
    size_t length = strlen(path);

    if (length >= sizeof name || realpath("/proc/self/fd", descriptors) == NULL)
        return -1;
    memcpy(name, path, length + 1);
    for (int i = 0; i < MAX_LINKS; i++) {
        char *base = strrchr(name, '/'), *end;

        if (base != NULL)
            *base++ = '\0';
        if (realpath(base == NULL ? "." : name[0] == '\0' ? "/" : name, folder) == NULL)
            return -1;
        if (base == NULL)
            base = name;
        if (strcmp(folder, descriptors) == 0) {
            const long number = strtol(base, &end, 10);
            return end > base && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number
                                                                                  : -1;
        }
        if ((size_t)snprintf(link, sizeof link, "%s/%s", folder, base) >= sizeof link)
            return -1;
        const ssize_t size = readlink(link, name, sizeof name);
        if (size < 0 || (size_t)size >= sizeof name)
            return -1;
        name[size] = '\0';
        if (name[0] == '/')
            continue;
        const int whole = snprintf(link, sizeof link, "%s/%s", folder, name);
        if ((size_t)whole >= sizeof link)
            return -1;
        memcpy(name, link, (size_t)whole + 1);
    }
    return -1;
}

/* Opens an inherited descriptor, so that its position and append mode apply. A duplicate, so that
 * close reports errors and a standard stream stays open. */
static bool open_descriptor(struct output *output, int fd)
{
    const int flags = fcntl(fd, F_GETFL);

    if (flags < 0)
        return false;
    if ((flags & O_ACCMODE) == O_RDONLY) {
        errno = EBADF;
        return false;
    }
    output->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return output->fd >= 0;
}

/* Opens the temporary file if the path can be a regular file. *is_other: it is another kind of file. */
static bool open_regular(struct output *output, const char *path, bool is_shared, bool *is_other)
{
    struct stat existing;

    *is_other = false;
    if (stat(path, &existing) != 0) {
        /* A symbolic link to a file that does not exist is refused, since it is probably a
         * mistake. */
        if (errno != ENOENT || lstat(path, &existing) == 0)
            return false;
        output->target = strdup(path);
        return output->target != NULL && open_temporary(output, NULL, is_shared);
    }
    *is_other = !S_ISREG(existing.st_mode);
    if (*is_other || access(path, W_OK) != 0) /* rename() would replace a read-only file */
        return false;
    output->target = realpath(path, NULL);
    return output->target != NULL && open_temporary(output, &existing, is_shared);
}

bool output_open(struct output *output, const char *path)
{
    int inherited;
    bool is_other;

    *output = (struct output){.name = path, .fd = -1};
    signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG */
    if (path == NULL || strcmp(path, "-") == 0) {
        output->name = "standard output";
        output->fd = STDOUT_FILENO;
        return true;
    }
    if ((inherited = descriptor_of(path)) >= 0) {
        if (open_descriptor(output, inherited))
            return true;
    } else if (open_regular(output, path, false, &is_other)) {
        return true;
    } else if (is_other) {
        output->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (output->fd >= 0)
            return true;
    }
    print_errno(path);
    output_discard(output);
    return false;
}

bool output_open_shared(struct output *output, const char *path)
{
    bool is_other = true;

    *output = (struct output){.name = path, .fd = -1};
    signal(SIGXFSZ, SIG_IGN);
    if (descriptor_of(path) < 0 && open_regular(output, path, true, &is_other))
        return true;
    if (is_other)
        print_error(path, "this is no regular file, as which several processes write the output");
    else
        print_errno(path);
    output_discard(output);
    return false;
}

static bool is_open_in(const struct stat *file, int fd)
{
    struct stat other;

    return fstat(fd, &other) == 0 && file->st_dev == other.st_dev && file->st_ino == other.st_ino;
}

bool output_is_file(const struct output *output, int fd)
{
    struct stat file;

    return output->target == NULL && fstat(output->fd, &file) == 0 && S_ISREG(file.st_mode) &&
           is_open_in(&file, fd);
}

bool output_replaces_file(const struct output *output, int fd)
{
    struct stat file;

    return output->target != NULL && stat(output->target, &file) == 0 && is_open_in(&file, fd);
}

/* -- writing ----------------------------------------------------------------------------------- */

/* Makes the system write complete blocks to the disk while the caller produces more. Otherwise it begins late, and
 * output_commit waits for most of them. */
static void start_writing(struct output *output)
{
    const uint64_t size = output->written - output->started;

    if (output->target == NULL || size < WRITE_BLOCK)
        return;
    linux_start_writing(output->fd, output->started, size);
    output->started = output->written;
}

/* Writes large data past the page cache, where each new page costs more than its transfer, as far as alignment and the
 * file system allow it. Returns the bytes that have been written. An error will recur in the page cache. */
static size_t write_direct(struct output *output, const char *data, size_t size)
{
    size_t done = 0;
    ssize_t written = 1;

    size -= size % ALIGNMENT;
    if (output->target == NULL || size < DIRECT_SIZE || output->written % ALIGNMENT != 0 ||
        (uintptr_t)data % ALIGNMENT != 0)
        return 0;
    const int fd = linux_open_direct(output->fd, O_WRONLY);
    if (fd < 0)
        return 0;
    while (done < size && written > 0) {
        const size_t left = size - done;

        written = pwrite(fd, data + done, left < DIRECT_BLOCK ? left : DIRECT_BLOCK,
                         (off_t)(output->written + done));
        if (written < 0 && errno == EINTR)
            written = 1;
        else if (written > 0)
            done += (size_t)written;
    }
    close(fd);
    if (lseek(output->fd, (off_t)done, SEEK_CUR) < 0)
        return 0;
    output->written += done;
    output->started = output->written;
    return done;
}

bool output_write(struct output *output, const void *data, size_t size)
{
    const size_t direct = write_direct(output, data, size);
    const char *p = (const char *)data + direct;

    size -= direct;
    while (size > 0) {
        ssize_t written = write(output->fd, p, size < WRITE_BLOCK ? size : WRITE_BLOCK);

        if (written < 0) {
            if (errno == EINTR)
                continue;
            print_errno(output->name);
            return false;
        }
        p += written;
        output->written += (uint64_t)written;
        size -= (size_t)written;
        start_writing(output);
    }
    return true;
}

/* Opens the folder of a path for fsync. *folder is -1 without an error if the folder is not
 * readable. */
static bool open_folder(const char *path, int *folder)
{
    char *name = folder_of(path);

    *folder = name == NULL ? -1 : open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(name);
    return *folder >= 0 || errno == EACCES;
}

/* Closes the file that output_open opened. Standard output is closed at exit. */
static bool close_file(struct output *output)
{
    int fd = output->fd;

    output->fd = -1;
    return fd < 0 || fd == STDOUT_FILENO || close(fd) == 0;
}

bool output_commit(struct output *output)
{
    int folder = -1;
    bool done;

    if (output->target == NULL) {
        done = close_file(output);
    } else {
        /* The folder is opened before the replacement, so that only fsync can fail after it. After
         * fsync, close has nothing left to report. */
        done = open_folder(output->target, &folder) && fsync(output->fd) == 0 &&
               temporary_replace(&output->temporary, output->fd, output->target) &&
               (folder < 0 || folder_sync(folder));
    }
    if (!done)
        print_errno(output->name);
    if (folder >= 0)
        close(folder);
    return done;
}

void output_discard(struct output *output)
{
    close_file(output);
    temporary_discard(&output->temporary);
    free(output->target);
    *output = (struct output){.fd = -1};
}
