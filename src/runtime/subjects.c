/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/subjects.h"
#include "runtime/session.h"
#include "subject/say.h"

void star_apply_settings(struct star_subject *subject, int rank, int ranks)
{
    subject->leads = rank == 0;
    subject->says = subject->leads && star_runtime.settings.log == STAR_LOG_DECISIONS;
    subject->ranks = ranks;
    subject->sample = (int32_t)star_runtime.settings.sample;
    subject->began = star_runtime.began;
}
