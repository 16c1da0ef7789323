/* reader.h - clsort-external: reads the elements of the inputs in chunks, one ahead
 *
 * There are two chunks. With a third one, the elements of a chunk remain while the next one is used, until the one
 * after it is taken. */
#ifndef CLSORT_EXTERNAL_READER_H
#define CLSORT_EXTERNAL_READER_H

#include "arena.h"
#include "external.h"
#include "io.h"

enum {
    READER_CHUNKS = 2,
    READER_MAX_CHUNKS,
    READER_MIN_BLOCK = 1 << 20, /* bytes of a request at least */
    READER_MAX_REQUESTS = 64 /* of a chunk of one input, so that io_uring takes them all at once */
};

struct reader_chunk {
    unsigned char *elements;
    size_t count;
    bool is_whole;  /* all elements are of one input */
    size_t input;   /* this one */
    uint64_t first; /* the first element, as its index in the input */

    /* For the reader. */
    unsigned char *memory;
    int fd;         /* of the input, opened for direct transfers if possible */
    bool is_opened; /* fd is not that of the input itself */
    size_t request_count;
    struct io_request *requests;
    size_t *request_inputs; /* the input of each request */
};

struct reader {
    const struct external *external;
    struct io *io;
    size_t chunk_elements;
    size_t block_size; /* of requests */
    size_t input;      /* that of the next element that no request reads */
    uint64_t next;     /* its index in this input */
    bool has_ended;    /* the stream */
    size_t current;    /* chunk that reader_next returns next */
    size_t chunk_count;
    struct reader_chunk chunk[READER_MAX_CHUNKS]; /* used cyclically */
};

/* Functions that return bool print an error and return false on failure. */

/* Returns the size of the elements of the inputs. */
size_t reader_element_size(const struct external_order *order);

/* Returns the bytes of the arena that a chunk takes, and those that a reader takes. */
size_t reader_chunk_memory(size_t element_size, size_t chunk_elements);
size_t reader_memory(size_t element_size, size_t chunk_elements);

/* Begins to read, behind the first external->count elements. The caller calls reader_close in either case, after the
 * last request of the io. */
bool reader_open(struct reader *reader, const struct external *external, struct io *io,
                 struct arena *arena, size_t chunk_elements);
void reader_close(struct reader *reader);

/* Adds the third chunk. */
bool reader_add_chunk(struct reader *reader, struct arena *arena);

/* Waits for the next chunk, and begins to read the one after it in the memory of the oldest one. The chunk has no
 * elements after the last one. They begin less than IO_ALIGNMENT bytes behind the start of the chunk's memory, which is
 * aligned, and at least IO_ALIGNMENT bytes follow them. */
bool reader_next(struct reader *reader, const struct reader_chunk **chunk);

/* Opens an input for direct transfers, if possible. Returns the descriptor of the input itself if not. */
int reader_open_direct(const struct external_input *input);

/* Sets up a request for `size` bytes at an offset of a file. Returns where these will be in the memory. */
unsigned char *reader_request(struct io_request *request, int fd, unsigned char *memory,
                              uint64_t offset, size_t size);

/* Prints the error of a request that reads an input. */
void reader_print_error(const struct external_input *input, const struct io_request *request);

#endif
