/* quirks.c - known faults of drivers that no query reports */
#include "device/quirks.h"

#include <string.h>

/* On a driver without the fault, a quirk only makes sorts slower or rejects some of them. Most
 * quirks therefore apply to all versions. */
struct quirk {
    const char *platform, *device, *driver; /* prefixes of their names and of the driver version */
    void (*apply)(struct cls_caps *caps);
};

/* llvmpipe silently ends loops after a work-item has executed 65535 iterations in one launch,
 * counted over all loops: LP_MAX_TGSI_LOOP_ITERATIONS in
 * src/gallium/auxiliary/gallivm/lp_bld_limits.h of Mesa. Observed with 22.3.6 (Debian 12);
 * tests/kernel/loops.c. */
static void loops_end_early(struct cls_caps *caps)
{
    caps->max_iterations = 65535;
}

/* rusticl reports 32 as CL_KERNEL_WORK_GROUP_SIZE, even for a kernel that requires 256, but runs
 * kernels in work-groups of up to CL_DEVICE_MAX_WORK_GROUP_SIZE. Observed with Mesa 22.3.6
 * (Debian 12); tests/kernel/group_size.c. */
static void kernel_group_size_is_wrong(struct cls_caps *caps)
{
    caps->reports_kernel_group_size = false;
}

/* rusticl copies structs in pieces of up to 4 bytes whatever their alignment is, and llvmpipe
 * rounds addresses of local and private memory down to a multiple of the piece. Only structs of 1,
 * 2 or a multiple of 4 bytes are copied correctly, and members of packed structs are read from
 * wrong addresses. Observed with Mesa 22.3.6 (Debian 12); tests/kernel/structs.c. */
static void structs_are_copied_wrongly(struct cls_caps *caps)
{
    caps->miscopies_structs = true;
}

/* For a query of a program's binary, PoCL compiles all kernels for work-groups of any size, which no
 * launch uses: a launch compiles its kernel again for its own size. The first sort takes nearly
 * twice as long (3.1, Debian 12), or an assertion in LLVM aborts the process (5.0, Ubuntu 24.04, and
 * 6.0, Debian 13). PoCL has an on-disk cache of its own, so that binaries gain nothing. */
static void binaries_are_useless(struct cls_caps *caps)
{
    caps->avoid_binaries = true;
}

/* PoCL miscompiles kernels that have many loops between barriers: they access memory out of bounds
 * (5.0), or LLVM aborts the process with "Instruction Combining did not reach a fixpoint" (6.0).
 * Observed with 5.0 (Ubuntu 24.04) and 6.0 (Debian 13). */
static void barriers_are_miscompiled(struct cls_caps *caps)
{
    caps->miscompiles_barriers = true;
}

/* PoCL adds an entry to its cache of loaded kernels when a kernel is launched with a larger global size
 * than before. A launch of the same kernel that is running then decrements the use count of the new
 * entry, not of its own, and an assertion aborts the process if a count is 0
 * (pocl_release_dlhandle_cache in lib/CL/devices/common.c; corrected in 6.0). 3.1 counts each launch
 * twice: a search through all states of its cache finds the fault with three launches at the same
 * time, and none with two. In other versions two launches suffice. Observed with 3.1 (Debian 12). */
static void limit_to_two_devices(struct cls_caps *caps)
{
    caps->max_group_devices = 2;
}

static void limit_to_one_device(struct cls_caps *caps)
{
    caps->max_group_devices = 1;
}

static const struct quirk QUIRKS[] = {
    {"rusticl", "llvmpipe", "", loops_end_early},
    {"rusticl", "llvmpipe", "", kernel_group_size_is_wrong},
    {"rusticl", "llvmpipe", "", structs_are_copied_wrongly},
    {"Portable Computing Language", "", "", binaries_are_useless},
    {"Portable Computing Language", "cpu", "5.", barriers_are_miscompiled},
    {"Portable Computing Language", "cpu", "6.", barriers_are_miscompiled},
    {"Portable Computing Language", "", "1.", limit_to_one_device},
    {"Portable Computing Language", "", "3.", limit_to_one_device},
    {"Portable Computing Language", "", "3.1", limit_to_two_devices},
    {"Portable Computing Language", "", "4.", limit_to_one_device},
    {"Portable Computing Language", "", "5.", limit_to_one_device},
};

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

void cls_quirks_apply(struct cls_caps *caps)
{
    for (size_t i = 0; i < sizeof QUIRKS / sizeof *QUIRKS; i++)
        if (begins_with(caps->platform_name, QUIRKS[i].platform) &&
            begins_with(caps->name, QUIRKS[i].device) &&
            begins_with(caps->driver, QUIRKS[i].driver))
            QUIRKS[i].apply(caps);
}
