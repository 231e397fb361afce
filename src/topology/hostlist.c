/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/hostlist.h"
#include "topology/topology.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expansion {
    const char *list; /* the whole, for reasons */
    char name[STAR_NODE_NAME_MOST + 2];
    int names;
    int (*take)(const char *name, void *context);
    void *context;
    struct star_why *why;
};

struct range {
    int64_t from, to;
    int width; /* at least; filled with zeros */
};

static int wrong(const struct expansion *expansion, const char *what)
{
    return star_because(expansion->why, STAR_EINPUT, "'%.100s': %s", expansion->list, what);
}

/* The digits at *TEXT, which moves on; −1: none, or too many. */
static int64_t take_digits(const char **text, int *width)
{
    enum { DIGITS_MOST = 17 };
    int64_t number = 0;
    *width = 0;
    for (; isdigit((unsigned char)**text); ++*text) {
        number = 10 * number + (**text - '0');
        if (++*width > DIGITS_MOST)
            return -1;
    }
    return *width ? number : -1;
}

static int take_range(const struct expansion *expansion, const char **text, struct range *range)
{
    int width;
    range->from = range->to = take_digits(text, &range->width);
    if (range->from >= 0 && **text == '-') {
        ++*text;
        range->to = take_digits(text, &width);
    }
    if (range->from < 0 || range->to < 0)
        return wrong(expansion, "in brackets stand numbers and ranges, as n[0-3,8]");
    if (**text != ',' && **text != ']')
        return wrong(expansion, "in brackets stand numbers and ranges, and a ] at the end");
    if (range->to < range->from)
        return wrong(expansion, "a range that ends before it begins");
    if (range->to - range->from >= STAR_NODES_MOST)
        return wrong(expansion, "too many names");
    return 0;
}

static int expand(struct expansion *expansion, const char *text, size_t length);

/* TEXT follows a [; the ranges of its bracket, each with all that stands behind it. */
static int expand_bracket(struct expansion *expansion, const char *text, size_t length)
{
    struct range range;
    const char *behind = strchr(text, ']');
    if (behind == NULL)
        return wrong(expansion, "a [ without its ]");
    do {
        int error = take_range(expansion, &text, &range);
        for (int64_t i = range.from; !error && i <= range.to; i++) {
            size_t room = sizeof expansion->name - length;
            int digits = snprintf(expansion->name + length, room, "%0*lld", range.width, (long long)i);
            if ((size_t)digits >= room)
                return wrong(expansion, "a name that is too long");
            error = expand(expansion, behind + 1, length + (size_t)digits);
        }
        if (error)
            return error;
    } while (*text++ == ',');
    return 0;
}

/* TEXT up to a comma that stands outside of brackets, behind the first LENGTH characters of the name. */
static int expand(struct expansion *expansion, const char *text, size_t length)
{
    for (; *text && *text != ','; text++) {
        if (*text == ']')
            return wrong(expansion, "a ] without its [");
        if (*text == '[')
            return expand_bracket(expansion, text + 1, length);
        if (length + 1 >= sizeof expansion->name)
            return wrong(expansion, "a name that is too long");
        expansion->name[length++] = *text;
    }
    expansion->name[length] = 0;
    if (length == 0)
        return wrong(expansion, "a name is missing");
    if (++expansion->names > STAR_NODES_MOST)
        return wrong(expansion, "too many names");
    return expansion->take(expansion->name, expansion->context);
}

/* The comma that ends the first entry, or the end. */
static const char *entry_end(const char *text)
{
    bool inside = false;
    for (; *text && (inside || *text != ','); text++)
        inside = *text == '[' || (inside && *text != ']');
    return text;
}

int star_hostlist_each(const char *list, int (*take)(const char *name, void *context), void *context,
                       struct star_why *why)
{
    struct expansion expansion = {.list = list, .take = take, .context = context, .why = why};
    for (const char *entry = list;; entry++) {
        int error = expand(&expansion, entry, 0);
        entry = entry_end(entry);
        if (error || *entry == 0)
            return error;
    }
}
