/* job.h - the state of one run of clsort */
#ifndef CLSORT_TOOLS_JOB_H
#define CLSORT_TOOLS_JOB_H

#include "device_order.h"
#include "external.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "pieces.h"
#include "resume.h"
#include "rows.h"
#include "segments.h"

#include <clsort.h>

/* The inputs of a run, if there are several or they are merged; input is the first one. */
struct inputs {
    bool is_list; /* there are several, or they are merged */
    char *const *names;
    size_t count;
    struct input *others; /* after the first one */
    size_t opened;        /* of others */
    struct external_input *sources;
    char **own_names; /* of --files0-from */
    char *text;
};

/* --argsort of a file that is sorted externally: records of the columns that are ordered and the index, or words. */
struct indexed {
    size_t size;    /* of a record in bytes; 0 if indexes are not sorted this way */
    bool is_packed; /* a record is a u64: the order of the key in its upper half, and the index */
    size_t index_offset, index_size;
    struct fields columns; /* of these records */
};

/* The state of one run. */
struct job {
    struct options options;
    struct input input;
    struct inputs inputs;
    struct npy_records records; /* of a .npy file, if --key names fields */
    struct output output;
    struct device device;
    clsort_desc desc;
    char prelude[CUSTOM_PRELUDE_SIZE]; /* --less: that of desc */
    size_t count;
    struct rows rows;
    struct segments segments;
    struct pieces pieces; /* of each row */
    void *indexes;        /* --argsort: one for each key, in the shape of the array; else NULL */
    size_t indexes_size;  /* in bytes */
    void *selected;       /* --top, --bottom, --nth: the keys or indexes of the output */
    size_t selected_size; /* in bytes */
    size_t unique_count;  /* --unique: number of keys of the output */
    struct external_request request;   /* if the file is sorted externally */
    struct device_order *device_order; /* --less, if it is; else NULL */
    struct external_plan external;
    struct indexed indexed;
    struct resume resume; /* --resume */
    bool is_stream;       /* the rest of the input is read while it is sorted */
    uint64_t checksum;    /* --sum: of the input */
    bool in_limits;       /* the address space is limited */
    bool is_short;        /* of memory: not even the smallest pieces fit */
    char *plan;           /* describes the sort; NULL: not needed */
};

/* Prints an error of the library. */
void job_print_status(const struct job *job, clsort_status status);

/* Describes the sort by the type of the open input and the options. Prints an error and returns false on failure. */
bool job_describe(struct job *job);

/* Divides the array of the counted input by --rows, if it is given. Prints an error and returns false on failure. */
bool job_divide_into_rows(struct job *job);

/* Reads the elements of the open input, or only counts them, and divides them into rows and segments. Prints an
 * error and returns false on failure. */
bool job_read_input(struct job *job);

/* Allocates the indexes of --argsort for the elements. Prints an error and returns false on failure. */
bool job_allocate_indexes(struct job *job);
void job_free_indexes(struct job *job);

#endif
