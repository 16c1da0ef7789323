/* codec.c - clsort-external: compression of blocks in place, by lz4 or zstd if they were there when clsort was built
 *
 * Neighbours in a run are similar in their first bytes, but a sorted array of u64 keys has no repeated strings: lz4
 * saves nothing. The bytes of elements are therefore transposed first, so that the first bytes of all elements precede
 * their second bytes, and so on, as the filter shuffle of HDF5 and Blosc does. Blocks of 2 MiB of 2^25 sorted uniform
 * u64 keys shrink to 0.70 of their size by lz4, those of 2^26 u32 keys to 0.37, and 100-byte records of the sort
 * benchmark to 0.26 instead of 0.39. One core of an EPYC compresses these at 1.2 to 1.4 GB/s and restores them at 1.1
 * to 5.5 GB/s; by zstd, they take 0.69, 0.33 and 0.17, at 0.7 to 0.9 and 1.0 to 3.0 GB/s.
 *
 * A compressed block begins with the number of compressed bytes in 8 bytes, least significant first. */
#include "codec.h"

#include "print.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef CLSORT_HAVE_LZ4
#include <lz4.h>
#endif
#ifdef CLSORT_HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    HEADER = 8,
    MAX_PLANES = 256, /* bytes of the largest elements whose bytes are transposed */
    TILE = 64,        /* elements that are transposed at a time, in the level 1 cache */
    ZSTD_LEVEL = 1,
    ZSTD_MEMORY = 1 << 20 /* bytes of both contexts of a worker; 0.7 MB were measured */
};

/* -- transposition ----------------------------------------------------------------------------- */

/* The functions are inlined for elements of the common sizes and for whole tiles, so that compilers use vector
 * instructions. Both write to consecutive bytes in their inner loops. */
static inline void split_tile(const unsigned char *restrict from, unsigned char *restrict to,
                              size_t stride, const size_t size, const size_t count)
{
    for (size_t plane = 0; plane < size; plane++)
        for (size_t i = 0; i < count; i++)
            to[plane * stride + i] = from[i * size + plane];
}

static inline void join_tile(const unsigned char *restrict from, unsigned char *restrict to,
                             size_t stride, const size_t size, const size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t plane = 0; plane < size; plane++)
            to[i * size + plane] = from[plane * stride + i];
}

/* Transposes the bytes of `count` elements, or back. */
static inline void transpose(const unsigned char *from, unsigned char *to, size_t count,
                             const size_t size, const bool is_back)
{
    size_t at = 0;

    for (; !is_back && at + TILE <= count; at += TILE)
        split_tile(from + at * size, to + at, count, size, TILE);
    for (; is_back && at + TILE <= count; at += TILE)
        join_tile(from + at, to + at * size, count, size, TILE);
    if (is_back)
        join_tile(from + at, to + at * size, count, size, count - at);
    else
        split_tile(from + at * size, to + at, count, size, count - at);
}

/* Copies elements, and transposes their bytes, or back. */
static inline void filter(const unsigned char *from, unsigned char *to, size_t bytes, size_t size,
                          const bool is_back)
{
    if (size == 8)
        transpose(from, to, bytes / 8, 8, is_back);
    else if (size == 4)
        transpose(from, to, bytes / 4, 4, is_back);
    else if (size > 1 && size <= MAX_PLANES)
        transpose(from, to, bytes / size, size, is_back);
    else
        memcpy(to, from, bytes);
}

static void split(const unsigned char *from, unsigned char *to, size_t bytes, size_t size)
{
    filter(from, to, bytes, size, false);
}

static void join(const unsigned char *from, unsigned char *to, size_t bytes, size_t size)
{
    filter(from, to, bytes, size, true);
}

/* -- methods ----------------------------------------------------------------------------------- */

/* Both return 0 if the result exceeds the capacity. */
struct method {
    const char *name;
    size_t memory; /* of a worker */
    bool (*open)(struct codec_worker *worker);
    void (*close)(struct codec_worker *worker);
    size_t (*compress)(struct codec_worker *worker, unsigned char *to, size_t capacity,
                       size_t size);
    size_t (*decompress)(struct codec_worker *worker, const unsigned char *from, size_t stored,
                         size_t size);
};

#ifdef CLSORT_HAVE_LZ4
static bool lz4_open(struct codec_worker *worker)
{
    worker->compressor = malloc((size_t)LZ4_sizeofState());
    return worker->compressor != NULL;
}

static void lz4_close(struct codec_worker *worker)
{
    free(worker->compressor);
}

static size_t lz4_compress(struct codec_worker *worker, unsigned char *to, size_t capacity,
                           size_t size)
{
    if (size > LZ4_MAX_INPUT_SIZE)
        return 0;
    return (size_t)LZ4_compress_fast_extState(worker->compressor, (const char *)worker->scratch,
                                              (char *)to, (int)size, (int)capacity, 1);
}

static size_t lz4_decompress(struct codec_worker *worker, const unsigned char *from, size_t stored,
                             size_t size)
{
    if (size > LZ4_MAX_INPUT_SIZE || stored > LZ4_MAX_INPUT_SIZE)
        return 0;
    const int result =
        LZ4_decompress_safe((const char *)from, (char *)worker->scratch, (int)stored, (int)size);
    return result < 0 ? 0 : (size_t)result;
}
#endif

