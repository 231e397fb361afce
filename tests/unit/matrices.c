/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrices.h"
#include "topology/read.h"
#include "util/random.h"

#include <stdlib.h>

const char *const matrix_names[MATRIX_KINDS] = {"halo-2d", "halo-3d", "rows", "levels", "anybody"};

struct entries {
    struct star_matrix_entry *at;
    size_t count, room;
};

static void add(struct entries *entries, int from, int to, double bytes, double messages)
{
    if (from == to)
        return;
    if (entries->count == entries->room) {
        entries->room = entries->room ? 2 * entries->room : 1024;
        entries->at = realloc(entries->at, entries->room * sizeof *entries->at);
        if (entries->at == NULL)
            abort();
    }
    entries->at[entries->count++] = (struct star_matrix_entry){from, to, bytes, messages};
}

/* The largest divisor of NUMBER that is no more than its square root. */
static int edge_of(int number)
{
    int edge = 1;
    for (int i = 2; i * i <= number; i++)
        if (number % i == 0)
            edge = i;
    return edge;
}

static void add_halo_2d(struct entries *entries, int ranks)
{
    int rows = edge_of(ranks), columns = ranks / rows;
    for (int r = 0; r < ranks; r++) {
        int row = r / columns, column = r % columns;
        if (row > 0)
            add(entries, r, r - columns, 8e6, 1000);
        if (row < rows - 1)
            add(entries, r, r + columns, 8e6, 1000);
        if (column > 0)
            add(entries, r, r - 1, 8e6, 1000);
        if (column < columns - 1)
            add(entries, r, r + 1, 8e6, 1000);
    }
}

/* Of STRIDE: every so many in each direction takes part. */
static void add_halo_3d(struct entries *entries, int ranks, int stride, double bytes)
{
    int planes = 1;
    for (int i = 2; i * i * i <= ranks; i++)
        if (ranks % i == 0)
            planes = i;
    int rows = edge_of(ranks / planes), columns = ranks / planes / rows;
    for (int r = 0; r < ranks; r++)
        for (int d = 0; d < 27; d++) {
            int plane = r / (rows * columns), row = r / columns % rows, column = r % columns;
            int steps[3] = {d / 9 - 1, d / 3 % 3 - 1, d % 3 - 1};
            if (plane % stride || row % stride || column % stride)
                continue;
            int x = plane + stride * steps[0], y = row + stride * steps[1], z = column + stride * steps[2];
            int many = abs(steps[0]) + abs(steps[1]) + abs(steps[2]);
            if (x >= 0 && x < planes && y >= 0 && y < rows && z >= 0 && z < columns)
                add(entries, r, (x * rows + y) * columns + z,
                    many == 1   ? bytes
                    : many == 2 ? bytes / 30
                                : bytes / 900,
                    1000);
        }
}

static void add_rows(struct entries *entries, int ranks)
{
    int rows = edge_of(ranks), columns = ranks / rows;
    for (int r = 0; r < ranks; r++)
        for (int o = 0; o < ranks; o++) {
            if (o / columns == r / columns)
                add(entries, r, o, 4e6, 100);
            if (o % columns == r % columns)
                add(entries, r, o, 1e6, 100);
        }
}

static void add_anybody(struct entries *entries, int ranks)
{
    uint64_t state = 7;
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < 6; i++)
            add(entries, r, (int)star_draw(&state, (uint32_t)ranks), 1e5 * (1 + star_draw(&state, 100)), 50);
}

struct star_matrix *matrix_of(enum matrix_kind kind, int ranks)
{
    struct entries entries = {0};
    struct star_matrix *matrix;
    if (kind == HALO_2D)
        add_halo_2d(&entries, ranks);
    else if (kind == HALO_3D)
        add_halo_3d(&entries, ranks, 1, 8e6);
    else if (kind == ROWS)
        add_rows(&entries, ranks);
    else if (kind == ANYBODY)
        add_anybody(&entries, ranks);
    else
        for (int stride = 1; stride <= 4; stride *= 2)
            add_halo_3d(&entries, ranks, stride, 4e6);
    if (star_matrix_make(ranks, entries.at, entries.count, &matrix, NULL))
        abort();
    free(entries.at);
    return matrix;
}

struct star_topology *machine_of(int switches, int hosts, int slots, double host_mbps, double trunk_mbps,
                                 bool uneven)
{
    struct star_text text = {0};
    struct star_topology *topology;
    star_text_add(&text, "switch top\n");
    for (int s = 0; s < switches; s++) {
        star_text_add(&text, "switch s%d\nlink top s%d %g\n", s, s, trunk_mbps);
        for (int h = 0; h < hosts; h++)
            star_text_add(&text, "host n%d-%d s%d %g slots=%d\n", s, h, s, host_mbps,
                          uneven && h % 3 == 2 ? (slots + 1) / 2 : slots);
    }
    if (star_topology_parse(text.bytes, text.length, "made up", &topology, NULL))
        abort();
    star_text_free(&text);
    return topology;
}
