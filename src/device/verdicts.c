/* verdicts.c - verdicts of self-tests on a device, stored in memory and in the on-disk cache */
#include "device/verdicts.h"

#include "device/disk_cache.h"

#include <stdlib.h>
#include <string.h>

enum { PASSED = '+', FAILED = '-', MAX_KEY = 2048, MAX_FINDING = 256 };

static const struct cls_verdict *in_memory(const struct cls_device *device, const char *subject)
{
    const struct cls_verdict *verdict = device->verdicts;
    while (verdict && strcmp(verdict->subject, subject) != 0)
        verdict = verdict->next;
    return verdict;
}

static void keep_in_memory(struct cls_device *device, const char *subject, const char *finding)
{
    const size_t subject_size = strlen(subject) + 1, finding_size = strlen(finding) + 1;
    struct cls_verdict *verdict = malloc(sizeof *verdict + subject_size + finding_size);
    if (!verdict)
        return;
    memcpy(verdict->subject, subject, subject_size);
    verdict->finding = memcpy(verdict->subject + subject_size, finding, finding_size);
    verdict->next = device->verdicts;
    device->verdicts = verdict;
}

/* Appends everything that a verdict depends on. That includes the sources of all programs, since
 * kernels process the output of other kernels. Returns false if there is no cache or no key. */
static bool disk_key(const struct cls_device *device, const char *subject, struct cls_text *key)
{
    cls_text_add(key, "self-test %s\n", subject);
    return device->cache_folder && cls_device_key(device, NULL, key);
}

static bool load(const struct cls_device *device, const char *subject, struct cls_text *finding)
{
    char text[MAX_KEY];
    struct cls_text key = CLS_TEXT(text);
    size_t size;
    if (!disk_key(device, subject, &key))
        return false;
    unsigned char *content = cls_disk_cache_load(device->cache_folder, text, &size);
    if (!content)
        return false;
    const bool is_verdict = size > 1 ? content[0] == FAILED : content[0] == PASSED;
    if (is_verdict)
        cls_text_add(finding, "%.*s", (int)(size - 1), (const char *)content + 1);
    free(content);
    return is_verdict;
}

static void save(const struct cls_device *device, const char *subject, const char *finding)
{
    char text[MAX_KEY], line[MAX_FINDING];
    struct cls_text key = CLS_TEXT(text), content = CLS_TEXT(line);
    cls_text_add(&content, "%c%s", *finding ? FAILED : PASSED, finding);
    if (disk_key(device, subject, &key))
        cls_disk_cache_save(device->cache_folder, text, (const unsigned char *)line, strlen(line));
}

bool cls_verdict_find(struct cls_device *device, const char *subject, bool on_disk,
                      struct cls_text *finding)
{
    char line[MAX_FINDING];
    struct cls_text loaded = CLS_TEXT(line);
    pthread_mutex_lock(&device->mutex);
    const struct cls_verdict *verdict = in_memory(device, subject);
    bool known = verdict != NULL;
    if (known)
        cls_text_add(finding, "%s", verdict->finding);
    else if (on_disk && load(device, subject, &loaded)) {
        known = true;
        keep_in_memory(device, subject, line);
        cls_text_add(finding, "%s", line);
    }
    pthread_mutex_unlock(&device->mutex);
    return known;
}

void cls_verdict_keep(struct cls_device *device, const char *subject, bool on_disk,
                      const char *finding)
{
    pthread_mutex_lock(&device->mutex);
    if (!in_memory(device, subject)) { /* another thread may have stored it */
        keep_in_memory(device, subject, finding);
        if (on_disk)
            save(device, subject, finding);
    }
    pthread_mutex_unlock(&device->mutex);
}

bool cls_verdict_find_status(struct cls_device *device, const char *subject, clsort_status *status)
{
    char line[MAX_FINDING] = "";
    struct cls_text finding = CLS_TEXT(line);
    const bool known = cls_verdict_find(device, subject, true, &finding);
    *status = *line ? CLSORT_E_SELF_TEST : CLSORT_OK;
    return known;
}

void cls_verdict_keep_status(struct cls_device *device, const char *subject, clsort_status status)
{
    cls_verdict_keep(device, subject, true, status == CLSORT_OK ? "" : "wrong");
}
