/* manifest.c - clsort-external: what an interrupted sort has done, as text */
#include "manifest.h"

#include "bits.h"
#include "codec.h"
#include "io.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSION = 1,
    MAX_NUMBERS = 7, /* of a line */
    MAX_NUMBER = 21, /* a blank and 20 digits */
    MAX_LINE = 32 + MAX_NUMBERS * MAX_NUMBER,
    END_SIZE = sizeof "end 0123456789abcdef" /* with \n */
};

static const char TITLE[] = "clsort-manifest", OPTION[] = "option ";

uint64_t manifest_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < size; i++)
        hash = bits_mix(hash + bytes[i] + 1);
    return hash;
}

uint64_t manifest_blocks(const struct manifest_plan *plan, uint64_t count)
{
    return count / plan->block_elements + (count % plan->block_elements != 0);
}

void manifest_free(struct manifest *manifest)
{
    free(manifest->options);
    free(manifest->inputs);
    free(manifest->runs);
    *manifest = (struct manifest){.options = NULL};
}

/* -- writing ----------------------------------------------------------------------------------- */

static char *put_text(char *at, const char *text, size_t size)
{
    memcpy(at, text, size);
    return at + size;
}

static char *put_line(char *at, const char *word, const uint64_t *numbers, size_t count)
{
    at = put_text(at, word, strlen(word));
    for (size_t i = 0; i < count; i++)
        at += snprintf(at, MAX_NUMBER + 1, " %" PRIu64, numbers[i]);
    return put_text(at, "\n", 1);
}

static char *put_options(char *at, const char *options)
{
    while (*options != '\0') {
        const size_t length = strcspn(options, "\n") + 1;

        at = put_text(put_text(at, OPTION, strlen(OPTION)), options, length);
        options += length;
    }
    return at;
}

char *manifest_format(const struct manifest *manifest, size_t *size)
{
    const struct manifest_plan *plan = &manifest->plan;
    const struct manifest_progress *progress = &manifest->progress;
    const size_t lines = 8 + manifest->input_count + manifest->run_count;
    const size_t options = (sizeof OPTION + 1) * strlen(manifest->options);
    char *text = malloc(lines * MAX_LINE + options);
    char *at = text;

    if (text == NULL)
        return NULL;
    at = put_line(at, TITLE, (uint64_t[]){VERSION}, 1);
    at = put_line(at, "created", (uint64_t[]){manifest->is_created}, 1);
    at = put_options(at, manifest->options);
    for (size_t i = 0; i < manifest->input_count; i++) {
        const struct manifest_input *input = &manifest->inputs[i];

        at = put_line(at, "input",
                      (uint64_t[]){input->inode, input->size, input->seconds, input->nanoseconds,
                                   input->offset, input->count},
                      6);
    }
    at = put_line(at, "plan",
                  (uint64_t[]){plan->memory, plan->element_size, plan->block_elements,
                               plan->run_elements, plan->compression},
                  5);
    at = put_line(at, "progress",
                  (uint64_t[]){progress->count, progress->checksum, progress->proof,
                               progress->blocks, progress->end, progress->entries, progress->next},
                  7);
    for (size_t i = 0; i < manifest->run_count; i++) {
        const struct manifest_run *run = &manifest->runs[i];

        at = put_line(
            at, "run",
            (uint64_t[]){run->is_input, run->input, run->first, run->count, run->entry, run->hash},
            6);
    }
    const uint64_t hash = manifest_hash(0, text, (size_t)(at - text));
    at += snprintf(at, END_SIZE + 1, "end %016" PRIx64 "\n", hash);
    *size = (size_t)(at - text);
    return text;
}

/* -- reading ----------------------------------------------------------------------------------- */

struct scanner {
    const char *at, *end;
    size_t line; /* from 1 on */
};

/* Takes a text if it comes next. */
static bool take_text(struct scanner *scanner, const char *text)
{
    const size_t length = strlen(text);

    if ((size_t)(scanner->end - scanner->at) < length || memcmp(scanner->at, text, length) != 0)
        return false;
    scanner->at += length;
    return true;
}

