/* stats.c - clsort --stats */
#include "stats.h"

#include "clock.h"
#include "print.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <sys/resource.h>

double stats_lap(void)
{
    static double last;
    const double now = clock_now(), lap = now - last;

    last = now;
    return lap;
}

/* Returns the maximum resident memory of the process, in bytes. */
static double peak_memory(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

/* A row of the report: "label value unit" as text, "key":value as JSON. */
struct row {
    const char *key;
    const char *label;
    const char *unit;
    int decimals;
    double value;
};

static void print_text(const struct stats *stats, const struct row *rows, size_t row_count)
{
    fprintf(stderr, "%-10s %s\n", "device", stats->device);
    fprintf(stderr, "%-10s %s\n", "algorithm", stats->algorithm);
    for (size_t i = 0; i < row_count; i++)
        fprintf(stderr, "%-10s %.*f %s\n", rows[i].label, rows[i].decimals, rows[i].value,
                rows[i].unit);
}

static bool print_json(const struct stats *stats, const struct row *rows, size_t row_count)
{
    cJSON *object = cJSON_CreateObject();
    bool complete = cJSON_AddStringToObject(object, "device", stats->device) != NULL &&
                    cJSON_AddStringToObject(object, "algorithm", stats->algorithm) != NULL &&
                    cJSON_AddStringToObject(object, "type", stats->type) != NULL;
    char *text = NULL;

    for (size_t i = 0; complete && i < row_count; i++)
        complete = cJSON_AddNumberToObject(object, rows[i].key, rows[i].value) != NULL;
    if (complete)
        text = cJSON_PrintUnformatted(object);
    if (text != NULL)
        fprintf(stderr, "%s\n", text);
    else
        print_error("--stats=json", "out of memory");
    cJSON_free(text);
    cJSON_Delete(object);
    return text != NULL;
}

bool stats_print(const struct stats *stats, bool json)
{
    double elements = (double)stats->elements;
    double total_s = stats->setup_s + stats->read_s + stats->sort_s + stats->write_s;
    double rate = stats->sort_s > 0 ? 1e-6 * elements / stats->sort_s : 0;
    const struct row rows[] = {
        {"elements", "elements", stats->type, 0, elements},
        {"bytes", "size", "bytes", 0, elements * (double)stats->key_size},
        {"pieces", "pieces", "per row", 0, (double)stats->pieces},
        {"setup_s", "setup", "s", 6, stats->setup_s},
        {"platform_s", "platform", "s", 6, stats->setup_s - stats->build_s - stats->self_test_s},
        {"build_s", "build", "s", 6, stats->build_s},
        {"self_test_s", "self-test", "s", 6, stats->self_test_s},
        {"read_s", "read", "s", 6, stats->read_s},
        {"sort_s", "sort", "s", 6, stats->sort_s},
        {"write_s", "write", "s", 6, stats->write_s},
        {"total_s", "total", "s", 6, total_s},
        {"mkeys_s", "rate", "Mkeys/s", 1, rate},
        {"peak_bytes", "memory", "bytes at most", 0, peak_memory()},
    };
    size_t row_count = sizeof rows / sizeof rows[0];

    if (json)
        return print_json(stats, rows, row_count);
    print_text(stats, rows, row_count);
    return true;
}
