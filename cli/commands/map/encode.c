/* SPDX-License-Identifier: BSD-3-Clause */
#include "encode.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "map/encoding.h"
#include "map/figures.h"
#include "map/generate.h"
#include "map/grid.h"
#include "map/map.h"
#include "plot/table.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/source.h"
#include "util/text.h"
#include "util/why.h"

#include <stdlib.h>
#include <string.h>

/* One encoding's figures. */
struct row {
    const char *encoder;
    struct star_looseness looseness;
    struct star_form form;
    struct star_verdict verdict;
    int lines;
    double nanoseconds;
};

/* The mean time of random look-ups; their places are made before. */
static double time_lookups(const struct star_encoding *encoding, const struct star_grid *grid)
{
    enum { PLACES = 4096, ROUNDS = 50 };
    static int ranks[PLACES];
    static int64_t bytes[PLACES];
    uint64_t state = 1;
    volatile int sink = 0;
    int sum = 0;
    for (int i = 0; i < PLACES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        ranks[i] = (int)grid->ranks[(state >> 33) % (uint64_t)grid->rows];
        bytes[i] = grid->bytes[(state >> 13) % (uint64_t)grid->columns];
    }
    int64_t begin = 0;
    for (int round = 0; round <= ROUNDS; round++) { /* the first one warms up */
        begin = round == 1 ? star_now() : begin;
        for (int i = 0; i < PLACES; i++)
            sum += star_encoding_choose(encoding, ranks[i], bytes[i]);
    }
    int64_t end = star_now();
    sink = sum;
    (void)sink;
    return (double)(end - begin) / ((double)ROUNDS * PLACES);
}

static int measure(const struct star_encoder *encoder, const struct star_grid *grid,
                   const struct star_looseness *looseness, struct row *row, struct star_why *why)
{
    struct star_encoding encoding;
    struct star_text code = {0};
    int error = star_encoding_make(encoder, grid, looseness, &encoding, why);
    if (error)
        return error;
    *row = (struct row){.encoder = encoder->name, .looseness = *looseness};
    row->form = *star_encoding_form(&encoding);
    error = star_encoding_judge(&encoding, grid, &row->verdict);
    star_encoding_generate(&encoding, "decide", &code);
    if (code.failed || error)
        error = star_because(why, STAR_EMEMORY, "out of memory for %s", encoder->name);
    row->lines = star_generate_lines(&code);
    row->nanoseconds = time_lookups(&encoding, grid);
    star_text_free(&code);
    star_encoding_free(&encoding);
    return error;
}

static const struct star_column columns[] = {{"encoder", "encoder", STAR_AS_WORDS},
                                             {"depth_most", "deepest", STAR_AS_COUNTS},
                                             {"depth_least", "least", STAR_AS_COUNTS},
                                             {"depth_mean", "mean depth", STAR_AS_RATIOS},
                                             {"leaves", "leaves", STAR_AS_COUNTS},
                                             {"lines", "lines", STAR_AS_COUNTS},
                                             {"bytes", "bytes", STAR_AS_COUNTS},
                                             {"lookup", "lookup", STAR_AS_TIMES},
                                             {"penalty_mean", "mean penalty", STAR_AS_FINE_SHARES},
                                             {"penalty_most", "most", STAR_AS_FINE_SHARES},
                                             {"penalty_median", "median", STAR_AS_FINE_SHARES},
                                             {"penalty_least", "least", STAR_AS_FINE_SHARES}};

/* Those without levels have no depth. */
static void add_row(const struct row *row, struct star_table *table)
{
    const struct star_form *form = &row->form;
    star_table_words(table, row->looseness.max_depth ? "%s, depth %d" : "%s", row->encoder,
                     row->looseness.max_depth);
    if (form->depth_most > 0)
        star_table_numbers(table, form->depth_most, form->depth_least, form->depth_mean);
    for (int i = 0; form->depth_most == 0 && i < 3; i++)
        star_table_words(table, "%s", "");
    star_table_numbers(table, form->leaves, row->lines, form->bytes, 1e-9 * row->nanoseconds,
                       row->verdict.mean, row->verdict.most, row->verdict.median, row->verdict.least);
}

