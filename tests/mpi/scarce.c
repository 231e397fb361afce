/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded, it fails the SCARCE_AT-th allocation that startune's library makes on rank SCARCE_RANK, and with
 * SCARCE_ON all behind it. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

static int fails(const void *caller)
{
    static int chosen = -1;
    static long at, on;
    if (chosen < 0) {
        long rank = number("OMPI_COMM_WORLD_RANK");
        rank = rank >= 0 ? rank : number("PMI_RANK");
        at = number("SCARCE_AT");
        on = number("SCARCE_ON");
        chosen = at > 0 && rank >= 0 && rank == number("SCARCE_RANK");
    }
    if (!chosen)
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
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *before, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(before, bytes);
}
