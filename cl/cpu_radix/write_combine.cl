// write_combine.cl - write combining: elements are scattered to many bins in whole cache lines
//
// Each bin has a line in private memory that collects its elements. A full line is written to the
// output by streaming stores, which bypass the cache. Without such lines each element would be
// written to another cache line, and more lines and pages would be in use than the caches and the
// TLB hold.
//
// Write combining: Satish et al., "Fast sort on CPUs and GPUs", SIGMOD 2010, pp. 351-362, section
// 3.2; Wassenberg and Sanders, "Engineering a multi-core radix sort", Euro-Par 2011, pp. 160-169,
// section 3.
#ifndef CLSORT_CPU_RADIX_WRITE_COMBINE_CL
#define CLSORT_CPU_RADIX_WRITE_COMBINE_CL

#include "common/elements.cl"
#include "common/streaming_store.cl"
#include "cpu_radix/bins.cl"

#define LINE_KEYS (64 / KEY_BYTES) // keys in a cache line

// Copies whole cache lines; both arrays begin at a line. The aliasing rules allow the cast to
// ulong8, a vector; they do not allow vload8, which would read through a pointer to ulong.
static inline void stream_lines(const void *restrict from, __global void *restrict to,
                                const uint bytes)
{
    for (uint i = 0; i < bytes / 64; i++) {
        STREAM(((const ulong8 *)from)[i], (__global ulong8 *)to + i);
    }
}

// The lines of all bins. Offsets count from the start of the cache line in which the output begins,
// so that a line of offsets is a line of memory; `out` points to that start.
typedef struct {
    elements_t out;
    bool streams_keys;           // keys are aligned, as in any buffer that a driver allocates
    VALUES(bool streams_values;) // the values of a line are whole, aligned cache lines
    uint next[MAX_BINS];         // slot of the next key; of a full line, the slot after its end
    index_t end[MAX_BINS];       // the offset after the line's end
    index_t start[MAX_BINS];     // the bin's first offset, which may be inside its first line
    key_t keys[LINE_KEYS * MAX_BINS] ALIGNED;
    VALUES(value_t values[LINE_KEYS * MAX_BINS] ALIGNED;)
} write_combine_t;

// The start of a bin whose elements are not written.
#define NOT_WRITTEN ((index_t) ~(index_t)0 - LINE_KEYS)

// Sets up the line of bin d, whose elements begin at offset `start`.
static inline void begin_line(write_combine_t *restrict lines, const uint d, const index_t start)
{
    lines->start[d] = start;
    lines->end[d] = start / LINE_KEYS * LINE_KEYS + LINE_KEYS;
    lines->next[d] = d * LINE_KEYS + (uint)(start % LINE_KEYS);
}

// Writes the elements in the line of bin d one by one.
static inline void flush_partial_line(const write_combine_t *restrict lines, const uint d)
{
    const index_t first = lines->end[d] - LINE_KEYS;
    for (index_t i = max(first, lines->start[d]); i < first + (lines->next[d] - d * LINE_KEYS);
         i++) {
        const uint slot = d * LINE_KEYS + (uint)(i - first);
        lines->out.keys[i] = lines->keys[slot];
        VALUES(lines->out.values[i] = lines->values[slot];)
    }
}

// Writes the full line of bin d, and empties it.
static inline void flush_line(write_combine_t *restrict lines, const uint d)
{
    const index_t end = lines->end[d];
    if (end < lines->start[d] + LINE_KEYS || !lines->streams_keys) {
        flush_partial_line(lines, d);
    } else {
        stream_lines(lines->keys + d * LINE_KEYS, lines->out.keys + (end - LINE_KEYS), 64);
#if VALUE_BYTES > 0
        __global value_t *to = lines->out.values + (end - LINE_KEYS);
        if (lines->streams_values) {
            stream_lines(lines->values + d * LINE_KEYS, to, LINE_KEYS * VALUE_BYTES);
        } else {
            for (uint j = 0; j < LINE_KEYS; j++) {
                to[j] = lines->values[d * LINE_KEYS + j];
            }
        }
#endif
    }
    lines->end[d] = end + LINE_KEYS;
    lines->next[d] = d * LINE_KEYS;
}

#endif
