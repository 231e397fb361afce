/* SPDX-License-Identifier: BSD-3-Clause */
#include "talk.h"
#include "report/read.h"
#include "report/rows.h"
#include "util/kept.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

/* Reports are JSON; programs are not. */
static bool is_json(const char *path)
{
    static const char ending[] = ".json";
    size_t length = strlen(path), end = sizeof ending - 1;
    if (length > end && strcmp(path + length - end, ending) == 0)
        return true;
    FILE *file = fopen(path, "r");
    int c = ' ';
    while (file != NULL && isspace(c))
        c = fgetc(file);
    if (file != NULL)
        fclose(file);
    return c == '{';
}

/* Is one of the first words of PROGRAM, "python3 script.py input", the program or script NAME? */
static bool is_of(const char *program, const char *name)
{
    enum { WORDS = 3 };
    for (int i = 0; i < WORDS && *program; i++) {
        size_t length = strcspn(program, " ");
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), program);
        if (strcmp(basename(word), basename(name)) == 0)
            return true;
        program += length + (program[length] == ' ');
    }
    return false;
}

static bool suits(const json_t *report, const char *word, int ranks)
{
    return is_of(star_report_word(report, "program"), word) &&
           json_array_size(json_object_get(report, "matrix")) > 0 &&
           (ranks == 0 || json_integer_value(json_object_get(report, "ranks")) == ranks);
}

static int find_kept(const char *word, int ranks, json_t **report, struct star_why *why)
{
    char folder[PATH_MOST], path[PATH_MOST + STAR_KEPT_NAME];
    struct star_kept kept = {0};
    int error = star_kept_folder(folder, sizeof folder, why);
    if (!error)
        error = star_kept_list(folder, &kept, why);
    for (int i = kept.count - 1; !error && *report == NULL && i >= 0; i--) {
        json_t *one;
        snprintf(path, sizeof path, "%s/%s", folder, kept.name[i]);
        if (star_report_read(path, &one, NULL))
            continue;
        if (suits(one, word, ranks))
            *report = one;
        else
            json_decref(one);
    }
    star_kept_free(&kept);
    return error;
}

int cli_place_find_report(const char *word, int ranks, json_t **report, struct star_why *why)
{
    *report = NULL;
    if (is_json(word) && access(word, F_OK) != 0)
        return star_because(why, STAR_EINPUT,
                            "%.150s: no such report: mpirun -n N startune run --matrix --report %.150s ./app "
                            "writes it",
                            word, word);
    if (is_json(word))
        return star_report_read(word, report, why);
    int error = find_kept(word, ranks, report, why);
    if (!error && *report == NULL && ranks > 0)
        error = star_because(why, STAR_ENEEDS,
                             "no kept run of %.150s on %d ranks says who talks to whom: mpirun -n %d "
                             "startune run --matrix %.150s",
                             basename(word), ranks, ranks, word);
    else if (!error && *report == NULL)
        error = star_because(
            why, STAR_ENEEDS,
            "no kept run of %.150s says who talks to whom: mpirun -n N startune run --matrix %.150s",
            basename(word), word);
    return error;
}
