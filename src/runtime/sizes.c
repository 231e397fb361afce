/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/sizes.h"
#include "runtime/info.h"
#include "runtime/ledger.h"
#include "runtime/making.h"
#include "runtime/opened.h"
#include "runtime/promise.h"
#include "runtime/repeat.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/talk.h"

/* One call in so many has a look, at no distance that a program's loop may have. */
enum { LOOKS = 16 };
static bool is_looked_at(int64_t calls)
{
    return (uint64_t)calls * UINT64_C(0x9e3779b97f4a7c15) < UINT64_MAX / LOOKS;
}

/* A size is idle while so many calls come that have no context. Where sizes come again after more than that,
 * a place for each is no good to any: the more have lost theirs, the longer all keep them. */
static int64_t patience(const struct star_communicator *state)
{
    enum { LEAST = 16, DOUBLINGS = 30 };
    int64_t turns = state->evicted / star_runtime.settings.sizes;
    return (int64_t)LEAST << (turns < DOUBLINGS ? turns : DOUBLINGS);
}

/* The one that is idle for longest, of several the one made first; NULL: none is for long enough. */
static struct star_context *find_idle(struct star_communicator *state, enum star_operation operation)
{
    int64_t now = state->other_calls[operation], most = patience(state);
    struct star_context *found = NULL;
    for (struct star_context *context = state->contexts.first; context; context = context->next) {
        if (context->operation != operation || !context->early)
            continue;
        if (context->subject.calls != context->noted) {
            context->noted = context->subject.calls;
            context->idle_since = now;
        }
        if (now - context->idle_since >= most) {
            most = now - context->idle_since;
            found = context;
        }
    }
    return found;
}

static void evict(struct star_communicator *state, struct star_context *context)
{
    state->evicted++;
    state->other_calls[context->operation] += context->subject.calls;
    star_promise_drop(state, context);
    star_repeats_forget(state);
    star_ledger_drop(context);
    star_communicators_hold(true);
    star_info_drop(context);
    star_contexts_drop(&state->contexts, context);
    star_communicators_hold(false);
    star_context_free(state, context);
}

bool star_sizes_make_room(struct star_communicator *state, enum star_operation operation)
{
    if (!is_looked_at(state->other_calls[operation]) || star_talk_goes_on(state))
        return false;
    struct star_context *idle = find_idle(state, operation);
    if (idle != NULL)
        evict(state, idle);
    return idle != NULL;
}
