/* output.c - a file that appears complete or not at all */
#include "output.h"

#include "say.h"

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

enum { WRITE_BLOCK = 64 << 20 }; /* a signal waits for one write at most */

/* -- signals: the temporary file does not outlive the program ------------------------------------
 */

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
enum { DEADLY_COUNT = sizeof deadly / sizeof deadly[0] };

static const char *_Atomic doomed; /* the file to remove */

static void remove_and_die(int number)
{
    const char *path = atomic_load(&doomed);

    if (path != NULL)
        unlink(path);
    raise(number); /* blocked here; SA_RESETHAND has made it deadly on return */
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < DEADLY_COUNT; i++)
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(deadly[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit becomes an error of write */
}

/* Creates the file and dooms it with no signal between the two. */
static int create_doomed(const char *path, mode_t mode)
{
    sigset_t block, before;
    int fd;

    sigemptyset(&block);
    for (int i = 0; i < DEADLY_COUNT; i++)
        sigaddset(&block, deadly[i]);
    sigprocmask(SIG_BLOCK, &block, &before);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0)
        atomic_store(&doomed, path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* The folder that a path's last component lies in, to be freed. NULL when memory runs out. */
static char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy == NULL ? NULL : strdup(dirname(copy));

    free(copy);
    return folder;
}

/* Opens a new file in target's folder. Its mode is never wider than that of the file it replaces,
 * existing (NULL if there is none). */
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
        output->fd = create_doomed(output->temporary, mode);
        if (output->fd < 0 && errno != EEXIST)
            break;
    }
    free(folder);
    if (output->fd < 0)
        return false;
    if (existing == NULL)
        return true;
    /* Only root can give files away; to others the old file belongs already, or its group does. */
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
        /* A link to nowhere is refused too: what it names cannot be told from a mistake. */
        if (errno == ENOENT && lstat(path, &existing) != 0) {
            output->target = strdup(path);
            if (output->target != NULL && open_temporary(output, NULL))
                return true;
        }
    } else if (!S_ISREG(existing.st_mode)) {
        output->fd = open(path, O_WRONLY | O_CLOEXEC);
        if (output->fd >= 0)
            return true;
    } else if (access(path, W_OK) == 0) { /* a read-only file is not to be replaced either */
        output->target = realpath(path, NULL);
        if (output->target != NULL && open_temporary(output, &existing))
            return true;
    }
    say_errno(path);
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
            say_errno(output->name);
            return false;
        }
        p += written;
        size -= (size_t)written;
    }
    return true;
}

/* Opens the folder of a path, to make its entries durable: *folder is -1 where it may not be read. */
static bool open_folder(const char *path, int *folder)
{
    char *name = folder_of(path);

    *folder = name == NULL ? -1 : open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(name);
    return *folder >= 0 || errno == EACCES;
}

/* Some file systems cannot, and say so. */
static bool sync_folder(int folder)
{
    return folder < 0 || fsync(folder) == 0 || errno == EINVAL;
}

/* Closes what output_open opened. Standard output is closed by the program's end. */
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
        /* Once the file has its name, nothing but the disk can fail. */
        done = open_folder(output->target, &folder) && fsync(output->fd) == 0 &&
               close_file(output) && rename(output->temporary, output->target) == 0;
        if (done) {
            atomic_store(&doomed, NULL);
            free(output->temporary);
            output->temporary = NULL;
            done = sync_folder(folder);
        }
    }
    if (!done)
        say_errno(output->name);
    if (folder >= 0)
        close(folder);
    return done;
}

void output_discard(struct output *output)
{
    close_file(output);
    if (output->temporary != NULL) {
        if (atomic_load(&doomed) == output->temporary) {
            unlink(output->temporary);
            atomic_store(&doomed, NULL);
        }
        free(output->temporary);
    }
    free(output->target);
    *output = (struct output){.fd = -1};
}
