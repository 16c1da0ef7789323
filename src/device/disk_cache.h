/* disk_cache.h - the on-disk cache of program binaries and verdicts
 *
 * A file is used only if it and its folder belong to the user and nobody else can write to them, if
 * it contains the complete requested key, and if its checksum is correct. Everything else is a
 * cache miss, never an error. */
#ifndef CLSORT_DEVICE_DISK_CACHE_H
#define CLSORT_DEVICE_DISK_CACHE_H

#include <stddef.h>

/* Returns the folder of the cache, and creates it if it does not exist. option is
 * clsort_engine_options.cache_dir. The caller frees the path. Returns NULL if no folder is usable;
 * there is no cache then. */
char *cls_disk_cache_open(const char *option);

/* Returns the binary or verdict that was saved with this key, or NULL. The caller frees it. */
unsigned char *cls_disk_cache_load(const char *folder, const char *key, size_t *size);

/* Saves a binary or verdict. A failure has no effect: a later load is a cache miss. */
void cls_disk_cache_save(const char *folder, const char *key, const unsigned char *binary,
                         size_t size);

#endif
