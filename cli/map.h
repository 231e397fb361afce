/* SPDX-License-Identifier: BSD-3-Clause
 * What the actions of `startune map` share: the options, and one function each. */
#ifndef STAR_CLI_MAP_H
#define STAR_CLI_MAP_H

#include "command.h"
#include "map/encoding.h"

struct cli_map_ask {
    bool json, csv;
    const char *svg, *html, *output, *weights; /* NULL: not asked for */
    int ranks;                                 /* of import; 0: as the files say */
    struct star_looseness looseness;
    bool loose; /* one of its options was given */
};
extern struct cli_map_ask cli_map_ask;

/* Each gets the words behind its name, which are as many as its row of the table allows. */
int cli_map_show(int count, char **words);
int cli_map_diff(int count, char **words);
int cli_map_merge(int count, char **words);
int cli_map_predict(int count, char **words);
int cli_map_import(int count, char **words);
int cli_map_encode(int count, char **words);

/* Reads the map and the operation, if that is not NULL, says what is wrong and returns NULL. OPERATION −1:
 * all. */
struct star_map *cli_map_open(const char *path, const char *name, int *operation);
/* "error: …"; CLI_USAGE where the input is wrong, else CLI_FAILED. */
int cli_map_refuse(int error, const struct star_why *why);
int cli_map_put(const char *path, struct star_text *text);

#endif
