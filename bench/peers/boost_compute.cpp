// boost_compute.cpp - peer: Boost.Compute's sort and sort_by_key, on the device that clsort sorts on
//
// As clsort it sorts between buffers that were made before. It sorts in place, so that each run begins with a copy,
// which is not timed, and it makes its scratch buffers itself each time, which is.
#include "peers.h"

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/buffer.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include <err.h>
#include <exception>

namespace compute = boost::compute;

namespace
{

// A buffer with the input, and one where it is sorted; none for size 0.
struct column {
    std::size_t size;
    compute::buffer input, sorted;

    column(const compute::context &context, std::size_t bytes, void *data) : size(bytes)
    {
        if (size == 0)
            return;
        input = compute::buffer(context, size, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, data);
        sorted = compute::buffer(context, size);
    }

    void prepare(compute::command_queue &queue) const
    {
        if (size)
            queue.enqueue_copy_buffer(input, sorted, 0, 0, size);
    }

    void read(compute::command_queue &queue, void *data) const
    {
        if (size)
            queue.enqueue_read_buffer(sorted, 0, size, data);
    }
};

struct device_state {
    compute::command_queue queue;
    column keys, values;

    explicit device_state(const job &job)
        : queue(job.target->queue),
          keys(queue.get_context(), job.count * job.shape.type->size, job.keys),
          values(queue.get_context(), job.count * job.shape.value_size, job.values)
    {
    }

    template <class Key> compute::buffer_iterator<Key> keys_at(std::size_t index) const
    {
        return compute::make_buffer_iterator<Key>(keys.sorted, index);
    }
};

// Calls hook(state), and says what it throws.
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
        *state = new device_state(*job);
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

template <class Key> void sort_keys(const job &job, device_state &self)
{
    compute::sort(self.keys_at<Key>(0), self.keys_at<Key>(job.count), self.queue);
}

// Values are as wide as keys.
template <class Word> void sort_pairs(const job &job, device_state &self)
{
    compute::sort_by_key(self.keys_at<Word>(0), self.keys_at<Word>(job.count),
                         compute::make_buffer_iterator<Word>(self.values.sorted, 0), self.queue);
}

void sort_typed(const job &job, device_state &self)
{
    const bool pairs = job.shape.value_size != 0;
    switch (job.shape.type->key) {
    case CLSORT_U32:
        return pairs ? sort_pairs<compute::uint_>(job, self) : sort_keys<compute::uint_>(job, self);
    case CLSORT_U64:
        return pairs ? sort_pairs<compute::ulong_>(job, self)
                     : sort_keys<compute::ulong_>(job, self);
    case CLSORT_I32:
        return sort_keys<compute::int_>(job, self);
    case CLSORT_I64:
        return sort_keys<compute::long_>(job, self);
    default: // objection keeps them away
        return;
    }
}

bool sort(const job *job, void *state)
{
    return guarded(job, state, [job](device_state &self) {
        sort_typed(*job, self);
        self.queue.finish();
    });
}

bool finish(const job *job, void *state)
{
    return guarded(job, state, [job](device_state &self) {
        self.keys.read(self.queue, job->keys_out);
        self.values.read(self.queue, job->values_out);
    });
}

const char *objection(const shape *shape)
{
    if (shape->custom)
        return "its custom orders are other kernels";
    // On CPUs it merges by <, to which NaNs are a stumbling block; half has it none.
    const clsort_key key = shape->type->key;
    if (key == CLSORT_F16 || key == CLSORT_F32 || key == CLSORT_F64)
        return "it compares floats by <, which is no order of NaNs";
    if (shape->type->size < 4)
        return "its keys are of 4 or 8 bytes";
    return peers_twins_objection(shape);
}

constexpr peer make()
{
    peer made = {};
    made.name = "Boost.Compute";
    made.version = "Boost " CLSORT_BENCH_BOOST;
    made.objection = objection;
    made.open = open;
    made.close = close;
    made.prepare = prepare;
    made.sort = sort;
    made.finish = finish;
    return made;
}

} // namespace

const peer peer_boost_compute = make();
