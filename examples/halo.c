/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo.h"

#include <stddef.h>

/* One layer of points across dimension D, AT points from its beginning; in the others without the halo. */
static MPI_Datatype layer(const struct field *field, int d, int at)
{
    MPI_Datatype made;
    int points[3], start[3] = {1, 1, 1};
    for (int other = 0; other < field->dimensions; other++)
        points[other] = field->own[other];
    points[d] = 1;
    start[d] = at;
    MPI_Type_create_subarray(field->dimensions, field->dims, points, start, MPI_ORDER_C, MPI_DOUBLE, &made);
    MPI_Type_commit(&made);
    return made;
}

void halo_make(struct halo *halo, const struct field *field)
{
    *halo = (struct halo){.points = field->points, .cart = field->cart, .sides = 2 * field->dimensions};
    for (int d = 0; d < field->dimensions; d++) {
        int left = 2 * d, right = 2 * d + 1, last = field->own[d];
        MPI_Cart_shift(field->cart, d, 1, &halo->neighbor[left], &halo->neighbor[right]);
        halo->outer[left] = layer(field, d, 0);
        halo->inner[left] = layer(field, d, 1);
        halo->inner[right] = layer(field, d, last);
        halo->outer[right] = layer(field, d, last + 1);
    }
}

void halo_free(struct halo *halo)
{
    for (int side = 0; side < halo->sides; side++) {
        MPI_Type_free(&halo->inner[side]);
        MPI_Type_free(&halo->outer[side]);
    }
}

/* A message's tag is the side that it leaves through; it comes in at the opposite one. */
static int opposite(int side)
{
    return side ^ 1;
}

void halo_isend_irecv(const struct halo *halo)
{
    MPI_Request request[12];
    int requests = 0;
    for (int side = 0; side < halo->sides; side++)
        MPI_Irecv(halo->points, 1, halo->outer[side], halo->neighbor[side], opposite(side), halo->cart,
                  &request[requests++]);
    for (int side = 0; side < halo->sides; side++)
        MPI_Isend(halo->points, 1, halo->inner[side], halo->neighbor[side], side, halo->cart,
                  &request[requests++]);
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
}

void halo_sendrecv(const struct halo *halo)
{
    for (int side = 0; side < halo->sides; side++) {
        int from = opposite(side);
        MPI_Sendrecv(halo->points, 1, halo->inner[side], halo->neighbor[side], side, halo->points, 1,
                     halo->outer[from], halo->neighbor[from], side, halo->cart, MPI_STATUS_IGNORE);
    }
}

const struct halo_way halo_ways[] = {
    {"isend_irecv", halo_isend_irecv}, {"sendrecv", halo_sendrecv}, {NULL, NULL}};
