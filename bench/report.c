/* report.c - the results as a table for people and as JSON lines for programs */
#include "report.h"

#include "machine.h"

#include <cjson/cJSON.h>
#include <err.h>
#include <string.h>

bool report_open(const struct options *options, const struct target *target, struct report *report)
{
    const struct spec *spec = &options->spec;
    const struct operation_info *operation = operation_of(spec->op);
    *report = (struct report){.options = options, .table = stdout};
    if (options->json && strcmp(options->json, "-") == 0) {
        report->json = stdout;
        report->table = stderr;
    } else if (options->json) {
        report->json = fopen(options->json, "w");
        if (!report->json) {
            warn("%s", options->json);
            return false;
        }
    }
    fprintf(report->table, "clsort %s on %s, algorithm %s, %s\n", clsort_version(), target->name,
            options->algorithm, options->host ? "host arrays" : "device buffers");
    if (target->group)
        fprintf(report->table, "group: %s\n", target->group_title);
    fprintf(report->table, "%s %s%s", spec->type->name, operation->title,
            spec->no_indexes ? " without indexes" : "");
    if (spec->value_size)
        fprintf(report->table, " with %s of %zu bytes",
                operation->has_indexes ? "indexes" : "values", spec->value_size);
    if (operation->has_segments)
        fprintf(report->table, ", lengths: %s", segments_dist_name(spec->segments));
    fprintf(report->table, "%s%s%s, %s, runs: %zu", spec->unstable ? ", unstable" : "",
            spec->no_scratch ? ", no scratch" : "", spec->input_order ? ", in input order" : "",
            data_dist_name(options->dist), options->runs);
    if (spec->count_share > 0)
        fprintf(report->table, ", counts in device memory: %zu %% of the maximum",
                spec->count_share);
    if (options->batch == 0)
        fprintf(report->table, ", batches: auto");
    else if (options->batch > 1)
        fprintf(report->table, ", batches of %zu", options->batch);
    fprintf(report->table, "; ratio: how many times faster clsort is, by medians\n\n");
    fprintf(report->table, "%-20s %-11s %11s", "who", "where", "n");
    if (operation->has_segments)
        fprintf(report->table, " %11s", "segments");
    if (operation->merges || operation->selects)
        fprintf(report->table, " %11s", operation->merges ? "second" : "k");
    fprintf(report->table, " %12s %12s %10s %8s%s\n", "median ms", "min ms", "Mkeys/s", "ratio",
            options->device_time ? "    device ms" : "");
    return true;
}

static bool write_line(FILE *file, const cJSON *object)
{
    char *line = object ? cJSON_PrintUnformatted(object) : NULL;
    if (line)
        fprintf(file, "%s\n", line);
    else
        warnx("out of memory");
    cJSON_free(line);
    return line;
}

/* Writes the line about the machine before the first result, so that a file without results is empty. */
static bool write_machine(struct report *report, const struct target *target)
{
    cJSON *object = report->has_machine ? NULL : machine_describe(target);
    report->has_machine = report->has_machine || write_line(report->json, object);
    cJSON_Delete(object);
    return report->has_machine;
}

/* Returns the number of elements that a contestant reads, in merges of both inputs. */
static size_t count_of(const struct job *job, const struct contestant *contestant)
{
    return contestant->peer->is_counted ? job->device_count : job->count;
}

static double mkeys(const struct job *job, const struct contestant *contestant)
{
    return (double)count_of(job, contestant) / contestant->median_s / 1e6;
}

/* The roofline of a sort: the bytes per key of its cost model, the rate that these allow at the
 * speed of copies, and the fraction of this rate that the sort reaches. */
struct roofline {
    double bytes_key, max_mkeys, fraction;
};

static bool has_roofline(const struct report *report, const struct contestant *contestant)
{
    return report->copy_bytes_s > 0 && contestant->cost_bytes > 0;
}

static struct roofline roofline_of(const struct report *report, const struct job *job,
                                   const struct contestant *contestant)
{
    const double bytes_key = (double)contestant->cost_bytes / (double)count_of(job, contestant);
    const double max_mkeys = report->copy_bytes_s / bytes_key / 1e6;
    return (struct roofline){bytes_key, max_mkeys, mkeys(job, contestant) / max_mkeys};
}

static void print_roofline(const struct report *report, const struct job *job,
                           const struct contestant *contestant)
{
    const struct roofline roofline = roofline_of(report, job, contestant);
    fprintf(report->table,
            "roofline: copies move %.1f GB/s; %s moves %.1f bytes a key: %.0f Mkeys/s at best, "
            "%.2g of it reached\n",
            report->copy_bytes_s / 1e9, contestant->algorithm, roofline.bytes_key,
            roofline.max_mkeys, roofline.fraction);
}

static bool add_roofline(const struct report *report, const struct job *job,
                         const struct contestant *contestant, cJSON *object)
{
    const struct roofline roofline = roofline_of(report, job, contestant);
    return cJSON_AddNumberToObject(object, "copy_gb_s", report->copy_bytes_s / 1e9) &&
           cJSON_AddNumberToObject(object, "model_bytes_key", roofline.bytes_key) &&
           cJSON_AddNumberToObject(object, "model_fraction", roofline.fraction);
}

/* Returns what sorts: "one core", or NULL for the OpenCL device. clsort_host sorts few elements in the
 * calling thread; its description then begins with "host". */
