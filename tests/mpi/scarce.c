/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded, it fails the SCARCE_AT-th allocation that startune's library makes on rank SCARCE_RANK, and with
 * SCARCE_ON all behind it. SCARCE_WHAT: instead, calls of one of these functions of the MPI library, or what
 * shared memory and large temporaries are made by ("maps"). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *before, size_t bytes);
void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *before, size_t bytes);

static uintptr_t low, high; /* the code of startune's library */
static atomic_long made;

static int find(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    if (info->dlpi_name == NULL || strstr(info->dlpi_name, "libstartune-") == NULL)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            high = low + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? atol(text) : -1;
}

static int fails(const char *what, const void *caller)
{
    static int chosen = -1;
    static long at, on;
    static const char *wanted = "memory";
    if (chosen < 0) {
        long rank = number("OMPI_COMM_WORLD_RANK");
        rank = rank >= 0 ? rank : number("PMI_RANK");
        at = number("SCARCE_AT");
        on = number("SCARCE_ON");
        wanted = getenv("SCARCE_WHAT") ? getenv("SCARCE_WHAT") : wanted;
        chosen = at > 0 && rank >= 0 && rank == number("SCARCE_RANK");
    }
    if (!chosen || strcmp(what, wanted) != 0)
        return 0;
    if (low == 0)
        dl_iterate_phdr(find, NULL);
    if ((uintptr_t)caller < low || (uintptr_t)caller >= high)
        return 0;
    long count = atomic_fetch_add(&made, 1) + 1;
    if (count != at && (on <= 0 || count < at))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails("memory", __builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails("memory", __builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *before, size_t bytes)
{
    return fails("memory", __builtin_return_address(0)) ? NULL : __libc_realloc(before, bytes);
}

#define NEXT(type, name, ...)                                                                                \
    static type (*next)(__VA_ARGS__);                                                                        \
    if (next == NULL)                                                                                        \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    NEXT(void *, mmap, void *, size_t, int, int, int, off_t);
    return fails("maps", __builtin_return_address(0)) ? MAP_FAILED
                                                      : next(at, bytes, protection, flags, file, offset);
}

int memfd_create(const char *name, unsigned flags)
{
    NEXT(int, memfd_create, const char *, unsigned);
    return fails("maps", __builtin_return_address(0)) ? -1 : next(name, flags);
}

int shm_open(const char *name, int flags, mode_t mode)
{
    NEXT(int, shm_open, const char *, int, mode_t);
    return fails("maps", __builtin_return_address(0)) ? -1 : next(name, flags, mode);
}

#define FAILING(name, parameters, arguments)                                                                 \
    int name parameters                                                                                      \
    {                                                                                                        \
        static int(*next) parameters;                                                                        \
        if (next == NULL)                                                                                    \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                       \
        return fails(#name, __builtin_return_address(0)) ? MPI_ERR_NO_MEM : next arguments;                  \
    }

FAILING(PMPI_Comm_set_attr, (MPI_Comm comm, int key, void *value), (comm, key, value))
FAILING(PMPI_Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
FAILING(PMPI_Comm_group, (MPI_Comm comm, MPI_Group *group), (comm, group))
FAILING(PMPI_Group_translate_ranks,
        (MPI_Group group, int count, const int *ranks, MPI_Group other, int *others),
        (group, count, ranks, other, others))
FAILING(PMPI_Type_contiguous, (int count, MPI_Datatype of, MPI_Datatype *type), (count, of, type))
FAILING(PMPI_Type_commit, (MPI_Datatype * type), (type))
