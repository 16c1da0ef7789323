/* large_resume.c - which sort clsort --resume continues, and in how much memory */
#include "large_resume.h"

#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A part of the memory is left out of the plan, since a later attempt, which has the same plan, may have somewhat less.
 */
enum { SLACK = 8 };

/* Lines that describe a sort; NULL: memory has run out. */
struct text {
    char *data;
    size_t size;
};

/* Appends a line. Characters of the value that are not printable, and backslashes, become \xHH. */
static void add(struct text *text, const char *name, const char *value)
{
    const size_t name_size = strlen(name);
    char *larger = realloc(text->data, text->size + name_size + 4 * strlen(value) + 3);

    if (larger == NULL)
        free(text->data);
    text->data = larger;
    if (larger == NULL)
        return;
    char *at = larger + text->size;
    memcpy(at, name, name_size);
    at += name_size;
    *at++ = ' ';
    for (; *value != '\0'; value++) {
        if (*value >= ' ' && *value <= '~' && *value != '\\')
            *at++ = *value;
        else
            at += snprintf(at, 5, "\\x%02x", (unsigned char)*value);
    }
    *at++ = '\n';
    *at = '\0';
    text->size = (size_t)(at - larger);
}

static void add_number(struct text *text, const char *name, uint64_t value)
{
    char number[24];

    snprintf(number, sizeof number, "%" PRIu64, value);
    add(text, name, number);
}

static void add_flag(struct text *text, const char *name, bool value)
{
    add(text, name, value ? "yes" : "no");
}

/* Returns a description of what the runs and the output depend on, which the caller frees; NULL: out of memory. */
static char *describe(const struct job *job)
{
    const struct options *options = &job->options;
    const struct fields *fields = &options->fields;
    struct text text = {NULL, 0};

    add(&text, "type", job->input.type->name);
    add_number(&text, "size", job->input.type->size);
    for (size_t i = 0; i < fields->count; i++)
        add(&text, "key", fields->text[i]);
    add(&text, "default-type", options->type != NULL ? options->type->name : "none");
    add(&text, "less", options->custom.less != NULL ? options->custom.less : "");
    add_flag(&text, "reverse", options->flags & CLSORT_DESCENDING);
    add_flag(&text, "numeric", options->flags & CLSORT_FLOAT_NUMERIC);
    add_flag(&text, "argsort", options->argsort);
    add_flag(&text, "unique", options->unique);
    add_flag(&text, "flatten", options->flatten);
    add_flag(&text, "merge", options->merge);
    add_number(&text, "rows", options->row_length);
    add(&text, "segments", options->segments != NULL ? options->segments : "");
    add(&text, "select",
        options->selection == SELECTION_NONE ? "all" : selection_name(options->selection));
    add_number(&text, "selected", options->k);
    add(&text, "compress", options->compress_sampled ? "auto" : codec_name(options->compression));
    add_flag(&text, "sum", options->sum);
    return text.data;
}

bool large_resume_open(struct job *job)
{
    const struct options *options = &job->options;
    struct stat status;

    if (options->resume == NULL || options->mode != MODE_SORT)
        return true;
    if (fstat(job->input.fd, &status) == 0 && !S_ISREG(status.st_mode)) {
        print_error(job->input.name,
                    "--resume requires files, which can be read again; write the elements to one");
        return false;
    }
    char *text = describe(job);
    if (text == NULL) {
        print_error(options->resume, "out of memory");
        return false;
    }
    if (resume_open(&job->resume, options->resume))
        return resume_set_options(&job->resume, text);
    free(text);
    return false;
}

bool large_resume_check(struct job *job, uint64_t memory)
{
    const struct resume *resume = &job->resume;

    if (resume->name == NULL)
        return true;
    if (!resume_set_inputs(&job->resume, job->inputs.sources, job->inputs.count))
        return false;
    if (!resume->is_continued || resume->manifest.plan.memory <= memory)
        return true;
    print_error(resume->name,
                "the interrupted sort has taken %" PRIu64
                " bytes of memory for its buffers, but "
                "%" PRIu64
                " are left now; raise --buffer-size, or remove the folder to begin "
                "again",
                resume->manifest.plan.memory, memory);
    return false;
}

uint64_t large_resume_memory(const struct job *job, uint64_t memory)
{
    return job->options.resume == NULL ? memory
           : job->resume.is_continued  ? job->resume.manifest.plan.memory
                                       : memory - memory / SLACK;
}
