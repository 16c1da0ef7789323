/**
 * @file
 * clsort_group.h - the part of clsort.h that sorts host arrays on several devices at once
 *
 * Programs include clsort.h, which includes this file.
 *
 * A group sorts a share of the array on each of its devices, finds the exact positions that divide
 * the sorted shares, and merges a part of the output on each device. The order is stable: equal
 * elements keep the order of the input, so that the output has the same bytes whatever devices there
 * are, and is that of clsort_host. With CLSORT_UNSTABLE or an algorithm that is not stable, equal
 * elements may be in another order.
 */
#ifndef CLSORT_GROUP_H
#define CLSORT_GROUP_H

#include "clsort.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Maximum number of devices in a group. */
#define CLSORT_MAX_GROUP 64

/** Several devices that sort together, each with an engine of its own. Any number of threads may
 * use a group at once. */
typedef struct clsort_group clsort_group;

/**
 * Creates a group of 1 to CLSORT_MAX_GROUP devices, which may belong to different platforms, be
 * sub-devices, or occur several times. Each gets a context and an engine. options are those of the
 * engines, and may be NULL.
 *
 * The caller owns the group and releases it with clsort_group_destroy. Sub-devices must exist as
 * long as the group does. Thread-safe. Errors: CLSORT_E_ARGUMENT (devices or group is NULL, or
 * device_count is out of range); CLSORT_E_MEMORY; those of clCreateContext and
 * clsort_engine_create for any of the devices.
 */
CLSORT_API clsort_status clsort_group_create(const cl_device_id *devices, size_t device_count,
                                             const clsort_engine_options *options,
                                             clsort_group **group);

/** Releases a group. NULL is allowed. No other thread may use the group during or after the call.
 * In a child process of a process that has used OpenCL, it has no effect. */
CLSORT_API void clsort_group_destroy(clsort_group *group);

/** Releases the memory that the group and its engines keep for the next sort. Errors:
 * CLSORT_E_ARGUMENT (group is NULL), CL_INVALID_OPERATION (in a child process). Thread-safe. */
CLSORT_API clsort_status clsort_group_trim(clsort_group *group);

/**
 * Sorts arrays in host memory, as clsort_host does: desc, count, keys, values and the result have
 * the same meaning, for all keys, orders, values, records and columns that it supports, also with
 * CLSORT_ARGSORT. Returns when the arrays are sorted.
 *
 * The share of a device is proportional to the bytes per second that it has sorted in the sorts of the
 * group so far, of which the last ones count most, and equal to the average of the others as long as
 * that is unknown. A share has at least 2^15 elements, so that short arrays have few shares or only
 * one. The calling thread sorts arrays of up to 2^15 elements, except in custom orders and by named
 * algorithms. The calling thread uses the last device, and a new thread each other one; the new threads
 * block all signals and end before the call returns. Because of a race in PoCL before 6.0
 * (docs/devices.md), all calls of clsort_group_host in a process together use at most two devices of
 * PoCL 3.1 at the same time, and at most one of other versions before 6.0. Other sorts are not counted,
 * and can still trigger the race.
 *
 * A device that fails, for whatever reason, is left out for the rest of the call, and the other devices
 * do its work. The result is then complete and right. The next call tries the device again.
 * clsort_group_share returns which devices have failed. In a custom order, a device fails with
 * CLSORT_E_COUNT if its share or part exceeds one of its buffers: the call fails if the devices that
 * are left have no buffers for the shares and parts. A relation that is not a strict weak order can
 * make the whole output one part.
 *
 * Memory: a copy of the keys and the values in host memory, and the scratch memory that each
 * device needs for its share. CLSORT_ARGSORT: two copies of the keys and one of the indexes; of
 * records, two copies of these and of the indexes. While a device sorts, another copy of its share
 * or part if that exceeds one of its buffers; and of a part with elements of more than two shares,
 * if these are records of more than 16 bytes (with the index of CLSORT_ARGSORT) and the device
 * shares the memory of the host. The group keeps the largest block of this for the next sort, if it
 * has at most a quarter of the size of the first device's memory, and its engines keep scratch
 * memory as for clsort_host, until clsort_group_trim or clsort_group_destroy is called. A group of
 * one device, and the calling thread, take what clsort_host takes.
 *
 * Errors: CLSORT_E_ARGUMENT if group is NULL, CLSORT_E_UNSUPPORTED for CLSORT_ARGSORT with
 * CLSORT_NO_SCRATCH if devices sort, and those of clsort_host. If all devices fail, the
 * error is the first one. The arrays are then unchanged if the devices have failed before the
 * merge; otherwise they have the same elements in an undefined order. The indexes of
 * CLSORT_ARGSORT are undefined after an error. In a group of one device, the arrays are as after
 * an error of clsort_host. Thread-safe for different arrays.
 */
CLSORT_API clsort_status clsort_group_host(clsort_group *group, const clsort_desc *desc,
                                           size_t count, void *keys, void *values);

/**
 * Returns what a device of the group has done in the last call of clsort_group_host that has returned:
 * *elements becomes the number of elements in the shares that it has sorted, and *failure CLSORT_OK or
 * the status for which it was left out. Both are 0 before the first call, and after a call in which the
 * calling thread has sorted or the group has only one device. Either pointer may be NULL. device counts
 * from 0, in the order of clsort_group_create. Thread-safe. Errors: CLSORT_E_ARGUMENT (group is NULL or
 * has no such device), CL_INVALID_OPERATION (in a child process).
 */
CLSORT_API clsort_status clsort_group_share(clsort_group *group, size_t device, size_t *elements,
                                            clsort_status *failure);

#ifdef __cplusplus
}
#endif
#endif /* CLSORT_GROUP_H */
