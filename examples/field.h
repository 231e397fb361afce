/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate (two dimensions) or in a body (three), by finite differences: what heat, heat_adcl and
 * heat_mpi have in common, so that each of them shows only how it communicates. Every rank has a block of
 * points and a halo of one point around it, which holds its neighbours' outermost points. The outside is
 * cold. With enough steps the field tends to the solution of Laplace's equation. */
#ifndef FIELD_H
#define FIELD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct field {
    int dimensions; /* 2 or 3 */
    int size;       /* points along each side of the whole */
    int steps;
    MPI_Comm cart; /* the grid of ranks */
    int first[3], own[3],
        dims[3];    /* this rank's block: its first point, its points, and those with the halo */
    double *points; /* with the halo, in C's order */
    double *next;   /* room for those of the next step */
    double change;  /* of any point of this rank, the greatest in the last step */
    double began;
};

/* Reads [--dimensions 2|3] [--size POINTS] [--steps N], divides the points among all ranks and fills them.
 * False, and rank 0 has said why: bad words. Collective. */
bool field_open(struct field *field, int argc, char **argv);
/* The same without words: dimensions, size and steps are in FIELD. */
void field_make(struct field *field);
/* As at the beginning: warm, here more and there less; the halo is cold. */
void field_fill(struct field *field);
/* One step, with what is in the halo. */
void field_step(struct field *field);
/* Of all ranks' points, in the last step. A maximum, so the same bits whatever the number of ranks. */
double field_change(const struct field *field);
/* Of the exact bits of each point of all ranks, and its place, in any order. */
uint64_t field_checksum(const struct field *field);
/* Rank 0 prints seconds since field_open, change and checksum under the name of PROGRAM. */
void field_print(const struct field *field, const char *program);
void field_free(struct field *field);

#endif
