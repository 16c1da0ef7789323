/* tune_file.c - the file in which clsort-tune stores the ladders of a device
 *
 *     clsort-tune 0.2.0
 *     device NVIDIA H200
 *     # comments and empty lines may appear anywhere after the second line
 *     keys 4: bitonic 4096; merge
 *
 * clsort-tune writes it. Files of other versions are ignored, since algorithms change. */
#include "plan/tune_file.h"

#include "base/user_folder.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16 };

static const char HEAD[] = "clsort-tune " CLSORT_VERSION_STRING;

/* Appends the name as part of a file name. '-' replaces every character but letters and digits. */
static void add_file_name(struct cls_text *text, const char *name)
{
    enum { MAX_LENGTH = 100 };
    for (size_t i = 0; name[i] && i < MAX_LENGTH; i++) {
        const char c = name[i];
        const bool is_plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        cls_text_add(text, "%c", is_plain ? c : '-');
    }
}

char *cls_tune_file(const struct cls_caps *caps, const char *option)
{
    char line[4096];
    struct cls_text path = CLS_TEXT(line);
    char *folder = caps->identified ? cls_user_folder(CLS_FOLDER_CONFIG, option) : NULL;
    if (!folder)
        return NULL;
    cls_text_add(&path, "%s/", folder);
    free(folder);
    add_file_name(&path, caps->platform_name);
    cls_text_add(&path, ".");
    add_file_name(&path, caps->name);
    cls_text_add(&path, ".tune");
    return cls_text_fits(&path) ? strdup(line) : NULL;
}

/* The state of the parser. */
struct reader {
    const struct cls_caps *caps;
    struct cls_ladders *ladders;
    unsigned line;
};

static bool is_text(const char *text, const char *line, size_t length)
{
    return strlen(text) == length && memcmp(text, line, length) == 0;
}

/* Reads one line. Returns a description of the error, or NULL. */
static const char *read_line(const char *line, size_t length, struct reader *reader)
{
    static const char device[] = "device ";
    const size_t word = sizeof device - 1;
    if (reader->line == 1)
        return is_text(HEAD, line, length)
                   ? NULL
                   : "written by another version of clsort-tune; run clsort-tune again";
    if (reader->line == 2)
        return length > word && memcmp(line, device, word) == 0 &&
                       is_text(reader->caps->name, line + word, length - word)
                   ? NULL
                   : "the file is for another device; run clsort-tune on this one";
    if (length == 0 || *line == '#')
        return NULL;
    return cls_ladders_read(line, length, "measured on this device by clsort-tune",
                            reader->ladders);
}

static const char *read_lines(const char *text, size_t length, struct reader *reader)
{
    enum { MIN_LINES = 2 };
    for (const char *end = text + length; text < end;) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop)
            return "the last line has no end-of-line character; run clsort-tune again";
        const char *problem = read_line(text, (size_t)(stop - text), reader);
        if (problem)
            return problem;
        text = stop + 1;
        reader->line++;
    }
    return reader->line <= MIN_LINES ? "the file ends before the line \"device NAME\"" : NULL;
}

void cls_tune_file_read(const char *path, const struct cls_caps *caps, struct cls_ladders *ladders,
                        struct cls_text *note)
{
    size_t length = 0;
    bool is_missing;
    char *text = (char *)cls_file_load(path, CLS_ACCESS_ANY, MAX_BYTES, &length, &is_missing);
    if (is_missing)
        return;
    if (!text) {
        cls_text_add(note, "%s is ignored: it cannot be read, or it is not a file of clsort-tune",
                     path);
        return;
    }
    struct cls_ladders read = *ladders;
    struct reader reader = {caps, &read, 1};
    const char *problem = read_lines(text, length, &reader);
    free(text);
    if (problem)
        cls_text_add(note, "%s:%u: %s; the file is ignored", path, reader.line, problem);
    else
        *ladders = read;
}
