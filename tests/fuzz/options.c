/* options.c - fuzz target: the command line of clsort; each line of the input is an argument
 *
 * Accepted arguments must fulfil the contract of options.h. Parsing them again in the order to which they are permuted
 * must give the same options. */
#include "options.h"

#include "fuzz.h"
#include "print.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 32, MAX_BYTES = 4096 };

static bool names_argument(const char *text, char *const *argv)
{
    for (; *argv; argv++)
        if (text >= *argv && text <= *argv + strlen(*argv))
            return true;
    return false;
}

static void check(const struct options *options, char *const *argv)
{
    require(options->mode <= MODE_LIST_DEVICES && options->stats <= STATS_JSON &&
            options->progress <= PROGRESS_JSON);
    require(!options->quiet || options->progress == PROGRESS_NEVER);
    require(!(options->flags & ~(CLSORT_DESCENDING | CLSORT_FLOAT_NUMERIC)));
    require(!options->type || data_type_find(options->type->name) == options->type);
    require((options->input_count > 0) == (options->files0_from == NULL));
    for (size_t i = 0; i < options->input_count; i++)
        require(names_argument(options->inputs[i], argv) || strcmp(options->inputs[i], "-") == 0);
    require(options->batch_size != 1);
    require(!options->resume || (names_argument(options->resume, argv) && *options->resume &&
                                 options->folder_count == 0 &&
                                 (options->mode == MODE_SORT || options->mode == MODE_EXPLAIN)));
    require(!options->output || names_argument(options->output, argv));
    require(!options->device || names_argument(options->device, argv));
    const struct device_list *devices = &options->devices;
    require(devices->count <= CLSORT_MAX_GROUP &&
            (devices->is_given ? devices->is_all == (devices->count == 0) : devices->count == 0));
    require(!devices->is_given || (!options->device && options->mode == MODE_SORT));
    require(!options->algorithm || names_argument(options->algorithm, argv));
    require(!options->flatten || options->axis == -1);
    require(options->selection <= SELECTION_NTH &&
            (options->selection == SELECTION_NONE ||
             (options->mode <= MODE_EXPLAIN && options->mode != MODE_CHECK)));
    require(!options->sum || options->mode == MODE_CHECK || options->mode == MODE_SORT);
    require(options->compression < CODEC_COUNT && codec_is_available(options->compression));
    require(options->folder_count <= MAX_FOLDERS);
    for (size_t i = 0; i < options->folder_count; i++)
        require(names_argument(options->folders[i], argv));
    require(!options->argsort ||
            (options->mode != MODE_CHECK && options->mode != MODE_LIST_DEVICES));
    const struct fields *fields = &options->fields;
    require(fields->count <= CLSORT_MAX_COLUMNS &&
            (fields->has_names ? fields->count > 0 && fields->record_size == 0
                               : (fields->count == 0) == (fields->record_size == 0)));
    for (size_t i = 0; i < fields->count && !fields->has_names; i++) {
        const clsort_column *column = &fields->column[i];
        const size_t bytes =
            column->key == CLSORT_BYTES ? column->key_size : data_type_of(column->key)->size;
        require(bytes > 0 && bytes <= CLSORT_MAX_BYTES && bytes <= fields->record_size &&
                column->offset <= fields->record_size - bytes);
    }
    const struct custom *custom = &options->custom;
    require((custom->less == NULL) == (custom->type.size == 0));
    require(!custom->less || (names_argument(custom->less, argv) && !options->type &&
                              fields->count == 0 && !options->unique && options->flags == 0 &&
                              (options->mode == MODE_SORT || options->mode == MODE_EXPLAIN)));
    require(options->mode == MODE_SORT || (!options->output && options->stats == STATS_NONE));
}

static bool same(const struct options *a, const struct options *b)
{
    return a->mode == b->mode && a->input_count == b->input_count && a->output == b->output &&
           a->files0_from == b->files0_from && a->merge == b->merge &&
           a->batch_size == b->batch_size && a->type == b->type && a->flags == b->flags &&
           a->axis == b->axis && a->flatten == b->flatten && a->argsort == b->argsort &&
           a->selection == b->selection && a->k == b->k && a->device == b->device &&
           a->algorithm == b->algorithm && a->stats == b->stats && a->progress == b->progress &&
           a->sum == b->sum && a->warm_count == b->warm_count && a->buffer_size == b->buffer_size &&
           a->folder_count == b->folder_count && a->resume == b->resume &&
           a->no_verify == b->no_verify && a->compression == b->compression &&
           a->compress_sampled == b->compress_sampled && a->custom.less == b->custom.less &&
           a->custom.type.size == b->custom.type.size &&
           a->devices.is_given == b->devices.is_given && a->devices.count == b->devices.count &&
           a->fields.record_size == b->fields.record_size && a->fields.count == b->fields.count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *null_file;
    if (!null_file) {
        null_file = fopen("/dev/null", "w");
        require(null_file);
    }
    char text[MAX_BYTES], program[] = "clsort", *argv[MAX_ARGUMENTS + 1] = {program};
    int argc = 1, status = -1;
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *argument = text, *end; argument; argument = end) {
        if (argc == MAX_ARGUMENTS)
            return 0;
        end = strchr(argument, '\n');
        if (end)
            *end++ = '\0';
        argv[argc++] = argument;
    }
    argv[argc] = NULL;

    struct options first = {0}, second = {0};
    if (!options_parse(&first, argc, argv, null_file, null_file, &status)) {
        require(status == EXIT_SUCCESS || status == EXIT_ERROR);
        return 0;
    }
    check(&first, argv);
    require(options_parse(&second, argc, argv, null_file, null_file, &status));
    require(same(&first, &second));
    return 0;
}
