/* sink.h - clsort-external: the way to the output: elements in order are checked, summed up and written */
#ifndef CLSORT_EXTERNAL_SINK_H
#define CLSORT_EXTERNAL_SINK_H

#include "stream.h"

struct sink {
    struct external *external;
    struct stream *stream;
    unsigned char *last; /* the last element, as the functions of the order expect it */
    bool has_last;
    uint64_t checksum;
    uint64_t position; /* number of elements that have been put, or that precede the first one */
};

/* Functions that return bool print an error and return false on failure. */

/* Begins an output with its header. The caller calls sink_close in either case. */
bool sink_open(struct sink *sink, struct external *external, struct stream *stream);
void sink_close(struct sink *sink);

/* Writes elements that are in order, which are converted to those of the file. */
bool sink_put(struct sink *sink, unsigned char *elements, size_t count);

/* Ends the output. external->checksum is that of the inputs, and external->proof that of the converted ones. */
bool sink_finish(struct sink *sink);

#endif
