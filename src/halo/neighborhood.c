/* SPDX-License-Identifier: BSD-3-Clause */
#include "halo/neighborhood.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const transfer_words[] = {
    [STAR_ISEND_IRECV] = "isend_irecv",
    [STAR_SEND_IRECV] = "send_irecv",
    [STAR_SEND_RECV] = "send_recv",
    [STAR_SENDRECV] = "sendrecv",
    [STAR_FENCE_PUT] = "fence_put",
    [STAR_FENCE_GET] = "fence_get",
    [STAR_POST_START_PUT] = "post_start_put",
    [STAR_POST_START_GET] = "post_start_get",
    [STAR_PERSISTENT] = "persistent",
    [STAR_NEIGHBOR_ALLTOALLW] = "neighbor_alltoallw",
    [STAR_INEIGHBOR_ALLTOALLW] = "ineighbor_alltoallw",
    [STAR_PARTITIONED] = "partitioned",
    NULL,
};
static const char *const mapping_words[] = {[STAR_AAO] = "aao", [STAR_PAIR] = "pair", NULL};
static const char *const data_words[] = {[STAR_DDT] = "ddt", [STAR_PACK] = "pack", NULL};

const struct star_knob star_neighborhood_knobs[STAR_NEIGHBORHOOD_KNOBS] = {
    [STAR_BY_TRANSFER] = {.name = "transfer",
                          .help = "the MPI functions that move messages",
                          .words = transfer_words,
                          .most = STAR_TRANSFERS - 1},
    [STAR_BY_MAPPING] = {.name = "mapping",
                         .help = "aao, all messages at once, or pair, one neighbour after the other",
                         .words = mapping_words,
                         .most = STAR_MAPPINGS - 1,
                         .values = {STAR_MAPPINGS, {STAR_AAO, STAR_PAIR}}},
    [STAR_BY_DATA] = {.name = "data",
                      .help = "ddt, derived datatypes, or pack, packed into buffers and unpacked",
                      .words = data_words,
                      .most = STAR_DATAS - 1,
                      .values = {STAR_DATAS, {STAR_DDT, STAR_PACK}}},
};

const struct star_transfer star_transfers[STAR_TRANSFERS] = {
    [STAR_ISEND_IRECV] = {"MPI_Irecv, MPI_Isend, MPI_Waitall", "all receives are begun, then all sends",
                          "blocking", STAR_AAO, 2, 1, false},
    [STAR_SEND_IRECV] = {"MPI_Irecv, MPI_Send, MPI_Waitall",
                         "all receives are begun, then messages are sent one by one", "requests", STAR_AAO, 2,
                         1, false},
    [STAR_SEND_RECV] = {"MPI_Send, MPI_Recv",
                        "of two neighbours one sends first, and the other receives first", "requests",
                        STAR_PAIR, 2, 1, false},
    [STAR_SENDRECV] = {"MPI_Sendrecv", "each sends to a neighbour and receives from it at the same time",
                       "requests", STAR_PAIR, 2, 1, false},
    [STAR_FENCE_PUT] = {"MPI_Put, MPI_Win_fence",
                        "each writes into its neighbours' halos, between two fences", "matching", STAR_AAO, 2,
                        2, true},
    [STAR_FENCE_GET] = {"MPI_Get, MPI_Win_fence",
                        "each reads its neighbours' inner points, between two fences", "matching", STAR_AAO,
                        2, 2, true},
    [STAR_POST_START_PUT] = {"MPI_Put, MPI_Win_post, start, complete, wait",
                             "each writes into the halos of those that let it, and tells them",
                             "matching, barriers", STAR_AAO, 2, 2, true},
    [STAR_POST_START_GET] = {"MPI_Get, MPI_Win_post, start, complete, wait",
                             "each reads the inner points of those that let it, and tells them",
                             "matching, barriers", STAR_AAO, 2, 2, true},
    [STAR_PERSISTENT] = {"MPI_Send_init, MPI_Recv_init, MPI_Startall, MPI_Waitall",
                         "requests that were made once are started", "setting up messages", STAR_AAO, 2, 1,
                         false},
    [STAR_NEIGHBOR_ALLTOALLW] = {"MPI_Neighbor_alltoallw", "one call of the MPI library", "calls", STAR_AAO,
                                 3, 1, false},
    [STAR_INEIGHBOR_ALLTOALLW] = {"MPI_Ineighbor_alltoallw, MPI_Wait",
                                  "one call of the MPI library, which goes on in the background", "calls",
                                  STAR_AAO, 3, 1, false},
    [STAR_PARTITIONED] =
        {"MPI_Psend_init, MPI_Precv_init, MPI_Start, MPI_Pready, MPI_Waitall",
         "partitioned messages that were made once are started, and each is said to be ready",
         "setting up messages", STAR_AAO, 4, 1, false},
};

