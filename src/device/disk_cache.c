/* disk_cache.c - the on-disk cache of program binaries and verdicts */
#include "device/disk_cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/user_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file contains this header, the key and the binary. Sizes and checksum reveal damaged files. */
struct header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t checksum; /* of key and binary */
};

static const char MAGIC[8] = "clsort1";

/* No binary is larger. Limits the allocation for a file whose header is wrong. */
enum { MAX_BYTES = 1 << 28 };

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

/* Returns the path of the folder without symbolic links, which the caller frees, or NULL. The path
 * may be a link if it belongs to the user. Later accesses use the returned path, so that a change of
 * the link has no effect on them. */
static char *resolve(const char *path)
{
    struct stat info;
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

char *cls_disk_cache_open(const char *option)
{
    static const struct cls_user_folder CACHE = {"CLSORT_CACHE_DIR", "XDG_CACHE_HOME",
                                                 ".cache/clsort"};
    char *path = cls_user_folder(&CACHE, option);
    if (!path)
        return NULL;
    make_folders(path);
    char *folder = resolve(path);
    free(path);
    return folder;
}

static bool file_name(const char *folder, const char *key, struct cls_text *path)
{
    const uint64_t hash = cls_hash(CLS_HASH_START, key, strlen(key));
    cls_text_add(path, "%s/%016llx.bin", folder, (unsigned long long)hash);
    return cls_text_fits(path);
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

static uint64_t checksum_of(const void *content, size_t size)
{
    return cls_hash(CLS_HASH_START, content, size);
}

/* Reads and checks an open file. Returns the key followed by the binary, which the caller frees, or
 * NULL. */
static unsigned char *load_content(int file, const char *key, size_t *binary_size)
{
    struct stat info;
    struct header header;
    const size_t key_size = strlen(key);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || !is_private(&info) ||
        !cls_file_read(file, &header, sizeof header) ||
        memcmp(header.magic, MAGIC, sizeof MAGIC) != 0 || header.key_size != key_size ||
        header.binary_size == 0 || header.binary_size > MAX_BYTES ||
        (uint64_t)info.st_size != sizeof header + header.key_size + header.binary_size)
        return NULL;
    const size_t size = key_size + (size_t)header.binary_size;
    unsigned char *content = malloc(size);
    if (!content)
        return NULL;
    if (!cls_file_read(file, content, size) || checksum_of(content, size) != header.checksum ||
        memcmp(content, key, key_size) != 0) {
        free(content);
        return NULL;
    }
    *binary_size = (size_t)header.binary_size;
    return content;
}

unsigned char *cls_disk_cache_load(const char *folder, const char *key, size_t *size)
{
    char name[4096];
    struct cls_text path = CLS_TEXT(name);
    if (!file_name(folder, key, &path))
        return NULL;
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return NULL;
    unsigned char *content = load_content(file, key, size);
    close(file);
    if (content)
        memmove(content, content + strlen(key), *size);
    return content;
}

void cls_disk_cache_save(const char *folder, const char *key, const unsigned char *binary,
                         size_t size)
{
    char name[4096], temporary[4096];
    struct cls_text path = CLS_TEXT(name), temporary_path = CLS_TEXT(temporary);
    cls_text_add(&temporary_path, "%s/new-XXXXXX", folder);
    if (!file_name(folder, key, &path) || !cls_text_fits(&temporary_path) || size > MAX_BYTES ||
        !within_file_limit(sizeof(struct header) + strlen(key) + size))
        return;
    struct header header = {.key_size = strlen(key), .binary_size = size};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.checksum = cls_hash(checksum_of(key, strlen(key)), binary, size);

    const int file = mkstemp(temporary); /* mode 0600 */
    if (file < 0)
        return;
    fcntl(file, F_SETFD, FD_CLOEXEC);
    const bool written = write_all(file, &header, sizeof header) &&
                         write_all(file, key, strlen(key)) && write_all(file, binary, size);
    if (close(file) != 0 || !written || rename(temporary, name) != 0)
        unlink(temporary);
}
