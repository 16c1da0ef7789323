/* hybrid.c - MSD radix sort by bits or by splitters, or LSD, as a sample of the keys suggests (cl/hybrid/choose.cl)
 *
 * The launches are those of cls_algo_msd and of cls_algo_onesweep. Only one has work, or MSD begins and LSD takes
 * over. */
#include "algo/common/arguments.h"
#include "algo/common/hybrid_parameters.h"
#include "algo/common/limits.h"
#include "algo/common/part.h"
#include "algo/common/programs.h"
#include "algo/msd/msd.h"
#include "algo/msd/tile_size.h"
#include "algo/onesweep/onesweep.h"
#include "cl/common/layout.h"
#include "cl/msd/layout.h"

enum {
    GROUP_SIZE = 256,       /* of hybrid_choose */
    LOCAL_BYTES = 27 << 10, /* at least the size of memory_t in choose.cl */
    MAX_EARLY_KEY_BYTES = 4 /* maximum size of keys that are counted during the choice */
};

/* The kernels: hybrid_choose, then those of onesweep, then those of msd. */
enum { CHOOSE, ONESWEEP };
static const char *const NAMES[] = {"hybrid_choose", NULL};

/* The control region has the control blocks of hybrid, of msd and of onesweep. TABLES has the tables of the path that
 * is taken. LSD that takes over from MSD overwrites those of MSD. hybrid_choose writes the first entry of MSD's
 * tables, and histograms in the tables of LSD, which begin after that entry. */
enum { TABLES = CLS_OWN_REGIONS, REGIONS };
enum { LSD_TABLES = CLS_REGION_ALIGNMENT };
_Static_assert(sizeof(cls_msd_large_bucket) <= LSD_TABLES, "the tables overlap");
enum {
    MSD_CONTROL = CLS_REGION_ALIGNMENT,
    ONESWEEP_CONTROL =
        MSD_CONTROL + (sizeof(cls_msd_control) / CLS_REGION_ALIGNMENT + 1) * CLS_REGION_ALIGNMENT
};
/* Mesa 22.3 refuses arguments with padding. */
_Static_assert(sizeof(cls_hybrid_args) ==
                   2 * sizeof(cls_u64) + 7 * sizeof(cls_u32) + sizeof(cls_msd_input),
               "the arguments have padding");
_Static_assert(sizeof(cls_control_head) <= MSD_CONTROL, "the control blocks overlap");

/* -- the parts --------------------------------------------------------------------------------- */

static struct cls_tuning msd_of(const struct cls_tuning *tuning)
{
    return (struct cls_tuning){.max_count = tuning->max_count,
                               .group_size = tuning->group_size,
                               .msd = tuning->hybrid.msd};
}

static struct cls_tuning onesweep_of(const struct cls_tuning *tuning)
{
    return (struct cls_tuning){.max_count = tuning->max_count,
                               .group_size = tuning->hybrid.onesweep_group_size,
                               .onesweep = tuning->hybrid.onesweep};
}

/* Begins a part, whose control block and tables are at these offsets of their regions. */
static void begin_part(struct cls_part *part, const struct cls_sort *sort,
                       const struct cls_algo *algo, const struct cls_tuning *tuning,
                       size_t first_kernel, size_t control, size_t tables_at)
{
    clsort_buffer control_block = sort->scratch[CLS_CONTROL], tables = sort->scratch[TABLES];
    control_block.offset += control;
    tables.offset += tables_at;
    cls_part_begin(part, algo, tuning, sort, sort->kernels + first_kernel, control_block, tables);
}

/* -- the algorithm ----------------------------------------------------------------------------- */

/* Returns the maximum number of chunks for which hybrid_choose counts the histograms of LSD: each is counted by a
 * compute unit of its own, while another one chooses. On an H200, the choice then takes 1 us longer, and LSD 6 us
 * less. More chunks, or longer keys, would take more time to count than the choice. */
static unsigned max_early_chunks(const struct cls_caps *caps, const struct cls_spec *spec,
                                 const struct cls_onesweep_tuning *onesweep)
{
    return onesweep->launches_steps_together && spec->key_bytes <= MAX_EARLY_KEY_BYTES
               ? caps->units - 1
               : 0;
}

