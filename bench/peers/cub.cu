// cub.cu - peers: CUB's device-wide sorts with 32-bit and with 64-bit counts, on the first CUDA device
//
// Like clsort, CUB sorts out of place, with temporary memory that is allocated before: by radix
// sort, and in custom orders by merge sort. Only some types of pairs and custom orders are built,
// and fewer with 64-bit counts, because each takes seconds to compile. Floats are in total order,
// except that CUB treats -0 and +0 as equal.
#include "cub_sort.h"
#include "peers.h"

#include <err.h>
#include <limits>
#include <memory>
#include <new>

namespace
{

// What distinguishes the peers.
struct variant {
    const char *name;
    cub_sort *(*find)(const spec &spec);
    std::uint64_t max_count;
    const char *unsupported_custom, *unsupported; // why there is no sort
};

cub_sort *find_32(const spec &spec)
{
    return spec.op == OP_CUSTOM ? cub_find_custom(spec.type->key)
           : spec.value_size    ? cub_find_pairs(spec.type->key, spec.value_size)
                                : cub_find_keys(spec.type->key);
}

cub_sort *find_64(const spec &spec)
{
    return spec.op == OP_CUSTOM ? nullptr
           : spec.value_size    ? cub_find_pairs_64(spec.type->key, spec.value_size)
                                : cub_find_keys_64(spec.type->key);
}

constexpr variant variant_32 = {
    "cub", find_32, std::numeric_limits<std::uint32_t>::max(),
    "it is built for custom orders of u32 and u64 only",
    "it is built for pairs of u32 or u64 with values of 4, 8 or 16 bytes only"};

constexpr variant variant_64 = {
    "cub-64", find_64, std::numeric_limits<std::uint64_t>::max(),
    "it is not built for custom orders",
    "it is built for keys of u8, u16, u32, u64 and f32, u32 with values of 4 bytes, and u64 with "
    "values of 4 or 8 bytes only"};

// The arrays, and everything else that has to be released.
struct device_state {
    const variant *which = nullptr;
    cub_sort *sort = nullptr;
    void *keys = nullptr, *values = nullptr, *keys_out = nullptr, *values_out = nullptr;
    void *temp = nullptr;
    std::size_t temp_size = 0;
    std::uint64_t count = 0;
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

// Returns whether the status is cudaSuccess; otherwise prints an error.
bool check(const variant &which, const job *job, const char *doing, cudaError_t status)
{
    if (status == cudaSuccess)
        return true;
    cudaGetLastError(); // clears the error
    warnx("%s, %s for n = %zu: %s", which.name, doing, job->count, cudaGetErrorString(status));
    return false;
}

// Creates a buffer, with the contents of data unless data is null; none if size is 0.
cudaError_t make_buffer(std::size_t size, const void *data, void **buffer)
{
    if (size == 0)
        return cudaSuccess;
    cudaError_t status = cudaMalloc(buffer, size);
    if (status == cudaSuccess && data)
        status = cudaMemcpy(*buffer, data, size, cudaMemcpyHostToDevice);
    return status;
}

cudaError_t set_up(const job &job, device_state &self)
{
    const std::size_t keys_size = job.count * job.spec.type->size;
    const std::size_t values_size = job.count * job.spec.value_size;
    self.sort = self.which->find(job.spec);
    self.count = job.count;
    cudaError_t status = make_buffer(keys_size, job.keys, &self.keys);
    if (status == cudaSuccess)
        status = make_buffer(values_size, job.values, &self.values);
    if (status == cudaSuccess)
        status = make_buffer(keys_size, nullptr, &self.keys_out);
    if (status == cudaSuccess)
        status = make_buffer(values_size, nullptr, &self.values_out);
    if (status == cudaSuccess)
        status = self.enqueue(); // determines temp_size
    if (status == cudaSuccess)
        status = make_buffer(self.temp_size, nullptr, &self.temp);
    if (status == cudaSuccess)
        status = cudaEventCreate(&self.start);
    if (status == cudaSuccess)
        status = cudaEventCreate(&self.stop);
    return status;
}

template <const variant &which> bool open(const job *job, const char *, void **state)
{
    if (job->count > which.max_count) {
        warnx("%s, n = %zu: it is built for counts of 32 bits only", which.name, job->count);
        return false;
    }
    std::unique_ptr<device_state> self(new (std::nothrow) device_state);
    if (self)
        self->which = &which;
    if (!check(which, job, "set-up", self ? set_up(*job, *self) : cudaErrorMemoryAllocation))
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

// Clears the output, so that the result of the last run cannot pass for that of this one.
bool prepare(const job *job, void *state)
{
    const auto &self = *static_cast<device_state *>(state);
    cudaError_t status = clear(self.keys_out, job->count * job->spec.type->size);
    if (status == cudaSuccess)
        status = clear(self.values_out, job->count * job->spec.value_size);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return check(*self.which, job, "clearing the output", status);
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
    auto &self = *static_cast<device_state *>(state);
    cudaError_t status = enqueue_batch(*job, self);
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    return check(*self.which, job, "sort", status);
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
    return check(*self.which, job, "sort timed by the device", status);
}

cudaError_t read_back(const void *buffer, std::size_t size, void *data)
{
    return buffer ? cudaMemcpy(data, buffer, size, cudaMemcpyDeviceToHost) : cudaSuccess;
}

bool finish(const job *job, void *state)
{
    const auto &self = *static_cast<device_state *>(state);
    cudaError_t status = read_back(self.keys_out, job->count * job->spec.type->size, job->keys_out);
    if (status == cudaSuccess)
        status = read_back(self.values_out, job->count * job->spec.value_size, job->values_out);
    return check(*self.which, job, "reading the result", status);
}

template <const variant &which> const char *unsupported(const spec *spec)
{
    if (!which.find(*spec))
        return spec->op == OP_CUSTOM ? which.unsupported_custom : which.unsupported;
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

template <const variant &which> constexpr peer make()
{
    peer made = {};
    made.name = which.name;
    made.runs_on = "CUDA device";
    made.operations = PEER_SORTS;
    made.stable = true;
    made.zeros_equal = true;
    made.version = "CUB of CUDA " CLSORT_BENCH_CUB;
    made.unsupported = unsupported<which>;
    made.open = open<which>;
    made.close = close;
    made.batches = true;
    made.prepare = prepare;
    made.sort = sort;
    made.finish = finish;
    made.timed_sort = timed_sort;
    return made;
}

} // namespace

const peer peer_cub = make<variant_32>();
const peer peer_cub_64 = make<variant_64>();
