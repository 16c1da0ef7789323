/* report.c - the results of clsort-bench-mpi as a table for people and as JSON lines for programs */
#include "report.h"

#include "print.h"
#include "system.h"

#include <string.h>

static bool write_line(FILE *file, const cJSON *object)
{
    char *line = object ? cJSON_PrintUnformatted(object) : NULL;
    if (line)
        fprintf(file, "%s\n", line);
    else
        print_error("JSON", "out of memory");
    cJSON_free(line);
    return line;
}

/* Sets report->mpi to the beginning of the text of MPI, such as "Open MPI v4.1.4" or "MPICH Version: 4.0.2". */
static void find_mpi(struct report *report)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    size_t length = 0;
    int all;
    MPI_Get_library_version(text, &all);
    for (const char *at = text; *at && !strchr(",\n", *at) && length + 1 < sizeof report->mpi; at++)
        if (!strchr("\t ", *at))
            report->mpi[length++] = *at;
        else if (length > 0 && report->mpi[length - 1] != ' ')
            report->mpi[length++] = ' ';
    report->mpi[length] = '\0';
}

static bool write_machine(const struct report *report)
{
    cJSON *object = cJSON_CreateObject();
    cJSON *facts = object ? cJSON_AddObjectToObject(object, "machine") : NULL;
    const bool done = facts && system_describe(facts) &&
                      cJSON_AddStringToObject(facts, "mpi", report->mpi) &&
                      write_line(report->json, object);
    cJSON_Delete(object);
    return done;
}

bool report_open(struct report *report, const struct world *world, const struct options *options)
{
    *report = (struct report){.options = options, .ranks = world->size, .table = stdout};
    if (world->rank > 0) {
        report->table = NULL;
        return true;
    }
    find_mpi(report);
    if (options->json && strcmp(options->json, "-") == 0) {
        report->json = stdout;
        report->table = stderr;
    } else if (options->json && !(report->json = fopen(options->json, "w"))) {
        print_errno(options->json);
        return false;
    }
    fprintf(
        report->table,
        "clsort %s, %s, %d ranks, %zu %s keys each, runs: %zu\n"
        "ratio: time of the peer / time of clsort, by medians of the times of the slowest rank\n"
        "sent: maximum of the bytes of keys that leave a rank / bytes of its keys\n\n"
        "%-12s %-20s %12s %12s %10s %8s %8s\n",
        clsort_version(), report->mpi, report->ranks, options->count, options->type->name,
        options->runs, "distribution", "who", "median ms", "min ms", "Mkeys/s", "ratio", "sent");
    return !report->json || write_machine(report);
}

static double mkeys(const struct report *report, const struct result *result)
{
    return (double)report->ranks * (double)report->options->count / result->median_s / 1e6;
}

static bool write_json(const struct report *report, const char *dist, const struct result *result)
{
    const struct options *options = report->options;
    cJSON *object = cJSON_CreateObject();
    bool done = object && cJSON_AddStringToObject(object, "who", result->sort->name) &&
                cJSON_AddStringToObject(object, "mpi", report->mpi) &&
                cJSON_AddNumberToObject(object, "ranks", report->ranks) &&
                cJSON_AddStringToObject(object, "type", options->type->name) &&
                cJSON_AddNumberToObject(object, "n", (double)options->count) &&
                cJSON_AddStringToObject(object, "dist", dist) &&
                cJSON_AddNumberToObject(object, "runs", (double)result->runs) &&
                cJSON_AddNumberToObject(object, "median_s", result->median_s) &&
                cJSON_AddNumberToObject(object, "min_s", result->min_s) &&
                cJSON_AddNumberToObject(object, "mkeys_s", mkeys(report, result)) &&
                cJSON_AddNumberToObject(object, "max_sent_bytes", (double)result->max_sent) &&
                cJSON_AddBoolToObject(object, "verified", result->verified);
    done = write_line(report->json, done ? object : NULL);
    cJSON_Delete(object);
    return done;
}

bool report_contest(struct report *report, struct inputs_dist dist, const struct result *results)
{
    const double bytes = (double)report->options->count * (double)report->options->type->size;
    if (!report->table)
        return true;
    for (size_t i = 0; i < SORTS_MAX; i++) {
        const struct result *result = &results[i];
        if (!result->sort)
            continue;
        fprintf(report->table, "%-12s %-20s %12.4f %12.4f %10.2f %8.2f %8.3f%s\n",
                inputs_name(dist), result->sort->name, result->median_s * 1e3, result->min_s * 1e3,
                mkeys(report, result), result->median_s / results[0].median_s,
                (double)result->max_sent / bytes, result->verified ? "" : "  WRONG");
        if (report->json && !write_json(report, inputs_name(dist), result))
            return false;
    }
    fflush(report->table); /* contests can take long; the result of each is shown at once */
    return true;
}

bool report_close(struct report *report)
{
    bool done = true;
    if (report->json && report->json != stdout) {
        done = !ferror(report->json);
        done = fclose(report->json) == 0 && done;
    }
    if (!done)
        print_error(report->options->json, "the results could not be written");
    return done;
}
