/* manifest.c - fuzz target: the manifest of a sort that can be continued; one that is accepted has runs in its inputs
 * and its store, and gives the same text again
 *
 * The input is parsed as it is, and again with a last line whose hash is right. */
#include "manifest.h"

#include "codec.h"
#include "fuzz.h"

#include <inttypes.h>
#include <string.h>

static void check(const struct manifest *manifest)
{
    const struct manifest_plan *plan = &manifest->plan;
    const struct manifest_progress *progress = &manifest->progress;
    uint64_t total = 0, in_runs = 0;

    require(plan->element_size > 0 && plan->block_elements > 0 && plan->run_elements > 0 &&
            plan->compression < CODEC_COUNT);
    require(plan->block_elements <= INT64_MAX / plan->element_size);
    require(manifest->input_count > 0);
    for (size_t i = 0; i < manifest->input_count; i++) {
        require(manifest->inputs[i].count <= INT64_MAX / plan->element_size);
        total += manifest->inputs[i].count;
    }
    require(progress->count <= total && progress->next <= manifest->run_count);
    for (size_t i = 0; i < manifest->run_count; i++) {
        const struct manifest_run *run = &manifest->runs[i];
        const uint64_t blocks = manifest_blocks(plan, run->count);

        require(run->count > 0 && run->entry + blocks <= progress->entries);
        if (run->is_input)
            require(run->input < manifest->input_count &&
                    run->first + run->count <= manifest->inputs[run->input].count);
        else
            require(run->first + blocks <= progress->blocks);
        in_runs += run->count;
    }
    require(in_runs <= total);
    for (const char *c = manifest->options; *c; c++)
        require(*c == '\n' || (*c >= ' ' && *c <= '~'));
}

static void parse(const char *text, size_t size)
{
    struct manifest manifest;
    char reason[MANIFEST_REASON_SIZE] = "";

    if (manifest_parse(&manifest, text, size, reason)) {
        size_t again;
        char *formatted = manifest_format(&manifest, &again);

        check(&manifest);
        require(formatted && again == size && memcmp(formatted, text, size) == 0);
        free(formatted);
    } else {
        require(*reason && strlen(reason) < sizeof reason - 1);
    }
    manifest_free(&manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char end[32];
    const int end_size =
        snprintf(end, sizeof end, "end %016" PRIx64 "\n", manifest_hash(0, data, size));
    char *text = malloc(size + (size_t)end_size);

    require(text);
    memcpy(text, data, size);
    memcpy(text + size, end, (size_t)end_size);
    parse(text, size + (size_t)end_size);
    free(text);
    char *copy = malloc(size + 1); /* exactly as large as the input, but for that of size 0 */
    require(copy);
    memcpy(copy, data, size);
    parse(copy, size);
    free(copy);
    return 0;
}
