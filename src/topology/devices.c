/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/devices.h"
#include "topology/graph.h"
#include "util/grow.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How likely a word is the name of an adapter. */
enum strength { NONE, WEAK, STRONG };

/* Is WORD as PATTERN, in which # stands for digits? */
static bool matches(const char *word, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '#') {
            size_t digits = strspn(word, "0123456789");
            if (digits == 0)
                return false;
            word += digits;
        } else if (tolower((unsigned char)*word++) != *pattern) {
            return false;
        }
    }
    return *word == 0;
}

/* What Linux and makers call adapters. Hosts may be called so, too, where it is weak. */
static enum strength adapter_strength(const char *word)
{
    static const struct {
        const char *pattern;
        enum strength strength;
    } adapters[] = {
        {"ib#", WEAK},          {"ibs#", WEAK},        {"hca#", WEAK},      {"nes#", WEAK},
        {"hca-#", STRONG},      {"hca_#", STRONG},     {"mlx#_#", STRONG},  {"mlx#_bond_#", STRONG},
        {"mlx#_bond#", STRONG}, {"mlx#_ib#", STRONG},  {"mthca#", STRONG},  {"hfi#_#", STRONG},
        {"qib#", STRONG},       {"ipath#", STRONG},    {"ehca#", STRONG},   {"ibp#s#", STRONG},
        {"ibp#s#f#", STRONG},   {"ibp#p#s#", STRONG},  {"ibs#f#", STRONG},  {"ibo#", STRONG},
        {"ibp#p#s#f#", STRONG}, {"rocep#s#", STRONG},  {"roceo#", STRONG},  {"rocep#s#f#", STRONG},
        {"opap#s#", STRONG},    {"opap#s#f#", STRONG}, {"rxe#", STRONG},    {"rxe_#", STRONG},
        {"siw#", STRONG},       {"bnxt_re#", STRONG},  {"irdma#", STRONG},  {"i40iw#", STRONG},
        {"efa_#", STRONG},      {"cxgb#_#", STRONG},   {"ocrdma#", STRONG}, {"hns_#", STRONG},
        {"qedr#", STRONG},      {"usnic_#", STRONG},   {"erdma_#", STRONG}, {"mana_#", STRONG}};
    for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++)
        if (matches(word, adapters[i].pattern))
            return adapters[i].strength;
    return NONE;
}

/* The words of a description, of which only so many count. */
static int split(char *text, char *word[3])
{
    char *rest = NULL;
    int count = 0;
    for (char *next = strtok_r(text, " \t", &rest); next != NULL && count < 3;
         next = strtok_r(NULL, " \t", &rest))
        word[count++] = next;
    return count;
}

/* "n1 mlx5_0", "n1 HCA-1", or the other way round, or the host's name alone. The makers' descriptions, which
 * many share, have more words: then the id has to do. */
static void describe_host(char *word[3], int words, const char **name, const char **adapter)
{
    enum strength first = words > 0 ? adapter_strength(word[0]) : NONE,
                  second = words > 1 ? adapter_strength(word[1]) : NONE;
    *adapter = "";
    if (words == 1)
        *name = first == STRONG ? NULL : word[0];
    else if (words != 2 || (first == second && first != NONE))
        *name = NULL;
    else if (first <= second)
        *name = word[0], *adapter = second != NONE ? word[1] : "";
    else
        *name = word[1], *adapter = word[0];
}

/* A switch's name is the description without its prefix, where that is one word. */
static void describe_switch(char *word[3], int words, const char **name)
{
    static const char managed[] = "MF0;";
    *name = words == 1 ? word[0] : NULL;
    if (*name != NULL && strncmp(*name, managed, strlen(managed)) == 0)
        *name += strlen(managed);
}

bool star_devices_add(struct star_devices *devices, const char *id, const char *description)
{
    char text[STAR_NODE_NAME_MOST + 1], *word[3];
    const char *name = NULL, *adapter = "";
    if (star_names_get(&devices->ids, id) >= 0)
        return true;
    snprintf(text, sizeof text, "%s", description);
    int words = split(text, word);
    if (id[0] == 'S')
        describe_switch(word, words, &name);
    else
        describe_host(word, words, &name, &adapter);
    if (name == NULL || !star_graph_name_is_good(name))
        name = id, adapter = "";
    struct star_device *grown = star_grown(devices->at, (size_t)devices->count, sizeof *grown);
    if (grown == NULL)
        return false;
    devices->at = grown;
    char called[2 * STAR_NODE_NAME_MOST + 2];
    snprintf(called, sizeof called, "%s %s", name, adapter);
    struct star_device made = {.id = strdup(id), .name = strdup(name), .called = strdup(called), .node = -1};
    grown[devices->count++] = made;
    return made.id && made.name && made.called && star_names_put(&devices->ids, made.id, devices->count - 1);
}

void star_devices_board(struct star_devices *devices, const char *id, uint64_t board)
{
    int at = star_names_get(&devices->ids, id);
    if (at >= 0)
        devices->at[at].board = board;
}

/* The first device of TEXT in NAMES: DEVICE itself, where it is new; −1: out of memory. */
static int first_of(struct star_names *names, const char *text, int device)
{
    int first = star_names_get(names, text);
    if (first >= 0)
        return first;
    return star_names_put(names, text, device) ? device : -1;
}

bool star_devices_compare(struct star_devices *devices)
{
    for (int i = 0; i < devices->count; i++) {
        const struct star_device *own = &devices->at[i];
        if (own->id[0] != 'H')
            continue;
        int named = first_of(&devices->names, own->name, i),
            called = first_of(&devices->called, own->called, i);
        if (named < 0 || called < 0)
            return false;
        bool same_board = own->board != 0 && devices->at[called].board == own->board;
        if (called != i && !same_board)
            devices->at[named].ambiguous = true;
    }
    return true;
}

const char *star_device_name(const struct star_devices *devices, const struct star_device *device)
{
    int first = device->id[0] == 'H' ? star_names_get(&devices->names, device->name) : -1;
    return first >= 0 && devices->at[first].ambiguous ? device->id : device->name;
}

struct star_device *star_devices_find(const struct star_devices *devices, const char *id)
{
    int at = star_names_get(&devices->ids, id);
    return at >= 0 ? &devices->at[at] : NULL;
}

void star_devices_free(struct star_devices *devices)
{
    for (int i = 0; i < devices->count; i++) {
        free(devices->at[i].id);
        free(devices->at[i].name);
        free(devices->at[i].called);
    }
    free(devices->at);
    star_names_free(&devices->ids);
    star_names_free(&devices->names);
    star_names_free(&devices->called);
    *devices = (struct star_devices){0};
}
