/* temporary.c - clsort-tool-common: temporary files that replace another file once complete */
#include "temporary.h"

#include "bits.h"
#include "linux.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- signals ----------------------------------------------------------------------------------- */

/* The signals whose default action terminates the process, except those that cannot be caught. */
static const int fatal_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,    SIGTRAP, SIGABRT,
                                    SIGBUS,  SIGFPE,  SIGUSR1, SIGSEGV,   SIGUSR2, SIGPIPE,
                                    SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS};
enum { FATAL_SIGNAL_COUNT = sizeof fatal_signals / sizeof fatal_signals[0] };

/* The named file, which fatal signals remove. NULL: none. */
static const char *_Atomic remove_on_signal;

/* Signals are held while a name exists that remove_on_signal does not have. Threads of the driver
 * receive signals too, so that blocking them in the calling thread would not suffice. */
enum { NOT_HELD = 0, HELD = -1 }; /* a positive number: a signal has arrived since */
static atomic_int hold = NOT_HELD;

static void handle_fatal_signal(int number)
{
    int state = HELD;

    if (atomic_compare_exchange_strong(&hold, &state, number) || state != NOT_HELD)
        return;
    const char *path = atomic_load(&remove_on_signal);
    if (path != NULL)
        unlink(path);
    /* The signal is blocked until this handler returns, and then has its default action. */
    signal(number, SIG_DFL);
    raise(number);
}

/* Leaves signals alone that are ignored, or that a sanitizer handles. It has to be called before the
 * OpenCL compiler runs: that installs handlers of its own, which call earlier ones. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = handle_fatal_signal};
    struct sigaction before;

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FATAL_SIGNAL_COUNT; i++)
        if (sigaction(fatal_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &action, NULL);
}

static void hold_signals(void)
{
    catch_signals();
    atomic_store(&hold, HELD);
}

/* Raises the signal that has arrived since hold_signals. */
static void release_signals(void)
{
    int number = atomic_exchange(&hold, NOT_HELD);

    if (number > 0)
        raise(number);
}

/* -- files ------------------------------------------------------------------------------------- */

bool folder_sync(int folder)
{
    return fsync(folder) == 0 || errno == EINVAL; /* not supported */
}

char *folder_of(const char *path)
{
    char *copy = strdup(path);
    char *folder = copy == NULL ? NULL : strdup(dirname(copy));

    free(copy);
    return folder;
}

/* linkat names a file without a name by its entry in /proc. (AT_EMPTY_PATH needs a capability.) */
enum { PROC_PATH_SIZE = 32 };

static void proc_path(char path[PROC_PATH_SIZE], int fd)
{
    snprintf(path, PROC_PATH_SIZE, "/proc/self/fd/%d", fd);
}

/* Returns -1 if the file system or the kernel does not support files without a name, or if they
 * cannot be named later because /proc is not mounted. */
