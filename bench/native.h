/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI library's own functions, under startune too, which stands in front of both of their names. */
#ifndef STAR_BENCH_NATIVE_H
#define STAR_BENCH_NATIVE_H

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* startune's dlsym answers with startune's functions where a program asks for the MPI library's. Of glibc's
 * own, which is in one of two libraries, it knows nothing. */
static inline void *native_ask(void *library, const char *name)
{
    static void *(*ask)(void *handle, const char *name);
    void *c = ask ? NULL : dlopen("libc.so.6", RTLD_LAZY), *dl = ask ? NULL : dlopen("libdl.so.2", RTLD_LAZY);
    if (ask == NULL && c != NULL)
        *(void **)&ask = dlsym(c, "dlsym");
    if (ask == NULL && dl != NULL)
        *(void **)&ask = dlsym(dl, "dlsym");
    return ask ? ask(library, name) : NULL;
}

/* *FUNCTION becomes the one called NAME in the library that has MPI_Comm_size, which startune leaves alone.
 */
static inline void native_find(const char *name, void **function)
{
    Dl_info place;
    void *any = dlsym(RTLD_DEFAULT, "PMPI_Comm_size");
    void *library = any && dladdr(any, &place) ? dlopen(place.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    *function = library ? native_ask(library, name) : NULL;
    if (*function == NULL) {
        fprintf(stderr, "bench: %s is not found in the MPI library\n", name);
        exit(1);
    }
}

#define NATIVE_FIND(name, function) native_find(name, (void **)(void *)&(function))

#endif
