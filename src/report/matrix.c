/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/matrix.h"
#include "report/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is read: entries for all partners of all rows. */
struct reading {
    struct star_talk *talk;
    int ranks;
    struct star_matrix_entry *entries;
    size_t count;
};

/* One partner: its rank, bytes and messages. */
static bool take_partner(struct reading *reading, int rank, const json_t *partner, bool came)
{
    json_int_t peer = json_integer_value(json_array_get(partner, 0));
    double bytes = json_number_value(json_array_get(partner, 1)),
           messages = json_number_value(json_array_get(partner, 2));
    if (json_array_size(partner) != 3 || peer < 0 || peer >= reading->ranks || bytes < 0 || messages < 0)
        return false;
    int other = (int)peer;
    reading->entries[reading->count++] =
        (struct star_matrix_entry){came ? other : rank, came ? rank : other, bytes, messages};
    reading->talk->bytes += bytes;
    reading->talk->messages += messages;
    return true;
}

/* One less the cosine between the first half and the rest of what a rank sent, and so many BYTES. NaN: all of
 * it was in one of them, or it is not known. By rank, as each has its own half. */
static double change_of(const json_t *row, double *bytes)
{
    const json_t *to = json_object_get(row, "to"), *early = json_object_get(row, "to_early");
    double product = 0, first = 0, rest = 0;
    *bytes = 0;
    for (size_t i = 0; i < json_array_size(to); i++) {
        double all = json_number_value(json_array_get(json_array_get(to, i), 1));
        double before = fmin(fmax(0, json_number_value(json_array_get(early, i))), all), after = all - before;
        *bytes += all;
        product += before * after;
        first += before * before;
        rest += after * after;
    }
    return json_array_size(early) == json_array_size(to) && first > 0 && rest > 0
               ? 1 - product / sqrt(first * rest)
               : NAN;
}

/* In the mean over what was sent. */
static double mean_change(const json_t *rows)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        double bytes, change = change_of(json_array_get(rows, i), &bytes);
        if (isnan(change))
            continue;
        sum += bytes * change;
        weight += bytes;
    }
    return weight > 0 ? fmax(0, sum / weight) : NAN;
}

static double bytes_of(const json_t *row, const char *kind)
{
    return json_number_value(json_object_get(json_object_get(row, kind), "bytes"));
}

static bool take_row(struct reading *reading, const json_t *row)
{
    static const char *const lists[] = {"to", "from"};
    struct star_talk *talk = reading->talk;
    json_int_t rank = json_integer_value(json_object_get(row, "rank"));
    if (rank < 0 || rank >= reading->ranks || talk->host[rank] != NULL)
        return false;
    talk->host[rank] = star_report_word(row, "host");
    talk->own += bytes_of(row, "program");
    talk->methods += bytes_of(row, "methods");
    talk->estimated += bytes_of(row, "estimated");
    talk->left_out += json_number_value(json_object_get(row, "left_out_bytes"));
    talk->cut += json_is_false(json_object_get(row, "complete"));
    for (int l = 0; l < 2; l++) {
        const json_t *list = json_object_get(row, lists[l]);
        for (size_t i = 0; i < json_array_size(list); i++)
            if (!take_partner(reading, (int)rank, json_array_get(list, i), l == 1))
                return false;
    }
    return true;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* −1: out of memory. Of a rank without a row none is known. */
static int count_hosts(const struct star_talk *talk, int ranks)
{
    const char **names = malloc((size_t)ranks * sizeof *names);
    int known = 0, hosts = 0;
    for (int r = 0; names != NULL && r < ranks; r++)
        if (talk->host[r] != NULL)
            names[known++] = talk->host[r];
    if (names != NULL)
        qsort(names, (size_t)known, sizeof *names, by_name);
    for (int i = 0; names != NULL && i < known; i++)
        hosts += i == 0 || strcmp(names[i], names[i - 1]) != 0;
    int found = names != NULL ? hosts : -1;
    free(names);
    return found;
}

static size_t partners_in(const json_t *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++)
        count += json_array_size(json_object_get(json_array_get(rows, i), "to")) +
                 json_array_size(json_object_get(json_array_get(rows, i), "from"));
    return count;
}

int star_talk_of(const json_t *report, const char *name, struct star_talk *talk, struct star_why *why)
{
    const json_t *rows = json_object_get(report, "matrix");
    json_int_t ranks = json_integer_value(json_object_get(report, "ranks"));
    *talk = (struct star_talk){0};
    if (json_array_size(rows) == 0)
        return star_because(why, STAR_ENEEDS,
                            "%.150s does not say who talks to whom: startune run --matrix counts it", name);
    if (ranks < 1 || ranks > (1 << 20))
        return star_because(why, STAR_EINPUT, "%.150s: %lld ranks cannot be", name, (long long)ranks);
    struct reading reading = {.talk = talk, .ranks = (int)ranks};
    talk->host = calloc((size_t)ranks, sizeof *talk->host);
    reading.entries = calloc(partners_in(rows) + 1, sizeof *reading.entries);
    int error = talk->host && reading.entries ? 0 : star_because(why, STAR_EMEMORY, "out of memory");
    for (size_t i = 0; !error && i < json_array_size(rows); i++)
        if (!take_row(&reading, json_array_get(rows, i)))
            error = star_because(why, STAR_EINPUT, "%.150s: row %zu of the matrix cannot be", name, i);
    if (!error)
        error = star_matrix_make((int)ranks, reading.entries, reading.count, &talk->matrix, why);
    talk->change = mean_change(rows);
    talk->silent = (int)ranks - (int)json_array_size(rows);
    if (!error)
        talk->hosts = count_hosts(talk, (int)ranks);
    if (!error && talk->hosts < 0)
        error = star_because(why, STAR_EMEMORY, "out of memory");
    free(reading.entries);
    if (error)
        star_talk_free(talk);
    return error;
}

bool star_talk_is_complete(const struct star_talk *talk)
{
    return talk->left_out <= 0 && talk->cut == 0 && talk->silent == 0;
}

bool star_talk_changes(const struct star_talk *talk)
{
    const double clearly = 0.2;
    return talk->change > clearly;
}

void star_talk_free(struct star_talk *talk)
{
    star_matrix_free(talk->matrix);
    free(talk->host);
    *talk = (struct star_talk){0};
}
