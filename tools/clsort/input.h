/* input.h - reads a file of keys, raw or .npy, into memory */
#ifndef CLSORT_TOOLS_INPUT_H
#define CLSORT_TOOLS_INPUT_H

#include "npy.h"

struct input {
    const char *name; /* for messages */
    int fd;
    const struct data_type *type; /* that of the array */
    struct npy_records *records;  /* of input_begin_records, else NULL */
    struct npy_array array;       /* of a raw file: one dimension, its count known once counted */
    void *header;                 /* of a .npy file, else NULL */
    size_t header_size;
    uint64_t start;      /* initial position of a regular file */
    size_t remaining;    /* bytes from the initial position to the end of the file; 0: unknown */
    unsigned char *keys; /* page-aligned, so that devices can use it without a copy */
    size_t size;         /* bytes of keys read so far */
    size_t capacity;
};

/* All functions that return bool print an error and return false on failure. */

/* Opens the file. path: "-" for standard input. The caller calls input_close, also after a
 * failure. */
bool input_open(struct input *input, const char *path);

/* Reads the start of the file and determines the type of its keys. type: the type of --type, or
 * NULL, which only a .npy file allows, or that of records, which are raw. A raw file that is text or
 * has another known format (content.h) is refused, unless force is set. */
bool input_begin(struct input *input, const struct data_type *type, bool force);

/* The same for a .npy file of records in one dimension, which *records becomes. */
bool input_begin_records(struct input *input, struct npy_records *records);

/* The same for a file of any type; raw_type is that of a raw file. */
bool input_begin_any(struct input *input, const struct data_type *raw_type);

/* Reads all keys, as they are in the file. Fails if the file has become shorter since input_begin. */
bool input_read(struct input *input, size_t *count);

/* Reads the keys of a file of unknown size, such as a pipe, up to about `limit` bytes. *is_all: these are all. */
bool input_read_start(struct input *input, size_t limit, bool *is_all);

/* Determines the number of keys; reads the keys only if the size of the file is unknown. */
bool input_count(struct input *input, size_t *count);

/* Releases the memory of the first keys of a regular file, of which only the number is needed then. */
void input_release(struct input *input);

void input_close(struct input *input);

#endif
