/* device_list.c - the argument of clsort --devices */
#include "device_list.h"

#include "number.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Appends the index in a part of the text. */
static bool add_index(const char *text, size_t length, struct device_list *list)
{
    char digits[sizeof list->first];
    uint64_t index;

    if (length == 0 || length >= sizeof digits || list->count == CLSORT_MAX_GROUP)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length, text);
    if (!number_parse(digits, &index) || index > UINT_MAX)
        return false;
    list->indexes[list->count++] = (unsigned)index;
    return true;
}

bool device_list_parse(const struct command_line *line, const char *text, struct device_list *list)
{
    *list = (struct device_list){.is_given = true, .is_all = strcmp(text, "all") == 0};
    bool done = true;
    for (const char *at = text; done && !list->is_all; at++) {
        const size_t length = strcspn(at, ",");
        done = add_index(at, length, list);
        at += length;
        if (*at == '\0')
            break;
    }
    if (!done)
        return command_line_error(
            line, "--devices=%s: use all, or 1 to %d indexes in --list-devices, such as 0,1", text,
            CLSORT_MAX_GROUP);
    snprintf(list->first, sizeof list->first, "%u", list->indexes[0]);
    return true;
}
