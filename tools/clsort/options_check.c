/* options_check.c - the combinations of options that clsort refuses */
#include "options_check.h"

#include "options.h"

#include <string.h>

#define OTHER_MODES "--check, --explain, --warm or --list-devices"

/* Checks combinations with --top, --bottom or --nth, one of which is given. */
static bool check_selection(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *name = selection_name(options->selection);

    if (options->mode == MODE_CHECK)
        return command_line_error(
            line, "--%s cannot be combined with --check, which checks all keys", name);
    if (options->mode == MODE_LIST_DEVICES || options->mode == MODE_WARM)
        return command_line_error(line,
                                  "--%s cannot be combined with --list-devices or --warm, which "
                                  "are about sorts",
                                  name);
    if (options->selection == SELECTION_TOP && options->flags & CLSORT_DESCENDING)
        return command_line_error(line,
                                  "--top cannot be combined with --reverse: the largest keys "
                                  "are in descending order anyway; use --bottom for the "
                                  "smallest");
    if (options->selection == SELECTION_BOTTOM && options->flags & CLSORT_DESCENDING)
        return command_line_error(line,
                                  "--bottom cannot be combined with --reverse: use --top for "
                                  "the largest keys, in descending order");
    if (options->selection == SELECTION_NTH && options->algorithm != NULL)
        return command_line_error(line,
                                  "--algorithm cannot be combined with --nth, which finds a "
                                  "key without a sort");
    return true;
}

/* Checks combinations with --rows or --segments. */
static bool check_segments(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *name = options->segments != NULL ? "segments" : "rows";

    if (options->segments == NULL && options->row_length == 0)
        return true;
    if (options->segments != NULL && options->row_length > 0)
        return command_line_error(line, "only one of --rows and --segments can be given");
    if (options->mode == MODE_LIST_DEVICES || options->mode == MODE_WARM)
        return command_line_error(line,
                                  "--%s cannot be combined with --list-devices or --warm, which "
                                  "read no keys",
                                  name);
    if (options->has_axis || options->flatten)
        return command_line_error(
            line, "--%s cannot be combined with --axis: both divide the array", name);
    if (options->segments == NULL)
        return true;
    if (options->algorithm != NULL)
        return command_line_error(line,
                                  "--segments cannot be combined with --algorithm, which names an "
                                  "algorithm for whole arrays and rows");
    if (strcmp(options->segments, "-") == 0 &&
        (options->input_count == 0 || options->reads_standard_input))
        return command_line_error(line, "--segments=-: standard input is that of the keys");
    return true;
}

/* Checks combinations with --unique, which flattens the array. */
static bool check_unique(const struct command_line *line)
{
    struct options *options = line->target;
    const char *other =
        options->mode == MODE_CHECK            ? "check, which reports keys out of order only"
        : options->mode == MODE_LIST_DEVICES   ? "list-devices, which reads no keys"
        : options->mode == MODE_WARM           ? "warm, which reads no keys"
        : options->argsort                     ? "argsort: indexes are never equal"
        : options->selection != SELECTION_NONE ? "top, --bottom and --nth, which count repeats"
        : options->segments != NULL            ? "segments, each of which would keep other keys"
        : options->row_length > 0              ? "rows, which would have different lengths"
        : options->has_axis                    ? "axis: the rows would have different lengths"
                                               : NULL;

    if (!options->unique)
        return true;
    if (other != NULL)
        return command_line_error(line, "--unique cannot be combined with --%s", other);
    options->flatten = true;
    return true;
}

/* Checks combinations with --record and --key. */
static bool check_records(const struct command_line *line)
{
    struct options *options = line->target;
    const char *other =
        options->mode == MODE_LIST_DEVICES     ? "list-devices, which reads no records"
        : options->mode == MODE_WARM           ? "warm, which compiles programs for keys"
        : options->selection != SELECTION_NONE ? "top, --bottom or --nth, which select keys"
        : options->segments != NULL            ? "segments, which have keys"
        : options->row_length > 0              ? "rows, which have keys"
        : options->has_axis                    ? "axis: a file of records has no axes"
        : options->flags & CLSORT_DESCENDING ? "reverse; --key gives each field a direction, as in "
                                               "0:u32:r"
        : options->flags & CLSORT_FLOAT_NUMERIC
            ? "numeric; --key gives each field an order, as in 0:f32:n"
        : options->algorithm != NULL ? "algorithm: sorts by fields have an algorithm of their own"
                                     : NULL;

    if (options->fields.record_size == 0 && options->fields.count == 0)
        return true;
    if (other != NULL)
        return command_line_error(line, "--record and --key cannot be combined with --%s", other);
    return fields_complete(line, options->type, &options->fields);
}

/* Checks combinations with --less and --key-size. */
static bool check_less(const struct command_line *line)
{
    const struct options *options = line->target;
    const struct custom *custom = &options->custom;
    const char *other =
        options->mode == MODE_CHECK
            ? "check: the host, which checks the order, cannot evaluate the "
              "expression; sort the file, and compare the result by cmp"
        : options->mode == MODE_LIST_DEVICES ? "list-devices, which reads no elements"
        : options->mode == MODE_WARM         ? "warm, which compiles programs for keys"
        : options->type != NULL              ? "type: the expression names the types"
        : options->fields.count > 0 || options->fields.record_size > 0
            ? "record and --key, which define another order"
        : options->selection != SELECTION_NONE ? "top, --bottom or --nth, which select keys"
        : options->unique ? "unique: the host, which drops repeats, cannot evaluate the expression"
        : options->segments != NULL             ? "segments, which have keys"
        : options->row_length > 0               ? "rows, which have keys"
        : options->has_axis                     ? "axis: a raw file has no axes"
        : options->flags & CLSORT_DESCENDING    ? "reverse: exchange a and b in the expression"
        : options->flags & CLSORT_FLOAT_NUMERIC ? "numeric: the expression defines the order"
                                                : NULL;

    if (custom->less == NULL && custom->type.size == 0)
        return true;
    if (custom->type.size == 0)
        return command_line_error(line,
                                  "--less requires --key-size, the size of an element in "
                                  "bytes");
    if (custom->less == NULL)
        return command_line_error(line,
                                  "--key-size requires --less, the order of the elements; "
                                  "--record sorts by fields");
    if (custom->less[strspn(custom->less, " \t\r\n")] == '\0')
        return command_line_error(line,
                                  "--less: the expression is blank; it says when element a "
                                  "precedes b, as a.u32[0] < b.u32[0] does");
    if (other != NULL)
        return command_line_error(line, "--less cannot be combined with --%s", other);
    return true;
}

