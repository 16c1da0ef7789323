/* scenarios.c - the table of all fault scenarios */
#include "sweep.h"

extern const struct scenario sweep_set_up[], sweep_enqueue[], sweep_operations[], sweep_host[];

const struct scenario *const sweep_scenarios[] = {sweep_set_up, sweep_enqueue, sweep_operations,
                                                  sweep_host, NULL};
