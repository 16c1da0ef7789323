/* host_time.c - how long the host has sorted instead of programs that are not compiled yet */
#include "device/host_time.h"

#include "base/arithmetic.h"
#include "device/disk_cache.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_KEY = 2048,
    STORED_PARTS = 32 /* the sum is stored whenever this part of the maximum has been added */
};

/* Returns the entry of the subject, which is created if needed, or NULL. */
static struct cls_host_time *entry_of(struct cls_device *device, const char *subject)
{
    struct cls_host_time *entry = device->host_times;
    while (entry && strcmp(entry->subject, subject) != 0)
        entry = entry->next;
    if (entry)
        return entry;
    const size_t size = strlen(subject) + 1;
    entry = malloc(sizeof *entry + size);
    if (!entry)
        return NULL;
    entry->next = device->host_times;
    entry->is_synchronised = false;
    entry->ns = entry->stored_ns = 0;
    memcpy(entry->subject, subject, size);
    device->host_times = entry;
    return entry;
}

/* Appends the key of the sum on disk. Returns false if there is no cache or no key. */
static bool disk_key(const struct cls_device *device, const char *subject, struct cls_text *key)
{
    cls_text_add(key, "host sorts %s\n", subject);
    return device->cache_folder && cls_device_key(device, NULL, key);
}

/* Returns the sum on disk, or 0. */
static uint64_t load(const struct cls_device *device, const char *key)
{
    uint64_t ns = 0;
    size_t size;
    unsigned char *content = cls_disk_cache_load(device->cache_folder, key, &size);
    if (content && size == sizeof ns)
        memcpy(&ns, content, sizeof ns);
    free(content);
    return ns;
}

/* Adds what other processes have added on disk since the last call, and stores the sum if it is
 * greater. Processes that do so at the same time can lose what the others add: the host then sorts a
 * little longer. */
static void synchronise(const struct cls_device *device, struct cls_host_time *entry)
{
    char text[MAX_KEY];
    struct cls_text key = CLS_TEXT(text);
    entry->is_synchronised = true;
    if (!disk_key(device, entry->subject, &key))
        return;
    const uint64_t on_disk = load(device, text);
    entry->ns = cls_max(entry->ns, on_disk + (entry->ns - entry->stored_ns));
    entry->stored_ns = entry->ns;
    if (entry->ns > on_disk)
        cls_disk_cache_save(device->cache_folder, text, (const unsigned char *)&entry->ns,
                            sizeof entry->ns);
}

static bool exceeds(uint64_t sum, uint64_t ns, uint64_t max_ns)
{
    return sum > max_ns || ns > max_ns - sum;
}

bool cls_host_time_add(struct cls_device *device, const char *subject, uint64_t ns, uint64_t max_ns)
{
    bool added = false;
    pthread_mutex_lock(&device->mutex);
    struct cls_host_time *entry = entry_of(device, subject);
    if (entry && !entry->is_synchronised)
        synchronise(device, entry);
    if (entry && !exceeds(entry->ns, ns, max_ns)) {
        entry->ns += ns;
        added = true;
        if (entry->ns - entry->stored_ns >= max_ns / STORED_PARTS)
            synchronise(device, entry);
    }
    pthread_mutex_unlock(&device->mutex);
    return added;
}
