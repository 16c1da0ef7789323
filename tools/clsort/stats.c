/* stats.c - clsort --stats */
#include "stats.h"

#include "clock.h"
#include "phase_text.h"
#include "print.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>

double stats_lap(void)
{
    static double last;
    const double now = clock_now(), lap = now - last;

    last = now;
    return lap;
}

/* A row of the report: "label value unit" as text, "key":value as JSON. */
struct row {
    const char *key;
    const char *label;
    const char *unit;
    int decimals;
    double value;
};

void stats_add_phase(struct stats *stats, const char *name, uint64_t read_bytes,
                     uint64_t written_bytes, double seconds)
{
    stats->report.phase[stats->report.phase_count++] = (struct phase){
        .name = name,
        .read_bytes = read_bytes,
        .written_bytes = written_bytes,
        .seconds = seconds,
        .wait_s = seconds, /* of external sorts, which append the wait for the disk only */
    };
}

/* Returns bytes per second. */
static double phase_rate(const struct phase *phase)
{
    const double bytes = (double)phase->read_bytes + (double)phase->written_bytes;

    return phase->seconds > 0 ? bytes / phase->seconds : 0;
}

/* Prints a row for each phase. The waits are known for an external sort. */
static void print_phases(const struct external_report *report)
{
    fprintf(stderr, "%-22s %14s %14s %12s%s %9s\n", "phase", "bytes read", "bytes written", "s",
            report->io != NULL ? "   s of waits" : "", "MB/s");
    for (size_t i = 0; i < report->phase_count; i++) {
        const struct phase *phase = &report->phase[i];
        char title[PHASE_TITLE_SIZE], wait[32] = "";

        phase_title(title, phase);
        if (report->io != NULL)
            snprintf(wait, sizeof wait, " %12.6f", phase->wait_s);
        fprintf(stderr, "%-22s %14" PRIu64 " %14" PRIu64 " %12.6f%s %9.1f\n", title,
                phase->read_bytes, phase->written_bytes, phase->seconds, wait,
                1e-6 * phase_rate(phase));
    }
}

static void print_text(const struct stats *stats, const struct row *rows, size_t row_count)
{
    fprintf(stderr, "%-10s %s\n", "device", stats->device);
    fprintf(stderr, "%-10s %s\n", "algorithm", stats->algorithm);
    for (size_t i = 0; i < row_count; i++)
        fprintf(stderr, "%-10s %.*f %s\n", rows[i].label, rows[i].decimals, rows[i].value,
                rows[i].unit);
    if (stats->report.io != NULL)
        fprintf(stderr, "%-10s %s\n", "io", stats->report.io);
    print_phases(&stats->report);
}

static bool add_phase(cJSON *phases, const struct external_report *report,
                      const struct phase *phase)
{
    cJSON *object = phase_json(phase);

    if (object != NULL && cJSON_AddItemToArray(phases, object))
        return cJSON_AddNumberToObject(object, "read_bytes", (double)phase->read_bytes) != NULL &&
               cJSON_AddNumberToObject(object, "written_bytes", (double)phase->written_bytes) !=
                   NULL &&
               cJSON_AddNumberToObject(object, "seconds", phase->seconds) != NULL &&
               (report->io == NULL ||
                cJSON_AddNumberToObject(object, "wait_s", phase->wait_s) != NULL) &&
               cJSON_AddNumberToObject(object, "bytes_per_s", phase_rate(phase)) != NULL;
    cJSON_Delete(object);
    return false;
}

static bool add_report(cJSON *object, const struct external_report *report)
{
    if (report->io != NULL && cJSON_AddStringToObject(object, "io", report->io) == NULL)
        return false;
    cJSON *phases = cJSON_AddArrayToObject(object, "phases");
    bool complete = phases != NULL;

    for (size_t i = 0; i < report->phase_count && complete; i++)
        complete = add_phase(phases, report, &report->phase[i]);
    return complete;
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
    if (complete && add_report(object, &stats->report))
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
        {"ranks", "ranks", "of MPI", 0, (double)stats->ranks}, /* of clsort-mpi only */
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
        {"peak_bytes", "memory", "bytes at most", 0, stats->peak_bytes},
        {"runs", "runs", "of the input", 0,
         (double)stats->report.runs}, /* of external sorts from here on */
        {"passes", "passes", "over the data", 0, stats->report.passes},
        {"temporary_bytes", "temporary", "bytes at most", 0, (double)stats->report.temporary_bytes},
    };
    const size_t first = stats->ranks == 0;
    const size_t row_count = sizeof rows / sizeof rows[0] - (stats->report.io == NULL ? 3 : 0);

    if (json)
        return print_json(stats, rows + first, row_count - first);
    print_text(stats, rows + first, row_count - first);
    return true;
}
