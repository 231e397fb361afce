/* SPDX-License-Identifier: BSD-3-Clause */
#include "combine.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "map/choose.h"
#include "map/combine.h"
#include "map/import.h"
#include "map/map.h"
#include "map/write.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <string.h>

static const char *spell(const struct star_method *method, char *name)
{
    return method ? star_method_format(method, name, STAR_METHOD_TEXT) : "nothing";
}

struct listing {
    struct star_text text;
    int differences;
};

static int list_difference(const struct star_map_difference *difference, void *context)
{
    struct listing *listing = context;
    char a[STAR_METHOD_TEXT], b[STAR_METHOD_TEXT], bytes[32];
    listing->differences++;
    if (cli_map_ask.json) {
        star_json_add(&listing->text,
                      "{operation: %s, ranks: %d, bytes: %jd, first: %s, second: %s, loss: %g}",
                      star_operations[difference->operation].name, difference->ranks, difference->bytes,
                      spell(difference->a, a), spell(difference->b, b), difference->loss);
        return 0;
    }
    star_text_add(&listing->text, "%s, %d ranks, %s: %s, %s", star_operations[difference->operation].name,
                  difference->ranks, star_format_bytes(difference->bytes, bytes, sizeof bytes),
                  spell(difference->a, a), spell(difference->b, b));
    if (!isnan(difference->loss))
        star_text_add(&listing->text, " (by the first map %.1f %% %s)", 100 * fabs(difference->loss),
                      difference->loss < 0 ? "faster" : "slower");
    star_text_add(&listing->text, "\n");
    return 0;
}

static void list_facts(const struct star_map *a, const struct star_map *b, struct listing *listing)
{
    const char *word, *first, *second;
    char left[24], right[24];
    for (int i = 0; (first = star_map_machine_fact(&a->machine, i, &word, left, sizeof left)) != NULL; i++) {
        second = star_map_machine_fact(&b->machine, i, &word, right, sizeof right);
        if (strcmp(first, second) != 0)
            star_text_add(&listing->text, "%s: %s, %s\n", word, first[0] ? first : "not known",
                          second[0] ? second : "not known");
    }
}

int cli_map_diff(int count, char **words)
{
    (void)count;
    struct listing listing = {{0}, 0};
    struct star_map *a = cli_map_open(words[0], NULL, NULL),
                    *b = a ? cli_map_open(words[1], NULL, NULL) : NULL;
    int status = CLI_USAGE;
    if (b != NULL) {
        if (cli_map_ask.json)
            star_json_open(&listing.text, NULL, '[');
        else
            list_facts(a, b, &listing);
        star_map_differences(a, b, list_difference, &listing);
        star_text_add(&listing.text, cli_map_ask.json ? "]\n" : "");
        status = cli_put(NULL, &listing.text);
        if (status == CLI_OK && listing.differences > 0)
            status = CLI_FAILED;
    }
    star_map_free(a);
    star_map_free(b);
    return status;
}

/* Writes the map to the file asked for, or to standard output. */
static int put_map(const struct star_map *map)
{
    struct star_text text = {0};
    star_map_write(map, &text);
    return cli_put(cli_map_ask.output, &text);
}

int cli_map_merge(int count, char **words)
{
    struct star_map *map = cli_map_open(words[0], NULL, NULL);
    int status = map ? CLI_OK : CLI_USAGE;
    for (int i = 1; status == CLI_OK && i < count; i++) {
        struct star_map *more = cli_map_open(words[i], NULL, NULL);
        struct star_why why, where;
        int error = more ? star_map_merge(map, more, &why) : 0;
        if (more == NULL)
            status = CLI_USAGE;
        else if (error)
            status = cli_refuse(star_because(&where, error, "%.200s: %s", words[i], why.text), &where);
        star_map_free(more);
    }
    if (status == CLI_OK)
        status = put_map(map);
    star_map_free(map);
    return status;
}

static void predict(const struct star_map *map, int operation, int ranks, int64_t bytes,
                    struct star_text *text)
{
    const struct star_map_operation *of = &map->of[operation];
    const struct star_map_point *point = star_map_nearest(map, (enum star_operation)operation, ranks, bytes);
    const struct star_method *method = star_map_winner(of, point);
    double seconds = point->timing[point->winner].median;
    char name[STAR_METHOD_TEXT], number[32], time[32];
    bool exact = point->ranks == ranks && point->bytes == bytes;
    if (cli_map_ask.json) {
        star_json_add(text, "{method: %s, measured: %i, ranks: %d, bytes: %jd, seconds: %g}",
                      spell(method, name), exact && !point->guessed, point->ranks, point->bytes, seconds);
        star_text_add(text, "\n");
        return;
    }
    star_text_add(text, "%s\n", spell(method, name));
    star_text_add(text, exact ? "at this very point: " : "the nearest point has %d ranks, %s: ", point->ranks,
                  star_format_bytes(point->bytes, number, sizeof number));
    if (isnan(seconds))
        star_text_add(text, "no time is known\n");
    else
        star_text_add(text, "%s%s\n", star_format_seconds(seconds, time, sizeof time),
                      point->guessed ? ", interpolated" : "");
}

int cli_map_predict(int count, char **words)
{
    (void)count;
    int64_t ranks, bytes;
    struct star_text text = {0};
    int operation;
    if (!star_parse_integer(words[2], &ranks) || ranks < 1 || ranks > STAR_MAP_RANKS_MOST)
        return cli_error("'%.60s' ranks: a whole number from 1 to %d is good", words[2], STAR_MAP_RANKS_MOST);
    if (!star_parse_bytes(words[3], &bytes))
        return cli_error("'%.60s' is no number of bytes such as 64 or 64K", words[3]);
    struct star_map *map = cli_map_open(words[0], words[1], &operation);
    if (map == NULL)
        return CLI_USAGE;
    predict(map, operation, (int)ranks, bytes, &text);
    star_map_free(map);
    return cli_put(NULL, &text);
}

static int import_file(struct star_map *map, const char *spelling, const char *path, struct star_why *why)
{
    struct star_method method;
    struct star_text text = {0};
    int error = star_method_parse(spelling, &method, why);
    if (!error)
        error = star_file_read(path, &text, why);
    if (!error)
        error = star_map_import(map, &method, (int)cli_map_ask.ranks, text.bytes ? text.bytes : "",
                                text.length, star_file_name(path), why);
    star_text_free(&text);
    return error;
}

int cli_map_import(int count, char **words)
{
    struct star_why why = {{0}};
    if (count % 2 != 0)
        return cli_error("import takes a method and a file, in turn");
    struct star_map *map = star_map_new();
    int error = map ? 0 : star_because(&why, STAR_EMEMORY, "out of memory");
    for (int i = 0; !error && i < count; i += 2)
        error = import_file(map, words[i], words[i + 1], &why);
    int status = error ? cli_refuse(error, &why) : put_map(map);
    star_map_free(map);
    return status;
}
