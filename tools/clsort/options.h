/* options.h - the command line of clsort */
#ifndef CLSORT_TOOLS_OPTIONS_H
#define CLSORT_TOOLS_OPTIONS_H

#include "codec.h"
#include "custom.h"
#include "device_list.h"
#include "fields.h"
#include "progress.h"

#include <stdio.h>

enum mode { MODE_SORT, MODE_CHECK, MODE_EXPLAIN, MODE_WARM, MODE_LIST_DEVICES };
enum selection { SELECTION_NONE, SELECTION_TOP, SELECTION_BOTTOM, SELECTION_NTH };
enum stats_form { STATS_NONE, STATS_TEXT, STATS_JSON };

enum { MAX_WARM_SORTS = 32, MAX_FOLDERS = 16 };

/* An argument of --warm. */
struct warm_sort {
    const struct data_type *type;
    size_t value_size;
};

struct options_program;

struct options {
    const struct options_program *program;
    enum mode mode;
    char *const *inputs;          /* names; "-": standard input */
    size_t input_count;           /* at least 1, unless files0_from is given */
    const char *files0_from;      /* the file of the names of the inputs; NULL: not given */
    bool reads_standard_input;    /* one of the inputs is named - */
    bool merge;                   /* the inputs are in order */
    const char *output;           /* NULL: standard output */
    const struct data_type *type; /* NULL: not given */
    uint32_t flags;               /* CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC */
    int axis;                     /* negative: counted from the last axis, -1 */
    bool has_axis;                /* --axis is given, and is not none */
    bool flatten;                 /* the array becomes one-dimensional; axis is -1 */
    uint64_t row_length;          /* of --rows; 0: not given */
    struct fields fields;         /* of --record; each has a type once the options are parsed */
    struct custom custom;         /* --less and --key-size: both are given, or none */
    const char *segments;         /* the file of offsets, possibly behind u32: NULL: not given */
    bool argsort;                 /* output the permutation that sorts */
    bool unique;                  /* drop repeats; flatten is set, too */
    enum selection selection;     /* output only some of the elements of a row */
    uint64_t k;                   /* their number; SELECTION_NTH: the element, from 0 */
    const char *device;           /* NULL: $CLSORT_DEVICE, else the best */
    struct device_list devices;   /* --devices */
    const char *algorithm;        /* NULL: the library chooses */
    enum stats_form stats;
    uint64_t buffer_size; /* --buffer-size in bytes; 0: not given */
    uint64_t batch_size;  /* maximum number of runs that are merged at a time; 0: not given */
    size_t folder_count;
    const char *folders[MAX_FOLDERS]; /* --temporary-directory */
    const char *resume;               /* the folder of --resume; NULL: not given */
    enum codec_method compression;    /* of temporary files */
    bool compress_sampled;            /* --compress=auto: if samples get clearly smaller */
    bool no_verify;                   /* do not check the output of an external sort */
    bool sum;                         /* print count and checksum */
    bool force;                       /* sort text and archives, and write to terminals */
    enum progress_when progress;      /* PROGRESS_NEVER with --quiet */
    bool has_progress;                /* --progress is given */
    bool quiet;
    size_t warm_count;
    struct warm_sort warm_sorts[MAX_WARM_SORTS];
};

/* Returns the name of the option without its hyphens. */
const char *selection_name(enum selection selection);

/* Returns the value of --device, or the index of the first device of --devices. */
const char *options_device(const struct options *options);

/* Parses the command line, as command_line_parse, which explains the result and *status. --help is
 * printed to output, and errors to messages. The options point into argv. */
bool options_parse(struct options *options, int argc, char **argv, FILE *output, FILE *messages,
                   int *status);

#endif
