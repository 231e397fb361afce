/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/told.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    const char *at;
    int ranks;
    struct star_matrix_entry *entries;
    size_t count;
};

/* Moves behind the next WORDS. */
static bool skip_to(struct reading *reading, const char *words)
{
    const char *found = strstr(reading->at, words);
    if (found != NULL)
        reading->at = found + strlen(words);
    return found != NULL;
}

static bool take_number(struct reading *reading, long long *number)
{
    char *end;
    *number = strtoll(reading->at, &end, 10);
    bool taken = end != reading->at && *number >= 0;
    reading->at = end;
    return taken;
}

/* Behind a partner's bracket. */
static bool take_partner(struct reading *reading, int rank, bool came)
{
    long long of[3];
    for (int i = 0; i < 3; i++) {
        if (!take_number(reading, &of[i]))
            return false;
        reading->at += strspn(reading->at, ", ");
    }
    if (*reading->at != ']' || of[0] >= reading->ranks)
        return false;
    int peer = (int)of[0];
    reading->at++;
    reading->entries[reading->count++] =
        (struct star_matrix_entry){came ? peer : rank, came ? rank : peer, (double)of[1], (double)of[2]};
    return true;
}

/* The partners of a list, whose bracket is behind. */
static bool take_list(struct reading *reading, int rank, bool came)
{
    for (;;) {
        reading->at += strspn(reading->at, ", ");
        if (*reading->at == ']')
            return true;
        if (*reading->at++ != '[' || !take_partner(reading, rank, came))
            return false;
    }
}

static bool take_row(struct reading *reading)
{
    long long rank, left_out;
    bool taken = take_number(reading, &rank) && rank < reading->ranks && skip_to(reading, "\"to\": [") &&
                 take_list(reading, (int)rank, false) && skip_to(reading, "\"from\": [") &&
                 take_list(reading, (int)rank, true) && skip_to(reading, "\"left_out_bytes\": ") &&
                 take_number(reading, &left_out) && left_out == 0 && skip_to(reading, "\"complete\": ");
    return taken && *reading->at == 't';
}

/* As many entries as there can be: each has a bracket of its own. */
static size_t brackets_in(const struct star_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->bytes[i] == '[';
    return count;
}

bool star_told_read(const struct star_text *text, int ranks, struct star_matrix_entry **entries,
                    size_t *count)
{
    struct reading reading = {.at = text->bytes, .ranks = ranks};
    int rows = 0;
    if (text->length == 0 || text->failed)
        return false;
    reading.entries = malloc((brackets_in(text) + 1) * sizeof *reading.entries);
    bool good = reading.entries != NULL;
    for (; good && skip_to(&reading, "{\"rank\": "); rows++)
        good = take_row(&reading);
    good = good && rows == ranks;
    *entries = good ? reading.entries : NULL;
    *count = reading.count;
    if (!good)
        free(reading.entries);
    return good;
}
