/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/addresses.h"
#include "topology/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the part, up to a dot or the end, WORD? */
static bool is_word(const char *part, const char *word)
{
    size_t length = strcspn(part, ".");
    return strlen(word) == length && strncmp(part, word, length) == 0;
}

/* Is each part one name? Where a node hangs on several switches, Slurm writes them as a list: s[0-1]. That is
 * no tree, and such a list, in a variable that anybody may set, can stand for a million names. */
static bool has_names(const char *address)
{
    char part[STAR_NODE_NAME_MOST + 2];
    for (size_t length;; address += length + 1) {
        length = strcspn(address, ".");
        snprintf(part, sizeof part, "%.*s", (int)length, address);
        if (length > STAR_NODE_NAME_MOST || !star_graph_name_is_good(part))
            return false;
        if (address[length] == 0)
            return true;
    }
}

bool star_address_is_usable(const char *address, const char *pattern)
{
    int switches = 0;
    if (address == NULL || pattern == NULL || strlen(address) > STAR_ADDRESS_MOST || !has_names(address))
        return false;
    for (; is_word(pattern, "switch"); switches++) {
        address += strcspn(address, ".");
        pattern += strcspn(pattern, ".");
        if (*address++ != '.' || *pattern++ != '.')
            return false;
    }
    return switches > 0 && strcmp(pattern, "node") == 0 && address[0] != 0 && strchr(address, '.') == NULL;
}

const char *star_address_node(const char *address)
{
    const char *last = strrchr(address, '.');
    return last ? last + 1 : address;
}

static int compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* What of ADDRESS is not said yet: PREVIOUS was, which comes before it in the order of texts. */
static void write_new(const char *address, const char *previous, struct star_text *text)
{
    const char *above = NULL;
    bool said = true;
    for (const char *part = address; part != NULL;) {
        int length = (int)strcspn(part, "."), upper = above ? (int)strcspn(above, ".") : 0;
        size_t end = (size_t)(part - address) + (size_t)length;
        bool is_node = part[length] == 0;
        said = said && strncmp(address, previous, end) == 0 && previous[end] == address[end];
        if (!said && is_node)
            star_text_add(text, "host %.*s %.*s\n", length, part, upper, above);
        else if (!said)
            star_text_add(text, "switch %.*s\n", length, part);
        if (!said && !is_node && above != NULL)
            star_text_add(text, "link %.*s %.*s\n", upper, above, length, part);
        above = part;
        part = is_node ? NULL : part + length + 1;
    }
}

void star_addresses_write(const char *lines, size_t length, struct star_text *text)
{
    char *copy = malloc(length + 1);
    size_t count = 0, most = 1;
    for (size_t i = 0; i < length; i++)
        most += lines[i] == '\n';
    const char **address = malloc(most * sizeof *address);
    if (copy != NULL && address != NULL) {
        memcpy(copy, lines, length);
        copy[length] = 0;
        char *rest = NULL;
        for (char *line = strtok_r(copy, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
            address[count++] = line;
        qsort(address, count, sizeof *address, compare);
        for (size_t i = 0; i < count; i++)
            write_new(address[i], i > 0 ? address[i - 1] : "", text);
    } else {
        text->failed = true;
    }
    free(copy);
    free(address);
}
