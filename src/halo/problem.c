/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo/problem.h"
#include "util/fpenv.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "neighborhood:";

/* "66x34" */
static void add_numbers(struct star_text *text, const int *number, int count)
{
    for (int d = 0; d < count; d++)
        star_text_add(text, "%s%d", d ? "x" : "", number[d]);
}

bool star_problem_format(const struct star_problem *problem, char *text, size_t room)
{
    struct star_text made = {0};
    star_text_add(&made, "%s", prefix);
    add_numbers(&made, problem->points, problem->dimensions);
    star_text_add(&made, "/%d/%d/", problem->width, problem->point_bytes);
    add_numbers(&made, problem->grid, problem->dimensions);
    star_text_add(&made, "/%d/%d", problem->pairs, (int)problem->ways);
    bool fits = !made.failed && made.length < room;
    if (fits)
        memcpy(text, made.bytes, made.length + 1);
    star_text_free(&made);
    return fits;
}

/* Reads numbers of 1 or more with an 'x' between them; how many, or −1. *TEXT moves behind them. */
static int read_numbers(const char **text, int number[STAR_HALO_DIMENSIONS])
{
    int count = 0, length;
    do {
        if (count == STAR_HALO_DIMENSIONS || sscanf(*text, "%9d%n", &number[count], &length) != 1 ||
            number[count] < 1)
            return -1;
        *text += length;
        count++;
    } while (**text == 'x' && *++*text != 0);
    return count;
}

int star_problem_parse(const char *text, struct star_problem *problem, struct star_why *why)
{
    bool named = strncmp(text, prefix, sizeof prefix - 1) == 0;
    const char *at = named ? text + sizeof prefix - 1 : text;
    int length = 0, ways = 0;
    *problem = (struct star_problem){0};
    if (named)
        problem->dimensions = read_numbers(&at, problem->points);
    if (problem->dimensions > 0)
        sscanf(at, "/%9d/%9d/%n", &problem->width, &problem->point_bytes, &length);
    int grid = -1;
    if (length > 0) {
        at += length;
        grid = read_numbers(&at, problem->grid);
    }
    length = 0;
    if (grid > 0)
        sscanf(at, "/%9d/%9d%n", &problem->pairs, &ways, &length);
    problem->ways = (enum star_ways)ways;
    bool right = length > 0 && at[length] == 0 && grid == problem->dimensions && problem->width > 0 &&
                 problem->point_bytes > 0 && problem->pairs > 0 &&
                 problem->pairs <= star_halo_pairs(grid, true) && ways >= STAR_BOTH_WAYS &&
                 ways <= STAR_RIGHT_TO_LEFT;
    return right ? 0
                 : star_because(why, STAR_EINPUT, "'%.60s' is no problem of a neighbourhood exchange", text);
}

/* Bytes that move through the faces of dimension D. */
static double face_bytes(const struct star_problem *problem, int d)
{
    double bytes = (double)problem->width * problem->point_bytes;
    for (int e = 0; e < problem->dimensions; e++)
        bytes *= e == d ? 1 : fmax(1, problem->points[e] - 2 * problem->width);
    return bytes;
}

static double piece_bytes(const struct star_problem *problem)
{
    return (double)problem->points[problem->dimensions - 1] * problem->point_bytes;
}

static double factors(double a, double b)
{
    return fabs(log2(a / b));
}

double star_problem_distance(const struct star_problem *a, const struct star_problem *b)
{
    STAR_FPENV_DEFAULT;
    if (a->dimensions != b->dimensions || a->pairs != b->pairs || a->ways != b->ways)
        return INFINITY;
    double distance = factors(piece_bytes(a), piece_bytes(b)) / 2;
    for (int d = 0; d < a->dimensions; d++)
        distance +=
            (factors(face_bytes(a, d), face_bytes(b, d)) + factors(a->grid[d], b->grid[d])) / a->dimensions;
    return distance;
}

double star_problem_growth(const struct star_problem *here, const struct star_problem *there)
{
    STAR_FPENV_DEFAULT;
    double now = 0, then = 0;
    for (int d = 0; d < here->dimensions; d++) {
        now += face_bytes(here, d);
        then += face_bytes(there, d);
    }
    return now / then;
}
