/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/tally.h"

#include <stdlib.h>

enum { ROOM_LEAST = 16 };

/* The place of the partner, or the free one where it belongs. */
static struct star_tally_peer *place_of(const struct star_tally *tally, int peer, bool came)
{
    uint64_t key = 2 * (uint64_t)peer + came;
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (tally->room - 1);
    while (tally->at[at].peer >= 0 && (tally->at[at].peer != peer || tally->at[at].came != came))
        at = (at + 1) & (tally->room - 1);
    return &tally->at[at];
}

/* Doubles the room; false: there is no memory. */
static bool grow(struct star_tally *tally)
{
    struct star_tally wider = *tally;
    wider.room = tally->room ? 2 * tally->room : ROOM_LEAST;
    wider.at = malloc(wider.room * sizeof *wider.at);
    if (wider.at == NULL)
        return false;
    for (size_t i = 0; i < wider.room; i++)
        wider.at[i].peer = -1;
    for (size_t i = 0; i < tally->room; i++)
        if (tally->at[i].peer >= 0)
            *place_of(&wider, tally->at[i].peer, tally->at[i].came) = tally->at[i];
    free(tally->at);
    *tally = wider;
    return true;
}

void star_tally_add(struct star_tally *tally, enum star_talk_kind kind, int peer, bool came, int64_t bytes,
                    int64_t messages)
{
    if (2 * tally->count >= tally->room && !grow(tally)) {
        tally->failed = true;
        return;
    }
    struct star_tally_peer *place = place_of(tally, peer, came);
    if (place->peer < 0) {
        *place = (struct star_tally_peer){.peer = peer, .came = came};
        tally->count++;
    }
    place->bytes += bytes;
    place->messages += messages;
    tally->sum[kind].bytes += bytes;
    tally->sum[kind].messages += messages;
}

void star_tally_add_early(struct star_tally *tally, int peer, const int64_t bytes[STAR_EARLY])
{
    struct star_tally_peer *place = tally->room > 0 ? place_of(tally, peer, false) : NULL;
    for (int i = 0; place != NULL && place->peer >= 0 && i < STAR_EARLY; i++)
        place->early[i] += bytes[i];
}

bool star_tally_turn(struct star_tally *tally)
{
    for (size_t i = 0; i < tally->room; i++) {
        tally->at[i].early[1] = tally->at[i].early[0];
        tally->at[i].early[0] = tally->at[i].bytes;
    }
    tally->turned = tally->events;
    return true;
}

/* Which of the last turns is nearer to the half of all events; −1: too few to say. */
static int turn_of_half(const struct star_tally *tally)
{
    enum { LEAST = 16 };
    if (tally->events < LEAST)
        return -1;
    double last = (double)tally->turned / (double)tally->events;
    return last - 0.5 > 0.5 - last / 2;
}

size_t star_tally_most(int ranks)
{
    enum { LEAST = 64, TOGETHER = 1 << 18 };
    size_t share = TOGETHER / (size_t)(ranks > 0 ? ranks : 1);
    return share > LEAST ? share : LEAST;
}

static int by_bytes(const void *a, const void *b)
{
    const struct star_tally_peer *x = a, *y = b;
    int order = (x->bytes < y->bytes) - (x->bytes > y->bytes);
    return order ? order : x->peer - y->peer;
}

static int by_rank(const void *a, const void *b)
{
    const struct star_tally_peer *x = a, *y = b;
    return x->came != y->came ? x->came - y->came : x->peer - y->peer;
}

/* Moves the partners to the front. */
static void pack(struct star_tally *tally)
{
    size_t count = 0;
    for (size_t i = 0; i < tally->room; i++)
        if (tally->at[i].peer >= 0)
            tally->at[count++] = tally->at[i];
}

static void add_partners(const struct star_tally *tally, size_t count, const char *key, bool came,
                         struct star_text *text)
{
    star_json_open(text, key, '[');
    for (size_t i = 0; i < count; i++) {
        const struct star_tally_peer *peer = &tally->at[i];
        if (peer->came != came)
            continue;
        star_json_add(text, "[%d, %jd, %jd]", peer->peer, peer->bytes, peer->messages);
    }
    star_json_close(text, ']');
}

/* Of the partners TO, in their order, the bytes of about the first half. */
static void add_early(const struct star_tally *tally, size_t count, struct star_text *text)
{
    int turn = turn_of_half(tally);
    if (turn < 0)
        return;
    star_json_open(text, "to_early", '[');
    for (size_t i = 0; i < count; i++)
        if (!tally->at[i].came)
            star_json_integer(text, NULL, tally->at[i].early[turn]);
    star_json_close(text, ']');
}

static void add_sums(const struct star_tally *tally, struct star_text *text)
{
    static const char *const names[STAR_TALK_KINDS] = {"program", "methods", "estimated"};
    for (int kind = 0; kind < STAR_TALK_KINDS; kind++) {
        star_json_open(text, names[kind], '{');
        star_json_add(text, "bytes: %jd, messages: %jd}", tally->sum[kind].bytes, tally->sum[kind].messages);
    }
}

void star_tally_tell(struct star_tally *tally, int rank, const char *host, size_t most,
                     struct star_text *text)
{
    size_t told = tally->count < most ? tally->count : most;
    int64_t left_out = 0;
    pack(tally);
    if (tally->count > 0)
        qsort(tally->at, tally->count, sizeof *tally->at, by_bytes);
    for (size_t i = told; i < tally->count; i++)
        left_out += tally->at[i].bytes;
    if (told > 0)
        qsort(tally->at, told, sizeof *tally->at, by_rank);
    star_text_add(text, ",\n"); /* before each, so that the texts of several ranks can be put together */
    star_json_add(text, "{rank: %d, host: %s", rank, host);
    add_sums(tally, text);
    add_partners(tally, told, "to", false, text);
    add_partners(tally, told, "from", true, text);
    add_early(tally, told, text);
    star_json_add(text, "left_out_bytes: %jd, complete: %i}", left_out, !tally->failed);
}

void star_tally_free(struct star_tally *tally)
{
    free(tally->at);
    *tally = (struct star_tally){0};
}
