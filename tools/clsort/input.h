/* input.h - a file of keys, raw or .npy, read into memory */
#ifndef CLSORT_TOOLS_INPUT_H
#define CLSORT_TOOLS_INPUT_H

#include "data.h"

struct input {
    const char *name; /* for messages */
    int fd;
    const struct data_type *type;
    void *header; /* of a .npy file, else NULL */
    size_t header_size;
    uint64_t header_count; /* the keys that it promises */
    size_t promised;       /* bytes that the file had when it was opened; 0: it does not tell */
    unsigned char *keys;   /* begins on a page, so that devices can use it where it is */
    size_t size;           /* bytes of keys read so far */
    size_t capacity;
};

/* All functions below report their own trouble and then return false. */

/* Opens the file, "-" being standard input, and finds out the type of its keys; type, unless NULL,
 * is the one that the user has named. input_close is needed after a failure too. */
bool input_open(struct input *input, const char *path, const struct data_type *type);

/* Reads all keys. A file that has become shorter since input_open is refused. */
bool input_read(struct input *input, size_t *count);

/* The number of keys; reads them only when there is no other way to know. */
bool input_count(struct input *input, size_t *count);

void input_close(struct input *input);

#endif
