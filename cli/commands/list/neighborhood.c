/* SPDX-License-Identifier: BSD-3-Clause */
#include "neighborhood.h"
#include "algorithms/method.h"
#include "dialect/dialect.h"
#include "halo/neighborhood.h"

static const struct star_transfer *transfer_of(const struct star_neighborhood *method)
{
    return &star_transfers[method->value[STAR_BY_TRANSFER]];
}

static const char *word_of(const struct star_neighborhood *method, int knob)
{
    return star_neighborhood_knobs[knob].words[method->value[knob]];
}

/* What must hold for the method to run. */
static void add_limits(struct star_text *text, const struct star_neighborhood *method, const char *before)
{
    const struct star_transfer *transfer = transfer_of(method);
    if (transfer->least_mpi > 3)
        star_text_add(text, "%sMPI %d", before, transfer->least_mpi);
    if (transfer->least_ranks > 1)
        star_text_add(text, "%s%d ranks or more", before, transfer->least_ranks);
    const struct star_dialect *dialect;
    for (size_t i = 0; transfer->one_sided && (dialect = star_dialect_at(i)) != NULL; i++)
        if (dialect->loses_one_sided.name != NULL)
            star_text_add(text, ", not %s", dialect->loses_one_sided.name);
}

/* A transfer's line comes before its first method. */
static void text_method(struct star_text *text, const struct star_neighborhood *method)
{
    char name[STAR_METHOD_TEXT];
    const struct star_transfer *transfer = transfer_of(method);
    if (method == star_neighborhoods || transfer != transfer_of(method - 1)) {
        star_text_add(text, "\n  %-8s %s\n           by %s; saves %s", word_of(method, STAR_BY_TRANSFER),
                      transfer->moves, transfer->calls, transfer->optimises);
        add_limits(text, method, "; needs ");
        star_text_add(text, "\n");
    }
    star_text_add(text, "           %s", star_neighborhood_format(method, name, sizeof name));
    if (method->adcl)
        star_text_add(text, "  (ADCL: %s)", method->adcl);
    star_text_add(text, "\n");
}

static void markdown_method(struct star_text *text, const struct star_neighborhood *method)
{
    char name[STAR_METHOD_TEXT];
    const struct star_transfer *transfer = transfer_of(method);
    star_text_add(text, "| `%s` | %s | %s | %s | %s | %s |",
                  star_neighborhood_format(method, name, sizeof name), word_of(method, STAR_BY_MAPPING),
                  word_of(method, STAR_BY_DATA), transfer->moves, transfer->calls, transfer->optimises);
    add_limits(text, method, " ");
    star_text_add(text, " | %s |\n", method->adcl ? method->adcl : "");
}

static void json_method(struct star_text *text, const struct star_neighborhood *method)
{
    char name[STAR_METHOD_TEXT];
    const struct star_transfer *transfer = transfer_of(method);
    star_text_add(text, text->length > 1 ? ",\n" : "\n");
    star_json_add(text, "{operation: %s, method: %s", "neighborhood",
                  star_neighborhood_format(method, name, sizeof name));
    for (int k = 0; k < STAR_NEIGHBORHOOD_KNOBS; k++)
        star_json_string(text, star_neighborhood_knobs[k].name, word_of(method, k));
    star_json_add(text, "moves: %s, calls: %s, group: %s, least_mpi: %d, least_ranks: %d", transfer->moves,
                  transfer->calls, transfer->optimises, transfer->least_mpi, transfer->least_ranks);
    if (method->adcl)
        star_json_string(text, "adcl", method->adcl);
    star_json_close(text, '}');
}

static const struct {
    const char *before, *after;
    void (*method)(struct star_text *text, const struct star_neighborhood *method);
} forms[] = {
    [AS_TEXT] = {"neighborhood: each rank's inner points beside its halo fill the halos of its neighbours\n",
                 "\nmapping: aao, all messages at once, or pair, one neighbour after the other.\n"
                 "data: ddt, derived datatypes, or pack, packed into buffers and unpacked.\n"
                 "A method is named by its spelling or, behind neighborhood:, by ADCL's name.\n",
                 text_method},
    [AS_MARKDOWN] = {"| method | mapping | data | what moves where | by | saves | needs | ADCL's name |\n"
                     "|---|---|---|---|---|---|---|---|\n",
                     "", markdown_method},
    [AS_JSON] = {"[", "]\n", json_method},
};

void cli_list_neighborhood(struct star_text *text, enum cli_form form)
{
    star_text_add(text, "%s", forms[form].before);
    for (int i = 0; i < star_neighborhoods_count; i++)
        forms[form].method(text, &star_neighborhoods[i]);
    star_text_add(text, "%s", forms[form].after);
}
