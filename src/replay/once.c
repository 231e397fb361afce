/* SPDX-License-Identifier: BSD-3-Clause
 * What must be paid by whoever tries all: see replay.h. */
#include "replay/once.h"
#include "replay/run.h"

void star_replay_once(const struct star_truth *truth, struct star_moment *moments, int count)
{
    const struct star_trace *trace = truth->trace;
    struct star_moment now = {0};
    int method = 0;
    for (int i = 0; i < count; i++) {
        for (; now.calls < moments[i].calls && method < trace->methods.count; method++) {
            if (truth->alike[method] != method)
                continue;
            double call = truth->early[(ptrdiff_t)method * truth->early_calls];
            now.calls++;
            now.seconds += trace->making[method] + call;
            now.spent[STAR_SPENT_PLANNING] += trace->making[method];
            now.spent[STAR_SPENT_TRYING] += call - truth->steady[truth->best];
            if (truth->steady[method] < truth->steady[now.chosen])
                now.chosen = method;
            now.switches += method > 0;
            if (star_truth_distance(truth, now.chosen) > star_replay_near)
                now.settled = now.calls;
        }
        now.seconds += (double)(moments[i].calls - now.calls) * truth->steady[truth->best];
        now.calls = moments[i].calls;
        moments[i] = now;
    }
}
