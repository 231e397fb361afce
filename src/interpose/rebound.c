/* SPDX-License-Identifier: BSD-3-Clause
 * The C library's functions that startune calls are the C library's. A program may have functions of its own
 * by such names, as `log` that writes messages, and `link` that joins lists. The loader gives startune those
 * of the program's libraries, and the program's where it shows its names to libraries: then startune's own
 * table of addresses is set right. */
#include "util/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __x86_64__
enum { JUMP = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT, POINTER = R_X86_64_64 };
#elif defined __aarch64__
enum { JUMP = R_AARCH64_JUMP_SLOT, DATA = R_AARCH64_GLOB_DAT, POINTER = R_AARCH64_ABS64 };
#else
enum { JUMP = -1, DATA = -1, POINTER = -1 }; /* none: all stays as it is */
#endif

/* NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's, of this library, as _DYNAMIC is */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static struct {
    void *opened; /* the mathematical library, and behind it the C library, which it needs */
    const struct link_map *math, *c;
    bool writable;
} known;

static uintptr_t base(void)
{
    return (uintptr_t)&__ehdr_start;
}

static uintptr_t entry(ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *each = _DYNAMIC; each->d_tag != DT_NULL; each++)
        if (each->d_tag == tag)
            return each->d_un.d_ptr;
    return 0;
}

/* The loader has put addresses in place of offsets, where a machine's dynamic sections can be written. */
static uintptr_t address(ElfW(Sxword) tag)
{
    uintptr_t found = entry(tag);
    return found < base() ? found + base() : found;
}

/* The loader makes the table read-only once it has filled it. */
static bool protect(int how)
{
    const ElfW(Phdr) *segments = (const ElfW(Phdr) *)(base() + __ehdr_start.e_phoff);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < __ehdr_start.e_phnum; i++) {
        if (segments[i].p_type != PT_GNU_RELRO)
            continue;
        uintptr_t from = (base() + segments[i].p_vaddr) / page * page;
        uintptr_t to = (base() + segments[i].p_vaddr + segments[i].p_memsz) / page * page;
        if (to > from && mprotect((void *)from, to - from, how) != 0)
            return false;
    }
    return true;
}

/* What is preloaded stands before the C library for all, also for startune. */
static bool is_preloaded(const struct link_map *module)
{
    const char *preloaded = getenv("LD_PRELOAD"), *file = basename(module->l_name);
    return preloaded != NULL && file[0] != '\0' && strstr(preloaded, file) != NULL;
}

/* What programs and their libraries may well have in place of the C library's: memory, and threads.
 * Sanitizers watch by many functions. */
static bool is_for_all(const char *name)
{
    static const char *const mapping[] = {"mmap", "munmap", "mprotect"};
    static const char *const memory[] = {"malloc", "calloc", "realloc", "free", "aligned_alloc"};
    static const char *const sanitizers[] = {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init"};
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (dlsym(RTLD_DEFAULT, sanitizers[i]) != NULL)
            return true;
    for (size_t i = 0; i < sizeof mapping / sizeof *mapping; i++)
        if (strcmp(name, mapping[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        if (strcmp(name, memory[i]) == 0)
            return star_module_of(dlsym(RTLD_DEFAULT, "malloc")) != known.c;
    return strncmp(name, "pthread_", strlen("pthread_")) == 0;
}

/* The C library's function in place of FOUND, what the loader has found; NULL: FOUND stays. */
static void *better(const void *found, const char *name)
{
    const struct link_map *module = star_module_of(found);
    if (module == NULL || module == known.math || module == known.c)
        return NULL;
    void *own = dlsym(known.opened, name);
    if (own == NULL || own == found)
        return NULL;
    bool mathematics = star_module_of(own) == known.math && known.math != known.c;
    return mathematics || (!is_preloaded(module) && !is_for_all(name)) ? own : NULL;
}

static void look_at(const ElfW(Rela) * relocations, size_t bytes)
{
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)address(DT_SYMTAB);
    const char *names = (const char *)address(DT_STRTAB);
    for (size_t i = 0; i < bytes / sizeof *relocations; i++) {
        int type = (int)ELF64_R_TYPE(relocations[i].r_info);
        const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocations[i].r_info)];
        if ((type != JUMP && type != DATA && type != POINTER) || symbol->st_shndx != SHN_UNDEF ||
            ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || relocations[i].r_addend != 0)
            continue;
        void **slot = (void **)(base() + relocations[i].r_offset);
        void *own = better(*slot, names + symbol->st_name);
        if (own == NULL)
            continue;
        known.writable = known.writable || protect(PROT_READ | PROT_WRITE);
        if (known.writable)
            *slot = own;
    }
}

/* Before all that the library does when it is loaded. */
__attribute__((constructor(101))) static void rebind(void)
{
    known.opened = dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD);
    if (known.opened == NULL)
        return;
    known.math = star_module_of(dlsym(known.opened, "log"));
    known.c = star_module_of(dlsym(known.opened, "link"));
    if (entry(DT_PLTREL) == DT_RELA && entry(DT_JMPREL) != 0)
        look_at((const ElfW(Rela) *)address(DT_JMPREL), entry(DT_PLTRELSZ));
    if (entry(DT_RELA) != 0)
        look_at((const ElfW(Rela) *)address(DT_RELA), entry(DT_RELASZ));
    if (known.writable)
        protect(PROT_READ);
    dlclose(known.opened);
}
