// cub.cu - peer: CUB's device-wide sorts, on the first device that CUDA shows
//
// As clsort it sorts out of place, between buffers of the same sizes, with temporary memory that was made before: by
// radix sort, and by merge sort in custom orders. Of pairs and custom orders there are those that are worth the seconds of
// their compilation. Floats are in total order, but zeros of both signs are equal to it.
#include "cub_sort.h"
#include "peers.h"

#include <err.h>
#include <limits>
#include <memory>
#include <new>

namespace
{

// What cub_io says, with everything that has to be freed.
struct device_state {
    cub_sort *sort = nullptr;
    void *keys = nullptr, *values = nullptr, *keys_out = nullptr, *values_out = nullptr;
    void *temp = nullptr;
    std::size_t temp_size = 0;
    std::uint32_t count = 0;
    cudaEvent_t start = nullptr, stop = nullptr;

    device_state() = default;
    device_state(const device_state &) = delete;

    ~device_state()
    {
        for (void *buffer : {keys, values, keys_out, values_out, temp})
            cudaFree(buffer); // null is fine
        for (cudaEvent_t event : {start, stop})
            if (event)
                cudaEventDestroy(event);
    }

    cudaError_t enqueue()
    {
        return sort(temp, temp_size, {keys, values, keys_out, values_out, count});
    }
};

// Says what failed, and returns whether all is well.
bool check(const job *job, const char *doing, cudaError_t status)
{
    if (status == cudaSuccess)
        return true;
    cudaGetLastError(); // forgets it
    warnx("cub, %s for n = %zu: %s", doing, job->count, cudaGetErrorString(status));
    return false;
}

// A buffer with the contents of data unless that is null; none for size 0.
cudaError_t make_buffer(std::size_t size, const void *data, void **buffer)
{
    if (size == 0)
        return cudaSuccess;
    cudaError_t status = cudaMalloc(buffer, size);
    if (status == cudaSuccess && data)
        status = cudaMemcpy(*buffer, data, size, cudaMemcpyHostToDevice);
    return status;
}

cub_sort *find_sort(const shape &shape)
{
    return shape.custom       ? cub_find_custom(shape.type->key)
           : shape.value_size ? cub_find_pairs(shape.type->key, shape.value_size)
                              : cub_find_keys(shape.type->key);
}

cudaError_t set_up(const job &job, device_state &self)
{
    const std::size_t keys_size = job.count * job.shape.type->size;
    const std::size_t values_size = job.count * job.shape.value_size;
    self.sort = find_sort(job.shape);
    self.count = static_cast<std::uint32_t>(job.count);
    cudaError_t status = make_buffer(keys_size, job.keys, &self.keys);
    if (status == cudaSuccess)
        status = make_buffer(values_size, job.values, &self.values);
    if (status == cudaSuccess)
        status = make_buffer(keys_size, nullptr, &self.keys_out);
    if (status == cudaSuccess)
        status = make_buffer(values_size, nullptr, &self.values_out);
    if (status == cudaSuccess)
        status = self.enqueue(); // finds the size
    if (status == cudaSuccess)
        status = make_buffer(self.temp_size, nullptr, &self.temp);
    if (status == cudaSuccess)
        status = cudaEventCreate(&self.start);
    if (status == cudaSuccess)
        status = cudaEventCreate(&self.stop);
    return status;
}

bool open(const job *job, const char *, void **state)
{
    if (job->count > std::numeric_limits<std::uint32_t>::max()) {
        warnx("cub, n = %zu: its sorts are built in for counts of 32 bits", job->count);
        return false;
    }
    std::unique_ptr<device_state> self(new (std::nothrow) device_state);
    if (!check(job, "set-up", self ? set_up(*job, *self) : cudaErrorMemoryAllocation))
        return false;
    *state = self.release();
    return true;
}

void close(void *state)
{
    delete static_cast<device_state *>(state);
}

cudaError_t clear(void *buffer, std::size_t size)
{
    return buffer ? cudaMemset(buffer, 0, size) : cudaSuccess;
}

// The last run's result must not pass for this one's.
bool prepare(const job *job, void *state)
{
    const auto &self = *static_cast<device_state *>(state);
    cudaError_t status = clear(self.keys_out, job->count * job->shape.type->size);
    if (status == cudaSuccess)
        status = clear(self.values_out, job->count * job->shape.value_size);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return check(job, "clearing the output", status);
}

cudaError_t enqueue_batch(const job &job, device_state &self)
{
    cudaError_t status = cudaSuccess;
    for (std::size_t i = 0; i < job.batch && status == cudaSuccess; i++)
        status = self.enqueue();
    return status;
}

bool sort(const job *job, void *state)
{
    cudaError_t status = enqueue_batch(*job, *static_cast<device_state *>(state));
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return check(job, "sort", status);
}

bool timed_sort(const job *job, void *state, double *seconds)
{
    auto &self = *static_cast<device_state *>(state);
    float milliseconds = 0;
    cudaError_t status = cudaEventRecord(self.start);
    if (status == cudaSuccess)
        status = enqueue_batch(*job, self);
    if (status == cudaSuccess)
        status = cudaEventRecord(self.stop);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaEventElapsedTime(&milliseconds, self.start, self.stop);
    *seconds = 1e-3 * static_cast<double>(milliseconds);
    return check(job, "sort timed by the device", status);
}

cudaError_t read_back(const void *buffer, std::size_t size, void *data)
{
    return buffer ? cudaMemcpy(data, buffer, size, cudaMemcpyDeviceToHost) : cudaSuccess;
}

bool finish(const job *job, void *state)
{
    const auto &self = *static_cast<device_state *>(state);
    cudaError_t status =
        read_back(self.keys_out, job->count * job->shape.type->size, job->keys_out);
    if (status == cudaSuccess)
        status = read_back(self.values_out, job->count * job->shape.value_size, job->values_out);
    return check(job, "reading the result", status);
}

const char *objection(const shape *shape)
{
    if (!find_sort(*shape))
        return shape->custom ? "its custom orders are of u32 and u64"
                             : "its pairs are of u32 or u64 and 4, 8 or 16 bytes";
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

constexpr peer make()
{
    peer made = {};
    made.name = "cub";
    made.place = "CUDA device";
    made.stable = true;
    made.zeros_equal = true;
    made.version = "CUB of CUDA " CLSORT_BENCH_CUB;
    made.objection = objection;
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

const peer peer_cub = make();
