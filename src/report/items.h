/* SPDX-License-Identifier: BSD-3-Clause
 * Contexts and requests alike, as the page of a report shows them: an operation for the one, a function-set
 * for the other; methods, or functions. */
#ifndef STAR_REPORT_ITEMS_H
#define STAR_REPORT_ITEMS_H

#include "util/text.h"

#include <jansson.h>

struct star_item {
    const json_t *json;
    bool request;
    int index;  /* in its list of the report */
    char *name; /* "alltoall, 64K bytes, 8 ranks" */
    char *method;
};

struct star_items {
    struct star_item *item; /* the longest first */
    int count;
};

/* False: out of memory. */
bool star_items_of(const json_t *report, struct star_items *items);
void star_items_free(struct star_items *items);

/* Its methods or functions. */
const json_t *star_item_list(const struct star_item *item);
/* What ONE of them, or of the history, is called; of several functions of one name, each with its attributes.
 * The caller frees it; NULL: out of memory. */
char *star_item_method(const struct star_item *item, const json_t *one);
/* Of native's time, or the first function's. NaN: not known. */
double star_item_first(const struct star_item *item);
/* "mapping pair, data pack" */
void star_item_attributes(const json_t *one, struct star_text *text);

/* Numbers, NaN where they are missing; texts, "" where they are. */
double star_item_number(const json_t *object, const char *key);
const char *star_item_word(const json_t *object, const char *key);

#endif
