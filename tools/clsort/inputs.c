/* inputs.c - the input files of a run */
#include "inputs.h"

#include "print.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    FIRST_CAPACITY = 4096, /* bytes of names */
    FILES_PER_INPUT = 2,   /* a merge opens each input again */
    OTHER_FILES = 64
};

/* Returns whether a text cannot be a list of names, because a name in it is empty or longer than PATH_MAX. */
static bool is_no_list(const char *text, size_t size)
{
    const char *at = text;

    while (at < text + size) {
        const char *end = memchr(at, '\0', size - (size_t)(at - text));
        const size_t length = (size_t)((end != NULL ? end : text + size) - at);

        if (end == at || length > PATH_MAX)
            return true;
        at += length + 1;
    }
    return false;
}

/* Reads a file of names, and ends the text with a NUL byte. Stops early if it cannot be a list of names. Returns NULL
 * after an error. */
static char *read_text(int fd, const char *name, size_t *size)
{
    size_t capacity = FIRST_CAPACITY;
    char *text = malloc(capacity + 1);

    for (*size = 0; text != NULL;) {
        if (*size == capacity) {
            if (is_no_list(text, *size)) { /* the caller then finds the name that is wrong */
                text[*size] = '\0';
                return text;
            }
            char *larger = realloc(text, 2 * capacity + 1);

            if (larger == NULL)
                break;
            text = larger;
            capacity *= 2;
        }
        const ssize_t got = read(fd, text + *size, capacity - *size);
        if (got == 0) {
            text[*size] = '\0';
            return text;
        }
        if (got > 0)
            *size += (size_t)got;
        else if (errno != EINTR)
            break;
    }
    print_errno(name);
    free(text);
    return NULL;
}

/* Divides a text into names. The last NUL byte may be missing, as in GNU sort. */
static bool divide(struct inputs *inputs, const char *file, size_t size)
{
    const char *const end = inputs->text + size;
    size_t count = 0;

    for (const char *name = inputs->text; name < end; name += strlen(name) + 1)
        count++;
    if (count == 0) {
        print_error(file, "--files0-from: the file lists no names");
        return false;
    }
    inputs->own_names = calloc(count, sizeof *inputs->own_names);
    if (inputs->own_names == NULL) {
        print_errno(file);
        return false;
    }
    for (char *name = inputs->text; name < end; name += strlen(name) + 1) {
        if (*name == '\0') {
            print_error(file, "--files0-from: name %zu is empty", inputs->count + 1);
            return false;
        }
        inputs->own_names[inputs->count++] = name;
    }
    inputs->names = inputs->own_names;
    return true;
}

static bool read_names(struct inputs *inputs, const char *name)
{
    const bool is_standard = strcmp(name, "-") == 0;
    const int fd = is_standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    size_t size;

    if (fd < 0) {
        print_errno(name);
        return false;
    }
    inputs->text = read_text(fd, name, &size);
    if (!is_standard)
        close(fd);
    return inputs->text != NULL && divide(inputs, name, size);
}

