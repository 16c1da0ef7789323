// boost_compute.cpp - peer: Boost.Compute's sort and sort_by_key, on the device of clsort
//
// Boost.Compute sorts in place, in buffers that are created before. Each run begins with copies of
// the input, one for each sort of a batch; these copies are not timed. It allocates its scratch
// buffers in each sort, which is timed. On GPUs its sorts only enqueue, so that a batch waits once.
#include "device_clock.h"
#include "peers.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/exception/opencl_error.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include <err.h>
#include <exception>
#include <memory>
#include <vector>

namespace compute = boost::compute;

namespace
{

void check(cl_int status)
{
    if (status != CL_SUCCESS)
        throw compute::opencl_error(status);
}

// A buffer with the input, and for each sort of a batch a buffer with a copy to sort; no buffers if
// size is 0. The copies are not parts of one buffer, because some kernels contain the offset of
// their data as a constant and would be compiled once per copy.
struct column {
    std::size_t size;
    compute::buffer input;
    std::vector<compute::buffer> sorted;

    column(const compute::context &context, std::size_t bytes, std::size_t batch, void *data)
        : size(bytes)
    {
        if (size == 0)
            return;
        input = compute::buffer(context, size, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, data);
        for (std::size_t i = 0; i < batch; i++)
            sorted.emplace_back(context, size);
    }

    void prepare(compute::command_queue &queue) const
    {
        for (const compute::buffer &copy : sorted)
            queue.enqueue_copy_buffer(input, copy, 0, 0, size);
    }

    void read(compute::command_queue &queue, void *data) const
    {
        if (size)
            queue.enqueue_read_buffer(sorted.back(), 0, size, data);
    }

    template <class Word>
    compute::buffer_iterator<Word> at(std::size_t copy, std::size_t index) const
    {
        return compute::make_buffer_iterator<Word>(sorted[copy], index);
    }
};

struct device_state {
    compute::command_queue queue;
    column keys, values;
    device_clock clock = {};

    explicit device_state(const job &job)
        : queue(job.target->queue),
          keys(queue.get_context(), job.count * job.spec.type->size, job.batch, job.keys),
          values(queue.get_context(), job.count * job.spec.value_size, job.batch, job.values)
    {
    }

    device_state(const device_state &) = delete;

    ~device_state()
    {
        device_clock_close(&clock);
    }
};

// Calls hook(state). Prints an error and returns false if it throws.
template <class Hook> bool guarded(const job *job, void *state, Hook hook)
{
    try {
        hook(*static_cast<device_state *>(state));
        return true;
    } catch (const std::exception &error) {
        warnx("Boost.Compute, n = %zu: %s", job->count, error.what());
        return false;
    }
}

bool open(const job *job, const char *, void **state)
{
    try {
        auto self = std::make_unique<device_state>(*job);
        if (job->device_time)
            check(device_clock_open(job->target, &self->clock));
        *state = self.release();
        return true;
    } catch (const std::exception &error) {
        warnx("Boost.Compute, set-up for n = %zu: %s", job->count, error.what());
        return false;
    }
}

void close(void *state)
{
    delete static_cast<device_state *>(state);
}

bool prepare(const job *job, void *state)
{
    return guarded(job, state, [](device_state &self) {
        self.keys.prepare(self.queue);
        self.values.prepare(self.queue);
        self.queue.finish();
    });
}

// One sort of a batch.
struct one_sort {
    const device_state &self;
    compute::command_queue &queue;
    std::size_t copy, count;
};

template <class Key> void sort_keys(const one_sort &one)
{
    const column &keys = one.self.keys;
    compute::sort(keys.at<Key>(one.copy, 0), keys.at<Key>(one.copy, one.count), one.queue);
}

// Values are as wide as keys.
template <class Word> void sort_pairs(const one_sort &one)
{
    const column &keys = one.self.keys;
    compute::sort_by_key(keys.at<Word>(one.copy, 0), keys.at<Word>(one.copy, one.count),
                         one.self.values.at<Word>(one.copy, 0), one.queue);
}

void sort_typed(const spec &spec, const one_sort &one)
{
    const bool pairs = spec.value_size != 0;
    switch (spec.type->key) {
    case CLSORT_U32:
        return pairs ? sort_pairs<compute::uint_>(one) : sort_keys<compute::uint_>(one);
    case CLSORT_U64:
        return pairs ? sort_pairs<compute::ulong_>(one) : sort_keys<compute::ulong_>(one);
    case CLSORT_I32:
        return sort_keys<compute::int_>(one);
    case CLSORT_I64:
        return sort_keys<compute::long_>(one);
    default: // unsupported() rejects all others
        return;
    }
}

void sort_batch(const job &job, const device_state &self, compute::command_queue &queue)
{
    for (std::size_t i = 0; i < job.batch; i++)
        sort_typed(job.spec, {self, queue, i, job.count});
}

bool sort(const job *job, void *state)
{
    return guarded(job, state, [job](device_state &self) {
        sort_batch(*job, self, self.queue);
        self.queue.finish();
    });
}

bool timed_sort(const job *job, void *state, double *seconds)
{
    return guarded(job, state, [job, seconds](device_state &self) {
        compute::command_queue queue(self.clock.queue);
        check(device_clock_start(&self.clock));
        sort_batch(*job, self, queue);
        check(device_clock_stop(&self.clock, seconds));
    });
}

bool finish(const job *job, void *state)
{
    return guarded(job, state, [job](device_state &self) {
        self.keys.read(self.queue, job->keys_out);
        self.values.read(self.queue, job->values_out);
    });
}

const char *unsupported(const spec *spec)
{
    if (spec->op == OP_CUSTOM)
        return "it does not support custom orders";
    // On CPUs it merges by <, which is not an order of NaNs. It does not support half precision.
    const clsort_key key = spec->type->key;
    if (key == CLSORT_F16 || key == CLSORT_F32 || key == CLSORT_F64)
        return "it compares floats by <, which is not an order of NaNs";
    if (spec->type->size < 4)
        return "it supports keys of 4 or 8 bytes only";
    return peers_same_width_unsupported(spec);
}

constexpr peer make()
{
    peer made = {};
    made.name = "Boost.Compute";
    made.operations = PEER_SORTS;
    made.version = "Boost " CLSORT_BENCH_BOOST;
    made.unsupported = unsupported;
    made.open = open;
    made.close = close;
    made.batches = true;
    made.prepare = prepare;
    made.sort = sort;
    made.finish = finish;
    made.timed_sort = timed_sort;
    return made;
}

} // namespace

const peer peer_boost_compute = make();
