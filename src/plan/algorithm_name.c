/* algorithm_name.c - reads the name of an algorithm with its parameters: "radix:bits=4,items=8" */
#include "plan/algorithm_name.h"

#include "base/error.h"

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

/* -- errors ------------------------------------------------------------------------------------ */

/* Returns the length of a text of the caller to quote in an error. */
static int quoted(size_t length)
{
    enum { MAX_QUOTED = 100 };
    return length < MAX_QUOTED ? (int)length : MAX_QUOTED;
}

/* Refuses a text whose name, its first name_length characters, is not that of an algorithm. */
static clsort_status refuse_algorithm(const char *text, size_t length, size_t name_length)
{
    if (name_length < length && is_name("auto", text, name_length))
        return cls_fail(CLSORT_E_ALGORITHM, "algorithm \"%.*s\": auto has no parameters",
                        quoted(length), text);
    char names[256];
    struct cls_text list = CLS_TEXT(names);
    cls_text_add(&list, "auto");
    for (size_t i = 0; cls_algo_at(i); i++)
        cls_text_add(&list, ", %s", cls_algo_at(i)->name);
    return cls_fail(CLSORT_E_ALGORITHM, "algorithm \"%.*s\": unknown; the names are %s",
                    quoted(name_length), text, names);
}

static clsort_status refuse_parameter(const struct cls_algo *algo, const char *text, size_t length)
{
    char line[256];
    struct cls_text names = CLS_TEXT(line);
    cls_text_add(&names, "%s",
                 algo->parameters[0].name ? "the parameters are"
                                          : "the algorithm has no parameters");
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && algo->parameters[i].name; i++)
        cls_text_add(&names, "%s %s", i > 0 ? "," : "", algo->parameters[i].name);
    return length == 0 ? cls_fail(CLSORT_E_ALGORITHM, "%s: empty parameter; %s", algo->name, line)
                       : cls_fail(CLSORT_E_ALGORITHM, "%s: unknown parameter \"%.*s\"; %s",
                                  algo->name, quoted(length), text, line);
}

static clsort_status refuse_value(const struct cls_algo *algo,
                                  const struct cls_parameter *parameter, const char *text,
                                  size_t length)
{
    char line[256];
    struct cls_text range = CLS_TEXT(line);
    if (!parameter->words)
        cls_text_add(&range, "%u to %u", parameter->min, parameter->max);
    for (size_t i = 0; parameter->words && parameter->words[i]; i++)
        cls_text_add(&range, "%s%s", i > 0 ? ", " : "", parameter->words[i]);
    return length == 0 ? cls_fail(CLSORT_E_ALGORITHM, "%s: parameter %s has no value: %s",
                                  algo->name, parameter->name, line)
                       : cls_fail(CLSORT_E_ALGORITHM, "%s: parameter %s is \"%.*s\": %s",
                                  algo->name, parameter->name, quoted(length), text, line);
}

/* ---------------------------------------------------------------------------------------------- */

/* Reads one "name=value" or, for parameters whose values are words, "value". */
static clsort_status read_parameter(const char *text, size_t length,
                                    struct cls_algorithm_request *request)
{
    const struct cls_algo *algo = request->algo;
    const size_t name = length_before(text, length, '=');
    const bool has_name = name < length;
    const char *value = has_name ? text + name + 1 : text;
    const size_t value_length = length - (size_t)(value - text);
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && algo->parameters[i].name; i++) {
        const struct cls_parameter *parameter = &algo->parameters[i];
        const bool is_named = is_name(parameter->name, text, name);
        const unsigned read = is_named == has_name && (has_name || parameter->words)
                                  ? read_value(parameter, value, value_length)
                                  : 0;
        if (is_named && read == 0)
            return refuse_value(algo, parameter, value, has_name ? value_length : 0);
        if (read == 0)
            continue;
        if (request->parameters.value[i] != 0)
            return cls_fail(CLSORT_E_ALGORITHM, "%s: parameter %s is given twice", algo->name,
                            parameter->name);
        request->parameters.value[i] = read;
        return CLSORT_OK;
    }
    return refuse_parameter(algo, text, name > 0 ? name : length);
}

clsort_status cls_algorithm_name_read(const char *text, size_t length,
                                      struct cls_algorithm_request *request)
{
    size_t at = length_before(text, length, ':');
    *request = (struct cls_algorithm_request){0};
    for (size_t i = 0; cls_algo_at(i) && !request->algo; i++)
        if (is_name(cls_algo_at(i)->name, text, at))
            request->algo = cls_algo_at(i);
    if (!request->algo)
        return refuse_algorithm(text, length, at);
    while (at < length) {
        at++; /* ':' or ',' */
        const size_t parameter = length_before(text + at, length - at, ',');
        const clsort_status status = read_parameter(text + at, parameter, request);
        if (status != CLSORT_OK)
            return status;
        at += parameter;
    }
    return CLSORT_OK;
}
