/* sort_case_text.c - sort cases as text, so that a failure can be repeated */
#include "sort_case.h"

#include "sort_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The index is the flags except CLSORT_NO_SCRATCH. */
static const char *const orders[] = {
    "asc",      "desc",          "numeric",          "desc-numeric",
    "unstable", "desc-unstable", "numeric-unstable", "desc-numeric-unstable"};

static const char *order_name(size_t flags)
{
    return flags < sizeof orders / sizeof *orders ? orders[flags] : NULL;
}

static const char *place_name(size_t place)
{
    static const char *const names[] = {"in", "out", "named-in"};
    return place < SORT_PLACE_COUNT ? names[place] : NULL;
}

enum { SCRATCH_OF_LIBRARY, SCRATCH_OF_CALLER, NO_SCRATCH, SCRATCH_COUNT };

static const char *scratch_name(size_t scratch)
{
    static const char *const names[] = {"library", "caller", "none"};
    return scratch < SCRATCH_COUNT ? names[scratch] : NULL;
}

static size_t scratch_of(const struct sort_case *sort)
{
    if (sort->flags & CLSORT_NO_SCRATCH)
        return NO_SCRATCH;
    return sort->own_scratch ? SCRATCH_OF_CALLER : SCRATCH_OF_LIBRARY;
}

static void set_scratch(struct sort_case *sort, size_t scratch)
{
    sort->own_scratch = scratch == SCRATCH_OF_CALLER;
    sort->flags &= ~CLSORT_NO_SCRATCH;
    sort->flags |= scratch == NO_SCRATCH ? CLSORT_NO_SCRATCH : 0;
}

static const char *queue_name(size_t out_of_order)
{
    static const char *const names[] = {"in-order", "out-of-order"};
    return out_of_order < 2 ? names[out_of_order] : NULL;
}

static const char *buffers_name(size_t joined)
{
    static const char *const names[] = {"separate", "joined"};
    return joined < 2 ? names[joined] : NULL;
}

static const char *inputs_name(size_t unsorted)
{
    static const char *const names[] = {"sorted", "unsorted"};
    return unsorted < 2 ? names[unsorted] : NULL;
}

static const char *sorted_keys_name(size_t omitted)
{
    static const char *const names[] = {"written", "omitted"};
    return omitted < 2 ? names[omitted] : NULL;
}

static const char *memory_name(size_t memory)
{
    return guarded_memory_name((enum guarded_memory)memory);
}

static const char *dist_name(size_t dist)
{
    return dist < DATA_DIST_COUNT ? data_dist_name((enum data_dist)dist) : NULL;
}

void sort_case_print(const struct sort_case *sort, char text[SORT_CASE_TEXT])
{
    int length = snprintf(
        text, SORT_CASE_TEXT,
        "algorithm=%s type=%s order=%s n=%zu values=%zu dist=%s begin=%" PRIu32 " end=%" PRIu32
        " place=%s scratch=%s queue=%s memory=%s offset=%zu spare=%zu seed=%" PRIu64,
        sort->algorithm, sort->custom ? sort->custom->name : sort->type->name,
        order_name(sort->flags & ~CLSORT_NO_SCRATCH), sort->count, sort->value_size,
        dist_name(sort->dist), sort->begin_bit, sort->end_bit, place_name(sort->place),
        scratch_name(scratch_of(sort)), queue_name(sort->out_of_order), memory_name(sort->memory),
        sort->offset, sort->spare, sort->seed);
    if (sort->operation != CLSORT_SORT)
        snprintf(text + length, SORT_CASE_TEXT - (size_t)length,
                 " operation=%s second=%zu buffers=%s inputs=%s sorted-keys=%s",
                 sort_operation_name(sort->operation), sort->second_count,
                 buffers_name(sort->joined), inputs_name(sort->unsorted),
                 sorted_keys_name(sort->omit_keys));
}

