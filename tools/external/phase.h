/* phase.h - clsort-external: what a phase of a run reads and writes, and how long it takes */
#ifndef CLSORT_EXTERNAL_PHASE_H
#define CLSORT_EXTERNAL_PHASE_H

#include <stdint.h>

struct phase {
    const char *name;          /* a string literal */
    unsigned pass, pass_count; /* of several phases with this name, from 1 on; 0: there is one */
    uint64_t read_bytes, written_bytes; /* transferred, with what alignment adds */
    double seconds;
    double wait_s; /* part of seconds: nothing is done but wait for transfers */
};

#endif