/* Takes a decimal number without leading zeros. */
static bool take_number(struct scanner *scanner, uint64_t *number)
{
    const char *start = scanner->at;

    *number = 0;
    for (; scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9';
         scanner->at++) {
        const uint64_t digit = (uint64_t)(*scanner->at - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = 10 * *number + digit;
    }
    return scanner->at > start && (*start != '0' || scanner->at == start + 1);
}

/* Reads a line that consists of this word and `count` numbers.
 * If the line differs, reads nothing and returns false. */
static bool take_line(struct scanner *scanner, const char *word, uint64_t *numbers, size_t count)
{
    const char *start = scanner->at;
    bool done = take_text(scanner, word);

    for (size_t i = 0; i < count && done; i++)
        done = take_text(scanner, " ") && take_number(scanner, &numbers[i]);
    done = done && take_text(scanner, "\n");
    if (!done)
        scanner->at = start;
    scanner->line += done;
    return done;
}

/* Takes the lines that describe the sort. */
static bool take_options(struct scanner *scanner, char *to)
{
    while (take_text(scanner, OPTION)) {
        for (; scanner->at < scanner->end && *scanner->at != '\n'; scanner->at++) {
            if (*scanner->at < ' ' || *scanner->at > '~')
                return false;
            *to++ = *scanner->at;
        }
        if (!take_text(scanner, "\n"))
            return false;
        *to++ = '\n';
        scanner->line++;
    }
    *to = '\0';
    return true;
}

static bool take_inputs(struct scanner *scanner, struct manifest *manifest)
{
    uint64_t n[MAX_NUMBERS];

    while (take_line(scanner, "input", n, 6))
        manifest->inputs[manifest->input_count++] =
            (struct manifest_input){n[0], n[1], n[2], n[3], n[4], n[5]};
    return manifest->input_count > 0;
}

static bool take_runs(struct scanner *scanner, struct manifest *manifest)
{
    uint64_t n[MAX_NUMBERS];

    while (take_line(scanner, "run", n, 6))
        manifest->runs[manifest->run_count++] =
            (struct manifest_run){n[0], n[1], n[2], n[3], n[4], n[5]};
    return scanner->at == scanner->end;
}

/* Takes all lines but the first and the last one. */
static bool take_lines(struct scanner *scanner, struct manifest *manifest)
{
    uint64_t n[MAX_NUMBERS];

    manifest->is_created = take_text(scanner, "created 1\n");
    if (!manifest->is_created && !take_text(scanner, "created 0\n"))
        return false;
    scanner->line++;
    if (!take_options(scanner, manifest->options) || !take_inputs(scanner, manifest) ||
        !take_line(scanner, "plan", n, 5))
        return false;
    manifest->plan = (struct manifest_plan){n[0], n[1], n[2], n[3], n[4]};
    if (!take_line(scanner, "progress", n, 7))
        return false;
    manifest->progress = (struct manifest_progress){n[0], n[1], n[2], n[3], n[4], n[5], n[6]};
    return take_runs(scanner, manifest);
}

/* Returns whether a * b is at most the size of the largest file. */
static bool fits(uint64_t a, uint64_t b)
{
    return b == 0 || a <= INT64_MAX / b;
}

/* Checks the plan, and that the elements of the inputs are in files, and counts them. */
static bool check_inputs(const struct manifest *manifest, uint64_t *total)
{
    const struct manifest_plan *plan = &manifest->plan;

    *total = 0;
    if (plan->element_size == 0 || plan->block_elements == 0 || plan->run_elements == 0 ||
        !fits(plan->block_elements, plan->element_size) ||
        !fits(plan->run_elements, plan->element_size) || plan->compression >= CODEC_COUNT)
        return false;
    for (size_t i = 0; i < manifest->input_count; i++) {
        const struct manifest_input *input = &manifest->inputs[i];

        if (input->offset > INT64_MAX || !fits(input->count, plan->element_size) ||
            input->count * plan->element_size > INT64_MAX - input->offset ||
            input->count > INT64_MAX - *total)
            return false;
        *total += input->count;
    }
    return fits(*total, plan->element_size);
}

/* Checks that a run is in an input or in the store, and that it has entries. */
static bool check_run(const struct manifest *manifest, const struct manifest_run *run)
{
    const struct manifest_progress *progress = &manifest->progress;
    const uint64_t blocks = manifest_blocks(&manifest->plan, run->count);
    const bool is_known = run->is_input == 1 && run->input < manifest->input_count;
    const uint64_t end = is_known ? manifest->inputs[run->input].count : progress->blocks;
    const uint64_t length = is_known ? run->count : blocks;

    return (is_known || (run->is_input == 0 && run->input == 0)) && run->count > 0 &&
           run->first <= end && length <= end - run->first && run->entry <= progress->entries &&
           blocks <= progress->entries - run->entry;
}

static bool check(const struct manifest *manifest)
{
    const struct manifest_plan *plan = &manifest->plan;
    const struct manifest_progress *progress = &manifest->progress;
    uint64_t total, in_runs = 0;

    if (!check_inputs(manifest, &total) || progress->count > total || progress->end > INT64_MAX ||
        progress->next > manifest->run_count ||
        !fits(progress->entries, plan->element_size + 2 * sizeof(uint64_t)) ||
        !fits(progress->blocks, plan->block_elements * plan->element_size + IO_ALIGNMENT))
        return false;
    for (size_t i = 0; i < manifest->run_count; i++) {
        if (!check_run(manifest, &manifest->runs[i]) || manifest->runs[i].count > total - in_runs)
            return false;
        in_runs += manifest->runs[i].count;
    }
    return true;
}

/* Prints a reason. */
__attribute__((format(printf, 2, 3))) static bool refuse(char reason[MANIFEST_REASON_SIZE],
                                                         const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, MANIFEST_REASON_SIZE, format, arguments);
    va_end(arguments);
    return false;
}

bool manifest_parse(struct manifest *manifest, const char *text, size_t size,
                    char reason[MANIFEST_REASON_SIZE])
{
    struct scanner scanner = {.at = text, .end = text + size, .line = 1};
    char end[END_SIZE + 1];
    uint64_t version;
    size_t lines = 0;

    *manifest = (struct manifest){.options = NULL};
    if (!take_line(&scanner, TITLE, &version, 1))
        return refuse(reason, "it does not begin with a line of clsort");
    if (version != VERSION)
        return refuse(reason, "it has version %" PRIu64 ", but this clsort reads version %d",
                      version, VERSION);
    const size_t taken = (size_t)(scanner.at - text);
    if (size - taken < END_SIZE)
        return refuse(reason, "it is truncated");
    scanner.end -= END_SIZE;
    snprintf(end, sizeof end, "end %016" PRIx64 "\n", manifest_hash(0, text, size - END_SIZE));
    if (memcmp(end, scanner.end, END_SIZE) != 0)
        return refuse(reason, "it is truncated or damaged");
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    manifest->options = malloc(size);
    manifest->inputs = calloc(lines, sizeof *manifest->inputs);
    manifest->runs = calloc(lines, sizeof *manifest->runs);
    if (manifest->options == NULL || manifest->inputs == NULL || manifest->runs == NULL)
        return refuse(reason, "out of memory");
    if (!take_lines(&scanner, manifest))
        return refuse(reason, "line %zu is malformed", scanner.line);
    return check(manifest) || refuse(reason, "its numbers contradict each other");
}
