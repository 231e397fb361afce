/* SPDX-License-Identifier: BSD-3-Clause */
#include "functions/forced.h"
#include "algorithms/method.h"
#include "functions/overlap.h"
#include "halo/neighborhood.h"
#include "util/parse.h"
#include "util/settings.h"

#include <stdio.h>
#include <string.h>

/* What comes of a word: the number of its function, or one of these. */
enum { METHOD = -1, WRONG = -2 };

static int find_neighborhood(const char *word, struct star_why *why)
{
    const struct star_neighborhood *method;
    return star_neighborhood_parse(word, &method, why) ? WRONG : (int)(method - star_neighborhoods);
}

static int find_overlap(const char *set, const char *name, struct star_why *why)
{
    enum { MOST = 16 };
    int count = 0;
    const struct star_overlap *functions = star_overlaps_of(set, &count);
    const char *names[MOST];
    for (int i = 0; i < count && i < MOST; i++) {
        names[i] = functions[i].name;
        if (strcmp(name, names[i]) == 0)
            return i;
    }
    star_because(why, STAR_EINPUT, "unknown function of %s '%s'%s", set, name,
                 star_hint(name, names, (size_t)count).text);
    return WRONG;
}

/* SET gets the word's function-set. */
static int function_of(const char *word, char set[STAR_METHOD_TEXT], struct star_why *why)
{
    const char *colon = strchr(word, ':');
    size_t length = colon ? (size_t)(colon - word) : strlen(word);
    if (length >= STAR_METHOD_TEXT)
        return METHOD;
    memcpy(set, word, length);
    set[length] = 0;
    if (strcmp(set, "neighborhood") == 0)
        return find_neighborhood(word, why);
    return star_overlaps_of(set, &(int){0}) ? find_overlap(set, colon ? colon + 1 : "", why) : METHOD;
}

int star_forced_split(const char *text, char *others, size_t room, struct star_why *why)
{
    char copy[STAR_SETTING_TEXT], *rest = NULL, set[STAR_METHOD_TEXT];
    size_t length = 0;
    int found = METHOD;
    if (strlen(text) >= sizeof copy || strlen(text) >= room)
        return star_because(why, STAR_EINPUT, "'%.40s…' is too long", text);
    memcpy(copy, text, strlen(text) + 1);
    others[0] = 0;
    for (char *word = strtok_r(copy, " \t;", &rest); word && found != WRONG;
         word = strtok_r(NULL, " \t;", &rest)) {
        found = function_of(word, set, why);
        if (found == METHOD)
            length += (size_t)snprintf(others + length, room - length, "%s%s", length ? " " : "", word);
    }
    return found == WRONG ? STAR_EINPUT : 0;
}

int star_forced_function(const char *text, const char *set)
{
    char copy[STAR_SETTING_TEXT], *rest = NULL, of[STAR_METHOD_TEXT];
    int found = METHOD;
    snprintf(copy, sizeof copy, "%s", text); /* nothing is allocated: no rank may find another function */
    for (char *word = copy; found < 0 && (word = strtok_r(word, " \t;", &rest)); word = NULL) {
        int function = function_of(word, of, NULL);
        found = function >= 0 && strcmp(of, set) == 0 ? function : METHOD;
    }
    return found;
}
