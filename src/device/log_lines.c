/* log_lines.c - line numbers in build logs, corrected for compilers that ignore #line */
#include "device/log_lines.h"

#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "<kernel>:"; /* a line number of the complete source follows */

bool cls_log_ignores_directives(const char *log)
{
    return strstr(log, PREFIX);
}

/* The name and number of a line according to the preceding #line directive. */
struct origin {
    const char *name; /* not terminated; NULL before the first #line */
    int name_length;
    unsigned long line;
};

static struct origin origin_of(const char *source, unsigned long line)
{
    static const char directive[] = "#line ";
    struct origin origin = {NULL, 0, 1};
    for (unsigned long at = 1; at < line && source; at++) {
        origin.line++;
        if (strncmp(source, directive, sizeof directive - 1) == 0) {
            char *name;
            origin.line = strtoul(source + sizeof directive - 1, &name, 10);
            name += strspn(name, " \"");
            const int length = (int)strcspn(name, "\"\n");
            if (length > 0) { /* a directive without a name keeps the current one */
                origin.name = name;
                origin.name_length = length;
            }
        }
        source = strchr(source, '\n');
        source = source ? source + 1 : NULL;
    }
    return origin;
}

/* Appends the log with corrected line numbers. */
static void add_with_lines(const char *log, const char *source, struct cls_text *text)
{
    for (const char *found; (found = strstr(log, PREFIX));) {
        char *after;
        const unsigned long line = strtoul(found + sizeof PREFIX - 1, &after, 10);
        const struct origin origin = origin_of(source, line);
        if (!origin.name)
            after = (char *)found + sizeof PREFIX - 1; /* leave the number unchanged */
        cls_text_add(text, "%.*s", (int)((origin.name ? found : after) - log), log);
        if (origin.name)
            cls_text_add(text, "%.*s:%lu", origin.name_length, origin.name, origin.line);
        log = after;
    }
    cls_text_add(text, "%s", log);
}

char *cls_log_with_lines(const char *log, const char *source)
{
    char none[1];
    struct cls_text text = CLS_TEXT(none);
    add_with_lines(log, source, &text);
    const size_t size = text.length + 1;
    char *result = malloc(size);
    if (result) {
        text = (struct cls_text){result, size, 0};
        add_with_lines(log, source, &text);
    }
    return result;
}

bool cls_log_names_line(const char *log, const char *file)
{
    const size_t length = strlen(file);
    for (const char *at = log; (at = strstr(at, file)); at += length) {
        const bool is_word = at == log || !isalnum((unsigned char)at[-1]);
        const char *number = at + length + strspn(at + length, "\":(, line");
        if (is_word && strcspn(at + length, "\":(,") == 0 && isdigit((unsigned char)*number))
            return true;
    }
    return false;
}
