/* conversion.c - clsort-external: the elements of chunks of the inputs become those that are sorted */
#include "conversion.h"

#include "parallel.h"

size_t conversion_memory(const struct external *external, size_t chunk_elements)
{
    return external->order->expand != NULL
               ? arena_padded(chunk_elements * external->order->size + IO_ALIGNMENT)
               : 0;
}

void conversion_open(struct conversion *conversion, struct external *external, struct arena *arena,
                     size_t chunk_elements)
{
    *conversion = (struct conversion){.external = external};
    if (external->order->expand != NULL)
        conversion->next = conversion->after_next =
            arena_take(arena, conversion_memory(external, chunk_elements));
}

void conversion_add_space(struct conversion *conversion, struct arena *arena, size_t chunk_elements)
{
    conversion->next = arena_take(arena, conversion_memory(conversion->external, chunk_elements));
}

unsigned char *conversion_take(struct conversion *conversion, const struct reader_chunk *chunk,
                               bool is_proven)
{
    struct external *external = conversion->external;
    const struct external_order *order = external->order;
    const uint64_t first = external->count;

    external->count += chunk->count;
    if (order->expand == NULL) {
        if (is_proven || external->is_summed)
            external->checksum += parallel_checksum(order, chunk->elements, chunk->count);
        order->decode(order->context, chunk->elements, chunk->count);
        return chunk->elements;
    }
    if (external->is_summed)
        external->checksum += order->input_checksum(order->context, chunk->elements, chunk->count);
    unsigned char *elements = conversion->next;

    conversion->next = conversion->after_next;
    conversion->after_next = elements;
    order->expand(order->context, elements, chunk->elements, chunk->count, first);
    if (is_proven)
        external->proof += parallel_checksum(order, elements, chunk->count);
    return elements;
}
