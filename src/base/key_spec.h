/* key_spec.h - the sort specs of built-in key types */
#ifndef CLSORT_BASE_KEY_SPEC_H
#define CLSORT_BASE_KEY_SPEC_H

#include "base/spec.h"

/* Sets the name, size and order of a built-in key type in *spec. Returns false if there is no such type. */
bool cls_key_spec(uint32_t key, uint32_t flags, struct cls_spec *spec);

#endif
