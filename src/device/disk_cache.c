/* disk_cache.c - the on-disk cache of program binaries and verdicts */
#include "device/disk_cache.h"

#include "base/hash.h"
#include "base/text.h"
#include "base/user_folder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A file contains this header, the key and the binary. Sizes and checksum reveal damaged files. */
struct header {
    char magic[8];
    uint64_t key_size;
    uint64_t binary_size;
    uint64_t checksum; /* of key and binary */
};

static const char MAGIC[8] = "clsort1";

/* No binary is larger. Limits the allocation for a file that is not from this cache. */
enum { MAX_BYTES = 1 << 28 };

char *cls_disk_cache_open(const char *option)
{
    char *path = cls_user_folder(CLS_FOLDER_CACHE, option);
    char *folder = path ? cls_folder_open(path) : NULL;
    free(path);
    return folder;
}

static bool file_name(const char *folder, const char *key, struct cls_text *path)
{
    const uint64_t hash = cls_hash(CLS_HASH_START, key, strlen(key));
    cls_text_add(path, "%s/%016llx.bin", folder, (unsigned long long)hash);
    return cls_text_fits(path);
}

static uint64_t checksum_of(const void *content, size_t size)
{
    return cls_hash(CLS_HASH_START, content, size);
}

/* Returns the size of the binary in a file with this key, or 0 if the file is not valid. */
static size_t check_content(const unsigned char *content, size_t size, const char *key)
{
    struct header header;
    const size_t key_size = strlen(key);
    if (size <= sizeof header + key_size)
        return 0;
    const unsigned char *content_key = content + sizeof header;
    memcpy(&header, content, sizeof header);
    const bool is_valid = memcmp(header.magic, MAGIC, sizeof MAGIC) == 0 &&
                          header.key_size == key_size &&
                          header.binary_size == size - sizeof header - key_size &&
                          header.checksum == checksum_of(content_key, size - sizeof header) &&
                          memcmp(content_key, key, key_size) == 0;
    return is_valid ? (size_t)header.binary_size : 0;
}

unsigned char *cls_disk_cache_load(const char *folder, const char *key, size_t *size)
{
    char name[4096];
    struct cls_text path = CLS_TEXT(name);
    const size_t start = sizeof(struct header) + strlen(key);
    size_t file_size = 0;
    bool is_missing;
    if (!file_name(folder, key, &path))
        return NULL;
    unsigned char *content =
        cls_file_load(name, CLS_ACCESS_PRIVATE, start + MAX_BYTES, &file_size, &is_missing);
    if (!content)
        return NULL;
    *size = check_content(content, file_size, key);
    if (*size == 0) {
        free(content);
        return NULL;
    }
    memmove(content, content + start, *size);
    return content;
}

void cls_disk_cache_save(const char *folder, const char *key, const unsigned char *binary,
                         size_t size)
{
    char name[4096];
    struct cls_text path = CLS_TEXT(name);
    if (!file_name(folder, key, &path) || size > MAX_BYTES)
        return;
    struct header header = {.key_size = strlen(key), .binary_size = size};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.checksum = cls_hash(checksum_of(key, strlen(key)), binary, size);
    const struct cls_bytes parts[] = {{&header, sizeof header}, {key, strlen(key)}, {binary, size}};
    cls_file_replace(folder, name, parts, sizeof parts / sizeof *parts);
}
