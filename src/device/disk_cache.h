/* disk_cache.h - program binaries kept on disk between processes
 *
 * A file is believed only when its folder and itself belong to the user and nobody else can write to
 * them, its key is the one asked for, letter by letter, and its checksum fits. Anything else is a
 * miss, never an error. */
#ifndef CLSORT_DEVICE_DISK_CACHE_H
#define CLSORT_DEVICE_DISK_CACHE_H

#include <stddef.h>

/* Finds the folder (see clsort_engine_options.cache_dir; option is that field) and makes it where it
 * is missing. Returns an allocated path, or NULL: no cache. */
char *cls_disk_cache_open(const char *option);

/* The binary saved under this key, allocated, or NULL. */
unsigned char *cls_disk_cache_load(const char *folder, const char *key, size_t *size);

void cls_disk_cache_save(const char *folder, const char *key, const unsigned char *binary,
                         size_t size);

#endif
