/* includes.h - whether the texts of a custom order include files */
#ifndef CLSORT_DEVICE_INCLUDES_H
#define CLSORT_DEVICE_INCLUDES_H

#include "base/spec.h"

/* Returns whether the texts may include files, whose contents the keys of the caches do not cover.
 * True for every text that contains the word "include" or "import", also in comments and with line
 * continuations inside the word. */
bool cls_may_include(const struct cls_custom *custom);

#endif
