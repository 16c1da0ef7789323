/* codec.h - clsort-external: compression of blocks in place, by lz4 or zstd if they were there when clsort was built */
#ifndef CLSORT_EXTERNAL_CODEC_H
#define CLSORT_EXTERNAL_CODEC_H

#include "arena.h"

enum codec_method { CODEC_NONE, CODEC_LZ4, CODEC_ZSTD, CODEC_COUNT };

/* Returns the name of a method, and whether it was built in. */
const char *codec_name(enum codec_method method);
bool codec_is_available(enum codec_method method);

/* Returns lz4, else zstd, else none: the first that is available. */
enum codec_method codec_best(void);

/* Returns the bytes that the library of a method allocates for this number of workers. */
size_t codec_memory(enum codec_method method, size_t worker_count);

/* What a thread needs. */
struct codec_worker {
    unsigned char *scratch; /* a block */
    void *compressor, *decompressor;
};

struct codec {
    enum codec_method method;
    size_t element_size;
    size_t block_size;
    struct arena arena;
    size_t worker_count;
    struct codec_worker *workers;
};

/* Allocates what the workers need: each calls the functions below in one thread at a time. Prints an error and returns
 * false on failure. The caller calls codec_close in either case. */
bool codec_open(struct codec *codec, enum codec_method method, size_t element_size,
                size_t block_size, size_t worker_count);
void codec_close(struct codec *codec);

/* Compresses `size` bytes of elements, at most a block. Returns the number of bytes to which they have shrunk; 0 if
 * these would be more than `capacity`, and the data then are unchanged. */
size_t codec_encode(struct codec *codec, size_t worker, unsigned char *data, size_t size,
                    size_t capacity);

/* Restores `size` bytes, at most a block, from the data in their place, of which `stored` bytes can be read. Returns
 * false, without a change, if the data are no compressed block of this size. */
bool codec_decode(struct codec *codec, size_t worker, unsigned char *data, size_t stored,
                  size_t size);

#endif