static void print_json(const struct row *row, struct star_text *text)
{
    star_json_add(text,
                  "{encoder: %s, max_depth: %d, accuracy: %g, depth_most: %d, depth_least: %d, "
                  "depth_mean: %g, leaves: %d, lines: %d, bytes: %jd, lookup_ns: %g",
                  row->encoder, row->looseness.max_depth, row->looseness.accuracy, row->form.depth_most,
                  row->form.depth_least, row->form.depth_mean, row->form.leaves, row->lines,
                  (int64_t)row->form.bytes, row->nanoseconds);
    star_json_add(
        text, "penalty_mean: %g, penalty_most: %g, penalty_median: %g, penalty_least: %g, unknown_cells: %d}",
        row->verdict.mean, row->verdict.most, row->verdict.median, row->verdict.least, row->verdict.unknown);
}

static void print_csv(const struct row *row, struct star_text *text)
{
    star_text_add(text, "%s,%d,%g,%d,%d,%.4f,%d,%d,%zu,%.6f,%.6f,%.6f\n", row->encoder,
                  row->looseness.max_depth, row->looseness.accuracy, row->form.depth_most,
                  row->form.depth_least, row->form.depth_mean, row->form.leaves, row->lines, row->form.bytes,
                  row->verdict.mean, row->verdict.most, row->verdict.median);
}

struct output {
    struct star_text *text;
    struct star_table table; /* of one operation, where neither JSON nor CSV is asked for */
};

static void print(const struct row *row, struct output *output)
{
    if (cli_map_ask.csv)
        print_csv(row, output->text);
    else if (cli_map_ask.json)
        print_json(row, output->text);
    else
        add_row(row, &output->table);
}

/* Measures and prints. */
static int add(const struct star_encoder *encoder, const struct star_grid *grid,
               const struct star_looseness *looseness, struct row *row, struct output *output,
               struct star_why *why)
{
    int error = measure(encoder, grid, looseness, row, why);
    if (!error)
        print(row, output);
    return error;
}

/* Quadtrees of growing depth until one is exact: the published Table 2. */
static int add_depths(const struct star_encoder *encoder, const struct star_grid *grid, struct output *output,
                      struct star_why *why)
{
    struct star_looseness looseness = {.accuracy = 1};
    struct row row = {0};
    int error = 0;
    do {
        looseness.max_depth++;
        error = add(encoder, grid, &looseness, &row, output, why);
    } while (!error && row.form.depth_most == looseness.max_depth && row.verdict.differs > 0);
    return error;
}

/* … and of growing accuracy: with the depths, Figures 3 and 4. */
static int add_accuracies(const struct star_encoder *encoder, const struct star_grid *grid,
                          struct output *output, struct star_why *why)
{
    struct row row;
    int error = 0;
    for (int i = 1; !error && i <= STAR_ACCURACY_STEPS; i++) {
        struct star_looseness looseness = {.accuracy = (double)i / STAR_ACCURACY_STEPS};
        error = add(encoder, grid, &looseness, &row, output, why);
    }
    return error;
}

static int add_all(const struct star_grid *grid, struct output *output, struct star_why *why)
{
    const struct cli_map_ask *ask = &cli_map_ask;
    bool loose = ask->max_depth > 0 || ask->accuracy >= 0;
    const struct star_looseness looseness = {.max_depth = (int)ask->max_depth,
                                             .accuracy = ask->accuracy >= 0 ? ask->accuracy : 1};
    struct row row;
    int error = 0;
    for (int i = 0; !error && i < star_encoder_count; i++) {
        bool sweeps = i == 0 && !loose;
        if (sweeps)
            error = add_depths(star_encoders[i], grid, output, why);
        if (!error && (cli_map_ask.csv || cli_map_ask.json) && sweeps)
            error = add_accuracies(star_encoders[i], grid, output, why);
        if (!error && !sweeps)
            error = add(star_encoders[i], grid, &looseness, &row, output, why);
    }
    return error;
}

