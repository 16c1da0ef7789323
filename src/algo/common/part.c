/* part.c - an algorithm as a part of another one */
#include "algo/common/part.h"

#include "base/arithmetic.h"

uint64_t cls_part_table_bytes(const struct cls_schedule *schedule)
{
    uint64_t bytes = 0;
    for (size_t i = CLS_OWN_REGIONS; i < schedule->regions; i++)
        bytes += cls_round_up(schedule->region_bytes[i], CLS_REGION_ALIGNMENT);
    return bytes;
}

void cls_part_begin(struct cls_part *part, const struct cls_algo *algo,
                    const struct cls_tuning *tuning, const struct cls_sort *whole,
                    const cl_kernel *kernels, clsort_buffer control, clsort_buffer tables)
{
    part->tuning = *tuning;
    algo->schedule(tuning, whole->spec, whole->arrays->count, &part->schedule);
    part->scratch[CLS_CONTROL] = control;
    part->scratch[CLS_KEYS] = whole->scratch[CLS_KEYS];
    part->scratch[CLS_VALUES] = whole->scratch[CLS_VALUES];
    for (size_t i = CLS_OWN_REGIONS; i < part->schedule.regions; i++) {
        part->scratch[i] = tables;
        tables.offset += (size_t)cls_round_up(part->schedule.region_bytes[i], CLS_REGION_ALIGNMENT);
    }
    part->sort = *whole;
    part->sort.kernels = kernels;
    part->sort.tuning = &part->tuning;
    part->sort.schedule = &part->schedule;
    part->sort.scratch = part->scratch;
}
