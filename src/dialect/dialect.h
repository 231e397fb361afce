/* SPDX-License-Identifier: BSD-3-Clause
 * Dialects: what differs between MPI libraries. Each library has one file here, with one constant struct, and
 * a line in STAR_DIALECTS. Nothing here calls MPI: exec/library.h tells which dialect the library speaks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { STAR_DIALECT_NAMES = 8 };
/* Ended by NULL. */
typedef const char *star_dialect_names[STAR_DIALECT_NAMES + 1];

/* By which users of any MPI library choose the network: a part of `choices` below. */
#define STAR_NETWORK_CHOICES "UCX_TLS", "UCX_NET_DEVICES", "FI_PROVIDER"

struct star_loss {
    const char *sign, *name; /* in the version's text, and in messages */
};

/* What goes on whenever the library makes progress, until it returns DONE. START(int poll(void *thing), void
 * *state, int stream) begins one; IS_OVER(request) looks at a request without making progress. */
struct star_things {
    const char *start, *is_over; /* functions; NULL: none */
    const char *sign;            /* only versions with it call them in all functions that wait */
    int stream, done;
};

struct star_dialect {
    const char *name; /* "Open MPI", as in maps, reports and messages */
    /* MPI_Get_library_version's text has the version behind this; NULL: nothing is known of the text. */
    const char *sign;

    /* startune is built once for each mpi.h that is different: as libstartune-BUILD.so. Libraries whose
     * handles and constants are the same share one. */
    const char *build;
    const char *macro; /* that this mpi.h alone defines: cmake/FindMpis.cmake reads it; NULL: it is shared */

    /* Names of libraries begin with one of these. */
    star_dialect_names linked; /* programs are linked with it, which tells the build */
    star_dialect_names inner; /* the MPI library's own parts, which call MPI's functions themselves. Fortran's
                                 bindings are none: they call for the program */

    star_dialect_names choices; /* variables by which users choose the network and its protocols */

    /* What it does otherwise than others. */
    bool receives_in_any_type;    /* packed bytes arrive whole in a type with gaps, however many they are */
    bool waitall_raises_on_world; /* errors of MPI_Waitall are not raised on the requests' communicator */
    bool reduces_by_init_only;    /* MPI_Reduce_local crashes in programs that have sessions alone */
    bool refuses_one_buffer;      /* for both sides of a collective where blocks would overlap: an error */
    const char *persists_wrongly; /* versions with this sign do collectives that are started again wrong */
    /* Functions of its own, NULL: none. It calls what is given to the first whenever it makes progress;
     * requests that the second starts are polled by whoever waits for them. */
    const char *progress_hook, *polled_start;
    struct star_things things;
    /* Values of such messages, with what SIGN in the version's text says; NULL: never. */
    struct star_loss loses_one_sided, loses_partitioned;
};

/* All that are known, the more special before what they resemble. cmake/FindMpis.cmake reads this list. */
#define STAR_DIALECTS(X)                                                                                     \
    X(star_open_mpi)                                                                                         \
    X(star_mpich)                                                                                            \
    X(star_abi)                                                                                              \
    X(star_simgrid)

#define STAR_DIALECT_DECLARE(name) , name
/* The first one is for all others. */
extern const struct star_dialect star_standard STAR_DIALECTS(STAR_DIALECT_DECLARE);

/* Number N; NULL behind the last one. */
const struct star_dialect *star_dialect_at(size_t n);
/* The dialect of the library whose MPI_Get_library_version says VERSION; NULL: none that is known. */
const struct star_dialect *star_dialect_of(const char *version);
/* The first one with that BUILD; star_standard: there is none. */
const struct star_dialect *star_dialect_of_build(const char *build);
/* "Open MPI 4.1.4": the library's name and version; of an unknown one the first line of what it says. */
void star_dialect_title(const char *version, char *title, size_t room);
/* The first dialect whose programs are linked with the library FILE; NULL: it is no MPI library. */
const struct star_dialect *star_dialect_linked(const char *file);
/* Is the library FILE a part of some MPI library, whose calls are not the program's? */
bool star_dialect_is_inner(const char *file);
