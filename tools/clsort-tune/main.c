/* main.c - clsort-tune: measures which algorithm is the fastest on a device */
#include "clock.h"
#include "command_line.h"
#include "ladder.h"
#include "measure.h"
#include "number.h"
#include "output.h"
#include "print.h"
#include "tune_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kinds in the order in which they are measured: the most common ones first. */
static const struct sort_kind KINDS[] = {
    {"keys 4", CLSORT_U32, 0},  {"pairs 4", CLSORT_U32, 4}, {"keys 8", CLSORT_U64, 0},
    {"pairs 8", CLSORT_U64, 8}, {"keys 2", CLSORT_U16, 0},  {"pairs 2", CLSORT_U16, 4},
    {"keys 1", CLSORT_U8, 0},   {"pairs 1", CLSORT_U8, 4},
};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, ALL_KINDS = (1 << KIND_COUNT) - 1 };

/* -- command line ------------------------------------------------------------------------------ */

struct options {
    const char *device;
    unsigned kinds;     /* to measure: bit i is that of KINDS[i]; 0: all */
    const char *output; /* NULL: the path where the library reads it */
    double seconds;
};

enum { KEY_DEVICE = 256, KEY_KIND }; /* options without a letter */

static const struct command_line_option table[] = {
    {"device", KEY_DEVICE, "DEVICE",
     "Measure this device: its index in clsort --list-devices, cpu, gpu, or a part of its name "
     "(default: the best)",
     NULL},
    {"kind", KEY_KIND, "KIND",
     "Measure only this kind of sorts: keys or pairs, followed by the bytes of a key, as in keys4. "
     "Can be given several times (default: all eight kinds)",
     NULL},
    {"output", 'o', "FILE",
     "Write to FILE instead of the place where the library reads it; - is standard output", NULL},
    {"time", 't', "SECONDS", "Take at most about this long (default: 300)", NULL},
    {NULL, 0, NULL, NULL, NULL},
};

static const char introduction[] =
    "Measure which of clsort's algorithms is the fastest on a device.\n\n"
    "Every algorithm sorts random keys of 1, 2, 4 and 8 bytes, without and with values, with "
    "growing counts. The results are written to a tune file, which the library reads whenever it "
    "uses the device.";

static void print_end(FILE *stream)
{
    fputs(
        "The file is PLATFORM.DEVICE.tune in $CLSORT_CONFIG_DIR, else in $XDG_CONFIG_HOME/clsort, "
        "else "
        "in ~/.config/clsort. Delete it to return to the measurements that clsort comes with.\n\n"
        "The first run spends much of its time on compilation; later runs load the compiled "
        "programs from the cache. With --kind, the other kinds keep their lines from the existing "
        "file, if that file is valid and --output is not given; otherwise they are left out.\n\n"
        "Environment:\n"
        "  CLSORT_DEVICE      the device if --device is not given\n"
        "  CLSORT_CACHE_DIR   the folder of compiled programs; if empty, none are kept\n"
        "  CLSORT_CONFIG_DIR  the folder of the tune file\n\n"
        "Exit status: 0 if the file is written, 2 after an error. It is an error, and no file is "
        "written, if the time does not suffice for all kinds that are to be measured; a message "
        "gives the time that is needed.",
        stream);
}

/* Returns whether text is the name of the kind without its blank. */
static bool is_kind(const struct sort_kind *kind, const char *text)
{
    const size_t length = strcspn(kind->name, " ");
    return strncmp(text, kind->name, length) == 0 &&
           strcmp(text + length, kind->name + length + 1) == 0;
}

static bool add_kind(const struct command_line *line, const char *argument)
{
    struct options *options = line->target;
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (is_kind(&KINDS[i], argument)) {
            options->kinds |= 1u << i;
            return true;
        }
    return command_line_error(line,
                              "--kind=%s: unknown kind; the kinds are keys1, keys2, keys4, keys8, "
                              "pairs1, pairs2, pairs4 and pairs8",
                              argument);
}

static bool parse_option(const struct command_line *line, int key, const char *argument)
{
    struct options *options = line->target;

    switch (key) {
    case KEY_DEVICE:
        options->device = argument;
        break;
    case KEY_KIND:
        return add_kind(line, argument);
    case 't':
        if (!number_parse_decimal(argument, &options->seconds) || !(options->seconds > 0))
            return command_line_error(line, "--time=%s: not a positive number of seconds",
                                      argument);
        break;
    case 'o':
        options->output = argument;
        break;
    }
    return true;
}

/* -- progress ---------------------------------------------------------------------------------- */

/* Start and maximum duration of the measurement. */
static double start, limit;

/* Prints the progress over the previous one, if standard error is a terminal. */
static void show_progress(const struct sort_kind *kind, unsigned power)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%3.0f s of %.0f s: %s, 2^%-2u ", clock_now() - start, limit, kind->name,
                power);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r                                        \r", stderr);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* Creates the folders of a path. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Returns the path of the tune file that the library reads; the caller frees it. Prints an error
 * and returns NULL if there is no folder for it. */
