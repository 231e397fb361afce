/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that open the MPI library themselves: Python's ctypes, Julia, loaders of Java and Rust. They ask
 * its handle for functions by dlsym, past all that stands in front of the library. So startune has a dlsym,
 * too: it answers with startune's functions where the MPI library's would be found, and hands all else on. */
#include "dialect/dialect.h"
#include "dialect/launcher.h"
#include "exec/native.h"
#include "runtime/matrix.h"
#include "runtime/site.h"
#include "util/export.h"
#include "util/module.h"
#include "util/parse.h"
#include "util/reached.h"
#include "util/voice.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The first version that glibc's dlsym has on this machine, and keeps. */
#if defined(__x86_64__) && defined(__LP64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__) || (defined(__powerpc64__) && _CALL_ELF == 2)
#define FIRST_VERSION "GLIBC_2.17"
#elif defined(__riscv) && __riscv_xlen == 64
#define FIRST_VERSION "GLIBC_2.27"
#elif defined(__s390x__)
#define FIRST_VERSION "GLIBC_2.2"
#elif defined(__loongarch__)
#define FIRST_VERSION "GLIBC_2.36"
#endif

/* Elsewhere such programs run natively. */
#ifdef FIRST_VERSION

typedef void *look_up(void *restrict handle, const char *restrict name);

/* The one behind startune's: glibc's, or another tool's. */
static _Atomic(look_up *) behind;
/* A function of the library that counts who talks to whom, which is there from the beginning; NULL: nobody
 * counts. */
static _Atomic(const void *) counts;

/* In place of glibc's, should that not be found: the program is told that there is no such function, and goes
 * on as it can. */
static void *find_nothing(void *restrict handle, const char *restrict name)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    (void)handle, (void)name;
    if (!atomic_flag_test_and_set(&said))
        fprintf(star_voice(),
                "startune: error: dlsym " FIRST_VERSION " is not found; run without startune\n");
    return NULL;
}

__attribute__((noinline, cold)) static look_up *find_behind(void)
{
    look_up *found;
    *(void **)&found = dlvsym(RTLD_NEXT, "dlsym", FIRST_VERSION);
    if (found == NULL)
        found = find_nothing;
    else
        atomic_store_explicit(&counts, found(RTLD_DEFAULT, STAR_MATRIX_LEAVE_OUT), memory_order_relaxed);
    if (atomic_load_explicit(&counts, memory_order_relaxed) == NULL)
        dlerror(); /* nobody asked */
    atomic_store_explicit(&behind, found, memory_order_relaxed);
    return found;
}

/* The MPI library's function, where NAME is one that startune stands in front of, by either name. */
static const void *native_of(const char *name)
{
    static const struct {
        const char *name;
        const void *function; /* a pointer to it */
    } all[] = {
#define STAR_ROW(name)           {"MPI_" #name, &star_native.name},
#define STAR_FUNCTION(name, ...) STAR_ROW(name)
#include "plan/functions.def"
        STAR_NATIVE_OTHERS(STAR_ROW)
#undef STAR_FUNCTION
#undef STAR_ROW
    };
    const void *native = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name + (*name == 'P'), all[i].name) == 0)
            memcpy(&native, all[i].function, sizeof native);
    return native;
}

/* MPI_X, PMPI_X, Fortran's mpi_x_, and what handles of Open MPI's mpi.h are: ompi_mpi_x. */
static bool is_mpis(const char *name)
{
    return strncasecmp(name + (*name == 'P' || *name == 'p' || *name == 'o'), "mpi_", 4) == 0;
}

/* Says it once, when the program is about to begin. */
static void warn_of_another(const char *name, const struct link_map *module, const struct link_map *serves)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const char *rank = star_launched_rank(), *soname = star_module_soname(module);
    bool on, begins = strncmp(name + (*name == 'P'), "MPI_Init", 8) == 0;
    if (!begins || soname == NULL || star_dialect_linked(soname) == NULL ||
        !star_parse_switch(getenv("STARTUNE"), &on) || !on || atomic_flag_test_and_set(&said) ||
        (rank != NULL && strcmp(rank, "0") != 0))
        return;
    star_reached_tell(); /* nothing more needs to be said at the end */
    if (serves != NULL)
        fprintf(star_voice(),
                "startune: warning: the program opens %s, but %s is loaded already, and serves its calls; to "
                "use the other, put its folder first into LD_LIBRARY_PATH\n",
                module->l_name, serves->l_name);
    else
        fprintf(star_voice(),
                "startune: warning: the program opens another MPI library than the launcher's, %s: its calls "
                "run untuned; should they fail, run it without startune\n",
                module->l_name);
}

