/* named.c - an algorithm asked for by name: "radix:bits=4,items=8" */
#include "plan/named.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* How much of the text comes before the character. */
static size_t length_before(const char *text, size_t length, char end)
{
    const char *at = memchr(text, end, length);
    return at ? (size_t)(at - text) : length;
}

/* Decimal digits, in the parameter's range; 0 for all else. */
static unsigned read_number(const struct cls_parameter *parameter, const char *text, size_t length)
{
    unsigned number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > parameter->max)
            return 0;
        number = 10 * number + (unsigned)(text[i] - '0');
    }
    return number >= parameter->min && number <= parameter->max ? number : 0;
}

/* The number of a word, or the number that is written there; 0 for all else. */
static unsigned read_value(const struct cls_parameter *parameter, const char *text, size_t length)
{
    if (!parameter->words)
        return read_number(parameter, text, length);
    for (unsigned word = 0; parameter->words[word]; word++)
        if (is_name(parameter->words[word], text, length))
            return word + 1;
    return 0;
}

/* One "name=value". A word can do without its name. */
static bool read_parameter(const char *text, size_t length, struct cls_named *named)
{
    const size_t name = length_before(text, length, '=');
    const bool has_name = name < length;
    const size_t start = has_name ? name + 1 : 0;
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && named->algo->parameters[i].name; i++) {
        const struct cls_parameter *parameter = &named->algo->parameters[i];
        unsigned *value = &named->parameters.value[i];
        const bool is_meant =
            has_name ? is_name(parameter->name, text, name) : parameter->words != NULL;
        if (is_meant && *value == 0) {
            *value = read_value(parameter, text + start, length - start);
            if (*value != 0)
                return true;
        }
    }
    return false;
}

bool cls_named_read(const char *text, size_t length, struct cls_named *named)
{
    size_t at = length_before(text, length, ':');
    *named = (struct cls_named){0};
    for (size_t i = 0; cls_algos[i] && !named->algo; i++)
        if (is_name(cls_algos[i]->name, text, at))
            named->algo = cls_algos[i];
    while (named->algo && at < length) {
        at++; /* ':' or ',' */
        const size_t parameter = length_before(text + at, length - at, ',');
        if (!read_parameter(text + at, parameter, named))
            return false;
        at += parameter;
    }
    return named->algo != NULL;
}