/* Checks combinations with --merge or several inputs. */
static bool check_inputs(const struct command_line *line)
{
    const struct options *options = line->target;
    const bool has_several = options->input_count > 1 || options->files0_from != NULL;
    const char *other = options->mode == MODE_CHECK ? "--check, which checks one file"
                        : options->selection != SELECTION_NONE
                            ? "--top, --bottom or --nth, which select from one file"
                        : options->argsort          ? "--argsort, whose indexes refer to one file"
                        : options->segments != NULL ? "--segments, which divide one file"
                        : options->row_length > 0   ? "--rows, which divide one file"
                        : options->has_axis         ? "--axis, which names an axis of one file"
                                                    : NULL;

    if (options->files0_from != NULL && options->input_count > 0)
        return command_line_error(
            line, "--files0-from cannot be combined with INPUT: the file has all names");
    if ((options->merge || has_several) && other != NULL)
        return command_line_error(line, "%s cannot be combined with %s",
                                  options->merge ? "--merge" : "several inputs", other);
    return true;
}

/* Checks combinations with --devices. */
static bool check_devices(const struct command_line *line)
{
    const struct options *options = line->target;
    const char *other = options->device != NULL      ? "--device, which names one device"
                        : options->mode != MODE_SORT ? OTHER_MODES
                        : options->selection != SELECTION_NONE
                            ? "--top, --bottom or --nth, which use one device"
                        : options->segments != NULL ? "--segments, which one device sorts"
                        : options->row_length > 0   ? "--rows, which one device sorts"
                        : options->has_axis ? "--axis: one device sorts the rows of an array"
                        : options->merge    ? "--merge, which one device does"
                        : options->input_count > 1 || options->files0_from != NULL
                            ? "several inputs, which one device sorts"
                            : NULL;

    return !options->devices.is_given || other == NULL ||
           command_line_error(line, "--devices cannot be combined with %s", other);
}

/* Checks combinations with --resume. */
static bool check_resume(const struct command_line *line)
{
    const struct options *options = line->target;

    if (options->resume == NULL)
        return true;
    if (*options->resume == '\0')
        return command_line_error(line, "--resume: the name of the folder is empty");
    if (options->mode != MODE_SORT && options->mode != MODE_EXPLAIN)
        return command_line_error(
            line,
            "--resume cannot be combined with --check, --warm or --list-devices, which "
            "write no temporary files");
    if (options->no_verify)
        return command_line_error(line,
                                  "--resume cannot be combined with --no-verify: the files "
                                  "of an interrupted sort are verified with the output");
    if (options->folder_count > 0)
        return command_line_error(line,
                                  "--resume cannot be combined with --temporary-directory: the "
                                  "temporary files are in its folder");
    return true;
}

bool options_check(const struct command_line *line)
{
    struct options *options = line->target;

    if (options->quiet && options->has_progress && options->progress != PROGRESS_NEVER)
        return command_line_error(line, "--quiet cannot be combined with --progress");
    if (options->quiet)
        options->progress = PROGRESS_NEVER;
    if (options->sum && options->mode != MODE_CHECK && options->mode != MODE_SORT)
        return command_line_error(line,
                                  "--sum cannot be combined with --explain, --warm or "
                                  "--list-devices, which read no keys");
    const bool has_input = options->input_count > 0 || options->files0_from != NULL;
    if (options->mode == MODE_WARM && (has_input || options->type != NULL))
        return command_line_error(
            line, "--warm cannot be combined with INPUT or --type: it names the types");
    if (options->mode == MODE_LIST_DEVICES && (has_input || options->device != NULL))
        return command_line_error(
            line, "--list-devices cannot be combined with INPUT or --device: it lists all devices");
    if (options->argsort && options->mode == MODE_CHECK)
        return command_line_error(
            line, "--argsort cannot be combined with --check, which checks keys, not indexes");
    if (options->argsort && options->mode == MODE_LIST_DEVICES)
        return command_line_error(
            line, "--argsort cannot be combined with --list-devices, which tests all sorts");
    if (!check_less(line) || (options->selection != SELECTION_NONE && !check_selection(line)) ||
        !check_segments(line) || !check_unique(line) || !check_records(line) ||
        !check_inputs(line) || !check_devices(line) || !check_resume(line))
        return false;
    for (size_t i = 0; i < options->warm_count; i++)
        if (options->argsort && options->warm_sorts[i].value_size > 0)
            return command_line_error(
                line,
                "--argsort cannot be combined with --warm=%s:%zu, since its values are the indexes",
                options->warm_sorts[i].type->name, options->warm_sorts[i].value_size);
    if (options->mode == MODE_SORT)
        return true;
    if (options->output != NULL)
        return command_line_error(line, "--output cannot be combined with " OTHER_MODES);
    if (options->stats != STATS_NONE)
        return command_line_error(line, "--stats cannot be combined with " OTHER_MODES);
    return true;
}
