/* main.c - clsort-tune: measures which algorithm is the fastest, for the library to choose by */
#include "output.h"
#include "race.h"
#include "record.h"
#include "say.h"
#include "steps.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Those first that most people sort. */
static const struct race_kind KINDS[] = {
    {"keys 4", CLSORT_U32, 0},  {"pairs 4", CLSORT_U32, 4}, {"keys 8", CLSORT_U64, 0},
    {"pairs 8", CLSORT_U64, 8}, {"keys 2", CLSORT_U16, 0},  {"pairs 2", CLSORT_U16, 4},
    {"keys 1", CLSORT_U8, 0},   {"pairs 1", CLSORT_U8, 4},
};

enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

/* -- command line ---------------------------------------------------------------------------------- */

struct options {
    const char *device;
    const char *output; /* NULL: where the library looks for it */
    double seconds;
};

enum { KEY_DEVICE = 256 }; /* options without a letter */

static const struct argp_option table[] = {
    {"device", KEY_DEVICE, "DEVICE", 0,
     "Measure this device: its index in clsort --list-devices, cpu, gpu, or a part of its name "
     "(default: the best)",
     0},
    {"time", 't', "SECONDS", 0, "Take at most about so long (default: 60)", 0},
    {"output", 'o', "FILE", 0,
     "Write to FILE, - being standard output, instead of where the library looks for it", 0},
    {0},
};

static const char introduction[] =
    "Measure which of clsort's algorithms is the fastest on a device.\n\n"
    "For keys of 2, 4 and 8 bytes, alone and with values, and for growing counts, every "
    "algorithm sorts "
    "random data. What is found goes to a small text file, which clsort reads whenever it is used "
    "on this "
    "device.\v"
    "The file is PLATFORM.DEVICE.tune in $CLSORT_CONFIG_DIR, else in $XDG_CONFIG_HOME/clsort, else "
    "in "
    "~/.config/clsort. Remove it to go back to clsort's own figures. The first time, compiling "
    "takes its share of "
    "the time; what was not measured then is measured when the tool is run again, and what was "
    "stays.\n\n"
    "Environment:\n"
    "  CLSORT_DEVICE      the device when --device is not given\n"
    "  CLSORT_CONFIG_DIR  the folder of the file\n\n"
    "Exit status: 0 when the file is written, 2 in trouble.";

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    char *end;

    switch (key) {
    case KEY_DEVICE:
        options->device = argument;
        break;
    case 't':
        options->seconds = strtod(argument, &end);
        if (end == argument || *end != '\0' || !(options->seconds > 0) || isinf(options->seconds))
            argp_error(state, "--time=%s: no time in seconds", argument);
        break;
    case 'o':
        if (*argument == '\0')
            argp_error(state, "--output: no file");
        options->output = argument;
        break;
    default: /* operands too */
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_version(FILE *stream, struct argp_state *state)
{
    (void)state;
    fprintf(stream, "clsort-tune %s\n", clsort_version());
}

/* -- progress -------------------------------------------------------------------------------------- */

static double start, limit;

/* On a terminal, one line that is written over. */
static void show_progress(const struct race_kind *kind, unsigned power)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%3.0f s of %.0f s: %s, 2^%-2u ", race_now() - start, limit, kind->name,
                power);
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r                                        \r", stderr);
}

/* -- the file -------------------------------------------------------------------------------------- */

/* Makes the folders that a path lies in. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* The name of the file that the library reads, to be freed. NULL, reported, when there is none. */
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
    say_trouble("--output", "has to be given: there is no folder for a file of this device");
    free(path);
    return NULL;
}

/* Measures all kinds; of those for which there is too little time, what an earlier file says is kept. Each may
 * take half of the time that is left: the first ones compile the most. */
static bool measure(const struct device *device, const char *earlier, FILE *stream)
{
    start = race_now();
    for (size_t i = 0; i < KIND_COUNT; i++) {
        struct race race;
        const double now = race_now(), left = start + limit - now;
        const double share = i + 1 < KIND_COUNT ? left / 2 : left;
        if (!race_run(device, &KINDS[i], now + share, show_progress, &race))
            return false;
        end_progress();
        if (race.is_enough) {
            fprintf(stderr, "%s: ", race.kind->name);
            steps_print(&race, stderr);
            fprintf(stderr, " (up to 2^%zu measured)\n", RACE_LEAST + race.sizes - 1);
            record_write(&race, stream);
        } else {
            say_trouble(race.kind->name, "not measured: there was too little time");
            if (earlier)
                record_keep(earlier, race.kind->name, stream);
        }
    }
    return true;
}

/* What goes to the file, to be freed. NULL: in trouble, which is reported. */
static char *make_text(const struct device *device, const char *kept, size_t *size)
{
    char *text = NULL;
    char *head = record_head(device);
    FILE *stream = head ? open_memstream(&text, size) : NULL;
    bool done = stream != NULL;
    if (done) {
        char *earlier = kept ? record_earlier(kept, head) : NULL;
        fputs(head, stream);
        done = measure(device, earlier, stream);
        free(earlier);
    } else {
        say_trouble("clsort-tune", "out of memory");
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
    char *text = NULL;
    size_t size = 0;
    limit = options->seconds;
    /* What the library takes nothing from is not kept either. */
    const char *kept = !options->output &&
                               clsort_engine_log(device->engine, 0, NULL, &size) == CLSORT_OK &&
                               size == 1
                           ? path
                           : NULL;
    /* What can go wrong is tried before the long work. */
    const bool done = path && output_open(output, path) &&
                      (text = make_text(device, kept, &size)) != NULL &&
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
    static const struct argp parser = {
        .options = table, .parser = parse_option, .doc = introduction};
    struct options options = {.seconds = 60};
    struct device device = {NULL, NULL, NULL};
    struct output output = {.fd = -1};

    say_guard_streams();
    argp_err_exit_status = SAY_TROUBLE;
    argp_program_version_hook = print_version;
    argp_parse(&parser, argc, argv, 0, NULL, &options);
    const bool done = tune(&options, &device, &output);
    device_close(&device);
    return done ? EXIT_SUCCESS : SAY_TROUBLE;
}
