/* array.h - the engine of clsort_array */
#ifndef CLSORT_API_ARRAY_H
#define CLSORT_API_ARRAY_H

#include <clsort.h>

/* Returns the default engine, or NULL if it has not been created. */
clsort_engine *cls_default_engine(void);

#endif