static int open_unnamed(const char *folder, mode_t mode)
{
    char path[PROC_PATH_SIZE];
    int fd = linux_open_unnamed(folder, O_WRONLY, mode);

    if (fd < 0)
        return -1;
    proc_path(path, fd);
    if (access(path, F_OK) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Returns a hash that is not 0. */
static uint64_t hash(const char *text)
{
    uint64_t value = 0;

    for (; *text != '\0'; text++)
        value = bits_mix(value + (unsigned char)*text + BITS_GAMMA);
    return value | 1;
}

/* Sets the path to a name that may be in use. A name that the file has from the start contains the
 * process. A name that it has between linkat and rename contains the hash of the target, so that a
 * later run for the same target finds it. */
static void set_name(struct temporary *temporary, const char *folder, unsigned n)
{
    char id[17];

    if (temporary->target_hash == 0)
        snprintf(id, sizeof id, "%u", (unsigned)getpid());
    else
        snprintf(id, sizeof id, "%016" PRIx64, temporary->target_hash);
    snprintf(temporary->path, temporary->path_size, "%s/.clsort-%s-%u", folder, id, n);
}

/* Removes a file that was left behind: it is the named one, and no process has locked it. Each
 * process locks its file before it names it. */
static void remove_unlocked(const char *path, const struct stat *named)
{
    const int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat opened, now;

    if (fd < 0)
        return;
    /* The owner may have renamed the file before the lock. */
    if (linux_lock(fd) && fstat(fd, &opened) == 0 && opened.st_ino == named->st_ino &&
        lstat(path, &now) == 0 && now.st_ino == named->st_ino && now.st_dev == opened.st_dev)
        unlink(path);
    close(fd);
}

/* Removes what runs for the same target have left behind that were killed between linkat and
 * rename. */
static void remove_leftovers(struct temporary *temporary, const char *folder)
{
    struct stat named;

    for (unsigned n = 0;; n++) {
        set_name(temporary, folder, n);
        if (lstat(temporary->path, &named) != 0)
            return;
        if (S_ISREG(named.st_mode))
            remove_unlocked(temporary->path, &named);
    }
}

/* Gives the file the first free name, by creating it (fd < 0) or by linking it. Returns its
 * descriptor, or -1 on failure. Signals must be held. */
static int make_named(struct temporary *temporary, const char *folder, int fd, mode_t mode)
{
    char unnamed[PROC_PATH_SIZE];
    int named = -1;

    proc_path(unnamed, fd);
    for (unsigned n = 0; named < 0; n++) {
        set_name(temporary, folder, n);
        if (fd < 0)
            named = open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        else if (linkat(AT_FDCWD, unnamed, AT_FDCWD, temporary->path, AT_SYMLINK_FOLLOW) == 0)
            named = fd;
        if (named < 0 && errno != EEXIST)
            return -1;
    }
    temporary->is_named = true;
    atomic_store(&remove_on_signal, temporary->path);
    return named;
}

/* is_named: the file has a name from the start. */
static int open_in_folder(struct temporary *temporary, const char *target, mode_t mode,
                          bool is_named)
{
    char *folder = folder_of(target);
    int fd = -1;

    *temporary = (struct temporary){.path = NULL};
    if (folder == NULL)
        return -1;
    catch_signals();
    temporary->path_size = strlen(folder) + sizeof "/.clsort-0123456789abcdef-XXXXXXXXXX";
    temporary->path = malloc(temporary->path_size);
    if (temporary->path != NULL && !is_named)
        fd = open_unnamed(folder, mode);
    if (fd >= 0) {
        const char *slash = strrchr(target, '/');

        temporary->target_hash = hash(slash == NULL ? target : slash + 1);
        linux_lock(fd); /* without locks, later runs recognize no leftovers */
        remove_leftovers(temporary, folder);
    } else if (temporary->path != NULL) {
        hold_signals();
        fd = make_named(temporary, folder, -1, mode);
        release_signals();
    }
    free(folder);
    return fd;
}

int temporary_open(struct temporary *temporary, const char *target, mode_t mode)
{
    return open_in_folder(temporary, target, mode, false);
}

int temporary_open_named(struct temporary *temporary, const char *target, mode_t mode)
{
    return open_in_folder(temporary, target, mode, true);
}

int temporary_open_removed(const char *folder)
{
    static const char name[] = "/.clsort-run-XXXXXX";
    const size_t size = strlen(folder) + sizeof name;
    char *path = malloc(size);
    int fd = -1;

    if (path == NULL)
        return -1;
    snprintf(path, size, "%s%s", folder, name);
    hold_signals();
    fd = mkstemp(path);
    if (fd >= 0) {
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        unlink(path);
    }
    release_signals();
    free(path);
    return fd;
}

/* Names the file. linkat cannot replace a file, so that an existing target is replaced by rename.
 * *done: the target did not exist, and the file has its name. */
static bool name_file(struct temporary *temporary, int fd, const char *target, bool *done)
{
    char unnamed[PROC_PATH_SIZE];

    proc_path(unnamed, fd);
    *done = linkat(AT_FDCWD, unnamed, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0;
    if (*done || errno != EEXIST)
        return *done;
    char *folder = folder_of(target);
    const bool named = folder != NULL && make_named(temporary, folder, fd, 0) >= 0;
    free(folder);
    return named;
}

bool temporary_replace(struct temporary *temporary, int fd, const char *target)
{
    bool done = false;

    hold_signals();
    if (temporary->is_named || name_file(temporary, fd, target, &done))
        done = done || rename(temporary->path, target) == 0;
    if (done) {
        temporary->is_named = false;
        atomic_store(&remove_on_signal, NULL);
    }
    release_signals();
    return done;
}

void temporary_discard(struct temporary *temporary)
{
    if (temporary->is_named)
        unlink(temporary->path);
    atomic_store(&remove_on_signal, NULL);
    free(temporary->path);
    *temporary = (struct temporary){.path = NULL};
}
