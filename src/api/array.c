/* array.c - clsort_array, whose engine is created once it pays off */
#include "api/array.h"

#include "api/host_first.h"
#include "api/host_select.h"
#include "base/error.h"
#include "device/process.h"
#include "host/sort.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <strings.h>

/* Up to this many elements, summed over all calls, are sorted on the host in less time than it
 * takes to create an engine. */
enum { MAX_COUNT_WITHOUT_ENGINE = 1 << 20 };

static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;
static clsort_engine *default_engine;      /* NULL until it is created */
static atomic_bool default_exists;         /* set after default_engine, which then never changes */
static atomic_size_t count_without_engine; /* elements sorted so far while there was no engine */

static clsort_status create_default_engine(void)
{
    cl_device_id device;
    clsort_status status = clsort_find_device(getenv("CLSORT_DEVICE"), &device);
    if (status != CLSORT_OK)
        return status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return cls_called("clCreateContext", status);
    status = clsort_engine_create(context, device, NULL, &default_engine);
    clReleaseContext(context);
    return status;
}

/* Creates the default engine unless it exists. After a failure, the next call tries again. */
static clsort_status require_default_engine(void)
{
    clsort_status status = CLSORT_OK;
    pthread_mutex_lock(&default_mutex);
    if (!default_engine)
        status = create_default_engine();
    atomic_store(&default_exists, default_engine != NULL);
    pthread_mutex_unlock(&default_mutex);
    return status;
}

clsort_engine *cls_default_engine(void)
{
    return atomic_load(&default_exists) ? default_engine : NULL;
}

/* Returns whether the host sorts while the programs of the default engine are not compiled. A user
 * who names a device wants it to sort. */
static bool sorts_on_host_first(const struct cls_request *request, size_t count)
{
    const char *device = getenv("CLSORT_DEVICE");
    return (!device || !*device) && cls_host_first(default_engine, request, count);
}

/* Returns whether the user or a fork forbids the use of OpenCL. */
static bool must_sort_on_host(void)
{
    const char *device = getenv("CLSORT_DEVICE");
    return (device && strcasecmp(device, "host") == 0) || !cls_process_may_use_opencl();
}

/* Returns whether to sort on the host. This is the ski-rental problem: creating the engine only
 * when the sorts on the host have taken as long costs at most twice the optimum. */
static bool sorts_on_host(size_t count)
{
    if (count <= CLS_MAX_HOST_COUNT)
        return true;
    if (atomic_load(&default_exists) || count > MAX_COUNT_WITHOUT_ENGINE)
        return false;
    return atomic_fetch_add(&count_without_engine, count) + count <= MAX_COUNT_WITHOUT_ENGINE;
}

/* Sets *on_host if the calling thread does the work. Otherwise the default engine exists. */
static clsort_status choose_processor(const struct cls_request *request, size_t count,
                                      bool *on_host)
{
    *on_host = sorts_on_host(count) || must_sort_on_host();
    if (*on_host)
        return CLSORT_OK;
    const clsort_status status = require_default_engine();
    *on_host = status == CL_DEVICE_NOT_FOUND ||
               (status == CLSORT_OK && sorts_on_host_first(request, count));
    return *on_host ? CLSORT_OK : status;
}

static clsort_status check_key(clsort_key key)
{
    return key < CLSORT_U8 || key > CLSORT_F64
               ? cls_fail(CLSORT_E_KEY, "key is %d: arrays have keys of CLSORT_U8 to CLSORT_F64",
                          (int)key)
               : CLSORT_OK;
}

/* Reads and checks the arguments, and chooses whether the calling thread sorts. */
static clsort_status read_array(const clsort_desc *desc, size_t count, const void *keys,
                                const void *values, struct cls_request *request, bool *on_host)
{
    clsort_status status = check_key(desc->key);
    if (status == CLSORT_OK)
        status = cls_request_read(desc, request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(request, count);
    if (status == CLSORT_OK)
        status = cls_check_host_arrays(&request->spec, count, keys, values);
    return status == CLSORT_OK ? choose_processor(request, count, on_host) : status;
}

static clsort_status sort_array(const clsort_desc *desc, size_t count, void *keys, void *values)
{
    struct cls_request request;
    bool on_host;
    const clsort_status status = read_array(desc, count, keys, values, &request, &on_host);
    if (status != CLSORT_OK)
        return status;
    return on_host ? cls_host_sort(&request.spec, count, keys, values)
                   : clsort_host(default_engine, NULL, desc, count, keys, values);
}

clsort_status clsort_array(clsort_key key, void *keys, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    cls_error_begin(0);
    desc.key = key;
    return cls_error_end(sort_array(&desc, count, keys, NULL));
}

clsort_status clsort_array_argsort(clsort_key key, const void *keys, size_t count, size_t *index)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    cls_error_begin(0);
    desc.key = key;
    desc.operation = CLSORT_ARGSORT;
    desc.index_size = sizeof *index;
    return cls_error_end(sort_array(&desc, count, (void *)keys, index)); /* only reads keys */
}

static clsort_status sort_rows(const clsort_desc *desc, void *keys, size_t rows, size_t row_length)
{
    const size_t count =
        row_length == 0 || rows <= SIZE_MAX / row_length ? rows * row_length : SIZE_MAX;
    const size_t segment_count = row_length > 0 ? rows : 0;
    struct cls_request request;
    bool on_host;
    const clsort_status status = read_array(desc, count, keys, NULL, &request, &on_host);
    return status == CLSORT_OK
               ? clsort_host_segments(on_host ? NULL : default_engine, NULL, desc, count, keys,
                                      NULL, segment_count, NULL, NULL, NULL)
               : status;
}

clsort_status clsort_array_sort_rows(clsort_key key, void *keys, size_t rows, size_t row_length)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    cls_error_begin(0);
    desc.key = key;
    desc.segments = CLSORT_ROWS;
    return cls_error_end(sort_rows(&desc, keys, rows, row_length));
}

static clsort_status top_of_array(const clsort_desc *desc, size_t count, const void *keys,
                                  const void *values, size_t k, void *keys_out, void *values_out,
                                  size_t *index_out)
{
    struct cls_request request;
    struct cls_host_selection selection;
    bool on_host;
    clsort_status status = check_key(desc->key);
    if (status == CLSORT_OK)
        status = cls_request_read(desc, &request);
    if (status == CLSORT_OK)
        status = cls_host_selection_read(&request, count, keys, values, k, keys_out, values_out,
                                         index_out, &selection);
    if (status != CLSORT_OK)
        return status;
    request.max_k = k;
    status = choose_processor(&request, count, &on_host);
    if (status != CLSORT_OK)
        return status;
    return on_host ? cls_host_select(&request.spec, &selection)
                   : cls_host_selection_run(default_engine, NULL, &request, &selection);
}

clsort_status clsort_array_top(clsort_key key, uint32_t flags, size_t count, const void *keys,
                               const void *values, size_t value_size, size_t k, void *keys_out,
                               void *values_out, size_t *index_out)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    cls_error_begin(0);
    desc.key = key;
    desc.flags = flags;
    desc.value_size = value_size;
    desc.operation = CLSORT_SELECT;
    desc.index_size = sizeof *index_out;
    return cls_error_end(
        top_of_array(&desc, count, keys, values, k, keys_out, values_out, index_out));
}
