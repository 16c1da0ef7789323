/* alloc.c - wrappers of the allocators, for objects that are linked with --wrap: the N-th call fails
 *
 * `gained` is the number that a successful call adds to the live allocations. */
#include "alloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct fault_point point = {.name = "alloc"};
static atomic_long live;

/* The names that the linker's option --wrap gives the original function and its wrapper. */
#define REAL(call) __real_##call
#define WRAPPED(call) __wrap_##call

#define ALLOCATOR(type, call, failure, gained, parameters, arguments)                              \
    type REAL(call) parameters;                                                                    \
    type WRAPPED(call) parameters;                                                                 \
    type WRAPPED(call) parameters                                                                  \
    {                                                                                              \
        if (fault_due(&point, #call)) {                                                            \
            errno = ENOMEM;                                                                        \
            return failure;                                                                        \
        }                                                                                          \
        type result = REAL(call) arguments;                                                        \
        if (result != (failure))                                                                   \
            atomic_fetch_add(&live, gained);                                                       \
        return result;                                                                             \
    }
#define RELEASE(type, call, released, parameters, arguments)                                       \
    type REAL(call) parameters;                                                                    \
    type WRAPPED(call) parameters;                                                                 \
    type WRAPPED(call) parameters                                                                  \
    {                                                                                              \
        atomic_fetch_sub(&live, released);                                                         \
        return REAL(call) arguments;                                                               \
    }

/* clang-format off */
ALLOCATOR(void *, malloc, NULL, 1, (size_t size), (size))
ALLOCATOR(void *, aligned_alloc, NULL, 1, (size_t alignment, size_t size), (alignment, size))
ALLOCATOR(void *, calloc, NULL, 1, (size_t count, size_t size), (count, size))
ALLOCATOR(void *, realloc, NULL, old == NULL, (void *old, size_t size), (old, size))
ALLOCATOR(char *, strdup, NULL, 1, (const char *text), (text))
ALLOCATOR(char *, realpath, NULL, to == NULL, (const char *path, char *to), (path, to))
ALLOCATOR(int, pthread_mutex_init, ENOMEM, 1,
          (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes), (mutex, attributes))
ALLOCATOR(int, pthread_cond_init, ENOMEM, 1,
          (pthread_cond_t *condition, const pthread_condattr_t *attributes), (condition, attributes))
ALLOCATOR(int, pthread_condattr_init, ENOMEM, 1, (pthread_condattr_t *attributes), (attributes))
ALLOCATOR(int, pthread_attr_init, ENOMEM, 1, (pthread_attr_t *attributes), (attributes))
ALLOCATOR(void *, mmap, MAP_FAILED, 1,
          (void *at, size_t size, int protection, int flags, int file, off_t offset),
          (at, size, protection, flags, file, offset))
ALLOCATOR(void *, mremap, MAP_FAILED, 0, (void *old, size_t old_size, size_t size, int flags, ...),
          (old, old_size, size, flags))
ALLOCATOR(FILE *, open_memstream, NULL, 1, (char **text, size_t *size), (text, size))
ALLOCATOR(int, pthread_create, EAGAIN, 0,
          (pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data),
          (thread, attributes, run, data))
RELEASE(int, pthread_mutex_destroy, 1, (pthread_mutex_t *mutex), (mutex))
RELEASE(int, pthread_cond_destroy, 1, (pthread_cond_t *condition), (condition))
RELEASE(int, pthread_condattr_destroy, 1, (pthread_condattr_t *attributes), (attributes))
RELEASE(int, pthread_attr_destroy, 1, (pthread_attr_t *attributes), (attributes))
RELEASE(int, munmap, 1, (void *at, size_t size), (at, size))
/* clang-format on */

void REAL(free)(void *block);
void WRAPPED(free)(void *block);
void WRAPPED(free)(void *block)
{
    atomic_fetch_sub(&live, block != NULL);
    REAL(free)(block);
}

struct fault_point *fault_alloc(void)
{
    return &point;
}

long fault_alloc_live(void)
{
    return atomic_load(&live);
}

/* -- programs that are not written for fault injection ------------------------------------------- */

static void report(void)
{
    fault_report(&point, fault_alloc_live());
}

__attribute__((constructor)) static void start(void)
{
    if (!getenv("CLSORT_FAULT_ALLOC"))
        return;
    atexit(report);
    fault_arm_by_environment(&point, "CLSORT_FAULT_ALLOC");
}
