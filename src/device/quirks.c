/* quirks.c - what some drivers do and do not say: limits that no query tells, answers that are wrong */
#include "device/quirks.h"

#include <string.h>

/* Where a driver is mended, each only makes sorts slower, or refuses some: most are for all versions. */
struct quirk {
    const char *platform, *device, *driver; /* the beginnings of their names, and of the version */
    void (*apply)(struct cls_caps *caps);
};

/* llvmpipe ends loops without a word when a work-item has gone through 65535 turns in one launch, all loops
 * together: LP_MAX_TGSI_LOOP_ITERATIONS in src/gallium/auxiliary/gallivm/lp_bld_limits.h of Mesa. Seen with
 * 22.3.6 (Debian 12); tests/kernel/loops.c. */
static void loops_end_early(struct cls_caps *caps)
{
    caps->max_iterations = 65535;
}

/* rusticl says that a kernel runs in groups of at most 32, also one that requires 256, and runs it in
 * groups of what CL_DEVICE_MAX_WORK_GROUP_SIZE says. Seen with Mesa 22.3.6 (Debian 12);
 * tests/kernel/group_size.c. */
static void kernel_group_size_is_wrong(struct cls_caps *caps)
{
    caps->kernels_tell_group_size = false;
}

/* rusticl copies structs in pieces of up to 4 bytes, however they are aligned, and llvmpipe rounds addresses of
 * local and private memory down to a multiple of the piece. So structs are copied wrongly but for those of 1, 2
 * or a multiple of 4 bytes, and members of packed structs are read from elsewhere. Seen with Mesa 22.3.6
 * (Debian 12); tests/kernel/structs.c. */
static void structs_are_copied_wrongly(struct cls_caps *caps)
{
    caps->rounds_addresses = true;
}

/* PoCL, asked for a program's binary, compiles its kernels for groups of any size, where an assertion of LLVM's ends
 * the process. It keeps on disk by itself what it has compiled. Seen with 5.0 (Ubuntu 24.04) and 6.0 (Debian 13), not
 * with 3.1 and 7.1. */
static void aborts_for_binaries(struct cls_caps *caps)
{
    caps->aborts_for_binaries = true;
}

/* PoCL compiles kernels of many loops between barriers to such as read and write beside their arrays (5.0), or LLVM
 * ends the process, for "Instruction Combining did not reach a fixpoint" (6.0). Seen with the same versions. */
static void mixes_up_barriers(struct cls_caps *caps)
{
    caps->mixes_up_barriers = true;
}

static const struct quirk QUIRKS[] = {
    {"rusticl", "llvmpipe", "", loops_end_early},
    {"rusticl", "llvmpipe", "", kernel_group_size_is_wrong},
    {"rusticl", "llvmpipe", "", structs_are_copied_wrongly},
    {"Portable Computing Language", "cpu", "5.", aborts_for_binaries},
    {"Portable Computing Language", "cpu", "6.", aborts_for_binaries},
    {"Portable Computing Language", "cpu", "5.", mixes_up_barriers},
    {"Portable Computing Language", "cpu", "6.", mixes_up_barriers},
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
