/* external.h - clsort-external: sorts a file that is larger than memory into another one
 *
 * docs/design.md explains how. The caller describes the elements by functions, and the engine does the input and
 * output. Functions that return bool print an error and return false on failure. */
#ifndef CLSORT_EXTERNAL_H
#define CLSORT_EXTERNAL_H

#include "external_plan.h"

/* Elements of the same size, and their order. */
struct external_order {
    size_t size;
    void *context;

    /* Sorts elements in memory, stably. The memory is aligned to at least the size of a page, unless the file has a
     * header. */
    bool (*sort)(void *context, void *elements, size_t count);

    /* Returns a number below, equal to or above 0. */
    int (*compare)(const void *context, const void *a, const void *b);

    /* Returns the index of the first element that precedes the one before it, or count. */
    size_t (*disorder)(const void *context, const void *elements, size_t count);

    /* Returns a checksum of the multiset of elements, as they are in the file. That of a whole is the sum of those of
     * its parts. */
    uint64_t (*checksum)(const void *context, const void *elements, size_t count);

    /* Convert elements of the file to those of the other functions, and back. */
    void (*decode)(const void *context, void *elements, size_t count);
    void (*encode)(const void *context, void *elements, size_t count);
};

struct external {
    const struct external_order *order;
    struct external_plan plan;

    const char *input_name; /* for messages */
    int input;
    uint64_t input_offset; /* of the first element */

    const char *output_name;
    const char *output_folder;
    int output; /* an empty file that nobody else writes; -1: the output is written by `write` */
    bool (*write)(void *context, const void *data, size_t size);
    void *context;
    const void *header; /* precedes the elements in the output */
    size_t header_size;

    const char *const *folders; /* of temporary files */
    size_t folder_count;
    bool is_sampled; /* runs are compressed only if samples of them get clearly smaller */

    bool is_verified;                 /* compares checksums, and checks the order of the output */
    bool is_unique;                   /* drops elements that are equal to the one before them */
    void (*progress)(uint64_t bytes); /* called for bytes that have been read and written */

    /* Results. */
    uint64_t kept;     /* elements of the output */
    uint64_t checksum; /* of the input; only if is_verified */
};

/* Sorts the elements of the input. The output is complete, but not on the disk yet, when it returns true. */
bool external_sort(struct external *external);

/* Where a file is out of order. */
struct external_disorder {
    uint64_t at; /* the first element that precedes the one before it, or the number of elements */
    unsigned char *
        before; /* space for an element: becomes the one before it, as the functions of the order expect it */
    unsigned char *after; /* the same for the one that is out of order */
};

/* Checks the order of the elements of the input, of which chunk_elements are read at a time. Only the members of
 * external that describe the input, and is_verified, are used: then all are read, and the checksum is computed. */
bool external_check(struct external *external, size_t chunk_elements,
                    struct external_disorder *disorder);

#endif
