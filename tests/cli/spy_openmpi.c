/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded: tells on rank 0's standard error which of Open MPI's algorithms runs. Its component `tuned`
 * calls them in another library, so that this one's come first. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *next(const char *name)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (rank != NULL && atoi(rank) == 0)
        fprintf(stderr, "runs %s\n", name);
    return dlsym(RTLD_NEXT, name);
}

typedef int alltoall(const void *out, int sent, void *sent_type, void *in, int received, void *received_type,
                     void *comm, void *module);
typedef int bcast(void *buffer, int count, void *type, int root, void *comm, void *module);
typedef int cut_bcast(void *buffer, int count, void *type, int root, void *comm, void *module,
                      unsigned segment);

alltoall ompi_coll_base_alltoall_intra_basic_linear, ompi_coll_base_alltoall_intra_bruck,
    ompi_coll_base_alltoall_intra_pairwise;
bcast ompi_coll_base_bcast_intra_basic_linear;
cut_bcast ompi_coll_base_bcast_intra_binomial, ompi_coll_base_bcast_intra_pipeline;

#define EXPORTED __attribute__((visibility("default")))
#define SPY_ALLTOALL(name)                                                                                   \
    EXPORTED int name(const void *out, int sent, void *sent_type, void *in, int received,                    \
                      void *received_type, void *comm, void *module)                                         \
    {                                                                                                        \
        alltoall *real;                                                                                      \
        *(void **)&real = next(#name);                                                                       \
        return real(out, sent, sent_type, in, received, received_type, comm, module);                        \
    }
#define SPY_BCAST(name)                                                                                      \
    EXPORTED int name(void *buffer, int count, void *type, int root, void *comm, void *module,               \
                      unsigned segment)                                                                      \
    {                                                                                                        \
        cut_bcast *real;                                                                                     \
        *(void **)&real = next(#name);                                                                       \
        fprintf(stderr, "segment %u\n", segment);                                                            \
        return real(buffer, count, type, root, comm, module, segment);                                       \
    }
SPY_ALLTOALL(ompi_coll_base_alltoall_intra_basic_linear)
SPY_ALLTOALL(ompi_coll_base_alltoall_intra_bruck)
SPY_ALLTOALL(ompi_coll_base_alltoall_intra_pairwise)
SPY_BCAST(ompi_coll_base_bcast_intra_binomial)
SPY_BCAST(ompi_coll_base_bcast_intra_pipeline)

EXPORTED int ompi_coll_base_bcast_intra_basic_linear(void *buffer, int count, void *type, int root,
                                                     void *comm, void *module)
{
    bcast *real;
    *(void **)&real = next("ompi_coll_base_bcast_intra_basic_linear");
    return real(buffer, count, type, root, comm, module);
}
