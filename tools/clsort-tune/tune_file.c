/* tune_file.c - the contents of a tune file: new measurements and earlier ones */
#include "tune_file.h"

#include "ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *tune_file_head(const struct device *device)
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

char *tune_file_read(const char *path, const char *head)
{
    enum { MAX_SIZE = 1 << 16 }; /* limit of the library */
    char *text = calloc(1, MAX_SIZE + 1);
    FILE *file = fopen(path, "re");
    size_t size = 0;
    if (text && file)
        size = fread(text, 1, MAX_SIZE, file);
    if (file)
        fclose(file);
    if (size > 0 && size < MAX_SIZE && strncmp(text, head, strlen(head)) == 0)
        return text;
    free(text);
    return NULL;
}

void tune_file_write(const struct measurement *measurement, FILE *stream)
{
    fprintf(stream, "%s: ", measurement->kind->name);
    ladder_print(measurement, stream);
    fputc('\n', stream);
    for (size_t count = 0; count < measurement->count_count; count++) {
        fprintf(stream, "# 2^%zu:", MIN_POWER + count);
        for (size_t i = 0; i < measurement->algorithm_count; i++)
            if (measurement->seconds[count][i] < HUGE_VAL)
                fprintf(stream, " %s %.3g us", measurement->algorithms[i],
                        1e6 * measurement->seconds[count][i]);
        fputc('\n', stream);
    }
}

/* Returns whether the line is the ladder of the kind. */
static bool is_ladder_of(const char *line, const char *kind)
{
    const size_t length = strlen(kind);
    return strncmp(line, kind, length) == 0 && line[length] == ':';
}

void tune_file_copy(const char *earlier, const char *kind, FILE *stream)
{
    bool is_copied = false;
    for (const char *line = earlier, *stop; (stop = strchr(line, '\n')); line = stop + 1) {
        is_copied = is_ladder_of(line, kind) || (is_copied && *line == '#');
        if (is_copied)
            fwrite(line, 1, (size_t)(stop + 1 - line), stream);
    }
}