static char *find_file(const struct device *device)
{
    size_t size;
    char *path = NULL;
    if (clsort_tune_file(device->engine, 0, NULL, &size) == CLSORT_OK)
        path = malloc(size);
    if (path && clsort_tune_file(device->engine, size, path, NULL) == CLSORT_OK && *path) {
        make_folders(path);
        return path;
    }
    print_error("--output",
                "required, because there is no configuration folder; set "
                "CLSORT_CONFIG_DIR to use one");
    free(path);
    return NULL;
}

/* Measures a kind, and writes its line if the measurement is sufficient. */
static bool measure_and_write(const struct device *device, const struct sort_kind *kind,
                              struct deadlines deadlines, struct measurement *measurement,
                              FILE *stream)
{
    if (!measure_kind(device, kind, deadlines, show_progress, measurement))
        return false;
    end_progress();
    if (!measurement->is_sufficient)
        return true;
    fprintf(stderr, "%s: ", kind->name);
    ladder_print(measurement, stderr);
    fprintf(stderr, " (up to 2^%zu measured)\n", MIN_POWER + measurement->count_count - 1);
    tune_file_write(measurement, stream);
    return true;
}

/* needed: the seconds for the kinds begun so far. max: the maximum of one of them. missing: the number
 * of the others. */
static void print_shortage(double needed, double max, size_t missing)
{
    fprintf(stderr,
            "clsort-tune: %g s is too little: the measurement takes about %.0f s; set --time, or "
            "measure fewer kinds of sorts by --kind\n",
            limit, ceil(fmax(needed + max * (double)missing, 1.25 * limit)));
}

/* Measures the kinds of the set and writes their lines. Kinds need different times, so that each may
 * use all the time that is left until its measurement is sufficient, and its share of that after
 * it. Prints an error and returns false if the time does not suffice for all of them. Kinds that
 * are not in the set keep their lines of the earlier text, if there is one. */
static bool measure(const struct device *device, unsigned kinds, const char *earlier, FILE *stream)
{
    size_t missing = 0;
    double needed_s = 0, max_needed_s = 0;
    start = clock_now();
    for (size_t i = 0; i < KIND_COUNT; i++)
        missing += kinds >> i & 1;
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct measurement measurement;
        if (!(kinds >> i & 1)) {
            if (earlier)
                tune_file_copy(earlier, KINDS[i].name, stream);
            continue;
        }
        const double now = clock_now(), left = start + limit - now;
        const struct deadlines deadlines = {now + left / (double)missing, now + left};
        if (!measure_and_write(device, &KINDS[i], deadlines, &measurement, stream))
            return false;
        if (measurement.needed_s > 0)
            missing--;
        needed_s += measurement.needed_s;
        max_needed_s = measurement.needed_s > max_needed_s ? measurement.needed_s : max_needed_s;
        if (!measurement.is_sufficient) {
            print_shortage(needed_s, max_needed_s, missing);
            return false;
        }
    }
    return true;
}

/* Returns the text of the tune file; the caller frees it. kept: the path of an earlier file, or
 * NULL. Prints an error and returns NULL on failure. */
static char *make_text(const struct device *device, unsigned kinds, const char *kept, size_t *size)
{
    char *text = NULL;
    char *head = tune_file_head(device);
    FILE *stream = head ? open_memstream(&text, size) : NULL;
    bool done = stream != NULL;
    if (done) {
        char *earlier = kept ? tune_file_read(kept, head) : NULL;
        fputs(head, stream);
        done = measure(device, kinds, earlier, stream);
        free(earlier);
    } else {
        print_error("clsort-tune", "out of memory");
    }
    if (stream && fclose(stream) != 0)
        done = false;
    free(head);
    if (done)
        return text;
    free(text);
    return NULL;
}

static bool tune(const struct options *options, struct device *device, struct output *output)
{
    if (!device_open(device, options->device))
        return false;
    char *path = options->output ? strdup(options->output) : find_file(device);
    const unsigned kinds = options->kinds ? options->kinds : ALL_KINDS;
    char *text = NULL;
    size_t size = 0;
    limit = options->seconds;
    /* An earlier file with errors is not kept: the library ignores it. */
    const char *kept =
        !options->output && clsort_tune_file_error(device->engine, 0, NULL, &size) == CLSORT_OK &&
                size == 1
            ? path
            : NULL;
    /* The output is opened first, so that errors are found before the long measurement. */
    const bool done = path && output_open(output, path) &&
                      (text = make_text(device, kinds, kept, &size)) != NULL &&
                      output_write(output, text, size) && output_commit(output);
    if (done && !options->output)
        fprintf(stderr, "written to %s\n", path);
    free(text);
    output_discard(output);
    free(path);
    return done;
}

int main(int argc, char **argv)
{
    struct options options = {.seconds = 300};
    const struct command_line line = {
        .program = "clsort-tune",
        .version = clsort_version(),
        .introduction = introduction,
        .options = table,
        .repeatable = {KEY_KIND},
        .print_end = print_end,
        .parse = parse_option,
        .target = &options,
        .output = stdout,
        .messages = stderr,
    };
    struct device device = {.id = NULL};
    struct output output = {.fd = -1};
    int status;

    print_start("clsort-tune");
    if (!command_line_parse(&line, argc, argv, &status))
        return status;
    const bool done = tune(&options, &device, &output);
    device_close(&device);
    return done ? EXIT_SUCCESS : EXIT_ERROR;
}
