/* trial.h - runs a step in a child process first, because a driver may abort there */
#ifndef CLSORT_TOOLS_TRIAL_H
#define CLSORT_TOOLS_TRIAL_H

#include <stdbool.h>

enum trial { TRIAL_SUCCEEDED, TRIAL_FAILED, TRIAL_DIED };

/* Calls step in a child process, without its messages and with a little less address space than
 * this process has. Returns whether it returned true or false, or killed the child. This process
 * must not have used OpenCL yet. step must not use progress.h. */
enum trial trial_run(bool (*step)(void *context), void *context);

#endif
