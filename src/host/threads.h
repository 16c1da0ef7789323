/* threads.h - work in host memory that is divided among threads */
#ifndef CLSORT_HOST_THREADS_H
#define CLSORT_HOST_THREADS_H

#include <stddef.h>

enum { CLS_MAX_HOST_THREADS = 64 };

/* Returns the number of threads with which count elements are processed fastest: at most one for each
 * core, and at most CLS_MAX_HOST_THREADS. */
size_t cls_host_threads(size_t count);

/* Calls work(data, i) for each i < count, count <= CLS_MAX_HOST_THREADS, and returns when all calls
 * have returned: the last call runs in the calling thread, and each other one in a thread of its own
 * if that can be created. The new threads block all signals, so that handlers of the program never
 * run in them. */
void cls_host_run(size_t count, void (*work)(void *data, size_t i), void *data);

#endif
