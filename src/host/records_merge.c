/* records_merge.c - merges sorted pieces of records in host memory
 *
 * A heap has the next record of each piece (multiway merge: Knuth, "The Art of Computer Programming",
 * volume 3, section 5.4.1). Its entries also have the first word of the record's key, which decides
 * most comparisons. */
#include "base/index.h"
#include "host/records.h"

#include <stdlib.h>

/* The next record of a piece. */
struct head {
    uint64_t word; /* the first one of its key */
    const char *record;
    size_t at, end, first; /* the next element, and the bounds of the piece */
};

/* Sets the record of a head from `at`. */
static void load(const struct cls_host_records *records, const struct cls_host_merge *merge,
                 struct head *head)
{
    size_t element = head->at;
    if (merge->indexes)
        element =
            head->first + (size_t)cls_load_index(merge->indexes + head->at * merge->index_bytes,
                                                 merge->index_bytes);
    head->record = merge->from + element * records->record_bytes;
    head->word = cls_host_record_word(records, 0, head->record);
}

/* Returns whether a head precedes another one. If the records are equal, that of the first piece does. */
static bool precedes(const struct cls_host_records *records, const struct head *a,
                     const struct head *b)
{
    if (a->word != b->word)
        return a->word < b->word;
    const int order =
        records->words > 1 ? cls_host_compare_records(records, a->record, b->record) : 0;
    return order != 0 ? order < 0 : a->first < b->first;
}

/* Moves the entry i of a heap down until neither of the entries below it precedes it. */
static void sift_down(const struct cls_host_records *records, struct head *heap, size_t count,
                      size_t i)
{
    const struct head moved = heap[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && precedes(records, &heap[child + 1], &heap[child]))
            child++;
        if (!precedes(records, &heap[child], &moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

static void write(const struct cls_host_records *records, const struct cls_host_merge *merge,
                  const struct head *head, size_t i)
{
    const size_t bytes = records->record_bytes;
    if (merge->indexes)
        cls_store_index((uint64_t)(head->record - merge->from) / bytes, merge->index_bytes,
                        merge->to + i * merge->index_bytes);
    else
        memcpy(merge->to + i * bytes, head->record, bytes);
}

clsort_status cls_host_merge_records(const struct cls_host_records *records,
                                     const struct cls_host_merge *merge)
{
    size_t heads = (merge->count + merge->piece - 1) / merge->piece;
    struct head *heap = calloc(heads, sizeof *heap);
    if (!heap)
        return CLSORT_E_MEMORY;
    for (size_t i = 0; i < heads; i++) {
        const size_t first = i * merge->piece;
        const size_t count =
            merge->count - first < merge->piece ? merge->count - first : merge->piece;
        heap[i] = (struct head){.first = first, .at = first, .end = first + count};
        load(records, merge, &heap[i]);
    }
    for (size_t i = heads / 2; i-- > 0;)
        sift_down(records, heap, heads, i);
    for (size_t i = 0; i < merge->count; i++) {
        write(records, merge, &heap[0], i);
        if (++heap[0].at < heap[0].end)
            load(records, merge, &heap[0]);
        else
            heap[0] = heap[--heads];
        if (heads > 0)
            sift_down(records, heap, heads, 0);
    }
    free(heap);
    return CLSORT_OK;
}
