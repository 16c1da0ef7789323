/* platform_windows.c - files, folders, memory, threads and a clock on Windows
 *
 * Paths are in the ANSI code page of the process, as in fopen. Files and folders have the permissions
 * that they inherit from their parents. */
#include "base/platform.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <windows.h>

struct cls_default_folder cls_default_folder(enum cls_folder folder)
{
    const char *parent = getenv(folder == CLS_FOLDER_CACHE ? "LOCALAPPDATA" : "APPDATA");
    return (struct cls_default_folder){parent && *parent ? parent : NULL, "clsort"};
}

/* Creates the folder and its parents. Existing ones are not changed. */
static void make_folders(char *path)
{
    for (char *at = path + strcspn(path, "/\\"); *at; at += strcspn(at, "/\\")) {
        const char separator = *at;
        *at = '\0';
        CreateDirectoryA(path, NULL); /* fails for "", "C:" and existing folders */
        *at++ = separator;
    }
    CreateDirectoryA(path, NULL);
}

char *cls_folder_open(char *path)
{
    make_folders(path);
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY)
               ? _fullpath(NULL, path, 0)
               : NULL;
}

bool cls_file_open(const char *path, enum cls_access access, struct cls_file *file,
                   bool *is_missing)
{
    (void)access;
    /* All kinds of sharing: another process may replace or delete the file meanwhile. */
    const HANDLE opened =
        CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);
    const DWORD error = opened == INVALID_HANDLE_VALUE ? GetLastError() : ERROR_SUCCESS;
    *is_missing = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND;
    if (opened == INVALID_HANDLE_VALUE)
        return false;
    LARGE_INTEGER size;
    if (GetFileType(opened) != FILE_TYPE_DISK || !GetFileSizeEx(opened, &size)) {
        CloseHandle(opened);
        return false;
    }
    *file = (struct cls_file){(intptr_t)opened, (uint64_t)size.QuadPart};
    return true;
}

/* ReadFile and WriteFile take sizes of 32 bits; the library's files are smaller. */
bool cls_file_read(const struct cls_file *file, void *to, size_t size)
{
    DWORD n = 0;
    return size <= MAXDWORD && ReadFile((HANDLE)file->handle, to, (DWORD)size, &n, NULL) &&
           n == size;
}

void cls_file_close(const struct cls_file *file)
{
    CloseHandle((HANDLE)file->handle);
}

static bool write_all(HANDLE file, const void *from, size_t size)
{
    DWORD n = 0;
    return size <= MAXDWORD && WriteFile(file, from, (DWORD)size, &n, NULL) && n == size;
}

void cls_file_replace(const char *folder, const char *path, const struct cls_bytes *parts,
                      size_t count)
{
    char temporary[MAX_PATH];
    if (!GetTempFileNameA(folder, "new", 0, temporary)) /* creates it */
        return;
    const HANDLE file = CreateFileA(temporary, GENERIC_WRITE, 0, NULL, TRUNCATE_EXISTING, 0, NULL);
    bool written = file != INVALID_HANDLE_VALUE;
    for (size_t i = 0; i < count && written; i++)
        written = write_all(file, parts[i].at, parts[i].size);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    if (!written || !MoveFileExA(temporary, path, MOVEFILE_REPLACE_EXISTING))
        DeleteFileA(temporary);
}

void *cls_pages_alloc(size_t bytes)
{
    /* Large pages need a privilege. _aligned_malloc returns too small a block if the sum of the size
     * and the alignment overflows. */
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void cls_pages_free(void *block)
{
    if (block)
        VirtualFree(block, 0, MEM_RELEASE);
}

uint64_t cls_monotonic_ns(void)
{
    LARGE_INTEGER frequency, now;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    const uint64_t ticks = (uint64_t)now.QuadPart, per_s = (uint64_t)frequency.QuadPart;
    return ticks / per_s * 1000000000 + ticks % per_s * 1000000000 / per_s;
}

size_t cls_cores(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}

bool cls_thread_create(pthread_t *thread, void *(*run)(void *data), void *data)
{
    return pthread_create(thread, NULL, run, data) == 0;
}
