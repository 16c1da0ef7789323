/* merging.c - clsort-external: inputs that are in order become the runs of a merge
 *
 * A merge has to know the last element of each block (runs.h). These are read alone, many at a time. Whether the inputs
 * are in order is seen when the blocks are loaded. */
#include "merging.h"

#include "arena.h"
#include "print.h"
#include "reader.h"

#include <stdlib.h>
#include <unistd.h>

enum { REQUESTS = 64 /* at a time */ };

struct probe {
    struct io_request request;
    unsigned char *memory;
    unsigned char *element;
};

struct probes {
    const struct external *external;
    struct io *io;
    struct runs *runs;
    struct probe probe[REQUESTS];
};

/* Begins to read the last element of a block of the run. */
static void start(const struct probes *probes, struct probe *probe, const struct run *run, int fd,
                  uint64_t block)
{
    const struct external_plan *plan = &probes->external->plan;
    const struct external_input *input = &probes->external->inputs[run->input];
    const uint64_t end = (block + 1) * plan->block_elements;
    const uint64_t last = (end < input->count ? end : input->count) - 1;

    probe->element = reader_request(&probe->request, fd, probe->memory,
                                    input->offset + last * plan->size, plan->size);
    io_start(probes->io, &probe->request);
}

/* Waits for the last element of a block, and adds the block to the run. */
static bool finish(const struct probes *probes, struct probe *probe, struct run *run)
{
    const struct external *external = probes->external;
    const struct external_order *order = external->order;
    const struct external_input *input = &external->inputs[run->input];
    const uint64_t left = input->count - run->count;
    const size_t block = external->plan.block_elements;

    if (!io_wait(probes->io, &probe->request)) {
        reader_print_error(input, &probe->request);
        return false;
    }
    order->decode(order->context, probe->element, 1);
    return runs_add_block(probes->runs, run, probe->element, left < block ? (size_t)left : block);
}

/* Adds the blocks of an input to its run. */
static bool add_blocks(struct probes *probes, struct run *run, int fd)
{
    const struct external *external = probes->external;
    const size_t block_elements = external->plan.block_elements;
    const uint64_t count = external->inputs[run->input].count;
    const uint64_t blocks = count / block_elements + (count % block_elements != 0);

    for (uint64_t i = 0; i < blocks + REQUESTS; i++) {
        struct probe *probe = &probes->probe[i % REQUESTS];

        if (i >= REQUESTS && i - REQUESTS < blocks && !finish(probes, probe, run))
            return false;
        if (i < blocks)
            start(probes, probe, run, fd, i);
    }
    return true;
}

/* Lists an input as a run. */
static bool list_input(struct probes *probes, size_t number)
{
    const struct external_input *input = &probes->external->inputs[number];
    struct runs *runs = probes->runs;
    const int fd = reader_open_direct(input);
    const bool done =
        runs_append_input(runs, number, 0) && add_blocks(probes, &runs->run[runs->count - 1], fd);

    for (size_t i = 0; i < REQUESTS; i++)
        io_wait(probes->io, &probes->probe[i].request);
    if (fd != input->fd)
        close(fd);
    return done;
}

bool merging_list_runs(const struct external *external, struct io *io, struct runs *runs)
{
    const size_t size = external->plan.size + 2 * IO_ALIGNMENT;
    struct arena arena;
    struct probes *probes = calloc(1, sizeof *probes);
    bool done = probes != NULL;

    if (!done) {
        print_error(external->inputs[0].name, "out of memory");
        return false;
    }
    *probes = (struct probes){.external = external, .io = io, .runs = runs};
    done = arena_map(&arena, REQUESTS * arena_padded(size));
    for (size_t i = 0; done && i < REQUESTS; i++)
        probes->probe[i].memory = arena_take(&arena, size);
    for (size_t i = 0; done && i < external->input_count; i++)
        done = external->inputs[i].count == 0 || list_input(probes, i);
    arena_unmap(&arena);
    free(probes);
    return done;
}