/* Raises the limit on open files as far as the inputs need and the system allows. */
static void allow_files(size_t count)
{
    const rlim_t needed = FILES_PER_INPUT * (rlim_t)count + OTHER_FILES;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return;
    limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Determines the names of the inputs: operands, or what the file of --files0-from lists. */
static bool list(struct job *job)
{
    const struct options *options = &job->options;
    struct inputs *inputs = &job->inputs;

    inputs->names = options->inputs;
    inputs->count = options->input_count;
    if (options->files0_from != NULL) {
        inputs->count = 0;
        if (!read_names(inputs, options->files0_from))
            return false;
    }
    inputs->is_list = inputs->count > 1 || options->merge;
    if (inputs->is_list)
        allow_files(inputs->count);
    inputs->others = calloc(inputs->count, sizeof *inputs->others);
    inputs->sources = calloc(inputs->count, sizeof *inputs->sources);
    if (inputs->others != NULL && inputs->sources != NULL)
        return true;
    print_error(inputs->names[0], "out of memory");
    return false;
}

/* Checks that an input can be one of several. */
static bool check(const struct input *input, const struct input *first)
{
    if (input->remaining == 0 && (input->size > 0 || input->header != NULL)) {
        print_error(input->name,
                    "this is no file, but a pipe or a device, which can only be the sole input, "
                    "without --merge; write it to a file first");
        return false;
    }
    if (input->array.dimensions > 1) {
        print_error(input->name,
                    "several inputs must be arrays of one dimension; --axis=none "
                    "flattens them");
        return false;
    }
    if ((input->header != NULL) != (first->header != NULL)) {
        print_error(input->name, "%s, but %s is %s", input->header != NULL ? "a .npy file" : "raw",
                    first->name, first->header != NULL ? "a .npy file" : "raw");
        return false;
    }
    if (input->header != NULL && strcmp(input->array.descr, first->array.descr) != 0) {
        print_error(input->name, "the type of the array is %s, but that of %s is %s",
                    input->array.descr, first->name, first->array.descr);
        return false;
    }
    return true;
}

/* Checks that the output is not written directly to this input. */
static bool is_separate(const struct job *job, const struct input *input)
{
    if (!output_is_file(&job->output, input->fd))
        return true;
    print_error(input->name, "the input file is also %s; use --output to sort a file in place",
                job->output.name);
    return false;
}

/* Opens the inputs after the first one, which is open, and checks that all have elements of the same type. */
static bool open_others(struct job *job, const struct data_type *type, bool force)
{
    struct inputs *inputs = &job->inputs;

    if (!inputs->is_list)
        return true;
    if (job->options.fields.has_names) {
        print_error(job->input.name,
                    "--key names fields of one .npy file; give --record and offsets "
                    "for several raw files");
        return false;
    }
    if (!check(&job->input, &job->input))
        return false;
    for (size_t i = 1; i < inputs->count; i++) {
        struct input *input = &inputs->others[inputs->opened];

        const bool is_open = input_open(input, inputs->names[i]);
        inputs->opened++;
        if (!is_open || !is_separate(job, input) || !input_begin(input, type, force))
            return false;
        if (job->options.flatten)
            npy_flatten(&input->array);
        if (!check(input, &job->input))
            return false;
        input_release(input);
    }
    return true;
}

/* Checks that the output is not written directly to the input, which a shell truncates first, and
 * that indexes do not replace the keys to which they refer. */
static bool is_first_separate(const struct job *job)
{
    const bool selects = job->options.selection != SELECTION_NONE;
    const bool loses_keys = job->options.argsort || selects;
    const bool is_same = output_is_file(&job->output, job->input.fd);
    const bool is_lost = loses_keys && output_replaces_file(&job->output, job->input.fd);

    if (!is_lost && !(is_same && loses_keys))
        return is_separate(job, &job->input);
    print_error(job->input.name, "the input file is also %s, and %s; write to another file",
                is_lost ? "that of --output" : job->output.name,
                job->options.argsort ? "the indexes would replace the keys to which they refer"
                                     : "the keys that are not selected would be lost");
    return false;
}

/* Checks that the indexes of --axis=none count the elements as NumPy does, in C order. */
static bool is_order_supported(const struct job *job)
{
    const struct npy_array *array = &job->input.array;

    if (!job->options.argsort || !job->options.flatten || npy_is_c_order(array))
        return true;
    print_error(job->input.name,
                "the array is in Fortran order, but --argsort with --axis=none supports C order "
                "only; save a copy that numpy.ascontiguousarray returns");
    return false;
}

bool inputs_open(struct job *job)
{
    const struct options *options = &job->options;
    struct npy_array *array = &job->input.array;
    const struct data_type *type = options->fields.count > 0      ? &options->fields.type
                                   : options->custom.less != NULL ? &options->custom.type
                                                                  : options->type;
    const bool force = options->force || type != options->type; /* records may be text */

    if (!list(job) || !input_open(&job->input, job->inputs.names[0]) || !is_first_separate(job) ||
        !(options->fields.has_names
              ? input_begin_records(&job->input, &job->records) &&
                    fields_find(job->input.name, &job->records, &job->options.fields)
              : input_begin(&job->input, type, force)) ||
        !job_describe(job))
        return false;
    if (options->has_axis && job->input.header == NULL) {
        print_error(job->input.name, "--axis=%d requires a .npy file: raw files have no axes",
                    options->axis);
        return false;
    }
    if (!is_order_supported(job))
        return false;
    if (options->row_length > 0 && !npy_is_c_order(array)) {
        print_error(job->input.name,
                    "the array is in Fortran order, but --rows supports C order only; save a copy "
                    "that numpy.ascontiguousarray returns");
        return false;
    }
    if (options->flatten || options->row_length > 0) /* divided when the keys are counted */
        npy_flatten(array);
    if (rows_axis_exists(array, options->axis))
        return open_others(job, type, force);
    print_error(job->input.name,
                "axis %d is out of bounds: the number of dimensions is %u; --axis=none flattens "
                "the array",
                options->axis, array->dimensions);
    return false;
}

bool inputs_count(struct job *job)
{
    struct inputs *inputs = &job->inputs;

    job->count = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        struct input *input = i == 0 ? &job->input : &inputs->others[i - 1];
        size_t count;

        if (!input_count(input, &count))
            return false;
        inputs->sources[i] = (struct external_input){
            .name = input->name,
            .fd = input->fd,
            .offset = input->start + input->header_size,
            .count = count,
        };
        job->count += count;
    }
    return true;
}

size_t inputs_filled(const struct job *job)
{
    size_t filled = 0;

    for (size_t i = 0; i < job->inputs.count; i++)
        filled += job->inputs.sources[i].count > 0;
    return filled;
}

void inputs_close(struct job *job)
{
    struct inputs *inputs = &job->inputs;

    for (size_t i = 0; i < inputs->opened; i++)
        input_close(&inputs->others[i]);
    free(inputs->others);
    free(inputs->sources);
    free(inputs->own_names);
    free(inputs->text);
    *inputs = (struct inputs){.names = NULL};
}
