/* layer.c - an OpenCL layer for the ICD loader: makes the N-th call fail, and counts live handles
 *
 * Programs that are linked with it use layer.h. In other programs CLSORT_FAULT_OPENCL arms it, as point.h explains. */
#include "layer.h"

#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>

#ifndef CL_LAYER_API_VERSION_200
/* Newer loaders ask for this one, which older headers lack. */
CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(cl_uint size,
                                                          const cl_icd_dispatch *target,
                                                          cl_uint *size_ret,
                                                          const cl_icd_dispatch **layer,
                                                          const void *properties);
#endif

enum { MAX_CODES = 128 }; /* more than the error codes of OpenCL */

static const cl_icd_dispatch *next; /* the driver's functions */
static struct fault_point point = {.name = "opencl"};
static atomic_long live[FAULT_KINDS + 1]; /* the last counter is for calls that create no handle */
static atomic_long unfinished;
static atomic_bool returned[MAX_CODES]; /* the injected error codes */

static bool due(const char *call, cl_int code)
{
    const bool fails = fault_due(&point, call);
    if (fails)
        atomic_store(&returned[-code], true);
    return fails;
}

#define STATUS(call, code, kind, gained, parameters, arguments)                                    \
    static cl_int CL_API_CALL fault_##call parameters                                              \
    {                                                                                              \
        if (due(#call, code))                                                                      \
            return code;                                                                           \
        const cl_int status = next->call arguments;                                                \
        if (status == CL_SUCCESS)                                                                  \
            atomic_fetch_add(&live[kind], (long)(gained));                                         \
        return status;                                                                             \
    }
#define ENQUEUE(call, code, parameters, arguments)                                                 \
    STATUS(call, code, FAULT_EVENTS, (atomic_fetch_add(&unfinished, 1), event != NULL),            \
           parameters, arguments)
#define HANDLE(type, call, code, kind, parameters, arguments)                                      \
    static type CL_API_CALL fault_##call parameters                                                \
    {                                                                                              \
        if (due(#call, code)) {                                                                    \
            if (error)                                                                             \
                *error = code;                                                                     \
            return NULL;                                                                           \
        }                                                                                          \
        type handle = next->call arguments;                                                        \
        if (handle)                                                                                \
            atomic_fetch_add(&live[kind], 1);                                                      \
        return handle;                                                                             \
    }
#define AFTER(call, code, kind, gained, parameters, arguments)                                     \
    static cl_int CL_API_CALL fault_##call parameters                                              \
    {                                                                                              \
        const bool fails = due(#call, code);                                                       \
        const cl_int status = next->call arguments;                                                \
        if (status == CL_SUCCESS)                                                                  \
            atomic_fetch_add(&live[kind], gained);                                                 \
        return fails ? code : status;                                                              \
    }
#include "calls.h"
#undef STATUS
#undef ENQUEUE
#undef HANDLE
#undef AFTER

static const cl_icd_dispatch table = {
#define STATUS(call, ...) .call = fault_##call,
#define ENQUEUE(call, ...) .call = fault_##call,
#define HANDLE(type, call, ...) .call = fault_##call,
#define AFTER(call, ...) .call = fault_##call,
#include "calls.h"
};

/* -- control ----------------------------------------------------------------------------------- */

struct fault_point *fault_layer(void)
{
    return &point;
}

long fault_layer_live(enum fault_kind kind)
{
    return atomic_load(&live[kind]);
}

long fault_layer_unfinished(void)
{
    return atomic_load(&unfinished);
}

bool fault_layer_returned(cl_int code)
{
    return code < 0 && code > -MAX_CODES && atomic_load(&returned[-code]);
}

/* -- entry points for the loader ------------------------------------------------------------------ */

static void report(void)
{
    long left = 0;
    for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++)
        left += fault_layer_live(kind);
    fault_report(&point, left);
}

FAULT_LAYER_API CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                               void *value, size_t *whole)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "clsort-fault";
    if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME)
        return CL_INVALID_VALUE;
    const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
    const size_t bytes = what == CL_LAYER_NAME ? sizeof name : sizeof version;
    if (value && size < bytes)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, bytes);
    if (whole)
        *whole = bytes;
    return CL_SUCCESS;
}

FAULT_LAYER_API CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint size,
                                                            const cl_icd_dispatch *target,
                                                            cl_uint *size_ret,
                                                            const cl_icd_dispatch **layer)
{
    const cl_uint entries = sizeof table / sizeof(void *);
    if (!target || !size_ret || !layer)
        return CL_INVALID_VALUE;
    next = target;
    *size_ret = entries < size ? entries : size;
    *layer = &table; /* the loader replaces NULL entries by those of the next layer */
    fault_arm_by_environment(&point, "CLSORT_FAULT_OPENCL");
    atexit(report);
    return CL_SUCCESS;
}

FAULT_LAYER_API CL_API_ENTRY cl_int CL_API_CALL
clInitLayerWithProperties(cl_uint size, const cl_icd_dispatch *target, cl_uint *size_ret,
                          const cl_icd_dispatch **layer, const void *properties)
{
    (void)properties;
    return clInitLayer(size, target, size_ret, layer);
}
