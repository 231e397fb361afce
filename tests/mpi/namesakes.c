/* SPDX-License-Identifier: BSD-3-Clause
 * A program that has functions by names of the C library's, of another meaning, and shows its names to all
 * libraries: those of mathematics are in a library of its own. */
#include "program.h"

#include "namesakes_library.h"

#include <dlfcn.h>
#include <string.h>

int flock(int place, int what);
int lstat(const char *path, void *list);
int memfd_create(const char *name, unsigned flags);

static int kept[8], number_kept;

static void keep(int what)
{
    kept[number_kept++ % 8] = what;
}

static void called(const char *name)
{
    fprintf(stderr, "FAILED: somebody else called the program's %s\n", name);
    abort();
}

/* Of a list: what it has at a place. Nobody else has such places. */
int flock(int place, int what)
{
    if (what < 1000)
        called("flock");
    return kept[place % 8];
}

int lstat(const char *path, void *list)
{
    if (list != kept)
        called("lstat");
    return path[0];
}

int memfd_create(const char *name, unsigned flags)
{
    if (flags != 4711)
        called("memfd_create");
    return name[0];
}

/* As the C library's, and the MPI library may have it. */
void qsort(void *list, size_t count, size_t size, int (*order)(const void *, const void *))
{
    void (*own)(void *, size_t, size_t, int (*)(const void *, const void *));
    Dl_info from;
    if (dladdr(__builtin_return_address(0), &from) != 0 && strstr(from.dli_fname, "/libstartune") != NULL)
        called("qsort");
    *(void **)&own = dlsym(RTLD_NEXT, "qsort");
    own(list, count, size, order);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int round = 0; round < 200; round++) {
        int all = 0;
        MPI_Allreduce(&round, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        exchange("namesakes", MPI_COMM_WORLD, 16, 0, round);
        exchange("namesakes", MPI_COMM_WORLD, 3000, 0, round);
        keep(all);
        MPI_Bcast(kept, 8, MPI_INT, 0, MPI_COMM_WORLD);
    }
    log("the lists have", 200);
    printf("%d %d %d %d\n", flock(3, 1000), lstat("path", kept), memfd_create("name", 4711), logged());
    return finish();
}
