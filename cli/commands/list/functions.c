/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions.h"
#include "algorithms/operations.h"

#include <stddef.h>

/* All that any MPI library has. */
#define MPI_VERSION 4
static const struct {
    const char *name;
    enum star_operation operation;
    enum way { BLOCKING, NONBLOCKING, PERSISTENT } way;
} functions[] = {
#define STAR_FUNCTION(name, parameters, arguments, operation, ...)  {"MPI_" #name, operation, BLOCKING},
#define STAR_BEGINNING(name, parameters, arguments, operation, ...) {"MPI_" #name, operation, NONBLOCKING},
#include "plan/functions.def"
#define STAR_PERSISTENT(name, parameters, arguments, operation, ...) {"MPI_" #name, operation, PERSISTENT},
#include "plan/nonblocking.def"
#include "plan/persistent.def"
};

static void add(struct star_text *text, enum cli_form form, size_t i)
{
    const char *operation = star_operations[functions[i].operation].name;
    static const char *const whens[] = {"blocking", "nonblocking: short, within a node",
                                        "persistent: short, within a node"};
    enum way way = functions[i].way;
    if (form == AS_JSON) {
        star_text_add(text, i > 0 ? ",\n" : "\n");
        star_json_add(text, "{function: %s, operation: %s, nonblocking: %i, persistent: %i}",
                      functions[i].name, operation, way == NONBLOCKING, way == PERSISTENT);
    } else {
        star_text_add(text, form == AS_MARKDOWN ? "| `%s` | %s | %s |\n" : "%-28s %-20s %s\n",
                      functions[i].name, operation, whens[way]);
    }
}

void cli_list_functions(struct star_text *text, enum cli_form form)
{
    if (form == AS_JSON)
        star_text_add(text, "[");
    if (form == AS_MARKDOWN)
        star_text_add(text, "| function | operation | served |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        add(text, form, i);
    if (form == AS_JSON)
        star_text_add(text, "]\n");
}
