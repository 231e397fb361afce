/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/question.h"
#include "util/parse.h"
#include "util/placement.h"
#include "util/quantile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the paper's generator; doubled further where more is asked for. */
static const int64_t usual_sizes[] = {1,       64,       256,      1 << 10,  2 << 10,   4 << 10,
                                      8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
enum { USUAL_SIZES = sizeof usual_sizes / sizeof *usual_sizes, LIST_TEXT = 1024 };

bool star_parse_duration(const char *text, double *seconds)
{
    static const struct {
        char unit;
        double seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    char number[64];
    double factor = 1;
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof number || strchr(text, '%'))
        return false;
    memcpy(number, text, length + 1);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (number[length - 1] == units[i].unit) {
            factor = units[i].seconds;
            number[length - 1] = 0;
            break;
        }
    if (!star_parse_number(number, seconds) || *seconds < 0)
        return false;
    *seconds *= factor;
    return true;
}

static int64_t after(int64_t bytes)
{
    for (int i = 0; i < USUAL_SIZES; i++)
        if (usual_sizes[i] > bytes)
            return usual_sizes[i];
    int64_t next = usual_sizes[USUAL_SIZES - 1];
    while (next <= bytes)
        next *= 2;
    return next;
}

static int size_of(const char *word, int64_t *bytes, struct star_why *why)
{
    if (star_parse_bytes(word, bytes) && *bytes >= 1 && *bytes <= INT32_MAX)
        return 0;
    return star_because(why, STAR_EINPUT, "'%.80s' is not a size from 1 to 2G-1, such as 64K", word);
}

/* "A:B": A, B and the usual sizes between. */
static int take_range(struct star_grid *grid, char *text, char *colon, struct star_why *why)
{
    int64_t first, last;
    *colon = 0;
    int error = size_of(text, &first, why);
    if (!error)
        error = size_of(colon + 1, &last, why);
    if (!error && first > last)
        error = star_because(why, STAR_EINPUT, "%s comes after %s", text, colon + 1);
    for (grid->sizes = 0; !error && first < last; first = after(first))
        grid->bytes[grid->sizes++] = first;
    if (!error)
        grid->bytes[grid->sizes++] = last;
    return error;
}

static int take_sizes(struct star_question *question, const char *value, struct star_why *why)
{
    struct star_grid *grid = &question->grid;
    char copy[LIST_TEXT], *rest = NULL, *colon;
    int error = 0;
    snprintf(copy, sizeof copy, "%s", value);
    if ((colon = strchr(copy, ':')) != NULL)
        return take_range(grid, copy, colon, why);
    grid->sizes = 0;
    for (char *word = strtok_r(copy, ",", &rest); !error && word; word = strtok_r(NULL, ",", &rest)) {
        if (grid->sizes == STAR_SIZES_MOST)
            return star_because(why, STAR_EINPUT, "more than %d sizes", STAR_SIZES_MOST);
        error = size_of(word, &grid->bytes[grid->sizes++], why);
    }
    if (!error && grid->sizes == 0)
        error = star_because(why, STAR_EINPUT, "no size; such as 1,64K or 1:256K");
    grid->sizes = star_sort_distinct(grid->bytes, grid->sizes);
    return error;
}

static int take_operations(struct star_question *question, const char *value, struct star_why *why)
{
    char copy[LIST_TEXT], *rest = NULL;
    int error = 0, count = 0;
    bool all = strcmp(value, "all") == 0;
    snprintf(copy, sizeof copy, "%s", value);
    for (int o = 0; o < STAR_OPERATIONS; o++)
        question->grid.operation[o] = all;
    for (char *word = strtok_r(copy, ",", &rest); !all && !error && word; word = strtok_r(NULL, ",", &rest)) {
        enum star_operation operation;
        error = star_operation_parse(word, &operation, why);
        if (!error)
            question->grid.operation[operation] = true;
        count++;
    }
    if (!error && !all && count == 0)
        error = star_because(why, STAR_EINPUT, "no operation; such as alltoall,bcast or all");
    return error;
}

/* Communicator sizes: "2,4,12" or "A:B", A, the powers of two between, and B, which may be A; WORLD, or A if
 * that is more, stands for an end that is left out. */
static int read_communicators(struct star_grid *grid, const char *text, int world, struct star_why *why)
{
    char copy[LIST_TEXT], *rest = NULL;
    int64_t most = -1;
    bool range = strchr(text, ':') != NULL;
    snprintf(copy, sizeof copy, "%s%s", text, text[0] && text[strlen(text) - 1] == ':' ? "0" : "");
    grid->communicators = 0;
    for (char *word = strtok_r(copy, ",:", &rest); word; word = strtok_r(NULL, ",:", &rest)) {
        int64_t ranks;
        bool open = range && grid->communicators == 1 && strcmp(word, "0") == 0;
        if (!star_parse_integer(word, &ranks) || ((ranks < 1 || ranks > 1000000) && !open))
            return star_because(why, STAR_EINPUT, "'%.80s' is no number of ranks from 1 to 1000000", word);
        ranks = !open ? ranks : world > most ? world : most;
        if (grid->communicators == STAR_COMMUNICATORS_MOST || (range && grid->communicators == 2))
            return star_because(why, STAR_EINPUT, "'%.80s' are too many numbers of ranks", text);
        if (ranks < most || (ranks == most && !range))
            return star_because(why, STAR_EINPUT, "'%.80s': numbers of ranks must ascend", text);
        grid->ranks[grid->communicators++] = (int)(most = ranks);
    }
    if (grid->communicators == 0 || (range && grid->communicators != 2))
        return star_because(why, STAR_EINPUT, "'%.80s' is neither like 2,4,12 nor like 2:16", text);
    if (range) {
        int last = grid->ranks[1], power = 1;
        while (power <= grid->ranks[0])
            power *= 2;
        grid->communicators = 1;
        for (; power < last; power *= 2)
            grid->ranks[grid->communicators++] = power;
        if (last > grid->ranks[0])
            grid->ranks[grid->communicators++] = last;
    }
    return 0;
}

static int take_np(struct star_question *question, const char *value, struct star_why *why)
{
    struct star_grid tried;
    question->np = value;
    return read_communicators(&tried, value, 1000000, why);
}

static int take_methods(struct star_question *question, const char *value, struct star_why *why)
{
    struct star_methods methods;
    question->methods = value;
    int error = star_methods_parse(value, &methods, why);
    if (!error)
        star_methods_free(&methods);
    return error;
}

static int take_nodes(struct star_question *question, const char *value, struct star_why *why)
{
    struct star_placement placement;
    question->nodes = value;
    return star_placement_parse(value, &placement, why);
}

static int take_arrival(struct star_question *question, const char *value, struct star_why *why)
{
    question->arrival = 0;
    if (strcmp(value, "none") == 0)
        return 0;
    if (strncmp(value, "random:", 7) == 0 && star_parse_number(value + 7, &question->arrival) &&
        question->arrival > 0 && question->arrival <= 100)
        return 0;
    return star_because(why, STAR_EINPUT, "'%.80s' is neither none nor random:K, with K up to 100", value);
}

static const struct {
    const char *name;
    int (*take)(struct star_question *question, const char *value, struct star_why *why);
} special[] = {{"sizes", take_sizes},     {"op", take_operations}, {"np", take_np},
               {"methods", take_methods}, {"nodes", take_nodes},   {"arrival", take_arrival}};

int star_question_take(struct star_question *question, const char *name, const char *value,
                       struct star_why *why)
{
    if (strlen(value) >= LIST_TEXT)
        return star_because(why, STAR_EINPUT, "a value of more than %d bytes", LIST_TEXT - 1);
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(special[i].name, name) == 0)
            return special[i].take(question, value, why);
    return STAR_ENEEDS;
}