static bool supports(const struct cls_caps *caps, const struct cls_spec *spec,
                     const struct cls_parameters *parameters, struct cls_tuning *tuning,
                     const char **why)
{
    struct cls_tuning msd, onesweep;
    const struct cls_parameters none = {{0}},
                                lsd = cls_onesweep_items(parameters->value[CLS_HYBRID_ITEMS]);
    const unsigned path = parameters->value[CLS_HYBRID_PATH];
    if (path == CLS_HYBRID_MSD) {
        *why = "the path msd is that of the variant without the other paths";
        return false;
    }
    if (caps->group_size < GROUP_SIZE || caps->local_bytes < LOCAL_BYTES) {
        *why = "the device has too little local memory or too small work-groups to take a sample";
        return false;
    }
    if (path == CLS_HYBRID_SPLITTERS && spec->key_bytes != CLS_HYBRID_SPLIT_BYTES) {
        *why = CLS_HYBRID_NO_SPLITTERS;
        return false;
    }
    if (!cls_algo_msd.supports(caps, spec, &none, &msd, why) ||
        !cls_algo_onesweep.supports(caps, spec, &lsd, &onesweep, why))
        return false;
    if (spec->key_bytes == CLS_HYBRID_SPLIT_BYTES && path != CLS_HYBRID_LSD) {
        msd.msd.may_split = true;
        msd.max_count = cls_msd_max_split_count(caps, spec, &msd);
    }
    if (msd.max_count == 0) {
        *why = "this driver allows too few loop iterations per launch";
        return false;
    }
    msd.msd.is_part = onesweep.onesweep.may_skip = true;
    onesweep.onesweep.max_early_chunks = max_early_chunks(caps, spec, &onesweep.onesweep);
    msd.msd.next_path = ONESWEEP_CONTROL - MSD_CONTROL;
    *tuning = (struct cls_tuning){
        .max_count = cls_min(msd.max_count, onesweep.max_count),
        .group_size = msd.group_size,
        .hybrid = {.msd = msd.msd,
                   .onesweep = onesweep.onesweep,
                   .onesweep_group_size = onesweep.group_size,
                   .path = path,
                   .max_collisions = CLS_HYBRID_MAX_COLLISIONS,
                   .max_crowded = CLS_HYBRID_MAX_CROWDED},
    };
    return true;
}

static void schedule(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_schedule *schedule)
{
    const struct cls_tuning msd = msd_of(tuning), onesweep = onesweep_of(tuning);
    struct cls_schedule part;
    cls_algo_msd.schedule(&msd, spec, count, &part);
    *schedule = (struct cls_schedule){.regions = REGIONS, .msd = part.msd};
    schedule->region_bytes[CLS_KEYS] = part.region_bytes[CLS_KEYS];
    schedule->region_bytes[CLS_VALUES] = part.region_bytes[CLS_VALUES];
    schedule->region_bytes[TABLES] = cls_part_table_bytes(&part);
    cls_algo_onesweep.schedule(&onesweep, spec, count, &part);
    schedule->region_bytes[CLS_CONTROL] = ONESWEEP_CONTROL + part.region_bytes[CLS_CONTROL];
    schedule->region_bytes[TABLES] =
        cls_max(schedule->region_bytes[TABLES], LSD_TABLES + cls_part_table_bytes(&part));
}

static size_t programs(const struct cls_caps *caps, const struct cls_tuning *tuning,
                       const struct cls_spec *spec, struct cls_program_spec *programs)
{
    const struct cls_tuning msd = msd_of(tuning), onesweep = onesweep_of(tuning);
    size_t count = 1;
    cls_program_begin(&programs[0], "hybrid/choose.cl", NAMES, GROUP_SIZE, spec);
    cls_text_add(&programs[0].options, " -DGROUP_SIZE=%d -DCOUNTS_EARLY=%d", GROUP_SIZE,
                 tuning->hybrid.onesweep.max_early_chunks > 0);
    cls_onesweep_histogram_options(caps, &onesweep, spec, &programs[0].options);
    if (tuning->hybrid.msd.may_split)
        cls_text_add(&programs[0].options, " -DSPLITS=1");
    count += cls_algo_onesweep.programs(caps, &onesweep, spec, &programs[count]);
    return count + cls_algo_msd.programs(caps, &msd, spec, &programs[count]);
}

static cl_int choose(const struct cls_sort *sort, const struct cls_sort *lsd)
{
    const struct cls_msd_schedule *msd = &sort->schedule->msd;
    const uint64_t count = sort->arrays->count;
    const unsigned tile =
        sort->tuning->hybrid.msd.bucket_group_size * sort->tuning->hybrid.msd.bucket_items;
    const cls_hybrid_args args = {
        .count = count,
        .flip = sort->spec->flip,
        .bits = msd->uniform_bits,
        .rounds = msd->uniform_rounds,
        .large_count = cls_hybrid_large_count(tile, count),
        .path = sort->tuning->hybrid.path,
        .tile = tile,
        .max_collisions = sort->tuning->hybrid.max_collisions,
        .max_crowded = sort->tuning->hybrid.max_crowded,
        .input = cls_msd_input_of(sort->spec, count, msd),
    };
    const cls_onesweep_args lsd_args = cls_onesweep_args_of(lsd);
    clsort_buffer msd_control = sort->scratch[CLS_CONTROL];
    msd_control.offset += MSD_CONTROL;
    struct cls_launch launch = cls_launch(sort->kernels[CHOOSE]);
    cls_arg_buffer(&launch, sort->arrays->keys_in);
    cls_arg_buffer(&launch, sort->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch, msd_control);
    cls_arg_buffer(&launch, lsd->scratch[CLS_CONTROL]);
    cls_arg_buffer(&launch,
                   sort->scratch[TABLES]); /* it begins with MSD's table of large buckets */
    cls_arg_buffer(&launch, lsd->scratch[TABLES]);
    cls_arg_count(&launch, sort);
    cls_arg_struct(&launch, &args, sizeof args);
    cls_arg_struct(&launch, &lsd_args, sizeof lsd_args);
    const unsigned chunks = lsd->schedule->onesweep.chunks;
    const bool counts = chunks <= sort->tuning->hybrid.onesweep.max_early_chunks;
    return cls_launch_enqueue(sort->chain, &launch, counts ? 1 + chunks : 1, GROUP_SIZE);
}

