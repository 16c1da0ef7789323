/* platform_windows.c - files, folders, memory and processors on Windows
 *
 * Paths are in the ANSI code page of the process, as in fopen. Files and folders have the permissions
 * that they inherit from their parents. */
#include "base/platform.h"

#include "base/text.h"

#include <malloc.h>
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

/* Reads size bytes. ReadFile and WriteFile take sizes of 32 bits; the library's files are smaller. */
static bool read_all(HANDLE file, void *to, size_t size)
{
    DWORD n = 0;
    return size <= MAXDWORD && ReadFile(file, to, (DWORD)size, &n, NULL) && n == size;
}

static unsigned char *load_open_file(HANDLE file, size_t max_size, size_t *size)
{
    LARGE_INTEGER length;
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &length) ||
        (unsigned long long)length.QuadPart > max_size)
        return NULL;
    *size = (size_t)length.QuadPart;
    unsigned char *content = malloc(*size ? *size : 1);
    if (content && !read_all(file, content, *size)) {
        free(content);
        return NULL;
    }
    return content;
}

unsigned char *cls_file_load(const char *path, enum cls_access access, size_t max_size,
                             size_t *size, bool *is_missing)
{
    (void)access;
    /* All kinds of sharing: another process may replace or delete the file meanwhile. */
    const HANDLE file =
        CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);
    const DWORD error = file == INVALID_HANDLE_VALUE ? GetLastError() : ERROR_SUCCESS;
    *is_missing = error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND;
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    unsigned char *content = load_open_file(file, max_size, size);
    CloseHandle(file);
    return content;
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
    return _aligned_malloc(bytes, 4096); /* large pages need a privilege */
}

void cls_pages_free(void *block)
{
    _aligned_free(block);
}

size_t cls_cores(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors;
}
