/* SPDX-License-Identifier: BSD-3-Clause
 * What the actions of `startune wisdom` share: the options, and one function each. */
#ifndef STAR_CLI_WISDOM_H
#define STAR_CLI_WISDOM_H

#include "command.h"
#include "util/text.h"
#include "wisdom/facts.h"
#include "wisdom/store.h"

struct cli_wisdom_ask {
    bool json, all, site;
    const char *store, *machine, *output; /* NULL: not asked for */
    int days;                             /* --older; 0: not asked for */
};
extern struct cli_wisdom_ask cli_wisdom_ask;

/* Each gets the words behind its name, which are as many as its row of the table allows. */
int cli_wisdom_list(int count, char **words);
int cli_wisdom_show(int count, char **words);
int cli_wisdom_forget(int count, char **words);
int cli_wisdom_export(int count, char **words);
int cli_wisdom_import(int count, char **words);
int cli_wisdom_merge(int count, char **words);
int cli_wisdom_doctor(int count, char **words);

/* The store that was asked for: the user's if none was. Says what is wrong; exit status. READ: *STORE is NULL
 * where the user or the site has none yet. */
int cli_wisdom_open(enum star_wisdom_access access, struct star_wisdom **store);
/* After saying that a damaged one was set aside. */
void cli_wisdom_close(struct star_wisdom *store);
int cli_wisdom_where(char *path, size_t room);
/* Is WORD an operation that something may be known of? Exit status, after saying that it is none. */
int cli_wisdom_check_operation(const char *word);
/* The facts that the options and OPERATION (NULL: all) choose, without impossible ones. */
int cli_wisdom_read(const char *operation, struct star_facts *facts);
/* "error: …"; CLI_USAGE where the input is wrong, else CLI_FAILED. */
int cli_wisdom_refuse(int error, const struct star_why *why);
/* As JSON, and back; the report of a run is read, too. STAR_EINPUT names the file. */
void cli_wisdom_json(const struct star_facts *facts, struct star_text *text);
int cli_wisdom_parse(const char *bytes, size_t length, const char *name, struct star_facts *facts,
                     struct star_why *why);

#endif