/* NAME in what MODULE holds or needs; NULL: it is not there. */
static void *in_module(look_up *next, const struct link_map *module, const char *name)
{
    void *opened = dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (opened == NULL)
        return NULL;
    void *found = next(opened, name);
    dlclose(opened);
    if (found == NULL)
        dlerror(); /* the program's own question was answered */
    return found;
}

/* Startune's own function, whoever else has one of that name. A tool that stands behind startune sees no
 * calls to what was asked of a handle, as natively: so it is the one by the name PMPI_X. */
static void *own(look_up *next, const char *name)
{
    char by_other_name[64];
    snprintf(by_other_name, sizeof by_other_name, "P%s", name + (*name == 'P'));
    return in_module(next, star_module_of(&star_native), by_other_name);
}

/* What counts calls of NAME before the MPI library does them; NULL: nobody counts, or not those. */
static void *counted(look_up *next, const char *name)
{
    char by_other_name[64];
    const void *one = atomic_load_explicit(&counts, memory_order_relaxed);
    if (one == NULL)
        return NULL;
    snprintf(by_other_name, sizeof by_other_name, "P%s", name + (*name == 'P'));
    void *found = in_module(next, star_module_of(one), by_other_name);
    return found != NULL && star_module_of(found) == star_module_of(one) ? found : NULL;
}

/* Is MODULE another file of the MPI library behind startune? */
static bool is_second(const struct link_map *module, const struct link_map *first)
{
    if (first == NULL || module == first)
        return false;
    const char *one = star_module_soname(module), *other = star_module_soname(first);
    return one != NULL && other != NULL && strcmp(one, other) == 0;
}

/* All modules are given the first one's variables, the second one itself, too: no call to it would end well.
 * Libraries of one SONAME stand for each other, so the first serves the program. */
static void *of_first(look_up *next, const struct link_map *first, const char *name)
{
    void *found = native_of(name) != NULL ? own(next, name) : counted(next, name);
    return found != NULL ? found : in_module(next, first, name);
}

__attribute__((noinline)) static void *answer(look_up *next, void *handle, const char *name,
                                              const void *caller)
{
    const struct link_map *self = star_module_of(&star_native), *first = NULL;
    void *found = next(handle, name), *ours = NULL;
    const struct link_map *module = found != NULL ? star_module_of(found) : NULL;
    if (module == NULL || module == self || star_module_of(caller) == self || star_is_internal(caller))
        return found;
    const void *native = native_of("MPI_Init");
    if (native != NULL)
        first = star_module_of(native);
    if (is_second(module, first)) {
        warn_of_another(name, module, first);
        ours = of_first(next, first, name);
    } else if ((native = native_of(name)) != NULL && module == first) {
        ours = own(next, name);
    } else if (native == NULL && module == first) {
        ours = counted(next, name);
    } else if (native != NULL) {
        warn_of_another(name, module, NULL);
    }
    return ours != NULL ? ours : found;
}

/* glibc asks who calls to know what is next to it, and what it can see by default. So the next dlsym must see
 * the same return address, and is jumped to at each level of optimisation. */
#if defined(__has_attribute) && __has_attribute(musttail)
#define JUMP_TO __attribute__((musttail)) return
#define JUMPS
#else
#define JUMP_TO return
#define JUMPS   __attribute__((optimize("O2"), no_profile_instrument_function))
#endif

__attribute__((no_sanitize("thread", "address", "undefined"))) JUMPS STAR_EXPORT void *
dlsym(void *restrict handle, const char *restrict name)
{
    look_up *next = atomic_load_explicit(&behind, memory_order_relaxed);
    if (next == NULL)
        next = find_behind();
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT && is_mpis(name))
        return answer(next, handle, name, __builtin_return_address(0));
    JUMP_TO next(handle, name);
}

#endif
