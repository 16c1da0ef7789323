/* external.h - clsort-external: sorts files that are larger than memory into another one
 *
 * docs/tool-design.md explains how. The caller describes the elements by functions, and the engine does the input and
 * output. Functions that return bool print an error and return false on failure. */
#ifndef CLSORT_EXTERNAL_H
#define CLSORT_EXTERNAL_H

#include "external_plan.h"
#include "phase.h"

/* Elements of the same size, and their order. */
struct external_order {
    size_t size;
    void *context;

    /* Sorts elements in memory, stably. The memory is aligned to at least the size of a page, unless the file has a
     * header. */
    bool (*sort)(void *context, void *elements, size_t count);

    /* Releases the memory that sort keeps for its next call; called before the next pass allocates memory. NULL if sort
     * keeps none. */
    void (*release)(void *context);

    /* Returns a number below, equal to or above 0. */
    int (*compare)(const void *context, const void *a, const void *b);

    /* Returns the index of the first element that precedes the one before it, or count. */
    size_t (*disorder)(const void *context, const void *elements, size_t count);

    /* NULL, unless compare and disorder can fail: returns whether one of them has. From then on their results are
     * meaningless, and sort returns false. The caller of external_sort prints the error. */
    bool (*has_failed)(const void *context);

    /* What else can make the output wrong, besides faults of the machine: "the order is not a strict weak order, ";
     * "" if nothing can. */
    const char *suspect;

    /* For selections: copies the elements that precede `limit` or, if is_from_end, those that follow it, in their
     * order, to space for count elements. May also copy elements that are equal to it. Returns their number. */
    size_t (*filter)(const void *context, void *to, const void *elements, size_t count,
                     const void *limit, bool is_from_end);

    /* Returns a checksum of the multiset of elements, as they are in the file. That of a whole is the sum of those of
     * its parts. */
    uint64_t (*checksum)(const void *context, const void *elements, size_t count);

    /* Convert elements of the file to those of the other functions, and back. */
    void (*decode)(const void *context, void *elements, size_t count);
    void (*encode)(const void *context, void *elements, size_t count);

    /* NULL, unless the inputs have other elements than those that are sorted: converts elements of the inputs, which it
     * may change, in place of decode. first: the number of elements before them. The elements of the inputs have
     * input_size bytes and the checksum input_checksum. */
    void (*expand)(const void *context, void *to, void *from, size_t count, uint64_t first);
    size_t input_size;
    uint64_t (*input_checksum)(const void *context, const void *elements, size_t count);

    /* NULL, unless the output has other elements than those that are sorted: converts these in place, after encode.
     * Returns the bytes of the result, which are at most those of the elements. */
    size_t (*extract)(const void *context, void *elements, size_t count);
};

/* A file of elements. */
struct external_input {
    const char *name; /* for messages */
    int fd;
    uint64_t offset; /* of the first element */
    uint64_t count;  /* elements */
};

/* Each merge pass at least halves the number of runs. Some are left for the caller. */
enum { EXTERNAL_MAX_PHASES = 70 };

#define EXTERNAL_UNKNOWN UINT64_MAX

struct resume;

/* What a sort has done. */
struct external_report {
    const char *io; /* the backend of input and output */
    uint64_t runs;  /* that have been formed; 0: elements have been counted */
    unsigned passes;
    uint64_t temporary_bytes; /* maximum space of temporary files */
    size_t phase_count;
    struct phase phase[EXTERNAL_MAX_PHASES];
};

struct external {
    const struct external_order *order;
    struct external_request request;
    struct external_plan plan; /* of the request */

    /* The elements of the inputs follow each other. If is_stream, there is one, which is read until it ends, from its
     * current position on, as a pipe is; its first bytes have been read already. */
    const struct external_input *inputs;
    size_t input_count;
    bool is_stream;
    const unsigned char *prefix;
    size_t prefix_size;

    const char *output_name;
    const char *output_folder;
    int output; /* an empty file that nobody else writes; -1: the output is written by `write` */
    bool (*write)(void *context, const void *data, size_t size);
    void *context;
    const void *header; /* precedes the elements in the output */
    size_t header_size;

    const char *const *folders; /* of temporary files */
    size_t folder_count;
    struct resume *resume; /* NULL: the sort cannot be continued; else it has runs, and no stream */
    bool is_sampled;       /* runs are compressed only if samples of them get clearly smaller */

    bool is_verified; /* compares checksums, and checks the order of the output */
    bool is_summed;   /* computes the checksum of the inputs also if it cannot be compared */
    bool is_unique;   /* drops elements that are equal to the one before them */
    void (*progress)(uint64_t bytes); /* called for bytes that have been read and written */

    /* Called when a phase begins. rest: bytes that this and later phases read and write, or EXTERNAL_UNKNOWN. May be
     * NULL. */
    void (*begin_phase)(const struct phase *phase, uint64_t rest);

    /* Results. */
    uint64_t count; /* elements of the inputs */
    uint64_t kept;  /* elements of the output, before extract */
    uint64_t proof; /* the checksum of the elements after expand, if is_verified */
    uint64_t
        checksum; /* of the inputs; if is_verified, unless a selection is made in one read, or is_summed */
    struct external_report report;
};

/* Sorts the elements of the inputs, or merges them, as the plan says: then each input must be in order and no stream,
 * and equal elements keep the order of the inputs. The output is complete, but not on the disk yet, when it returns
 * true. */
bool external_sort(struct external *external);

#define EXTERNAL_ORDERED UINT64_MAX

/* Where a file is out of order. */
struct external_disorder {
    uint64_t at; /* the first element that precedes the one before it, or EXTERNAL_ORDERED */
    unsigned char *
        before; /* space for an element: becomes the one before it, as the functions of the order expect it */
    unsigned char *after; /* the same for the one that is out of order */
};

/* Checks the order of the elements of the inputs, of which chunk_elements are read at a time, or of each row if
 * external->plan.row_elements is set. Else only the members of external that describe the inputs, and is_verified, are
 * used: then all are read, and the checksum is computed. */
bool external_check(struct external *external, size_t chunk_elements,
                    struct external_disorder *disorder);

#endif
