/* host_first.h - whether the host sorts sooner than the programs of a device are compiled */
#ifndef CLSORT_API_HOST_FIRST_H
#define CLSORT_API_HOST_FIRST_H

#include "api/engine.h"
#include "plan/request.h"

/* As clsort_host_first, for a request and a count that clsort_host accepts. */
bool cls_host_first(clsort_engine *engine, const struct cls_request *request, size_t count);

#endif