#ifdef CLSORT_HAVE_ZSTD
static bool zstd_open(struct codec_worker *worker)
{
    worker->compressor = ZSTD_createCCtx();
    worker->decompressor = ZSTD_createDCtx();
    if (worker->compressor == NULL || worker->decompressor == NULL)
        return false;
    ZSTD_CCtx_setParameter(worker->compressor, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(worker->compressor, ZSTD_c_checksumFlag, 1);
    return true;
}

static void zstd_close(struct codec_worker *worker)
{
    ZSTD_freeCCtx(worker->compressor);
    ZSTD_freeDCtx(worker->decompressor);
}

static size_t zstd_compress(struct codec_worker *worker, unsigned char *to, size_t capacity,
                            size_t size)
{
    const size_t result = ZSTD_compress2(worker->compressor, to, capacity, worker->scratch, size);

    return ZSTD_isError(result) ? 0 : result;
}

static size_t zstd_decompress(struct codec_worker *worker, const unsigned char *from, size_t stored,
                              size_t size)
{
    const size_t result =
        ZSTD_decompressDCtx(worker->decompressor, worker->scratch, size, from, stored);

    return ZSTD_isError(result) ? 0 : result;
}
#endif

/* compress is NULL if the method was not built in. */
static const struct method methods[CODEC_COUNT] = {
    [CODEC_NONE] = {.name = "none"},
#ifdef CLSORT_HAVE_LZ4
    [CODEC_LZ4] = {"lz4", 16 << 10, lz4_open, lz4_close, lz4_compress, lz4_decompress},
#else
    [CODEC_LZ4] = {.name = "lz4"},
#endif
#ifdef CLSORT_HAVE_ZSTD
    [CODEC_ZSTD] = {"zstd", ZSTD_MEMORY, zstd_open, zstd_close, zstd_compress, zstd_decompress},
#else
    [CODEC_ZSTD] = {.name = "zstd"},
#endif
};

const char *codec_name(enum codec_method method)
{
    return methods[method].name;
}

bool codec_is_available(enum codec_method method)
{
    return method == CODEC_NONE || methods[method].compress != NULL;
}

enum codec_method codec_best(void)
{
    return codec_is_available(CODEC_LZ4)    ? CODEC_LZ4
           : codec_is_available(CODEC_ZSTD) ? CODEC_ZSTD
                                            : CODEC_NONE;
}

size_t codec_memory(enum codec_method method, size_t worker_count)
{
    return methods[method].memory * worker_count;
}

/* -- blocks ------------------------------------------------------------------------------------ */

bool codec_open(struct codec *codec, enum codec_method method, size_t element_size,
                size_t block_size, size_t worker_count)
{
    bool done;

    *codec =
        (struct codec){.method = method, .element_size = element_size, .block_size = block_size};
    codec->workers = calloc(worker_count, sizeof *codec->workers);
    done = codec->workers != NULL;
    codec->worker_count = done ? worker_count : 0;
    for (size_t i = 0; done && i < worker_count; i++)
        done = methods[method].open(&codec->workers[i]);
    if (!done) {
        print_error("compression", "out of memory");
        return false;
    }
    if (!arena_map(&codec->arena, worker_count * arena_padded(block_size)))
        return false;
    for (size_t i = 0; i < worker_count; i++)
        codec->workers[i].scratch = arena_take(&codec->arena, block_size);
    return true;
}

void codec_close(struct codec *codec)
{
    for (size_t i = 0; i < codec->worker_count; i++)
        methods[codec->method].close(&codec->workers[i]);
    free(codec->workers);
    arena_unmap(&codec->arena);
    *codec = (struct codec){.method = CODEC_NONE};
}

size_t codec_encode(struct codec *codec, size_t worker, unsigned char *data, size_t size,
                    size_t capacity)
{
    struct codec_worker *state = &codec->workers[worker];

    if (capacity <= HEADER || size > codec->block_size)
        return 0;
    split(data, state->scratch, size, codec->element_size);
    const uint64_t result =
        methods[codec->method].compress(state, data + HEADER, capacity - HEADER, size);
    if (result == 0) {
        join(state->scratch, data, size, codec->element_size);
        return 0;
    }
    for (size_t i = 0; i < HEADER; i++)
        data[i] = (unsigned char)(result >> 8 * i);
    return HEADER + (size_t)result;
}

bool codec_decode(struct codec *codec, size_t worker, unsigned char *data, size_t stored,
                  size_t size)
{
    struct codec_worker *state = &codec->workers[worker];
    uint64_t compressed = 0;

    if (stored < HEADER || size > codec->block_size)
        return false;
    for (size_t i = 0; i < HEADER; i++)
        compressed |= (uint64_t)data[i] << 8 * i;
    if (compressed > stored - HEADER ||
        methods[codec->method].decompress(state, data + HEADER, (size_t)compressed, size) != size)
        return false;
    join(state->scratch, data, size, codec->element_size);
    return true;
}
