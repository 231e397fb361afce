/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/own_problem.h"
#include "util/fpenv.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "own:";

/* What would end the word, or a part of it, is written as %20. */
static void add_name(struct star_text *text, const char *name)
{
    for (; *name != 0; name++) {
        unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c >= 127 || strchr("%:/", c) != NULL)
            star_text_add(text, "%%%02X", c);
        else
            star_text_add(text, "%c", c);
    }
}

static void add_numbers(struct star_text *text, const int *number, int count)
{
    star_text_add(text, "/");
    for (int d = 0; d < count; d++)
        star_text_add(text, "%s%d", d ? "x" : "", number[d]);
}

bool star_own_problem_format(const struct star_own_problem *problem, char *text, size_t room)
{
    struct star_text made = {0};
    star_text_add(&made, "%s", prefix);
    add_name(&made, problem->name);
    star_text_add(&made, ":%d", problem->ranks);
    add_numbers(&made, problem->grid, problem->dimensions);
    add_numbers(&made, problem->periods, problem->dimensions);
    add_numbers(&made, problem->points, problem->vector_dimensions);
    star_text_add(&made, "/%d/%d/%s/%d/%d", problem->values, problem->element_bytes, problem->map,
                  problem->number[0], problem->number[1]);
    bool fits = !made.failed && made.length < room;
    if (fits)
        memcpy(text, made.bytes, made.length + 1);
    star_text_free(&made);
    return fits;
}

/* Reads a name up to ':', behind which *TEXT moves. */
static bool read_name(const char **text, char name[STAR_OWN_NAME])
{
    const char *at = *text;
    int length = 0;
    for (; *at != ':' && *at != 0 && length < STAR_OWN_NAME - 1; at++) {
        unsigned int c = (unsigned char)*at;
        int digits = 0;
        if (c == '%' && (sscanf(at, "%%%2x%n", &c, &digits) != 1 || digits != 3 || c == 0))
            return false;
        at += digits ? digits - 1 : 0;
        name[length++] = (char)c;
    }
    name[length] = 0;
    *text = at + 1;
    return *at == ':' && length > 0;
}

/* Reads '/', and numbers of LEAST or more with an 'x' between them; how many, or −1. *TEXT moves behind. */
static int read_numbers(const char **text, int number[STAR_HALO_DIMENSIONS], int least)
{
    int count = 0, length;
    if (**text != '/')
        return -1;
    do {
        ++*text;
        if (count == STAR_HALO_DIMENSIONS || sscanf(*text, "%9d%n", &number[count], &length) != 1 ||
            number[count] < least)
            return -1;
        *text += length;
        count++;
    } while (**text == 'x');
    return count;
}

int star_own_problem_parse(const char *text, struct star_own_problem *problem, struct star_why *why)
{
    bool named = strncmp(text, prefix, sizeof prefix - 1) == 0;
    const char *at = named ? text + sizeof prefix - 1 : text;
    int length = 0, periods = -1;
    memset(problem, 0, sizeof *problem);
    if (named && read_name(&at, problem->name) && sscanf(at, "%9d%n", &problem->ranks, &length) == 1) {
        at += length;
        problem->dimensions = read_numbers(&at, problem->grid, 1);
        periods = problem->dimensions > 0 ? read_numbers(&at, problem->periods, 0) : -1;
    }
    length = 0;
    if (periods > 0)
        problem->vector_dimensions = read_numbers(&at, problem->points, 0);
    if (problem->vector_dimensions > 0)
        sscanf(at, "/%9d/%9d/%15[a-z]/%9d/%9d%n", &problem->values, &problem->element_bytes, problem->map,
               &problem->number[0], &problem->number[1], &length);
    bool right = length > 0 && at[length] == 0 && problem->ranks > 0 && periods == problem->dimensions &&
                 problem->values >= 0 && problem->element_bytes > 0;
    return right ? 0 : star_because(why, STAR_EINPUT, "'%.60s' is no problem of a function-set", text);
}

static double bytes_of(const struct star_own_problem *about)
{
    double bytes = (double)about->element_bytes * fmax(1, about->values);
    for (int d = 0; d < about->vector_dimensions; d++)
        bytes *= fmax(1, about->points[d]);
    return bytes;
}

double star_own_problem_growth(const struct star_own_problem *here, const struct star_own_problem *there)
{
    STAR_FPENV_DEFAULT;
    return bytes_of(here) / bytes_of(there);
}