static const char *runs_on(const struct contestant *contestant)
{
    return strcmp(contestant->algorithm, "host") == 0 ? "one core" : contestant->peer->runs_on;
}

static void print_row(const struct report *report, const struct job *job,
                      const struct contestant *contestant, double clsort_s)
{
    const struct peer *peer = contestant->peer;
    const char *where = runs_on(contestant);
    fprintf(report->table, "%-20s %-11s %11zu", peer->name, where ? where : "device",
            count_of(job, contestant) - job->second_count);
    const struct operation_info *operation = operation_of(job->spec.op);
    if (operation->has_segments)
        fprintf(report->table, " %11zu", job->segment_count);
    if (operation->merges || operation->selects)
        fprintf(report->table, " %11zu", operation->merges ? job->second_count : job->k);
    fprintf(report->table, " %12.4f %12.4f %10.2f %8.2f", contestant->median_s * 1e3,
            contestant->min_s * 1e3, mkeys(job, contestant), contestant->median_s / clsort_s);
    if (contestant->device_runs > 0)
        fprintf(report->table, " %12.4f", contestant->device_median_s * 1e3);
    fprintf(report->table, "%s\n", contestant->verified ? "" : "  WRONG");
}

/* Adds a string, or null if text is NULL. */
static bool add_text(cJSON *object, const char *name, const char *text)
{
    return text ? cJSON_AddStringToObject(object, name, text) : cJSON_AddNullToObject(object, name);
}

static bool write_json(const struct report *report, const struct job *job,
                       const struct contestant *contestant)
{
    const struct peer *peer = contestant->peer;
    const struct spec *spec = &job->spec;
    const struct operation_info *operation = operation_of(spec->op);
    const char *where = runs_on(contestant);
    cJSON *object = cJSON_CreateObject();
    bool done =
        object && cJSON_AddStringToObject(object, "who", peer->name) &&
        cJSON_AddStringToObject(object, "op", operation->name) &&
        cJSON_AddStringToObject(object, "type", spec->type->name) &&
        cJSON_AddNumberToObject(object, "value_size", (double)spec->value_size) &&
        cJSON_AddNumberToObject(object, "n",
                                (double)(count_of(job, contestant) - job->second_count)) &&
        (!peer->is_counted || cJSON_AddNumberToObject(object, "max_n", (double)job->count)) &&
        (!operation->merges ||
         cJSON_AddNumberToObject(object, "second", (double)job->second_count)) &&
        (!operation->has_segments ||
         (cJSON_AddStringToObject(object, "segments", segments_dist_name(spec->segments)) &&
          cJSON_AddNumberToObject(object, "segment_length", (double)spec->segment_length) &&
          cJSON_AddNumberToObject(object, "segment_count", (double)job->segment_count))) &&
        (!operation->selects ||
         (cJSON_AddNumberToObject(object, "k", (double)job->k) &&
          cJSON_AddBoolToObject(object, "input_order", spec->input_order))) &&
        cJSON_AddStringToObject(object, "dist", data_dist_name(report->options->dist)) &&
        cJSON_AddStringToObject(object, "device", where ? where : job->target->name) &&
        add_text(object, "algorithm", contestant->algorithm[0] ? contestant->algorithm : NULL) &&
        add_text(object, "asked", contestant->requested) &&
        cJSON_AddBoolToObject(object, "unstable", spec->unstable) &&
        cJSON_AddBoolToObject(object, "no_scratch", spec->no_scratch) &&
        cJSON_AddBoolToObject(object, "host", report->options->host) &&
        cJSON_AddNumberToObject(object, "runs", (double)contestant->runs) &&
        cJSON_AddNumberToObject(object, "batch", (double)contestant->batch) &&
        cJSON_AddNumberToObject(object, "median_s", contestant->median_s) &&
        cJSON_AddNumberToObject(object, "min_s", contestant->min_s) &&
        cJSON_AddNumberToObject(object, "mkeys_s", mkeys(job, contestant)) &&
        (contestant->device_runs == 0 ||
         cJSON_AddNumberToObject(object, "device_median_s", contestant->device_median_s)) &&
        cJSON_AddBoolToObject(object, "verified", contestant->verified) &&
        (!contestant->suspect || cJSON_AddTrueToObject(object, "suspect")) &&
        (!has_roofline(report, contestant) || add_roofline(report, job, contestant, object));
    done = write_line(report->json, done ? object : NULL);
    cJSON_Delete(object);
    return done;
}

bool report_contest(struct report *report, const struct job *job,
                    const struct contestant *contestants, size_t count)
{
    if (report->json && !write_machine(report, job->target))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct contestant *contestant = &contestants[i];
        if (contestant->failed)
            continue;
        print_row(report, job, contestant, contestants[0].median_s);
        if (has_roofline(report, contestant))
            print_roofline(report, job, contestant);
        if (report->json && !write_json(report, job, contestant))
            return false;
    }
    /* Contests can take long. The result of each is therefore shown at once. */
    fflush(report->table);
    if (report->json)
        fflush(report->json);
    return true;
}

static bool flushed(FILE *file)
{
    return fflush(file) == 0 && !ferror(file);
}

bool report_close(struct report *report)
{
    bool done = flushed(report->table);
    if (report->json) {
        done = flushed(report->json) && done;
        if (report->json != stdout)
            done = fclose(report->json) == 0 && done;
    }
    if (!done)
        warnx("the results could not be written");
    return done;
}