/* Lines of OPERATION RANKS BYTES COUNT; those of other operations are left out. */
static int take_weights(struct star_source *source, enum star_operation operation, struct star_grid *grid)
{
    for (char *line; (line = star_source_statement(source)) != NULL;) {
        struct star_why why = {{0}};
        enum star_operation of;
        int64_t ranks, bytes;
        double count;
        const char *word[5]; /* and nothing more */
        for (int i = 0; i < 5; i++)
            if (((word[i] = star_word(&line)) == NULL) != (i == 4))
                return star_source_wrong(source, "a line is OPERATION RANKS BYTES COUNT");
        if (star_operation_parse(word[0], &of, &why))
            return star_source_wrong(source, "%.200s", why.text);
        if (!star_parse_integer(word[1], &ranks) || ranks < 1 || !star_parse_bytes(word[2], &bytes))
            return star_source_wrong(source, "'%.60s %.60s' are no ranks and bytes", word[1], word[2]);
        if (!star_parse_number(word[3], &count) || !(count >= 0))
            return star_source_wrong(source, "'%.60s' is no count", word[3]);
        if (of == operation)
            star_grid_weigh(grid, ranks, bytes, count);
    }
    return 0;
}

static int read_weights(const char *path, enum star_operation operation, struct star_grid *grid,
                        struct star_why *why)
{
    struct star_text text = {0};
    int error = star_file_read(path, &text, why);
    struct star_source source = {
        .name = star_file_name(path), .bytes = text.bytes, .length = text.length, .why = why};
    if (!error)
        error = star_file_is_text(text.bytes, text.length, source.name, why);
    if (!error)
        error = star_source_end(&source, take_weights(&source, operation, grid));
    star_text_free(&text);
    return error;
}

static int encode(const struct star_map *map, enum star_operation operation, struct star_text *text,
                  struct star_why *why)
{
    struct star_grid grid;
    struct output output = {text, STAR_TABLE_OF(columns)};
    int error = star_grid_make(map, operation, &grid, why);
    if (error)
        return error;
    if (cli_map_ask.weights)
        error = read_weights(cli_map_ask.weights, operation, &grid, why);
    if (cli_map_ask.csv)
        star_text_add(text, "# %s\n", star_operations[operation].name);
    else if (!cli_map_ask.json)
        star_text_add(text, "%s%s: %d communicator sizes × %d sizes, %d methods\n",
                      text->length > 0 ? "\n" : "", star_operations[operation].name, grid.rows, grid.columns,
                      grid.methods);
    if (!error)
        error = add_all(&grid, &output, why);
    star_table_write(&output.table, text);
    star_grid_free(&grid);
    return error;
}

static const char csv_head[] =
    "encoder,max_depth,accuracy,depth_most,depth_least,depth_mean,leaves,lines,bytes,"
    "penalty_mean,penalty_most,penalty_median\n";

static int encode_each(const struct star_map *map, int only, struct star_text *text, struct star_why *why)
{
    int error = 0;
    for (int i = 0; !error && i < STAR_OPERATIONS; i++) {
        if (map->of[i].points == 0 || (only >= 0 && only != i))
            continue;
        if (cli_map_ask.json)
            star_json_open(text, star_operations[i].name, '[');
        error = encode(map, (enum star_operation)i, text, why);
        if (cli_map_ask.json)
            star_json_close(text, ']');
    }
    return error;
}

/* The figures, in a file of their own. */
static int draw(const struct star_map *map, int only)
{
    struct star_why why;
    struct star_text picture = {0};
    int error = star_quadtree_figures(map, only, &picture, &why);
    if (!error)
        return cli_put(cli_map_ask.svg, &picture);
    star_text_free(&picture);
    return cli_refuse(error, &why);
}

int cli_map_encode(int count, char **words)
{
    struct star_why why = {{0}};
    struct star_text text = {0};
    int operation;
    struct star_map *map = cli_map_open(words[0], count > 1 ? words[1] : NULL, &operation);
    if (map == NULL)
        return CLI_USAGE;
    star_text_add(&text, "%s", cli_map_ask.json ? "{" : cli_map_ask.csv ? csv_head : "");
    int error = encode_each(map, operation, &text, &why);
    star_text_add(&text, cli_map_ask.json ? "}\n" : "");
    int status = error || cli_map_ask.svg == NULL ? CLI_OK : draw(map, operation);
    star_map_free(map);
    if (status != CLI_OK) {
        star_text_free(&text);
        return status;
    }
    if (error) {
        star_text_free(&text);
        return cli_refuse(error, &why);
    }
    return cli_put(NULL, &text);
}
