/* rent.c - how long the host has sorted instead of programs that are not compiled yet */
#include "device/rent.h"

#include "device/disk_cache.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEY = 2048 };

/* Returns the entry of the subject, which is created if needed, or NULL. */
static struct cls_rent *entry_of(struct cls_device *device, const char *subject)
{
    struct cls_rent *rent = device->rents;
    while (rent && strcmp(rent->subject, subject) != 0)
        rent = rent->next;
    if (rent)
        return rent;
    const size_t size = strlen(subject) + 1;
    rent = malloc(sizeof *rent + size);
    if (!rent)
        return NULL;
    rent->next = device->rents;
    rent->ns = 0;
    memcpy(rent->subject, subject, size);
    device->rents = rent;
    return rent;
}

/* Appends the key of the sum on disk. Returns false if there is no cache or no key. */
static bool disk_key(const struct cls_device *device, const char *subject, struct cls_text *key)
{
    cls_text_add(key, "host sorts %s\n", subject);
    return device->cache_folder && cls_device_key(device, NULL, key);
}

/* Returns the sum on disk, or 0. Processes that add to it at the same time can lose what the others
 * add: the host then sorts a little longer. */
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

bool cls_rent_pay(struct cls_device *device, const char *subject, uint64_t ns, uint64_t max_ns)
{
    char text[MAX_KEY];
    struct cls_text key = CLS_TEXT(text);
    bool paid = false;
    pthread_mutex_lock(&device->mutex);
    struct cls_rent *rent = entry_of(device, subject);
    const bool on_disk = disk_key(device, subject, &key);
    if (rent && on_disk) {
        const uint64_t stored = load(device, text);
        rent->ns = stored > rent->ns ? stored : rent->ns;
    }
    if (rent && rent->ns <= max_ns && ns <= max_ns - rent->ns) {
        rent->ns += ns;
        paid = true;
        if (on_disk)
            cls_disk_cache_save(device->cache_folder, text, (const unsigned char *)&rent->ns,
                                sizeof rent->ns);
    }
    pthread_mutex_unlock(&device->mutex);
    return paid;
}
