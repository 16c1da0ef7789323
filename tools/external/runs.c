/* runs.c - clsort-external: a list of sorted runs, in the order of the input */
#include "runs.h"

#include "print.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

static bool out_of_memory(void)
{
    print_error("runs", "out of memory");
    return false;
}

static bool append(struct runs *runs, const struct run *run)
{
    if (runs->count == runs->capacity) {
        const size_t capacity = runs->capacity == 0 ? FIRST_CAPACITY : 2 * runs->capacity;
        struct run *larger = realloc(runs->run, capacity * sizeof *larger);

        if (larger == NULL)
            return out_of_memory();
        runs->run = larger;
        runs->capacity = capacity;
    }
    runs->run[runs->count++] = *run;
    return true;
}

bool runs_append_input(struct runs *runs, size_t input, uint64_t first)
{
    return append(runs, &(struct run){.is_input = true, .input = input, .first = first});
}

bool runs_append_stored(struct runs *runs, uint64_t first)
{
    return append(runs, &(struct run){.first = first});
}

static bool add_mark(const struct runs *runs, struct run *run, const unsigned char *element)
{
    if (run->mark_count == run->mark_capacity) {
        const size_t capacity = run->mark_capacity == 0 ? FIRST_CAPACITY : 2 * run->mark_capacity;
        unsigned char *larger = realloc(run->marks, capacity * runs->element_size);

        if (larger == NULL)
            return out_of_memory();
        run->marks = larger;
        run->mark_capacity = capacity;
    }
    memcpy(run->marks + run->mark_count++ * runs->element_size, element, runs->element_size);
    return true;
}

bool runs_add_block(const struct runs *runs, struct run *run, const unsigned char *last,
                    size_t count)
{
    run->count += count;
    return add_mark(runs, run, last);
}

bool runs_extend(const struct runs *runs, struct run *run, const unsigned char *elements,
                 size_t count)
{
    const size_t size = runs->element_size;

    for (size_t at = 0, part; at < count; at += part) {
        const size_t in_block = (size_t)(run->count % runs->block_elements);
        const size_t space = runs->block_elements - in_block;

        part = count - at < space ? count - at : space;
        const unsigned char *last = elements + (at + part - 1) * size;
        if (in_block > 0)
            memcpy(run->marks + (run->mark_count - 1) * size, last, size);
        else if (!add_mark(runs, run, last))
            return false;
        run->count += part;
    }
    return true;
}

void runs_free_run(struct run *run)
{
    free(run->marks);
    run->marks = NULL;
}

void runs_replace(struct runs *runs, size_t at, size_t count, const struct run *run)
{
    for (size_t i = at; i < at + count; i++)
        runs_free_run(&runs->run[i]);
    runs->run[at] = *run;
    memmove(runs->run + at + 1, runs->run + at + count,
            (runs->count - at - count) * sizeof *runs->run);
    runs->count -= count - 1;
}

void runs_free(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        runs_free_run(&runs->run[i]);
    free(runs->run);
    *runs = (struct runs){.count = 0};
}

uint64_t runs_blocks(const struct runs *runs, const struct run *run)
{
    return run->count / runs->block_elements + (run->count % runs->block_elements != 0);
}

const unsigned char *runs_last(const struct runs *runs, const struct run *run, uint64_t block)
{
    return run->marks + block * runs->element_size;
}
