/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"
#include "cli/common/matrix.h"
#include "place/export.h"
#include "report/heat.h"
#include "runs.h"
#include "util/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_text(const struct star_talk *talk, struct star_text *text)
{
    char bytes[32];
    double all = talk->own + talk->methods + talk->estimated;
    star_text_add(text, "%d ranks on %d host%s sent %s bytes in %.0f messages\n", talk->matrix->ranks,
                  talk->hosts, talk->hosts == 1 ? "" : "s",
                  star_format_bytes((int64_t)talk->bytes, bytes, sizeof bytes), talk->messages);
    if (all > 0)
        star_text_add(text,
                      "%.0f %% by the program's own calls, %.0f %% by startune's methods, %.0f %% by the MPI "
                      "library's collective operations, estimated\n",
                      100 * talk->own / all, 100 * talk->methods / all, 100 * talk->estimated / all);
    if (!isnan(talk->change))
        star_text_add(
            text,
            "about the first half of it and the rest %s: they differ by %.2f (0: alike; 1: to other ranks)\n",
            star_talk_changes(talk) ? "go to other ranks" : "go to the same ranks", talk->change);
    star_text_add(text, "\n");
    star_heat_text(talk, text);
}

static void add_scotch(const struct star_talk *talk, struct star_text *text)
{
    star_matrix_scotch(talk->matrix, text);
}

static void add_metis(const struct star_talk *talk, struct star_text *text)
{
    star_matrix_metis(talk->matrix, text);
}

const struct cli_line cli_matrix_formats[] = {
    {"text", "a map of characters"},
    {"svg", "a picture"},
    {"scotch", "a graph for Scotch's gmap (.grf)"},
    {"metis", "a graph for METIS or KaHIP (.graph)"},
    {.name = NULL},
};
static void (*const adds[])(const struct star_talk *talk, struct star_text *text) = {add_text, star_heat_svg,
                                                                                     add_scotch, add_metis};

/* The rows of the report as they are. */
static void add_json(struct star_text *text, const json_t *rows)
{
    char *json = json_dumps(rows, JSON_COMPACT);
    text->failed = text->failed || json == NULL;
    star_text_add(text, "%s\n", json ? json : "");
    free(json);
}

int cli_report_add_matrix(struct star_text *text, const json_t *report, struct star_why *why)
{
    struct star_talk talk;
    int format = 0;
    int error = star_talk_of(report, "the report", &talk, why);
    if (error)
        return error;
    while (cli_report_ask.as != NULL && strcmp(cli_matrix_formats[format].name, cli_report_ask.as) != 0)
        format++;
    if (cli_report_ask.json)
        add_json(text, json_object_get(report, "matrix"));
    else
        adds[format](&talk, text);
    cli_matrix_warn(&talk);
    star_talk_free(&talk);
    return 0;
}
