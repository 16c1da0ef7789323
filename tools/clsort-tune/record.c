/* record.c - the lines of the file: what was measured now, and what was before */
#include "record.h"

#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *record_head(const struct device *device)
{
    char *head = NULL;
    size_t size;
    char *name = device_text(device->id, CL_DEVICE_NAME);
    FILE *stream = name ? open_memstream(&head, &size) : NULL;
    if (stream) {
        fprintf(stream, "clsort-tune %s\ndevice %s\n", clsort_version(), name);
        if (fclose(stream) != 0) {
            free(head);
            head = NULL;
        }
    }
    free(name);
    return head;
}

char *record_earlier(const char *path, const char *head)
{
    enum { MOST = 1 << 16 }; /* the library reads no more */
    char *text = calloc(1, MOST + 1);
    FILE *file = fopen(path, "re");
    size_t size = 0;
    if (text && file)
        size = fread(text, 1, MOST, file);
    if (file)
        fclose(file);
    if (size > 0 && size < MOST && strncmp(text, head, strlen(head)) == 0)
        return text;
    free(text);
    return NULL;
}

void record_write(const struct race *race, FILE *stream)
{
    fprintf(stream, "%s: ", race->kind->name);
    steps_print(race, stream);
    fputc('\n', stream);
    for (size_t size = 0; size < race->sizes; size++) {
        fprintf(stream, "# 2^%zu:", RACE_LEAST + size);
        for (size_t i = 0; i < race->runners; i++)
            if (race->seconds[size][i] < HUGE_VAL)
                fprintf(stream, " %s %.3g us", race->algorithm[i], 1e6 * race->seconds[size][i]);
        fputc('\n', stream);
    }
}

static bool is_of(const char *line, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(line, kind, length) == 0 && line[length] == ':';
}

void record_keep(const char *earlier, const char *kind, FILE *stream)
{
    bool keeps = false;
    for (const char *line = earlier, *stop; (stop = strchr(line, '\n')); line = stop + 1) {
        keeps = is_of(line, kind) || (keeps && *line == '#');
        if (keeps)
            fwrite(line, 1, (size_t)(stop + 1 - line), stream);
    }
}
