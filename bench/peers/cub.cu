// cub.cu - peers: CUB's device-wide operations, on the first CUDA device
//
//   cub, cub-64    sorts of keys and pairs with 32-bit and with 64-bit counts: by radix sort, and in
//                  custom orders by merge sort
//   cub-segmented  DeviceSegmentedSort
//   cub-full-sort  selections by a radix sort of all keys; the result has no indexes
//   cub-topk       DeviceTopK, with indexes; the result is in no order
//   cub-unique     DeviceSelect::Unique
//   cub-decomposer the permutation by several columns, by a radix sort of structs
//   cub-int128     byte strings, by a radix sort of 128-bit integers
//   cub-gather     records, by a radix sort of the first bytes of the keys with indexes
//
// Like clsort, CUB works out of place, with temporary memory that is allocated before. Only some
// types are built, because each takes seconds to compile. Floats are in total order, except that CUB
// treats -0 and +0 as equal.
#include "cub_sort.h"
#include "peers.h"

#include <algorithm>
#include <err.h>
#include <iterator>
#include <limits>
#include <memory>
#include <new>

namespace
{

// What distinguishes the peers.
struct variant {
    const char *name, *version;
    unsigned operations;
    cub_sort *(*find)(const spec &spec);
    const char *(*unsupported)(const spec &spec); // why there is no sort
    std::uint64_t max_count;
    bool stable = true;
    bool sorts_all = false; // a selection that sorts all keys
    bool unordered = false;
    // Converts the input to the keys that are sorted, and the result back, in place; not timed. Null:
    // they are the same.
    cudaError_t (*convert)(void *keys, std::uint64_t count) = nullptr;
    const char *(*refuses)(const job *job) = nullptr; // as in struct peer
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

cub_sort *find_segmented(const spec &spec)
{
    return spec.value_size ? nullptr : cub_find_segmented(spec.type->key);
}

cub_sort *find_full_sort(const spec &spec)
{
    return cub_find_keys(spec.type->key);
}

const char *why_not_32(const spec &spec)
{
    return spec.op == OP_CUSTOM
               ? "it is built for custom orders of u32 and u64 only"
               : "it is built for pairs of u32 or u64 with values of 4, 8 or 16 bytes only";
}

const char *why_not_64(const spec &spec)
{
    return spec.op == OP_CUSTOM
               ? "it is not built for custom orders"
               : "it is built for keys of u8, u16, u32, u64 and f32, u32 with values of 4 bytes, "
                 "and u64 with values of 4 or 8 bytes only";
}

const char *why_not_segmented(const spec &)
{
    return "it is built for keys of u8, u16, u32 and u64 without values only; it compares floats "
           "by <, which does not order NaNs";
}

const char *built_for_all(const spec &)
{
    return nullptr;
}

#define CUB_OF_CUDA "CUB of CUDA " CLSORT_BENCH_CUB

constexpr std::uint64_t MAX_32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t MAX_64 = std::numeric_limits<std::uint64_t>::max();
// Some counts of elements are signed in older versions of CUB.
constexpr std::uint64_t MAX_SIGNED = std::numeric_limits<std::int32_t>::max();

constexpr variant variant_32 = {"cub", CUB_OF_CUDA, PEER_SORTS, find_32, why_not_32, MAX_32};
constexpr variant variant_64 = {"cub-64", CUB_OF_CUDA, PEER_SORTS, find_64, why_not_64, MAX_64};
constexpr variant variant_segmented = {
    "cub-segmented", CUB_OF_CUDA, PEER_HAS(OP_SEGMENTS), find_segmented, why_not_segmented,
    MAX_SIGNED,      false};
constexpr variant variant_full_sort = {"cub-full-sort",
                                       CUB_OF_CUDA,
                                       PEER_HAS(OP_TOP) | PEER_HAS(OP_NTH),
                                       find_full_sort,
                                       built_for_all,
                                       MAX_32,
                                       true,
                                       true};

#ifdef CLSORT_BENCH_CUB_TOPK
cub_sort *find_topk(const spec &spec)
{
    return spec.no_indexes ? nullptr : cub_find_topk(spec.type->key, spec.value_size);
}

const char *why_not_topk(const spec &spec)
{
    if (spec.no_indexes)
        return "it is built for selections with indexes";
    return "it is built for keys of u8, u32, u64 and f32 only";
}

constexpr variant variant_topk = {"cub-topk",
                                  "CUB " CLSORT_BENCH_CUB_TOPK,
                                  PEER_HAS(OP_TOP),
                                  find_topk,
                                  why_not_topk,
                                  MAX_64,
                                  false,
                                  false,
                                  true};
#endif

cub_sort *find_unique(const spec &spec)
{
    return cub_find_unique(spec.type->size);
}

constexpr variant variant_unique = {"cub-unique", CUB_OF_CUDA,   PEER_HAS(OP_UNIQUE),
                                    find_unique,  built_for_all, MAX_SIGNED};

cub_sort *find_records(const spec &)
{
    return cub_sort_records;
}

// The sort compares only the first 8 bytes, so that its result is right only if these differ.
const char *refuse_records(const job *job)
{
    return rows_check_prefixes(job->spec.rows, job->keys, job->count);
}

constexpr variant variant_records = {"cub-gather", CUB_OF_CUDA,   PEER_HAS(OP_RECORDS),
                                     find_records, built_for_all, MAX_32,
                                     true,         false,         false,
                                     nullptr,      refuse_records};

#ifdef CLSORT_BENCH_CUB_WIDE_KEYS
cub_sort *find_columns(const spec &spec)
{
    return spec.value_size == sizeof(std::uint32_t) ? cub_sort_columns : nullptr;
}

const char *why_not_columns(const spec &)
{
    return "it is built for indexes of 4 bytes only";
}

constexpr variant variant_columns = {"cub-decomposer", CUB_OF_CUDA,     PEER_HAS(OP_COLUMNS),
                                     find_columns,     why_not_columns, MAX_32};

cub_sort *find_strings(const spec &spec)
{
    return spec.type->size == ROWS_STRING_BYTES ? cub_sort_strings : nullptr;
}

const char *why_not_strings(const spec &)
{
    return "it is built for strings of 16 bytes only";
}

constexpr variant variant_strings = {
    "cub-int128", CUB_OF_CUDA, PEER_HAS(OP_STRINGS), find_strings, why_not_strings, MAX_32, true,
    false,        false,       cub_swap_strings};
#endif

// The arrays, and everything else that has to be released.
struct device_state {
    const variant *which = nullptr;
    cub_sort *sort = nullptr;
    void *keys = nullptr, *values = nullptr, *keys_out = nullptr, *values_out = nullptr;
    void *offsets = nullptr, *number = nullptr, *temp = nullptr;
    void *columns[ROWS_MAX_COLUMNS] = {};
    std::size_t temp_size = 0;
    cub_io io = {};
    cudaEvent_t start = nullptr, stop = nullptr;

