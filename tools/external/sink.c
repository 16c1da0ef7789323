/* sink.c - clsort-external: the way to the output: elements in order are checked, summed up and written */
#include "sink.h"

#include "parallel.h"
#include "print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool sink_open(struct sink *sink, struct external *external, struct stream *stream)
{
    *sink = (struct sink){.external = external, .stream = stream};
    external->kept = 0;
    sink->last = malloc(external->order->size);
    if (sink->last == NULL)
        print_error(external->output_name, "out of memory");
    return sink->last != NULL && stream_put(stream, external->header, external->header_size);
}

void sink_close(struct sink *sink)
{
    free(sink->last);
    sink->last = NULL;
}

/* Checks that the elements follow the last ones and are in order. */
static bool check(const struct sink *sink, const unsigned char *elements, size_t count)
{
    const struct external_order *order = sink->external->order;
    const bool is_row = sink->external->plan.row_elements > 0;
    const bool follows =
        !sink->has_last || is_row || order->compare(order->context, sink->last, elements) <= 0;
    const size_t disorder = is_row ? order->disorder(order->context, elements, count)
                                   : parallel_disorder(order, elements, count);

    if (follows && disorder == count)
        return true;
    print_error(sink->external->output_name,
                "the sorted elements are not in order, because the device, the memory or a disk is "
                "faulty; the output is unchanged");
    return false;
}

/* Moves the first element of those that are equal to the front. last: the element before them, or NULL. Returns the
 * number of these. */
static size_t drop_equal(const struct external_order *order, const unsigned char *last,
                         unsigned char *elements, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned char *element = elements + i * order->size;

        if (last != NULL && order->compare(order->context, last, element) == 0)
            continue;
        last = memmove(elements + kept++ * order->size, element, order->size);
    }
    return kept;
}

/* Writes those of the elements that the selection contains. */
static bool write_selected(struct sink *sink, unsigned char *elements, size_t count)
{
    struct external *external = sink->external;
    const struct external_order *order = external->order;
    const struct external_selection *selection = &external->plan.selection;
    const size_t size = order->size;
    const uint64_t begin = sink->position;
    uint64_t first = begin, end = begin + count;

    sink->position = end;
    if (selection->is_given) {
        const uint64_t limit = selection->first + selection->count;

        first = first < selection->first ? selection->first : first;
        end = end < limit ? end : limit;
    }
    if (first >= end)
        return true;
    unsigned char *part = elements + (first - begin) * size;
    const size_t kept = (size_t)(end - first);
    external->kept += kept;
    return stream_put(sink->stream, part,
                      order->extract != NULL ? order->extract(order->context, part, kept)
                                             : kept * size);
}

bool sink_put(struct sink *sink, unsigned char *elements, size_t count)
{
    struct external *external = sink->external;
    const struct external_order *order = external->order;
    const unsigned char *last = sink->has_last ? sink->last : NULL;

    if (count == 0)
        return true;
    if (external->is_verified && !check(sink, elements, count))
        return false;
    if (external->is_unique) {
        if (external->is_verified) { /* by all elements, as they are in files */
            order->encode(order->context, elements, count);
            sink->checksum += parallel_checksum(order, elements, count);
            order->decode(order->context, elements, count);
        }
        const size_t kept = drop_equal(order, last, elements, count);
        external->progress((count - kept) * order->size);
        count = kept;
        if (count == 0)
            return true;
    }
    memcpy(sink->last, elements + (count - 1) * order->size, order->size);
    sink->has_last = true;
    order->encode(order->context, elements, count);
    if (external->is_verified && !external->is_unique)
        sink->checksum += parallel_checksum(order, elements, count);
    return write_selected(sink, elements, count);
}

bool sink_finish(struct sink *sink)
{
    const struct external *external = sink->external;
    const uint64_t expected =
        external->order->expand != NULL ? external->proof : external->checksum;

    if (external->is_verified && sink->checksum != expected) {
        print_error(sink->external->output_name,
                    "the checksum of the output, %016" PRIx64
                    ", is not that of the input, "
                    "%016" PRIx64
                    ": the input has changed meanwhile, or the device, the memory or a disk is "
                    "faulty; the output is unchanged",
                    sink->checksum, expected);
        return false;
    }
    return stream_finish(sink->stream);
}
