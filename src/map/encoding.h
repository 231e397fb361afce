/* SPDX-License-Identifier: BSD-3-Clause
 * Encodings of a decision map: smaller, faster to ask, perhaps less exact. One table of encoders; all of them
 * answer for any number of ranks and bytes, and are judged by the map that they were made from. */
#pragma once

#include "map/grid.h"

/* How far an encoding may leave the map. */
struct star_looseness {
    int max_depth;   /* of trees; 0: no bound */
    double accuracy; /* quadtrees: a block of which this share has one colour is of that colour; 1: exact */
    double penalty;  /* of decision trees, a rival in bench/encoders: the mean penalty at most; 0: exact */
};

struct star_encoder {
    const char *name;
    size_t size; /* of its form, which begins as zeros; after an error, too, FREE frees what it holds */
    int (*encode)(const struct star_grid *grid, const struct star_looseness *looseness, void *form);
    int (*choose)(const void *form, int ranks, int64_t bytes);
    void (*generate)(const void *form, const char *name, struct star_text *text);
    void (*free)(void *form);
};
extern const struct star_encoder *const star_encoders[];
extern const int star_encoder_count;

/* What all forms begin with. */
struct star_form {
    int leaves; /* regions: leaves of trees, runs, cells of tables */
    int depth_least, depth_most;
    double depth_mean; /* over the leaves; 0 of what is no tree */
    size_t bytes;      /* in memory */
};

struct star_encoding {
    const struct star_encoder *encoder;
    void *form;
};
/* STAR_EMEMORY, STAR_ELIMIT. */
int star_encoding_make(const struct star_encoder *encoder, const struct star_grid *grid,
                       const struct star_looseness *looseness, struct star_encoding *encoding,
                       struct star_why *why);
void star_encoding_free(struct star_encoding *encoding);

static inline const struct star_form *star_encoding_form(const struct star_encoding *encoding)
{
    return encoding->form;
}

/* The method's number for that place. */
static inline int star_encoding_choose(const struct star_encoding *encoding, int ranks, int64_t bytes)
{
    return encoding->encoder->choose(encoding->form, ranks, bytes);
}

/* C with no other need: "static int NAME(int ranks, long long bytes)" and what it looks up. */
void star_encoding_generate(const struct star_encoding *encoding, const char *name, struct star_text *text);

/* How well an encoding does where the map was measured. */
struct star_verdict {
    double least, most, mean, median; /* penalties, as shares; the mean is weighted */
    int differs;                      /* cells of another method than the map's */
    int unknown;                      /* … whose time nobody knows, left out of the penalties */
    int cells;
};
/* STAR_EMEMORY. */
int star_encoding_judge(const struct star_encoding *encoding, const struct star_grid *grid,
                        struct star_verdict *verdict);
