// write_combine.cl - write-combining lines: keys go to many bins, a cache line at a time and past the cache
//
// Write combining: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362, section 3.2; Wassenberg and
// Sanders, "Engineering a multi-core radix sort", Euro-Par 2011, pp. 160-169, section 3.
#ifndef CLSORT_CPU_RADIX_WRITE_COMBINE_CL
#define CLSORT_CPU_RADIX_WRITE_COMBINE_CL

#include "common/elements.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bins.cl"

#define LINE (64 / KEY_BYTES) // keys in a cache line

// Both begin where a line does. (A vector may be read from what was stored as any type; what vload8 reads may not.)
static inline void stream_lines(const void *restrict from, __global void *restrict to,
                                const uint bytes)
{
    for (uint i = 0; i < bytes / 64; i++)
        STREAM(((const ulong8 *)from)[i], (__global ulong8 *)to + i);
}

// The bins' lines of output. Places count from the start of the cache line that the output begins in, so that
// lines of places are lines of memory; `out` is moved back by as much.
typedef struct {
    elements_t out;
    bool streams;               // keys are aligned, as they are in any buffer that a driver made
    VALUES(bool values_stream;) // a line of values is whole, aligned cache lines
    uint next[MAX_BINS];        // slot of the next key; of a full line the one behind it
    index_t end[MAX_BINS];      // the place behind the line
    index_t start[MAX_BINS];    // the first place of all: lines begin before it
    key_t keys[LINE * MAX_BINS] ALIGNED;
    VALUES(value_t values[LINE * MAX_BINS] ALIGNED;)
} lines_t;

// The line of bin d begins at this place of the output.
static inline void begin_line(lines_t *restrict lines, const uint d, const index_t start)
{
    lines->start[d] = start;
    lines->end[d] = start / LINE * LINE + LINE;
    lines->next[d] = d * LINE + (uint)(start % LINE);
}

// Writes the items that the line of bin d holds, one by one.
static inline void flush_part(const lines_t *restrict lines, const uint d)
{
    const index_t first = lines->end[d] - LINE;
    for (index_t i = max(first, lines->start[d]); i < first + (lines->next[d] - d * LINE); i++) {
        const uint slot = d * LINE + (uint)(i - first);
        lines->out.keys[i] = lines->keys[slot];
        VALUES(lines->out.values[i] = lines->values[slot];)
    }
}

// Writes a full line, and begins the next.
static inline void flush_line(lines_t *restrict lines, const uint d)
{
    const index_t end = lines->end[d];
    if (end < lines->start[d] + LINE || !lines->streams) {
        flush_part(lines, d);
    } else {
        stream_lines(lines->keys + d * LINE, lines->out.keys + (end - LINE), 64);
#if VALUE_BYTES > 0
        __global value_t *to = lines->out.values + (end - LINE);
        if (lines->values_stream)
            stream_lines(lines->values + d * LINE, to, LINE * VALUE_BYTES);
        else
            for (uint j = 0; j < LINE; j++)
                to[j] = lines->values[d * LINE + j];
#endif
    }
    lines->end[d] = end + LINE;
    lines->next[d] = d * LINE;
}

#endif