/* LSD is launched before the sort of the buckets. Otherwise, in a sort by LSD, the device would wait while the host
 * launches kernels that have no work. */
static cl_int enqueue(const struct cls_sort *sort)
{
    const struct cls_tuning msd_tuning = msd_of(sort->tuning),
                            onesweep_tuning = onesweep_of(sort->tuning);
    const bool is_single_tile = sort->schedule->msd.is_single_tile;
    struct cls_part msd, onesweep;
    begin_part(&msd, sort, &cls_algo_msd, &msd_tuning,
               ONESWEEP + cls_onesweep_kernels(&onesweep_tuning),
               is_single_tile ? 0 : (size_t)MSD_CONTROL, 0);
    if (is_single_tile)
        return cls_algo_msd.enqueue(&msd.sort);
    begin_part(&onesweep, sort, &cls_algo_onesweep, &onesweep_tuning, ONESWEEP, ONESWEEP_CONTROL,
               LSD_TABLES);
    cl_int status = choose(sort, &onesweep.sort);
    if (status == CL_SUCCESS)
        status = cls_msd_enqueue_rounds(&msd.sort);
    if (status == CL_SUCCESS)
        status = cls_algo_onesweep.enqueue(&onesweep.sort);
    return status == CL_SUCCESS ? cls_msd_enqueue_buckets(&msd.sort) : status;
}

/* -- description ------------------------------------------------------------------------------- */

static uint64_t bytes_per_element(const struct cls_tuning *tuning, const struct cls_spec *spec,
                                  uint64_t count)
{
    const struct cls_tuning msd = msd_of(tuning);
    return cls_algo_msd.bytes_per_element(&msd, spec, count);
}

/* The clustered keys of the self-test take the LSD path, keys of 8 bytes of which few are different are divided by
 * splitters, and the other ones take the MSD path, also those with a constant digit, which are divided unevenly. Where
 * hybrid_choose may count chunks, it counts those of the self-test; that of onesweep alone covers the other case. */
static uint64_t self_test_count(struct cls_tuning *tuning)
{
    struct cls_tuning msd = msd_of(tuning), onesweep = onesweep_of(tuning);
    const uint64_t counts[] = {cls_algo_msd.self_test_count(&msd),
                               cls_algo_onesweep.self_test_count(&onesweep)};
    tuning->hybrid.msd = msd.msd;
    tuning->hybrid.onesweep = onesweep.onesweep;
    tuning->hybrid.max_collisions = tuning->hybrid.max_crowded = UINT32_MAX;
    return cls_max(counts[0], counts[1]);
}

static uint64_t one_tile_count(const struct cls_tuning *tuning)
{
    const struct cls_tuning msd = msd_of(tuning);
    return cls_algo_msd.one_tile_count(&msd);
}

static void describe(const struct cls_tuning *tuning, const struct cls_spec *spec, uint64_t count,
                     struct cls_text *text)
{
    const struct cls_tuning msd = msd_of(tuning), onesweep = onesweep_of(tuning);
    struct cls_schedule schedule;
    cls_algo_msd.describe(&msd, spec, count, text);
    cls_algo_msd.schedule(&msd, spec, cls_max(count, 1), &schedule);
    if (schedule.msd.is_single_tile)
        return;
    cls_text_add(text, "; for skewed keys %s",
                 tuning->hybrid.msd.may_split ? "a round by splitters or " : "");
    cls_algo_onesweep.describe(&onesweep, spec, count, text);
}

const struct cls_algo cls_algo_hybrid = {
    .name = "hybrid",
    .operations = CLS_SORTS,
    .traits = CLS_STABLE | CLS_COUNTS,
    .primitives = CLS_SUB_GROUP_PRIMITIVES,
    .is_for_gpus = true,
    .few_keys_bytes = CLS_HYBRID_SPLIT_BYTES,
    .parameters = CLS_HYBRID_PARAMETERS,
    .supports = supports,
    .schedule = schedule,
    .programs = programs,
    .enqueue = enqueue,
    .bytes_per_element = bytes_per_element,
    .self_test_count = self_test_count,
    .one_tile_count = one_tile_count,
    .describe = describe,
};
