/* tune_file.c - fuzz target: the file of clsort-tune; a file is applied completely or not at all
 *
 * The first byte of an input selects texts that are added to the rest (enum frame), so that the fuzzer need not guess
 * them. */
#include "plan/tune_file.h"

#include "fuzz.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum frame { ADD_HEAD = 1, ADD_KIND = 2, ADD_END = 4 };

#define HEAD "clsort-tune " CLSORT_VERSION_STRING "\ndevice made up\n"
static const char KIND[] = "keys 4: ";

enum { MAX_BYTES = 4096, MAX_TEXT = MAX_BYTES + sizeof HEAD + sizeof KIND + 1 };

static const struct cls_caps DEVICE = {
    .type = CL_DEVICE_TYPE_GPU, .identified = true, .name = "made up", .vendor = "nobody"};

static char path[] = "/tmp/clsort-fuzz-XXXXXX";
static int file = -1;

static void remove_file(void)
{
    unlink(path);
}

static void make_file(void)
{
    file = mkstemp(path);
    require(file >= 0);
    atexit(remove_file);
}

/* Returns whether the file is accepted. */
static bool read_text(const char *text, size_t size, struct cls_ladders *ladders)
{
    char line[256] = "";
    struct cls_text note = CLS_TEXT(line);
    require(pwrite(file, text, size, 0) == (ssize_t)size && ftruncate(file, (off_t)size) == 0);
    cls_tune_file_read(path, &DEVICE, ladders, &note);
    require(!*line || strncmp(line, path, strlen(path)) == 0);
    return !*line;
}

static void add_parameter(struct cls_text *text, const struct cls_parameter *parameter,
                          unsigned value)
{
    cls_text_add(text, "%s=", parameter->name);
    if (parameter->words)
        cls_text_add(text, "%s", parameter->words[value - 1]);
    else
        cls_text_add(text, "%u", value);
}

static void add_step(struct cls_text *text, const struct cls_step *step)
{
    const struct cls_algo *algo = step->algorithm.algo;
    const char *before = ":";
    require(algo && step->max > 0);
    cls_text_add(text, "%s", algo->name);
    for (size_t i = 0; i < CLS_MAX_PARAMETERS && algo->parameters[i].name; i++)
        if (step->algorithm.parameters.value[i] > 0) {
            cls_text_add(text, "%s", before);
            add_parameter(text, &algo->parameters[i], step->algorithm.parameters.value[i]);
            before = ",";
        }
    if (step->max < UINT64_MAX)
        cls_text_add(text, " %llu", (unsigned long long)step->max);
}

static bool same_ladder(const struct cls_ladder *a, const struct cls_ladder *b)
{
    bool same = a->steps == b->steps;
    for (size_t i = 0; same && i < a->steps; i++)
        same = a->step[i].algorithm.algo == b->step[i].algorithm.algo &&
               memcmp(&a->step[i].algorithm.parameters, &b->step[i].algorithm.parameters,
                      sizeof a->step[i].algorithm.parameters) == 0 &&
               a->step[i].max == b->step[i].max;
    return same;
}

/* Writes the ladders as a file and checks that reading it gives the same ladders. */
static void check(const struct cls_ladders *ladders)
{
    static char line[16384];
    struct cls_text text = CLS_TEXT(line);
    cls_text_add(&text, HEAD);
    for (size_t kind = 0; kind < CLS_KINDS; kind++) {
        const struct cls_ladder *ladder = &ladders->of[kind];
        require(ladder->steps > 0 && ladder->steps <= CLS_MAX_STEPS && ladder->source);
        cls_text_add(&text, "%s: ", cls_kind_name(kind));
        for (size_t i = 0; i < ladder->steps; i++) {
            cls_text_add(&text, i > 0 ? "; " : "");
            add_step(&text, &ladder->step[i]);
        }
        cls_text_add(&text, "\n");
    }
    require(cls_text_fits(&text));
    struct cls_ladders again = cls_ladders_for(&DEVICE);
    require(read_text(line, text.length, &again));
    for (size_t kind = 0; kind < CLS_KINDS; kind++)
        require(same_ladder(&ladders->of[kind], &again.of[kind]));
}

/* Returns whether the text begins with the head and ends with a newline. */
static bool is_framed(const char *text, size_t size)
{
    return size >= sizeof HEAD - 1 && memcmp(text, HEAD, sizeof HEAD - 1) == 0 &&
           text[size - 1] == '\n';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (file < 0)
        make_file();
    if (size == 0 || size > MAX_BYTES)
        return 0;
    char text[MAX_TEXT];
    size_t length = 0;
    const unsigned frame = *data++;
    if (frame & ADD_HEAD)
        length = (size_t)(stpcpy(text, HEAD) - text);
    if (frame & ADD_KIND)
        length = (size_t)(stpcpy(text + length, KIND) - text);
    memcpy(text + length, data, --size);
    length += size;
    if (frame & ADD_END)
        text[length++] = '\n';

    const struct cls_ladders before = cls_ladders_for(&DEVICE);
    struct cls_ladders after;
    memcpy(&after, &before, sizeof after);
    if (read_text(text, length, &after)) {
        require(is_framed(text, length));
        check(&after);
    } else {
        require(memcmp(&after, &before, sizeof after) == 0);
    }
    return 0;
}
