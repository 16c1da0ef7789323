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

static bool report_disorder(const struct sink *sink)
{
    print_error(
        sink->external->output_name,
        "the sorted elements are not in order, because %sthe device, the memory or a disk is "
        "faulty; the output is unchanged",
        sink->external->order->suspect);
    return false;
}

/* Returns whether the elements may follow the last ones. */
static bool follows(const struct sink *sink, const unsigned char *elements)
{
    const struct external_order *order = sink->external->order;

    return !sink->has_last || sink->external->plan.row_elements > 0 ||
           order->compare(order->context, sink->last, elements) <= 0;
}

/* Checks that the elements are in order, encodes them, and adds up their checksum. A device that checks the order gets
 * many elements at a time. */
static bool prove(struct sink *sink, unsigned char *elements, size_t count)
{
    const struct external_order *order = sink->external->order;
    const bool has_rows = sink->external->plan.row_elements > 0;

    if (!has_rows && order->has_failed == NULL)
        return parallel_prove(order, elements, count, &sink->checksum);
    const size_t disorder = has_rows ? order->disorder(order->context, elements, count)
                                     : parallel_disorder(order, elements, count);
    if (disorder < count)
        return false;
    order->encode(order->context, elements, count);
    sink->checksum += parallel_checksum(order, elements, count);
    return true;
}

static void keep_last(struct sink *sink, const unsigned char *elements, size_t count)
{
    const size_t size = sink->external->order->size;

    memcpy(sink->last, elements + (count - 1) * size, size);
    sink->has_last = true;
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

/* The checksum is that of all elements, as they are in files. */
static bool put_unique(struct sink *sink, unsigned char *elements, size_t count)
{
    const struct external *external = sink->external;
    const struct external_order *order = external->order;
    const unsigned char *last = sink->has_last ? sink->last : NULL;

    if (external->is_verified) {
        if (!prove(sink, elements, count))
            return report_disorder(sink);
        order->decode(order->context, elements, count);
    }
    const size_t kept = drop_equal(order, last, elements, count);
    external->progress((count - kept) * order->size);
    if (kept == 0)
        return true;
    keep_last(sink, elements, kept);
    order->encode(order->context, elements, kept);
    return write_selected(sink, elements, kept);
}

bool sink_put(struct sink *sink, unsigned char *elements, size_t count)
{
    const struct external *external = sink->external;
    const struct external_order *order = external->order;

    if (count == 0)
        return true;
    if (external->is_verified && !follows(sink, elements))
        return report_disorder(sink);
    if (external->is_unique)
        return put_unique(sink, elements, count);
    keep_last(sink, elements, count);
    if (!external->is_verified)
        order->encode(order->context, elements, count);
    else if (!prove(sink, elements, count))
        return report_disorder(sink);
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
                    ": %sthe input has changed meanwhile, or the device, the memory or a disk is "
                    "faulty; the output is unchanged",
                    sink->checksum, expected, external->order->suspect);
        return false;
    }
    return stream_finish(sink->stream);
}
