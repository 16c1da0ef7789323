/* edited_sources.c - the kernels with texts replaced in them, for programs that are linked to the library's objects
 *
 * The file $CLSORT_TEST_EDITS has three lines for each edit: a kernel file, a text in it, and its replacement. The
 * first occurrence of the text is replaced. */
#include "device/sources.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edit {
    const char *file, *text, *replacement;
};

enum { MAX_SOURCES = 100 };
static struct cls_source sources[MAX_SOURCES + 1];

/* A test with other kernels than its edits describe must not pass. */
static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("edited_sources.c: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

static char *allocate(size_t size)
{
    char *memory = malloc(size);
    if (!memory)
        fail("out of memory");
    return memory;
}

/* Finds the text in the lines of a file that is part of the source. *is_part: whether the source has this file. */
static const char *find_text(const char *source, const struct edit *edit, bool *is_part)
{
    const size_t length = strlen(edit->text), name_length = strlen(edit->file);
    *is_part = false;
    /* Each part of a file begins with: #line NUMBER "FILE" */
    for (const char *part = source; part; part = strstr(part, "\n#line ")) {
        part += *part == '\n';
        const char *name = strchr(part, '"') + 1, *end = strstr(name, "\n#line ");
        part = strchr(name, '\n');
        if (strncmp(name, edit->file, name_length) != 0 || name[name_length] != '"')
            continue;
        *is_part = true;
        const char *found = strstr(part, edit->text);
        if (found && (!end || found + length <= end))
            return found;
    }
    return NULL;
}

/* Replaces the text in *source, whose text without edits is `original`. Returns whether the source has the file. */
static bool apply(const struct edit *edit, const char *original, struct cls_source *source)
{
    bool is_part;
    const char *found = find_text(source->text, edit, &is_part);
    if (!found && is_part)
        fail("%s does not contain '%s': adapt the edit to the kernel", edit->file, edit->text);
    if (found) {
        const size_t size = strlen(source->text) + strlen(edit->replacement) + 1;
        char *text = allocate(size);
        snprintf(text, size, "%.*s%s%s", (int)(found - source->text), source->text,
                 edit->replacement, found + strlen(edit->text));
        if (source->text != original)
            free((char *)source->text);
        source->text = text; /* the texts last as long as the process */
    }
    return found;
}

static char *read_edits(void)
{
    enum { MAX_SIZE = 65536 };
    static char text[MAX_SIZE];
    const char *path = getenv("CLSORT_TEST_EDITS");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        fail("cannot read the edits in $CLSORT_TEST_EDITS (%s)", path ? path : "not set");
    const size_t size = fread(text, 1, MAX_SIZE, file);
    fclose(file);
    if (size == 0 || size == MAX_SIZE)
        fail("%s has no edits, or too many", path);
    text[size] = '\0';
    return text;
}

/* Cuts the first line off the text. */
static const char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    if (!end)
        fail("$CLSORT_TEST_EDITS does not have three lines for each edit");
    *end = '\0';
    *text = end + 1;
    return line;
}

static void edit_sources(void)
{
    size_t count = 0;
    for (; cls_embedded_sources[count].name; count++) {
        if (count == MAX_SOURCES)
            fail("more than %d programs", MAX_SOURCES);
        sources[count] = cls_embedded_sources[count];
    }
    for (char *text = read_edits(); *text;) {
        struct edit edit;
        edit.file = next_line(&text);
        edit.text = next_line(&text);
        edit.replacement = next_line(&text);
        bool exists = false;
        for (size_t i = 0; i < count; i++)
            exists |= apply(&edit, cls_embedded_sources[i].text, &sources[i]);
        if (!exists)
            fail("no program has the file %s", edit.file);
    }
}

const struct cls_source *cls_sources(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, edit_sources);
    return sources;
}
