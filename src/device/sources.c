/* sources.c - the sources of all programs, in a file of its own, so that tests can replace its function */
#include "device/sources.h"

const struct cls_source *cls_sources(void)
{
    return cls_embedded_sources;
}
