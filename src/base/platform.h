/* platform.h - files, folders, memory, threads and a clock, which differ between POSIX and Windows
 *
 * platform_posix.c or platform_windows.c implements these functions, except cls_file_load, which is in
 * platform.c. */
#ifndef CLSORT_BASE_PLATFORM_H
#define CLSORT_BASE_PLATFORM_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cls_folder { CLS_FOLDER_CACHE, CLS_FOLDER_CONFIG };

/* The folder `name` in the folder `parent`. */
struct cls_default_folder {
    const char *parent; /* NULL: the environment lacks the variables that define it */
    const char *name;
};

/* Returns where the system expects a folder of the user. `parent` is valid until the environment
 * changes. POSIX: as in the XDG Base Directory Specification. Windows: in %LOCALAPPDATA% and in
 * %APPDATA%. */
struct cls_default_folder cls_default_folder(enum cls_folder folder);

/* Creates the folder and its parents, unless they exist. Returns its absolute path, which the caller
 * frees, or NULL if it is not usable. POSIX: the folder and a symbolic link to it must belong to the
 * user, and nobody else may be able to write to it; the returned path has no symbolic links. Windows:
 * any folder is usable. `path` is changed during the call. */
char *cls_folder_open(char *path);

enum cls_access {
    CLS_ACCESS_ANY,    /* any regular file, also through a symbolic link */
    CLS_ACCESS_PRIVATE /* POSIX: only files that belong to the user and that nobody else can write */
};

/* A file that is open for reading. */
struct cls_file {
    intptr_t handle; /* POSIX: a file descriptor. Windows: a HANDLE. */
    uint64_t size;
};

/* Opens a regular file. Returns whether it is open; the caller then closes it. Never waits, whatever
 * the path names. *is_missing becomes whether there is no file. */
bool cls_file_open(const char *path, enum cls_access access, struct cls_file *file,
                   bool *is_missing);

/* Reads the next `size` bytes. Returns false on failure and if the file has fewer. */
bool cls_file_read(const struct cls_file *file, void *to, size_t size);
void cls_file_close(const struct cls_file *file);

/* Returns the contents of a file of at most max_size bytes, which the caller frees, or NULL on
 * failure. The file is opened as by cls_file_open. */
unsigned char *cls_file_load(const char *path, enum cls_access access, size_t max_size,
                             size_t *size, bool *is_missing);

struct cls_bytes {
    const void *at;
    size_t size;
};

/* Creates or replaces a file atomically: its contents are `count` parts, one after the other. The
 * file is private. `folder` is that of `path`. A failure leaves the old file and no other one. */
void cls_file_replace(const char *folder, const char *path, const struct cls_bytes *parts,
                      size_t count);

/* Blocks below this size gain nothing from large pages. */
enum { CLS_MIN_PAGES_BYTES = 4 << 20 };

/* Allocates a block of at least CLS_MIN_PAGES_BYTES bytes, in large pages where the system has them:
 * the first write to each page then costs one page fault per 2 MiB instead of one per 4 KiB. Returns
 * NULL if memory is short. The caller frees the block with cls_pages_free. */
void *cls_pages_alloc(size_t bytes);
void cls_pages_free(void *block);

/* A block of host memory (cls_pages_alloc). */
struct cls_block {
    char *at;
    size_t bytes;
};

/* Returns the nanoseconds since an unspecified time in the past. */
uint64_t cls_monotonic_ns(void);

/* Returns the number of processors that the system has online, at least 1. */
size_t cls_cores(void);

/* Creates a thread that blocks all signals, if the system has signals: handlers that the program has
 * installed never run in it. Returns whether the thread exists. */
bool cls_thread_create(pthread_t *thread, void *(*run)(void *data), void *data);

#endif
