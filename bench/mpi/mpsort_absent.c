/* mpsort_absent.c - takes the place of mpsort.c in builds without MP-sort */
#include "sorts.h"

const struct sort sort_mpsort = {.name = "MP-sort", .missing = "-DCLSORT_MPSORT=FOLDER"};
