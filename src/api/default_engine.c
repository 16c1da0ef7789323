/* default_engine.c - the engine behind clsort_array, and whether an array is worth starting it */
#include "api/host.h"
#include "host/sort.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Up to this many elements, added up over calls, the calling thread sorts faster than a device starts. */
enum { START_PAYS = 1 << 20 };

static pthread_mutex_t default_mutex = PTHREAD_MUTEX_INITIALIZER;
static clsort_engine *default_engine; /* NULL until it could be started */
static atomic_bool default_started;
static atomic_size_t sorted_without; /* elements, until the default engine was started */

static clsort_status start_default_engine(void)
{
    cl_device_id device;
    clsort_status status = clsort_find_device(getenv("CLSORT_DEVICE"), &device);
    if (status != CLSORT_OK)
        return status;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status != CL_SUCCESS)
        return status;
    status = clsort_engine_create(context, device, NULL, &default_engine);
    clReleaseContext(context);
    return status;
}

/* A start that failed does not keep a later call from trying again: what was missing may be there then. */
static clsort_status need_default_engine(void)
{
    clsort_status status = CLSORT_OK;
    pthread_mutex_lock(&default_mutex);
    if (!default_engine)
        status = start_default_engine();
    atomic_store(&default_started, default_engine != NULL);
    pthread_mutex_unlock(&default_mutex);
    return status;
}

/* Whether to sort here instead of on the default device. Renting until the rents would have paid for
 * buying costs at most twice the best choice. */
static bool stay_here(size_t count)
{
    if (count <= CLS_MAX_HOST_COUNT)
        return true;
    if (atomic_load(&default_started) || count > START_PAYS)
        return false;
    return atomic_fetch_add(&sorted_without, count) + count <= START_PAYS;
}

clsort_status clsort_array(clsort_key key, void *keys, size_t count)
{
    clsort_desc desc = CLSORT_DESC_INIT;
    struct cls_request request;
    desc.key = key;
    clsort_status status = cls_request_read(&desc, &request);
    if (status == CLSORT_OK)
        status = cls_check_host_request(&request, count);
    if (status == CLSORT_OK)
        status = cls_check_host_arrays(&request.spec, count, keys, NULL);
    if (status != CLSORT_OK)
        return status;
    if (stay_here(count))
        return cls_host_sort(&request.spec, count, keys, NULL);
    status = need_default_engine();
    return status == CLSORT_OK ? clsort_host(default_engine, NULL, &desc, count, keys, NULL)
                               : status;
}
