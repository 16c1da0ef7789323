/* platform_posix.c - files, folders, memory, threads and a clock on POSIX systems */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* madvise */

#include "base/platform.h"

#include "base/arithmetic.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct cls_default_folder cls_default_folder(enum cls_folder folder)
{
    const bool is_cache = folder == CLS_FOLDER_CACHE;
    const char *xdg = getenv(is_cache ? "XDG_CACHE_HOME" : "XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (xdg && *xdg == '/') /* the XDG specification requires that relative paths are ignored */
        return (struct cls_default_folder){xdg, "clsort"};
    return (struct cls_default_folder){home && *home ? home : NULL,
                                       is_cache ? ".cache/clsort" : ".config/clsort"};
}

static bool is_private(const struct stat *info)
{
    return info->st_uid == geteuid() && (info->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Creates the folder and its parents. Existing ones are not changed. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

/* Later accesses use the returned path, so that a change of a symbolic link has no effect on them. */
char *cls_folder_open(char *path)
{
    struct stat info;
    make_folders(path);
    if (lstat(path, &info) != 0 || (S_ISLNK(info.st_mode) && info.st_uid != geteuid()))
        return NULL;
    char *folder = realpath(path, NULL);
    const bool is_usable =
        folder && lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && is_private(&info);
    if (!is_usable) {
        free(folder);
        return NULL;
    }
    return folder;
}

/* Returns the size of an open file, or -1 if it may not be loaded. */
static off_t size_of(int file, enum cls_access access)
{
    struct stat info;
    const bool is_allowed = fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                            (access != CLS_ACCESS_PRIVATE || is_private(&info));
    return is_allowed ? info.st_size : -1;
}

bool cls_file_open(const char *path, enum cls_access access, struct cls_file *file,
                   bool *is_missing)
{
    const int follow = access == CLS_ACCESS_PRIVATE ? O_NOFOLLOW : 0;
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | follow); /* may be a pipe */
    *is_missing = opened < 0 && (errno == ENOENT || errno == ENOTDIR);
    if (opened < 0)
        return false;
    const off_t size = size_of(opened, access);
    if (size < 0) {
        close(opened);
        return false;
    }
    *file = (struct cls_file){opened, (uint64_t)size};
    return true;
}

bool cls_file_read(const struct cls_file *file, void *to, size_t size)
{
    for (char *at = to; size > 0;) {
        const ssize_t n = read((int)file->handle, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) /* 0 is the end of the file */
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

void cls_file_close(const struct cls_file *file)
{
    close((int)file->handle);
}

static bool write_all(int file, const void *from, size_t size)
{
    for (const char *at = from; size > 0;) {
        const ssize_t n = write(file, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Returns whether a file may have this size. A write beyond the limit would raise SIGXFSZ, which by
 * default terminates the process. */
static bool within_file_limit(uint64_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && size <= limit.rlim_cur;
}

void cls_file_replace(const char *folder, const char *path, const struct cls_bytes *parts,
                      size_t count)
{
    char temporary[4096];
    struct cls_text temporary_path = CLS_TEXT(temporary);
    cls_text_add(&temporary_path, "%s/new-XXXXXX", folder);
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    if (!cls_text_fits(&temporary_path) || !within_file_limit(size))
        return;
    const int file = mkstemp(temporary); /* mode 0600 */
    if (file < 0)
        return;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    bool written = true;
    for (size_t i = 0; i < count && written; i++)
        written = write_all(file, parts[i].at, parts[i].size);
    if (close(file) != 0 || !written || rename(temporary, path) != 0)
        unlink(temporary);
}

enum { LARGE_PAGE = 2 << 20 }; /* of x86-64 and of most ARM systems */

void *cls_pages_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - LARGE_PAGE)
        return NULL;
    bytes = (size_t)cls_round_up(bytes, LARGE_PAGE);
    void *block = aligned_alloc(LARGE_PAGE, bytes);
#ifdef MADV_HUGEPAGE
    if (block)
        madvise(block, bytes, MADV_HUGEPAGE); /* a hint: a failure changes nothing */
#endif
    return block;
}

void cls_pages_free(void *block)
{
    free(block);
}

uint64_t cls_monotonic_ns(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

size_t cls_cores(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (size_t)cores : 1;
}

bool cls_thread_create(pthread_t *thread, void *(*run)(void *data), void *data)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    const bool is_created = pthread_create(thread, NULL, run, data) == 0; /* inherits the mask */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_created;
}