void sort_case_report(const struct sort_case *sort, const char *what)
{
    static const char *const variables[] = {
        "CLSORT_DEVICE",          "CLSORT_DEVICE_TYPE",    "CLSORT_MAX_WORK_GROUP",
        "CLSORT_MAX_LOCAL_MEM",   "CLSORT_MAX_ALLOC",      "CLSORT_MAX_INDEX32",
        "CLSORT_MAX_ITERATIONS",  "CLSORT_SUB_GROUP_SIZE", "CLSORT_MAX_LAUNCH_TILES",
        "CLSORT_GROUPS_PROGRESS", "CLSORT_TEST_EDITS"};
    char text[SORT_CASE_TEXT];
    sort_case_print(sort, text);
    fprintf(stderr, "WRONG: %s\n  case: %s\n", what, text);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            fprintf(stderr, "  with %s=%s\n", variables[i], value);
    }
}

/* *number becomes the index whose name is the text. Returns false if no name matches. */
static bool find_name(const char *(*name)(size_t), const char *text, size_t *number)
{
    for (size_t i = 0; name(i); i++) {
        if (strcmp(name(i), text) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
}

static bool parse_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return end != text && !*end;
}

/* Sets a field whose value is a word. Returns false if the field or the word is unknown. */
static bool set_word(struct sort_case *sort, const char *name, const char *value)
{
    size_t number = 0;
    if (strcmp(name, "algorithm") == 0) {
        return snprintf(sort->algorithm, sizeof sort->algorithm, "%s", value) <
               (int)sizeof sort->algorithm;
    } else if (strcmp(name, "type") == 0) {
        const struct data_type *type = data_type_find(value);
        sort->custom = custom_order_find(value);
        if (type)
            sort->type = type;
        return type || sort->custom;
    } else if (strcmp(name, "operation") == 0 && find_name(sort_operation_name, value, &number)) {
        sort->operation = (uint32_t)number;
    } else if (strcmp(name, "order") == 0 && find_name(order_name, value, &number)) {
        sort->flags = (sort->flags & CLSORT_NO_SCRATCH) | (uint32_t)number;
    } else if (strcmp(name, "dist") == 0 && find_name(dist_name, value, &number)) {
        sort->dist = (enum data_dist)number;
    } else if (strcmp(name, "place") == 0 && find_name(place_name, value, &number)) {
        sort->place = (enum sort_place)number;
    } else if (strcmp(name, "scratch") == 0 && find_name(scratch_name, value, &number)) {
        set_scratch(sort, number);
    } else if (strcmp(name, "queue") == 0 && find_name(queue_name, value, &number)) {
        sort->out_of_order = number;
    } else if (strcmp(name, "memory") == 0 && find_name(memory_name, value, &number)) {
        sort->memory = (enum guarded_memory)number;
    } else if (strcmp(name, "buffers") == 0 && find_name(buffers_name, value, &number)) {
        sort->joined = number;
    } else if (strcmp(name, "inputs") == 0 && find_name(inputs_name, value, &number)) {
        sort->unsorted = number;
    } else if (strcmp(name, "sorted-keys") == 0 && find_name(sorted_keys_name, value, &number)) {
        sort->omit_keys = number;
    } else {
        return false;
    }
    return true;
}

/* Sets a field whose value is a number. */
static bool set_number(struct sort_case *sort, const char *name, const char *value)
{
    uint64_t number;
    if (!parse_number(value, &number))
        return false;
    if (strcmp(name, "n") == 0)
        sort->count = (size_t)number;
    else if (strcmp(name, "second") == 0)
        sort->second_count = (size_t)number;
    else if (strcmp(name, "values") == 0)
        sort->value_size = (size_t)number;
    else if (strcmp(name, "begin") == 0)
        sort->begin_bit = (uint32_t)number;
    else if (strcmp(name, "end") == 0)
        sort->end_bit = (uint32_t)number;
    else if (strcmp(name, "offset") == 0)
        sort->offset = (size_t)number;
    else if (strcmp(name, "spare") == 0)
        sort->spare = (size_t)number;
    else if (strcmp(name, "seed") == 0)
        sort->seed = number;
    else
        return false;
    return true;
}

bool sort_case_parse(const char *text, struct sort_case *sort)
{
    *sort = sort_case_default(0);
    char copy[SORT_CASE_TEXT];
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    char *rest = NULL;
    for (char *field = strtok_r(copy, " ", &rest); field; field = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(field, '=');
        if (!equals)
            return false;
        *equals = '\0';
        if (!set_word(sort, field, equals + 1) && !set_number(sort, field, equals + 1))
            return false;
    }
    return true;
}
