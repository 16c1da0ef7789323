/* algorithm_name.c - reads the name of an algorithm with its parameters: "radix:bits=4,items=8" */
#include "plan/algorithm_name.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Returns the length of the text before the first `end`, or of the whole text. */
static size_t length_before(const char *text, size_t length, char end)
{
    const char *at = memchr(text, end, length);
    return at ? (size_t)(at - text) : length;
}

/* Returns the decimal number if it is in the parameter's range, otherwise 0. */
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

/* Returns the number in the text or, for words, the index of the word from 1 on. Returns 0 if the
 * value is invalid. */
static unsigned read_value(const struct cls_parameter *parameter, const char *text, size_t length)
{
    if (!parameter->words)
        return read_number(parameter, text, length);
    for (unsigned word = 0; parameter->words[word]; word++)
        if (is_name(parameter->words[word], text, length))
            return word + 1;
    return 0;
}

/* Reads one "name=value" or, for parameters whose values are words, "value". */
static bool read_parameter(const char *text, size_t length, struct cls_algorithm_request *request)
{
    const size_t name = length_before(text, length, '=');
    const bool has_name = name < length;
    const size_t start = has_name ? name + 1 : 0;
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && request->algo->parameters[i].name; i++) {
        const struct cls_parameter *parameter = &request->algo->parameters[i];
        unsigned *value = &request->parameters.value[i];
        const bool matches =
            has_name ? is_name(parameter->name, text, name) : parameter->words != NULL;
        if (matches && *value == 0) {
            *value = read_value(parameter, text + start, length - start);
            if (*value != 0)
                return true;
        }
    }
    return false;
}

bool cls_algorithm_name_read(const char *text, size_t length, struct cls_algorithm_request *request)
{
    size_t at = length_before(text, length, ':');
    *request = (struct cls_algorithm_request){0};
    for (size_t i = 0; cls_algos[i] && !request->algo; i++)
        if (is_name(cls_algos[i]->name, text, at))
            request->algo = cls_algos[i];
    while (request->algo && at < length) {
        at++; /* ':' or ',' */
        const size_t parameter = length_before(text + at, length - at, ',');
        if (!read_parameter(text + at, parameter, request))
            return false;
        at += parameter;
    }
    return request->algo != NULL;
}
