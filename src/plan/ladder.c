/* ladder.c - measured thresholds: the fastest algorithm for each range of counts */
#include "plan/ladder.h"

#include "plan/tune_table.h"

#include <string.h>

size_t cls_kind_of(const struct cls_spec *spec)
{
    const unsigned bits = spec->end_bit - spec->begin_bit;
    const size_t width = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
    return width + (spec->value_bytes > 0 ? CLS_KINDS / 2 : 0);
}

const char *cls_kind_name(size_t kind)
{
    static const char *const names[CLS_KINDS] = {"keys 1",  "keys 2",  "keys 4",  "keys 8",
                                                 "pairs 1", "pairs 2", "pairs 4", "pairs 8"};
    return kind < CLS_KINDS ? names[kind] : NULL;
}

static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a positive decimal number and advances *at. Returns false if there is no valid number. */
static bool read_count(const char **at, const char *end, uint64_t *count)
{
    for (*count = 0; *at < end && is_digit(**at); ++*at) {
        if (*count > UINT64_MAX / 10 - 1)
            return false;
        *count = 10 * *count + (uint64_t)(**at - '0');
    }
    return *count > 0;
}

/* Reads "name" or "name count" with the spaces around them, and advances *at. */
static bool read_step(const char **at, const char *end, struct cls_step *step)
{
    const char *name = skip_spaces(*at, end);
    for (*at = name; *at < end && **at != ' ' && **at != ';';)
        ++*at;
    if (cls_algorithm_name_read(name, (size_t)(*at - name), &step->algorithm) != CLSORT_OK)
        return false;
    step->max = UINT64_MAX;
    *at = skip_spaces(*at, end);
    if (*at < end && is_digit(**at) && !read_count(at, end, &step->max))
        return false;
    *at = skip_spaces(*at, end);
    return true;
}

bool cls_ladder_read(const char *text, size_t length, struct cls_ladder *ladder)
{
    struct cls_ladder read = {.source = ladder->source};
    const char *at = text, *end = text + length;
    for (;;) {
        if (read.steps == CLS_MAX_STEPS || !read_step(&at, end, &read.step[read.steps++]))
            return false;
        if (at == end)
            break;
        if (*at++ != ';')
            return false;
    }
    *ladder = read;
    return true;
}

/* Returns whether the text has this prefix; NULL is a prefix of every text. */
static bool has_prefix(const char *text, const char *prefix)
{
    return !prefix || strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *cls_ladders_read(const char *line, size_t length, const char *source,
                             struct cls_ladders *ladders)
{
    const char *name;
    for (size_t kind = 0; (name = cls_kind_name(kind)); kind++) {
        const size_t colon = strlen(name);
        if (length <= colon || memcmp(line, name, colon) != 0 || line[colon] != ':')
            continue;
        if (!cls_ladder_read(line + colon + 1, length - colon - 1, &ladders->of[kind]))
            return "expected algorithms with their maximum counts, such as \"bitonic 4096; merge\"";
        ladders->of[kind].source = source;
        return NULL;
    }
    return "expected a kind of sort such as \"keys 4:\"";
}

static struct cls_ladders ladders_of_row(const struct tune_row *row)
{
    struct cls_ladders ladders = {0};
    for (const char *line = row->ladders, *stop; (stop = strchr(line, '\n')); line = stop + 1)
        cls_ladders_read(line, (size_t)(stop - line), row->source, &ladders);
    return ladders;
}

struct cls_ladders cls_ladders_for(const struct cls_caps *caps)
{
    struct cls_ladders ladders = {0};
    for (size_t i = 0; i < sizeof TUNE_ROWS / sizeof *TUNE_ROWS; i++) {
        const struct tune_row *row = &TUNE_ROWS[i];
        if (!has_prefix(caps->name, row->device) || !has_prefix(caps->vendor, row->vendor) ||
            (row->type && !(caps->type & row->type)) || caps->vector_ints < row->vector_ints)
            continue;
        const struct cls_ladders found = ladders_of_row(row);
        for (size_t kind = 0; kind < CLS_KINDS; kind++)
            if (ladders.of[kind].steps == 0)
                ladders.of[kind] = found.of[kind];
    }
    return ladders;
}