    device_state() = default;
    device_state(const device_state &) = delete;

    ~device_state()
    {
        for (void *buffer : {keys, values, keys_out, values_out, offsets, number, temp})
            cudaFree(buffer); // null is fine
        for (void *column : columns)
            cudaFree(column);
        for (cudaEvent_t event : {start, stop})
            if (event)
                cudaEventDestroy(event);
    }

    cudaError_t enqueue()
    {
        return sort(temp, temp_size, io);
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

// Returns the number of elements that the sort writes.
std::size_t written_count(const job &job, const device_state &self)
{
    return self.which->sorts_all ? job.count : job.result_count;
}

// Creates an array of a column of the rows.
cudaError_t make_column(const job &job, std::size_t column, void **buffer)
{
    const std::size_t size = job.count * rows_column_bytes(job.spec.rows, column);
    const std::unique_ptr<unsigned char[]> data(new (std::nothrow) unsigned char[size]);
    if (!data)
        return cudaErrorMemoryAllocation;
    rows_copy_column(job.spec.rows, column, job.keys, job.count, data.get());
    return make_buffer(size, data.get(), buffer);
}

// Creates the keys, or the columns.
cudaError_t make_keys(const job &job, device_state &self)
{
    cudaError_t status = cudaSuccess;
    if (!job.spec.rows || !job.spec.rows->has_arrays) {
        status = make_buffer(job.count * job.spec.type->size, job.keys, &self.keys);
        return status == cudaSuccess && self.which->convert
                   ? self.which->convert(self.keys, job.count)
                   : status;
    }
    for (std::size_t c = 0; c < job.spec.rows->column_count && status == cudaSuccess; c++)
        status = make_column(job, c, &self.columns[c]);
    return status;
}

// Creates the arrays.
cudaError_t make_arrays(const job &job, device_state &self)
{
    const std::size_t key = job.spec.type->size, out = written_count(job, self);
    const std::size_t value = self.which->sorts_all ? 0 : job.spec.value_size;
    cudaError_t status = make_keys(job, self);
    if (status == cudaSuccess && job.values)
        status = make_buffer(job.count * value, job.values, &self.values);
    if (status == cudaSuccess && job.offsets)
        status =
            make_buffer((job.segment_count + 1) * sizeof *job.offsets, job.offsets, &self.offsets);
    if (status == cudaSuccess)
        status = make_buffer(out * key, nullptr, &self.keys_out);
    if (status == cudaSuccess)
        status = make_buffer(out * value, nullptr, &self.values_out);
    if (status == cudaSuccess && operation_of(job.spec.op)->has_number)
        status = make_buffer(sizeof *job.number, nullptr, &self.number);
    return status;
}

cudaError_t set_up(const job &job, device_state &self)
{
    self.sort = self.which->find(job.spec);
    cudaError_t status = make_arrays(job, self);
    self.io = {self.keys,
               self.values,
               self.keys_out,
               self.values_out,
               job.count,
               static_cast<const std::uint64_t *>(self.offsets),
               job.segment_count,
               job.k,
               {},
               static_cast<std::uint64_t *>(self.number)};
    std::copy(std::begin(self.columns), std::end(self.columns), self.io.columns);
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
        warnx("%s, n = %zu: it is built for at most %llu elements", which.name, job->count,
              static_cast<unsigned long long>(which.max_count));
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
    cudaError_t status = clear(self.keys_out, written_count(*job, self) * job->spec.type->size);
    if (status == cudaSuccess)
        status = clear(self.values_out, job->result_count * job->spec.value_size);
    if (status == cudaSuccess)
        status = clear(self.number, sizeof *job->number);
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
    const std::size_t key = job->spec.type->size;
    const std::size_t first = self.which->sorts_all && job->spec.op == OP_NTH ? job->k : 0;
    cudaError_t status =
        self.which->convert ? self.which->convert(self.keys_out, job->count) : cudaSuccess;
    if (status == cudaSuccess)
        status = read_back(static_cast<const char *>(self.keys_out) + first * key,
                           job->result_count * key, job->keys_out);
    if (status == cudaSuccess)
        status =
            read_back(self.values_out, job->result_count * job->spec.value_size, job->values_out);
    if (status == cudaSuccess)
        status = read_back(self.number, sizeof *job->number, job->number);
    return check(*self.which, job, "reading the result", status);
}

template <const variant &which> const char *unsupported(const spec *spec)
{
    if (!which.find(*spec))
        return which.unsupported(*spec);
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}

template <const variant &which> constexpr peer make()
{
    peer made = {};
    made.name = which.name;
    made.runs_on = "CUDA device";
    made.operations = which.operations;
    made.stable = which.stable;
    made.keys_only = which.sorts_all;
    made.unordered = which.unordered;
    made.zeros_equal = true;
    made.version = which.version;
    made.unsupported = unsupported<which>;
    made.refuses = which.refuses;
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
const peer peer_cub_segmented = make<variant_segmented>();
const peer peer_cub_full_sort = make<variant_full_sort>();
const peer peer_cub_unique = make<variant_unique>();
const peer peer_cub_gather = make<variant_records>();
#ifdef CLSORT_BENCH_CUB_WIDE_KEYS
const peer peer_cub_decomposer = make<variant_columns>();
const peer peer_cub_int128 = make<variant_strings>();
#endif
#ifdef CLSORT_BENCH_CUB_TOPK
const peer peer_cub_topk = make<variant_topk>();
#endif
