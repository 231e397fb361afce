/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/print.h"

static const char *const buffers[] = {"send", "recv", "temp", "shared"};

static void print_place(struct star_text *text, int buffer, int64_t offset, int64_t length)
{
    star_text_add(text, "%s[%lld..%lld)", buffers[buffer], (long long)offset, (long long)(offset + length));
}

static void print_exchange(struct star_text *text, const struct star_step *step)
{
    bool sends = step->kind == STAR_STEP_SEND;
    star_text_add(text, "%s %s rank %d", sends ? "send" : "recv", sends ? "to" : "from", step->peer);
    if (step->channel == STAR_SYNC) {
        star_text_add(text, " sync");
        return;
    }
    star_text_add(text, " ");
    if (sends)
        print_place(text, step->from, step->from_offset, step->length);
    else
        print_place(text, step->to, step->to_offset, step->length);
}

static void print_copy(struct star_text *text, const struct star_step *step)
{
    bool reads = step->kind == STAR_STEP_READ;
    star_text_add(text, step->kind == STAR_STEP_REDUCE ? "reduce " : reads ? "read " : "copy ");
    if (step->from == STAR_SHARED || reads)
        star_text_add(text, "rank %d's ", step->peer);
    print_place(text, step->from, step->from_offset, step->length);
    star_text_add(text, step->kind == STAR_STEP_REDUCE ? " into " : " to ");
    print_place(text, step->to, step->to_offset, step->length);
    if (step->repeat > 1)
        star_text_add(text, ", %d times, every %lld and %lld bytes", step->repeat,
                      (long long)step->from_stride, (long long)step->to_stride);
}

static void print_step(struct star_text *text, const struct star_step *step)
{
    switch (step->kind) {
    case STAR_STEP_SEND:
    case STAR_STEP_RECV:
        print_exchange(text, step);
        break;
    case STAR_STEP_COPY:
    case STAR_STEP_REDUCE:
    case STAR_STEP_READ:
        print_copy(text, step);
        break;
    case STAR_STEP_SHOW:
        star_text_add(text, "show ");
        print_place(text, step->from, step->from_offset, step->length);
        break;
    case STAR_STEP_WAIT:
        star_text_add(text, "wait for %d request%s", step->repeat, step->repeat == 1 ? "" : "s");
        break;
    case STAR_STEP_POST:
        star_text_add(text, "post %d", step->repeat);
        break;
    case STAR_STEP_AWAIT:
        star_text_add(text, "await %d of rank %d", step->repeat, step->peer);
        break;
    default:
        star_text_add(text, "barrier");
    }
}

void star_print_plan(struct star_text *text, const struct star_plan *plan)
{
    star_text_add(text, "rank %d of %d: %d round%s, %lld %s of temporary", plan->rank, plan->size,
                  plan->rounds, plan->rounds == 1 ? "" : "s", (long long)plan->temp_bytes,
                  plan->units ? "blocks" : "bytes");
    if (star_plan_shares(plan))
        star_text_add(text, ", %lld of shared memory", (long long)plan->shared_bytes);
    star_text_add(text, "\n");
    for (int32_t i = 0; i < plan->count; i++) {
        star_text_add(text, "  %3d  ", plan->steps[i].round);
        print_step(text, &plan->steps[i]);
        star_text_add(text, "\n");
    }
}

static void json_place(struct star_text *text, const char *key, int buffer, int64_t offset)
{
    star_json_open(text, key, '{');
    star_json_add(text, "buffer: %s, offset: %jd}", buffers[buffer], offset);
}

/* What the steps of each kind have. */
static bool has(const struct star_step *step, unsigned kinds)
{
    return (kinds >> step->kind & 1) != 0;
}

static void json_step(struct star_text *text, const struct star_plan *plan, const struct star_step *step)
{
    static const char *const kinds[] = {"send",    "recv", "copy",  "reduce", "wait",
                                        "barrier", "post", "await", "show",   "read"};
    enum {
        MESSAGE = 1 << STAR_STEP_SEND | 1 << STAR_STEP_RECV,
        LOCAL = 1 << STAR_STEP_COPY | 1 << STAR_STEP_REDUCE,
        COUNT = 1 << STAR_STEP_POST | 1 << STAR_STEP_AWAIT,
        SHOW = 1 << STAR_STEP_SHOW,
        READ = 1 << STAR_STEP_READ
    };
    star_json_add(text, "{round: %d, do: %s", step->round, kinds[step->kind]);
    if (has(step, MESSAGE))
        star_json_add(text, "peer: %d, channel: %s", step->peer,
                      step->channel == STAR_SYNC ? "sync" : "data");
    if (has(step, MESSAGE | 1 << STAR_STEP_WAIT))
        star_json_integer(text, "request", step->slot);
    if (step->kind == STAR_STEP_WAIT)
        star_json_integer(text, "requests", step->repeat);
    if (has(step, 1 << STAR_STEP_SEND | LOCAL | SHOW | READ))
        json_place(text, "from", step->from, step->from_offset);
    if (has(step, 1 << STAR_STEP_RECV | LOCAL | READ))
        json_place(text, "to", step->to, step->to_offset);
    if (has(step, COUNT))
        star_json_integer(text, "count", step->repeat);
    if (has(step, 1 << STAR_STEP_AWAIT | READ) || (has(step, LOCAL) && step->from == STAR_SHARED))
        star_json_integer(text, "peer", step->peer);
    if (has(step, MESSAGE | LOCAL | SHOW | READ))
        star_json_integer(text, plan->units ? "blocks" : "bytes", step->length);
    if (step->kind == STAR_STEP_COPY && step->repeat > 1)
        star_json_add(text, "repeat: %d, from_stride: %jd, to_stride: %jd", step->repeat, step->from_stride,
                      step->to_stride);
    star_json_close(text, '}');
}

void star_print_plan_json(struct star_text *text, const struct star_plan *plan)
{
    star_json_add(text, "{rank: %d, size: %d, rounds: %d", plan->rank, plan->size, plan->rounds);
    star_json_integer(text, plan->units ? "temporary_blocks" : "temporary_bytes", plan->temp_bytes);
    star_json_open(text, "steps", '[');
    for (int32_t i = 0; i < plan->count; i++) {
        star_text_add(text, i ? "" : "\n");
        json_step(text, plan, &plan->steps[i]);
    }
    star_json_add(text, "]}");
}

void star_print_phases(struct star_text *text, const struct star_plan *const *plans, int count)
{
    int32_t rounds = 0; /* of the rank that has most: those at the end of a pipeline */
    for (int p = 0; p < count; p++)
        rounds = plans[p]->rounds > rounds ? plans[p]->rounds : rounds;
    for (int32_t round = 0; round < rounds; round++)
        for (int p = 0; p < count; p++)
            for (int32_t i = 0; i < plans[p]->count; i++) {
                const struct star_step *step = &plans[p]->steps[i];
                if (step->kind == STAR_STEP_SEND && step->channel == STAR_DATA && step->round == round)
                    star_text_add(text, "%d %d %d\n", round, plans[p]->rank, step->peer);
            }
}
