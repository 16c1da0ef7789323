/* task.h - one sort or merge in any order: run, and checked as far as its promise goes */
#ifndef CLSORT_TESTS_TASK_H
#define CLSORT_TESTS_TASK_H

#include "env.h"
#include "orders.h"

enum task_promise {
    TASK_STABLE,  /* every byte is what a stable sort gives */
    TASK_ORDERED, /* equal keys in any order */
    TASK_WHOLE    /* every element is there once, in any order */
};

struct task {
    const struct order *order;
    const char *algorithm; /* NULL: auto */
    uint32_t operation;    /* enum clsort_operation */
    uint32_t flags;        /* beside the order's */
    size_t value_size;
    size_t count, second_count; /* of a merge: of each input */
    bool disordered;            /* a merge's inputs are as they come */
    bool in_place, own_scratch, loose;
    bool together; /* a merge's inputs are in the same buffers */
    size_t offset; /* of the keys, in elements; the other buffers begin a little further */
    uint64_t seed;
    enum task_promise promise;
};

/* A plan for up to max_count elements in all. */
clsort_status task_plan(const struct task *task, const struct env *env, size_t max_count,
                        clsort_plan **plan);

/* Runs it and checks outputs, canaries and inputs that must be intact. When anything is wrong, lines on stderr
 * say what, and with which task. */
bool task_run(const struct task *task, const struct env *env, clsort_plan *plan);

/* -- many of them --------------------------------------------------------------------------------------- */

/* What a program's command line says: [MOST [ALGORITHM [ORDER]]]. */
struct tasks {
    struct env env;
    size_t max;                    /* elements of an input */
    const char *algorithm, *order; /* the only ones; NULL: all */
    size_t turn;                   /* tasks run so far */
    size_t wrong;
};

bool tasks_open(struct tasks *tasks, int argc, char **argv);

bool tasks_want(const struct tasks *tasks, const struct order *order, const char *algorithm);

/* Runs the task in the next of all combinations of places, queues and scratch, more or less. */
void tasks_run(struct tasks *tasks, struct task *task, clsort_plan *plan);

#endif