void star_question_preset(struct star_question *question)
{
    *question = (struct star_question){.np = "2:",
                                       .methods = "",
                                       .nodes = "auto",
                                       .topology = "auto",
                                       .type = "double",
                                       .search = "pruned",
                                       .start = "auto",
                                       .crossovers = "on",
                                       .point_seconds = 30,
                                       .precision = 0.05,
                                       .samples = 30,
                                       .seed = 1};
    take_operations(question, "alltoall,allgather,allreduce,bcast,reduce", NULL);
    take_sizes(question, "1:256K", NULL);
}

/* Do the methods asked for belong to the operations asked for? */
static int check_methods(const struct star_question *question, struct star_why *why)
{
    struct star_methods methods;
    char name[STAR_METHOD_TEXT];
    int error = star_methods_parse(question->methods, &methods, why);
    if (error)
        return error;
    for (int i = 0; !error && i < methods.count; i++)
        if (!question->grid.operation[methods.at[i].algorithm->operation])
            error = star_because(why, STAR_EINPUT, "--methods: %s is no method of an operation in --op",
                                 star_method_format(&methods.at[i], name, sizeof name));
    star_methods_free(&methods);
    return error;
}

int star_question_close(struct star_question *question, struct star_why *why)
{
    question->grid.element = strcmp(question->type, "double") == 0 ? 8 : 4;
    if (question->output == NULL)
        return star_because(why, STAR_EINPUT, "no file for the map; name one with -o");
    if (question->arrival > 0 && strcmp(question->start, "window") != 0 &&
        strcmp(question->start, "auto") != 0)
        return star_because(why, STAR_EINPUT,
                            "--arrival: ranks that come late are measured with --start window only");
    return check_methods(question, why);
}

int star_question_communicators(struct star_question *question, int ranks, struct star_why *why)
{
    struct star_grid *grid = &question->grid;
    int error = 0;
    if (strcmp(question->np, "2:") == 0 && ranks <= 2) {
        grid->ranks[0] = ranks;
        grid->communicators = 1;
    } else {
        error = read_communicators(grid, question->np, ranks, why);
    }
    for (int i = 0; !error && i < grid->communicators; i++)
        if (grid->ranks[i] > ranks)
            error = star_because(why, STAR_EINPUT, "--np: %d ranks were asked for, and %d were started",
                                 grid->ranks[i], ranks);
    if (!error && question->root >= grid->ranks[0])
        error = star_because(why, STAR_EINPUT, "--root: there is no rank %lld among %d ranks",
                             (long long)question->root, grid->ranks[0]);
    return error;
}
