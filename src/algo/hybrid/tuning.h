/* tuning.h - the parts of hybrid */
#ifndef CLSORT_ALGO_HYBRID_TUNING_H
#define CLSORT_ALGO_HYBRID_TUNING_H

/* src/algo/tuning.h declares the members' types before. */
struct cls_hybrid_tuning {
    struct cls_msd_tuning msd;
    struct cls_onesweep_tuning onesweep;
    unsigned onesweep_group_size; /* the work-groups of msd have cls_tuning.group_size work-items */
    unsigned path;                /* to take; 0: the kernel chooses */
    uint32_t max_collisions;      /* see CLS_HYBRID_MAX_COLLISIONS */
    uint32_t max_crowded;         /* see CLS_HYBRID_MAX_CROWDED */
};

#endif