#define ROW(transfer, mapping, data, adcl)                                                                   \
    {                                                                                                        \
        {STAR_##transfer, STAR_##mapping, STAR_##data}, adcl                                                 \
    }
/* A transfer with both values of data, in one mapping or in both; with ADCL's names. */
#define IN(mapping, transfer, ddt, pack) ROW(transfer, mapping, DDT, ddt), ROW(transfer, mapping, PACK, pack)
#define IN_BOTH(transfer, aao, pair, aao_pack, pair_pack)                                                    \
    ROW(transfer, AAO, DDT, aao), ROW(transfer, PAIR, DDT, pair), ROW(transfer, AAO, PACK, aao_pack),        \
        ROW(transfer, PAIR, PACK, pair_pack)
const struct star_neighborhood star_neighborhoods[] = {
    IN_BOTH(ISEND_IRECV, "IsendIrecv_aao", "IsendIrecv_pair", "IsendIrecv_aao_pack", "IsendIrecv_pair_pack"),
    IN_BOTH(SEND_IRECV, "SendIrecv_aao", "SendIrecv_pair", "SendIrecv_aao_pack", "SendIrecv_pair_pack"),
    IN(PAIR, SEND_RECV, "Send_Recv_pair", "Send_Recv_pair_pack"),
    IN(PAIR, SENDRECV, "Sendrecv_pair", "Sendrecv_pair_pack"),
    IN_BOTH(FENCE_PUT, "WinFencePut_aao", "WinFencePut_pair", NULL, NULL),
    IN_BOTH(FENCE_GET, "WinFenceGet_aao", "WinFenceGet_pair", NULL, NULL),
    IN_BOTH(POST_START_PUT, "PostStartPut_aao", "PostStartPut_pair", NULL, NULL),
    IN_BOTH(POST_START_GET, "PostStartGet_aao", "PostStartGet_pair", NULL, NULL),
    IN_BOTH(PERSISTENT, NULL, NULL, NULL, NULL),
    IN(AAO, NEIGHBOR_ALLTOALLW, NULL, NULL),
    IN(AAO, INEIGHBOR_ALLTOALLW, NULL, NULL),
    IN_BOTH(PARTITIONED, NULL, NULL, NULL, NULL),
};
enum { ROWS = sizeof star_neighborhoods / sizeof star_neighborhoods[0] };
const int star_neighborhoods_count = ROWS;

const struct star_neighborhood *star_neighborhood_find(const int *value)
{
    for (int i = 0; i < ROWS; i++)
        if (memcmp(star_neighborhoods[i].value, value, sizeof star_neighborhoods[i].value) == 0)
            return &star_neighborhoods[i];
    return NULL;
}

static int preset_of(const int *value, int knob)
{
    return knob == STAR_BY_MAPPING ? star_transfers[value[STAR_BY_TRANSFER]].preset : 0;
}

const char *star_neighborhood_format(const struct star_neighborhood *method, char *buffer, size_t room)
{
    char knob[64];
    struct star_text text = {0};
    star_text_add(&text, "neighborhood:%s", transfer_words[method->value[STAR_BY_TRANSFER]]);
    for (int k = STAR_BY_TRANSFER + 1; k < STAR_NEIGHBORHOOD_KNOBS; k++)
        if (method->value[k] != preset_of(method->value, k))
            star_text_add(&text, ",%s",
                          star_knob_format(&star_neighborhood_knobs[k], method->value[k], knob, sizeof knob));
    snprintf(buffer, room, "%s", text.bytes ? text.bytes : "");
    star_text_free(&text);
    return buffer;
}

/* The number of WORD, or −1 with the reason. */
static int word_of(const struct star_knob *knob, const char *what, const char *word, struct star_why *why)
{
    int count = 0;
    for (; knob->words[count]; count++)
        if (strcmp(knob->words[count], word) == 0)
            return count;
    star_because(why, STAR_EINPUT, "unknown %s '%s'%s", what, word,
                 star_hint(word, knob->words, (size_t)count).text);
    return -1;
}

/* "data=pack" */
static int parse_knob(char *text, int *value, unsigned *given, struct star_why *why)
{
    const char *names[] = {star_neighborhood_knobs[STAR_BY_MAPPING].name,
                           star_neighborhood_knobs[STAR_BY_DATA].name};
    char *word = strchr(text, '=');
    if (word == NULL)
        return star_because(why, STAR_EINPUT, "'%s' is not of the form knob=value", text);
    *word++ = 0;
    for (int k = STAR_BY_TRANSFER + 1; k < STAR_NEIGHBORHOOD_KNOBS; k++) {
        const struct star_knob *knob = &star_neighborhood_knobs[k];
        if (strcmp(text, knob->name))
            continue;
        if (*given & 1U << k)
            return star_because(why, STAR_EINPUT, "knob %s is given twice", text);
        *given |= 1U << k;
        value[k] = word_of(knob, knob->name, word, why);
        return value[k] < 0 ? STAR_EINPUT : 0;
    }
    return star_because(why, STAR_EINPUT, "unknown knob of neighborhood '%s'%s", text,
                        star_hint(text, names, sizeof names / sizeof *names).text);
}

static int parse_words(char *rest, const struct star_neighborhood **method, const char *text,
                       struct star_why *why)
{
    int value[STAR_NEIGHBORHOOD_KNOBS] = {0};
    value[STAR_BY_TRANSFER] = word_of(&star_neighborhood_knobs[STAR_BY_TRANSFER], "algorithm of neighborhood",
                                      strsep(&rest, ","), why);
    if (value[STAR_BY_TRANSFER] < 0)
        return STAR_EINPUT;
    value[STAR_BY_MAPPING] = preset_of(value, STAR_BY_MAPPING);
    unsigned given = 0;
    int error = 0;
    while (!error && rest != NULL)
        error = parse_knob(strsep(&rest, ","), value, &given, why);
    if (error)
        return error;
    *method = star_neighborhood_find(value);
    return *method ? 0
                   : star_because(why, STAR_EINPUT, "there is no %s: %s goes with mapping=%s only", text,
                                  transfer_words[value[STAR_BY_TRANSFER]],
                                  mapping_words[star_transfers[value[STAR_BY_TRANSFER]].preset]);
}

int star_neighborhood_parse(const char *text, const struct star_neighborhood **method, struct star_why *why)
{
    static const char prefix[] = "neighborhood:";
    char copy[STAR_METHOD_TEXT];
    if (strncmp(text, prefix, sizeof prefix - 1) != 0)
        return star_because(why, STAR_EINPUT, "'%s' does not begin with '%s'", text, prefix);
    const char *name = text + sizeof prefix - 1;
    if (strlen(name) >= sizeof copy)
        return star_because(why, STAR_EINPUT, "'%.40s…' is too long for a method", text);
    for (int i = 0; i < ROWS; i++)
        if (star_neighborhoods[i].adcl && strcmp(star_neighborhoods[i].adcl, name) == 0) {
            *method = &star_neighborhoods[i];
            return 0;
        }
    snprintf(copy, sizeof copy, "%s", name);
    return parse_words(copy, method, text, why);
}
