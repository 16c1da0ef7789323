/* output.c - clsort-tool-common: output files that are replaced atomically */
#include "output.h"

#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WRITE_BLOCK = 64 << 20 }; /* bytes per write, which bounds how long a signal waits */

/* -- signals ----------------------------------------------------------------------------------- */

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof fatal_signals[0] };

/* The temporary file, which fatal signals remove. NULL: none. */
static const char *_Atomic remove_on_signal;

static void handle_fatal_signal(int number)
{
    const char *path = atomic_load(&remove_on_signal);

    if (path != NULL)
        unlink(path);
    /* The signal is blocked until this handler returns; SA_RESETHAND has restored its default. */
    raise(number);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = handle_fatal_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++)
        if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(fatal_signals[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* write() then fails with EFBIG */
}

/* Creates the file and registers it in remove_on_signal. Fatal signals are blocked in between,
 * since they would leave the file behind. */
static int create_temporary(const char *path, mode_t mode)
{
    sigset_t block, before;
    int fd;

    sigemptyset(&block);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++)
        sigaddset(&block, fatal_signals[i]);
    sigprocmask(SIG_BLOCK, &block, &before);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0)
        atomic_store(&remove_on_signal, path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* Returns the folder of a path; the caller frees it. NULL: out of memory. */
static char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy == NULL ? NULL : strdup(dirname(copy));

    free(copy);
    return folder;
}

/* Opens a new file in the folder of the target. existing: the file to replace, NULL if there is
 * none. The mode of the new file is never wider than that of the existing one. */
static bool open_temporary(struct output *output, const struct stat *existing)
{
    mode_t mode = existing == NULL ? 0666 : existing->st_mode & 0777;
    char *folder = folder_of(output->target);
    size_t size;

    if (folder == NULL)
        return false;
    size = strlen(folder) + sizeof "/.clsort-XXXXXXXXXX-XXXXXXXXXX";
    output->temporary = malloc(size);
    for (unsigned n = 0; output->temporary != NULL && output->fd < 0; n++) {
        snprintf(output->temporary, size, "%s/.clsort-%u-%u", folder, (unsigned)getpid(), n);
        output->fd = create_temporary(output->temporary, mode);
        if (output->fd < 0 && errno != EEXIST)
            break;
    }
    free(folder);
    if (output->fd < 0)
        return false;
    if (existing == NULL)
        return true;
    /* Only root can change the owner. For other users EPERM is not an error: the new file keeps
     * their own user and group. */
    if (fchown(output->fd, existing->st_uid, existing->st_gid) != 0 && errno != EPERM)
        return false;
    return fchmod(output->fd, mode) == 0;
}

bool output_open(struct output *output, const char *path)
{
    struct stat existing;

    *output = (struct output){.name = path, .fd = -1};
    catch_signals();
    if (path == NULL || strcmp(path, "-") == 0) {
        output->name = "standard output";
        output->fd = STDOUT_FILENO;
        return true;
    }
    if (stat(path, &existing) != 0) {
        /* A symbolic link to a file that does not exist is refused, since it is probably a
         * mistake. */
        if (errno == ENOENT && lstat(path, &existing) != 0) {
            output->target = strdup(path);
            if (output->target != NULL && open_temporary(output, NULL))
                return true;
        }
    } else if (!S_ISREG(existing.st_mode)) {
        output->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (output->fd >= 0)
            return true;
    } else if (access(path, W_OK) == 0) { /* rename() would replace a read-only file */
        output->target = realpath(path, NULL);
        if (output->target != NULL && open_temporary(output, &existing))
            return true;
    }
    print_errno(path);
    output_discard(output);
    return false;
}

/* -- writing ----------------------------------------------------------------------------------- */

bool output_write(struct output *output, const void *data, size_t size)
{
    const char *p = data;

    while (size > 0) {
        ssize_t written = write(output->fd, p, size < WRITE_BLOCK ? size : WRITE_BLOCK);

        if (written < 0) {
            if (errno == EINTR)
                continue;
            print_errno(output->name);
            return false;
        }
        p += written;
        size -= (size_t)written;
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

/* Waits until the folder is on the disk. EINVAL means that the file system does not support it. */
static bool sync_folder(int folder)
{
    return folder < 0 || fsync(folder) == 0 || errno == EINVAL;
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

    if (output->temporary == NULL) {
        done = close_file(output);
    } else {
        /* The folder is opened before the rename, so that only fsync can fail after it. */
        done = open_folder(output->target, &folder) && fsync(output->fd) == 0 &&
               close_file(output) && rename(output->temporary, output->target) == 0;
        if (done) {
            atomic_store(&remove_on_signal, NULL);
            free(output->temporary);
            output->temporary = NULL;
            done = sync_folder(folder);
        }
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
    if (output->temporary != NULL) {
        if (atomic_load(&remove_on_signal) == output->temporary) {
            unlink(output->temporary);
            atomic_store(&remove_on_signal, NULL);
        }
        free(output->temporary);
    }
    free(output->target);
    *output = (struct output){.fd = -1};
}
