/* resume.c - clsort-external: sorts that are continued after an interruption, from files in a folder */
#include "resume.h"

#include "arena.h"
#include "io.h"
#include "linux.h"
#include "print.h"
#include "stream.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char RUNS[] = "clsort-runs", BLOCKS[] = "clsort-blocks",
                  MANIFEST[] = "clsort-manifest", NEW_MANIFEST[] = "clsort-manifest.new";

/* What precedes the last element of a block in its entry: offset and size of the block in the store, or 0. */
struct place {
    uint64_t offset, size;
};

enum {
    PIECE = 1 << 20 /* bytes of entries that are read or written at a time, at least one entry */
};

/* -- files ------------------------------------------------------------------------------------- */

static bool file_error(const struct resume *resume, const char *file)
{
    print_error(resume->name, "%s: %s", file, strerror(errno));
    return false;
}

static bool cannot_continue(const struct resume *resume, const char *file, const char *reason)
{
    print_error(resume->name,
                "cannot continue from %s: %s; remove the folder to begin the sort again", file,
                reason);
    return false;
}

static int open_file(const struct resume *resume, const char *file, int flags)
{
    return openat(resume->folder, file, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

/* Reads or writes a part of a file. Returns false and sets errno on failure; ENODATA: the file is too short. */
static bool transfer_all(int fd, bool is_write, void *data, size_t size, uint64_t offset)
{
    for (size_t at = 0; at < size;) {
        char *part = (char *)data + at;
        const off_t from = (off_t)(offset + at);
        const ssize_t done =
            is_write ? pwrite(fd, part, size - at, from) : pread(fd, part, size - at, from);

        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            errno = ENODATA;
        if (done <= 0)
            return false;
        at += (size_t)done;
    }
    return true;
}

/* -- the folder -------------------------------------------------------------------------------- */

/* Locks the folder by the file of the runs, which is open. */
static bool lock(struct resume *resume)
{
    struct stat status;

    if (linux_lock(resume->runs)) {
        resume->is_locked = fstat(resume->runs, &status) == 0 && status.st_nlink > 0;
        if (resume->is_locked)
            return true;
        print_error(resume->name, "another sort has just removed its files; try again");
    } else if (errno == EAGAIN || errno == EACCES) {
        print_error(resume->name, "another sort is using this folder");
    } else {
        file_error(resume, RUNS);
    }
    return false;
}

/* Reads the manifest from its open file. */
static bool read_manifest(struct resume *resume, int fd)
{
    struct stat status;
    char reason[MANIFEST_REASON_SIZE];

    if (fstat(fd, &status) != 0)
        return file_error(resume, MANIFEST);
    if (!S_ISREG(status.st_mode))
        return cannot_continue(resume, MANIFEST, "it is no regular file");
    const size_t size = (size_t)status.st_size;
    char *text = malloc(size + 1);
    bool done = text != NULL && transfer_all(fd, false, text, size, 0);
    if (!done)
        file_error(resume, MANIFEST);
    if (done && !manifest_parse(&resume->manifest, text, size, reason))
        done = cannot_continue(resume, MANIFEST, reason);
    free(text);
    resume->is_continued = done && resume->manifest.run_count > 0;
    if (!resume->is_continued)
        resume->manifest.progress = (struct manifest_progress){0};
    return done;
}

bool resume_open(struct resume *resume, const char *name)
{
    *resume = (struct resume)RESUME_CLOSED;
    resume->name = name;
    resume->folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (resume->folder < 0 && errno == ENOENT)
        return true;
    if (resume->folder < 0) {
        print_errno(name);
        return false;
    }
    resume->runs = open_file(resume, RUNS, O_RDWR);
    if (resume->runs < 0 ? errno != ENOENT && !file_error(resume, RUNS) : !lock(resume))
        return false;
    const int fd = open_file(resume, MANIFEST, O_RDONLY);
    resume->has_manifest = fd >= 0 || errno != ENOENT;
    if (fd < 0)
        return errno == ENOENT || file_error(resume, MANIFEST);
    const bool done = read_manifest(resume, fd);
    close(fd);
    return done;
}

/* Creates the folder unless it was there when resume_open was called. */
static bool create_folder(struct resume *resume)
{
    if (resume->folder >= 0)
        return true;
    if (mkdir(resume->name, 0700) != 0 ||
        (resume->folder = open(resume->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) {
        print_errno(resume->name); /* EEXIST: another sort has created it meanwhile */
        return false;
    }
    resume->manifest.is_created = true;
    const int parent = openat(resume->folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done = parent < 0 || folder_sync(parent);
    if (!done)
        print_errno(resume->name);
    if (parent >= 0)
        close(parent);
    return done;
}

/* Removes the files, what refers to others first, and the folder if clsort has created it. Files that this sort has not
 * locked belong to another one. Returns the name of a file that cannot be removed, with errno, or NULL. */
static const char *remove_all(const struct resume *resume)
{
    const char *const files[] = {MANIFEST, NEW_MANIFEST, RUNS, BLOCKS};

    for (size_t i = 0; i < sizeof files / sizeof files[0] && resume->is_locked; i++)
        if (unlinkat(resume->folder, files[i], 0) != 0 && errno != ENOENT)
            return files[i];
    if (resume->manifest.is_created)
        rmdir(resume->name); /* fails if others have put files there, and nothing depends on it */
    return NULL;
}

bool resume_remove(struct resume *resume)
{
    const char *left = remove_all(resume);

    return left == NULL || file_error(resume, left);
}

void resume_close(struct resume *resume)
{
    const int files[] = {resume->runs, resume->blocks, resume->folder};

    if (!resume->has_manifest)
        remove_all(resume); /* there is nothing to continue from */
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] >= 0)
            close(files[i]);
    manifest_free(&resume->manifest);
    *resume = (struct resume)RESUME_CLOSED;
}

/* -- the same sort ----------------------------------------------------------------------------- */

bool resume_set_options(struct resume *resume, char *options)
{
    const char *before = resume->manifest.options, *now = options;

    if (resume->is_continued) {
        size_t size = 0;

        for (; *before != '\0' && *now != '\0'; before += size, now += size) {
            size = strcspn(now, "\n") + 1;
            if (strncmp(before, now, size) != 0)
                break;
        }
        if (*before != '\0' || *now != '\0') {
            print_error(resume->name,
                        "the interrupted sort has \"%.*s\", but this one has \"%.*s\"; give the "
                        "same options, or remove the folder to begin again",
                        (int)strcspn(before, "\n"), before, (int)strcspn(now, "\n"), now);
            free(options);
            return false;
        }
    }
    free(resume->manifest.options);
    resume->manifest.options = options;
    return true;
}

static bool describe_input(const struct external_input *input, struct manifest_input *to)
{
    struct stat status;

    if (fstat(input->fd, &status) != 0) {
        print_errno(input->name);
        return false;
    }
    *to = (struct manifest_input){
        .inode = (uint64_t)status.st_ino,
        .size = (uint64_t)status.st_size,
        .seconds = (uint64_t)status.st_mtim.tv_sec,
        .nanoseconds = (uint64_t)status.st_mtim.tv_nsec,
        .offset = input->offset,
        .count = input->count,
    };
    return true;
}

/* Compares an input with that of the interrupted sort. */
static bool check_input(const struct resume *resume, const char *name,
                        const struct manifest_input *before, const struct manifest_input *now)
{
    if (before->inode == now->inode && before->size == now->size &&
        before->seconds == now->seconds && before->nanoseconds == now->nanoseconds &&
        before->offset == now->offset && before->count == now->count)
        return true;
    print_error(name,
                "it is not the file that the interrupted sort has read, or has changed since; "
                "remove the folder %s to begin again",
                resume->name);
    return false;
}

bool resume_set_inputs(struct resume *resume, const struct external_input *inputs, size_t count)
{
    struct manifest *manifest = &resume->manifest;
    struct manifest_input *now = malloc(count * sizeof *now);
    bool done = now != NULL;

    if (!done)
        print_error(resume->name, "out of memory");
    if (done && resume->is_continued && manifest->input_count != count) {
        print_error(resume->name,
                    "the interrupted sort has %zu inputs, but this one has %zu; give the same "
                    "ones, or remove the folder to begin again",
                    manifest->input_count, count);
        done = false;
    }
    for (size_t i = 0; i < count && done; i++)
        done = describe_input(&inputs[i], &now[i]) &&
               (!resume->is_continued ||
                check_input(resume, inputs[i].name, &manifest->inputs[i], &now[i]));
    if (!done) {
        free(now);
        return false;
    }
    free(manifest->inputs);
    manifest->inputs = now;
    manifest->input_count = count;
    return true;
}

/* -- entries ----------------------------------------------------------------------------------- */

/* Returns the bytes of the elements of a block of a run. */
static size_t block_bytes(const struct runs *runs, uint64_t run_elements, uint64_t block)
{
    const uint64_t left = run_elements - block * runs->block_elements;

    return (left < runs->block_elements ? (size_t)left : runs->block_elements) * runs->element_size;
}

/* Returns how many entries are transferred at a time. */
static size_t piece_entries(size_t entry_size)
{
    return PIECE / entry_size > 0 ? PIECE / entry_size : 1;
}

/* Formats the entry of a block. */
static void make_entry(const struct store *store, const struct runs *runs, const struct run *run,
                       uint64_t block, unsigned char *entry)
{
    struct place place = {0, 0};

    if (!run->is_input) {
        const size_t stored = store_stored_size(store, run->first + block);
        const size_t padded = arena_padded(block_bytes(runs, run->count, block));

        place = (struct place){store_offset(store, run->first + block),
                               stored < padded ? stored : padded};
    }
    memcpy(entry, &place, sizeof place);
    memcpy(entry + sizeof place, runs_last(runs, run, block), runs->element_size);
}

/* Appends the entries of those blocks of a run that have none yet. */
static bool add_entries(struct resume *resume, const struct store *store, const struct runs *runs,
                        struct run *run, unsigned char *buffer)
{
    struct manifest_progress *progress = &resume->manifest.progress;
    const size_t size = sizeof(struct place) + runs->element_size;
    const uint64_t blocks = runs_blocks(runs, run);

    if (run->saved == 0)
        run->entry = progress->entries;
    while (run->saved < blocks) {
        const uint64_t left = blocks - run->saved;
        const size_t piece = piece_entries(size);
        const size_t count = left < piece ? (size_t)left : piece;

        for (size_t i = 0; i < count; i++)
            make_entry(store, runs, run, run->saved + i, buffer + i * size);
        if (!transfer_all(resume->blocks, true, buffer, count * size,
                          (run->entry + run->saved) * size))
            return file_error(resume, BLOCKS);
        run->hash = manifest_hash(run->hash, buffer, count * size);
        run->saved += count;
        progress->entries += count;
    }
    return true;
}

/* Restores the place of a block. */
static bool restore_place(const struct resume *resume, struct store *store, uint64_t block,
                          const struct place *place, size_t bytes)
{
    const uint64_t end = resume->manifest.progress.end;

    if (place->offset % IO_ALIGNMENT != 0 || place->size % IO_ALIGNMENT != 0 || place->size == 0 ||
        place->size > arena_padded(bytes) || place->offset > end ||
        place->size > end - place->offset ||
        (!store->has_places && place->offset != store_offset(store, block)))
        return cannot_continue(resume, BLOCKS, "a block is at an impossible place");
    if (resume->size < place->offset + place->size)
        return cannot_continue(resume, RUNS, "it has become shorter");
    return store_set_place(store, block, 0, place->offset, (size_t)place->size);
}

/* Restores a run, which has no elements yet, from its entries. */
static bool restore_run(struct resume *resume, struct store *store, const struct runs *runs,
                        struct run *run, const struct manifest_run *from, unsigned char *buffer)
{
    const size_t size = sizeof(struct place) + runs->element_size;
    const uint64_t blocks = manifest_blocks(&resume->manifest.plan, from->count);
    struct place place;

    run->entry = from->entry;
    while (run->saved < blocks) {
        const uint64_t left = blocks - run->saved;
        const size_t piece = piece_entries(size);
        const size_t count = left < piece ? (size_t)left : piece;

        if (!transfer_all(resume->blocks, false, buffer, count * size,
                          (run->entry + run->saved) * size))
            return cannot_continue(resume, BLOCKS,
                                   errno == ENODATA ? "it has become shorter" : strerror(errno));
        run->hash = manifest_hash(run->hash, buffer, count * size);
        for (size_t i = 0; i < count; i++, run->saved++) {
            const unsigned char *entry = buffer + i * size;
            const size_t bytes = block_bytes(runs, from->count, run->saved);

            memcpy(&place, entry, sizeof place);
            if ((!run->is_input &&
                 !restore_place(resume, store, run->first + run->saved, &place, bytes)) ||
                !runs_add_block(runs, run, entry + sizeof place, bytes / runs->element_size))
                return false;
        }
    }
    return run->hash == from->hash || cannot_continue(resume, BLOCKS, "it is damaged");
}

/* Returns memory for entries, which the caller frees. */
static unsigned char *entry_buffer(const struct resume *resume, const struct runs *runs)
{
    const size_t size = sizeof(struct place) + runs->element_size;
    unsigned char *buffer = malloc(piece_entries(size) * size);

    if (buffer == NULL)
        print_error(resume->name, "out of memory");
    return buffer;
}

/* -- the sort ---------------------------------------------------------------------------------- */

/* Opens the files. Returns what the runs have behind the limits of the manifest to the file system. */
static bool open_files(struct resume *resume)
{
    const uint64_t end = resume->manifest.progress.end;
    const int flags = O_RDWR | (resume->is_continued ? 0 : O_CREAT);
    struct stat status;

    if (resume->runs < 0) {
        resume->runs = open_file(resume, RUNS, flags);
        if (resume->runs < 0)
            return file_error(resume, RUNS);
        if (!lock(resume))
            return false;
    }
    resume->blocks = open_file(resume, BLOCKS, flags);
    if (resume->blocks < 0)
        return file_error(resume, BLOCKS);
    if (fstat(resume->runs, &status) != 0)
        return file_error(resume, RUNS);
    resume->size = (uint64_t)status.st_size < end ? (uint64_t)status.st_size : end;
    return ftruncate(resume->runs, (off_t)resume->size) == 0 || file_error(resume, RUNS);
}

/* Checks that the interrupted sort has the same sizes. */
static bool check_plan(const struct resume *resume, const struct manifest_plan *now)
{
    const struct manifest_plan *before = &resume->manifest.plan;

    if (before->element_size == now->element_size &&
        before->block_elements == now->block_elements &&
        before->run_elements == now->run_elements && before->compression == now->compression)
        return true;
    print_error(
        resume->name,
        "the interrupted sort has runs of %" PRIu64 " elements in blocks of %" PRIu64
        ", but this one has %" PRIu64 " and %" PRIu64
        "; sort on the same device and by the same version of clsort, or remove the folder to "
        "begin again",
        before->run_elements, before->block_elements, now->run_elements, now->block_elements);
    return false;
}

/* Returns whether the numbers of the manifest fit the sort. */
static bool check_progress(const struct resume *resume, const struct external_plan *plan)
{
    const struct manifest *manifest = &resume->manifest;
    const struct manifest_progress *progress = &manifest->progress;
    uint64_t in_runs = 0;

    for (size_t i = 0; i < manifest->run_count; i++)
        in_runs += manifest->runs[i].count;
    return in_runs == (plan->is_merge ? plan->count : progress->count) &&
           progress->count <= plan->count &&
           (plan->has_places || progress->end == progress->blocks * plan->block_size);
}

/* Restores the state of the interrupted sort. */
static bool restore(struct resume *resume, struct external *external, struct store *store,
                    struct runs *runs)
{
    const struct manifest *manifest = &resume->manifest;
    unsigned char *buffer = entry_buffer(resume, runs);
    bool done = buffer != NULL;

    external->count = manifest->progress.count;
    external->checksum = manifest->progress.checksum;
    external->proof = manifest->progress.proof;
    store->next = manifest->progress.blocks;
    store->end[0] = manifest->progress.end;
    for (size_t i = 0; i < manifest->run_count && done; i++) {
        const struct manifest_run *run = &manifest->runs[i];

        done = (run->is_input ? runs_append_input(runs, (size_t)run->input, run->first)
                              : runs_append_stored(runs, run->first)) &&
               restore_run(resume, store, runs, &runs->run[runs->count - 1], run, buffer);
    }
    free(buffer);
    return done;
}

bool resume_start(struct resume *resume, struct external *external, struct store *store,
                  struct runs *runs)
{
    const struct external_plan *plan = &external->plan;
    const struct manifest_plan now = {external->request.memory, plan->size, plan->block_elements,
                                      plan->run_elements, (uint64_t)plan->compression};
    const bool is_formed =
        resume->is_continued && (plan->is_merge || resume->manifest.progress.count == plan->count);

    if (resume->is_continued && !check_plan(resume, &now))
        return false;
    if (resume->is_continued && !check_progress(resume, plan))
        return cannot_continue(resume, MANIFEST, "its numbers are not those of this sort");
    if (!create_folder(resume) || !open_files(resume))
        return false;
    resume->manifest.plan = now;
    store->is_kept = true;
    store->kept = resume->runs;
    store->reserve = plan->merge_disk;
    return store_open(store, &resume->name, 1, plan->block_size, plan->disk, !is_formed) &&
           stream_check_space(external, stream_output_size(external)) &&
           (resume->is_continued ? restore(resume, external, store, runs)
                                 : resume_save(resume, external, store, runs, 0));
}

/* Replaces the manifest. */
static bool write_manifest(const struct resume *resume)
{
    size_t size;
    char *text = manifest_format(&resume->manifest, &size);

    if (text == NULL) {
        print_error(resume->name, "out of memory");
        return false;
    }
    const int fd = open_file(resume, NEW_MANIFEST, O_WRONLY | O_CREAT | O_TRUNC);
    const bool done = fd >= 0 && transfer_all(fd, true, text, size, 0) && fsync(fd) == 0 &&
                      renameat(resume->folder, NEW_MANIFEST, resume->folder, MANIFEST) == 0 &&
                      folder_sync(resume->folder);
    if (!done)
        file_error(resume, NEW_MANIFEST);
    if (fd >= 0)
        close(fd);
    free(text);
    return done;
}

/* Lists the runs in the manifest. Their blocks get entries before. */
static bool list_runs(struct resume *resume, const struct store *store, struct runs *runs)
{
    struct manifest *manifest = &resume->manifest;
    struct manifest_run *list = realloc(manifest->runs, (runs->count + 1) * sizeof *list);

    if (list == NULL) {
        print_error(resume->name, "out of memory");
        return false;
    }
    manifest->runs = list;
    manifest->run_count = runs->count;
    unsigned char *buffer = entry_buffer(resume, runs);
    bool done = buffer != NULL;
    for (size_t i = 0; i < runs->count && done; i++) {
        struct run *run = &runs->run[i];

        done = add_entries(resume, store, runs, run, buffer);
        list[i] = (struct manifest_run){run->is_input, run->is_input ? run->input : 0,
                                        run->first,    run->count,
                                        run->entry,    run->hash};
    }
    free(buffer);
    return done;
}

bool resume_save(struct resume *resume, const struct external *external, struct store *store,
                 struct runs *runs, uint64_t next)
{
    struct manifest_progress *progress = &resume->manifest.progress;
    const struct external_order *order = external->order;

    if (order->has_failed != NULL && order->has_failed(order->context))
        return false; /* a run may be out of order */
    if (!list_runs(resume, store, runs))
        return false;
    progress->count = external->count;
    progress->checksum = external->checksum;
    progress->proof = external->proof;
    progress->blocks = store->next;
    progress->end = store->end[0];
    progress->next = next;
    if (fdatasync(resume->runs) != 0)
        return file_error(resume, RUNS);
    if (fdatasync(resume->blocks) != 0)
        return file_error(resume, BLOCKS);
    if (!write_manifest(resume))
        return false;
    resume->has_manifest = true;
    store_release(store);
    return true;
}
