/* SPDX-License-Identifier: BSD-3-Clause
 * Warnings: rank 0 of MPI_COMM_WORLD alone says them, each kind once. What only others know (it happened on a
 * communicator without that rank), it says at the end. */
#include "runtime/warn.h"
#include "runtime/session.h"
#include "util/text.h"
#include "util/voice.h"

#include <stdarg.h>
#include <stdio.h>

struct warning {
    int32_t kind; /* 0: none; else enum star_warning + 1 */
    char text[400];
};

static struct warning kept[STAR_WARNINGS];
static atomic_flag seen[STAR_WARNINGS]; /* all clear */

static void say(const struct warning *warning)
{
    fprintf(star_voice(), "startune: warning: %s\n", warning->text);
}

void star_warn(enum star_warning kind, int rank, const char *format, ...)
{
    if ((rank != 0 && star_runtime.world_rank != 0) || atomic_flag_test_and_set(&seen[kind]))
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(kept[kind].text, sizeof kept[kind].text, format, args);
    va_end(args);
    kept[kind].kind = (int32_t)kind + 1;
    if (star_runtime.world_rank == 0)
        say(&kept[kind]);
}

void star_warn_each(int rank, const char *format, ...)
{
    enum { MOST = 50 };
    static atomic_int said;
    struct warning warning;
    if (rank != 0 || atomic_fetch_add(&said, 1) >= MOST)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(warning.text, sizeof warning.text, format, args);
    va_end(args);
    say(&warning);
}

void star_warnings_end(struct star_text *text)
{
    for (int i = 0; i < STAR_WARNINGS && star_runtime.world_rank != 0; i++)
        if (kept[i].kind != 0)
            star_text_append(text, (const char *)&kept[i], sizeof kept[i]);
}

void star_warnings_say(const struct star_text *text)
{
    const struct warning *all = (const struct warning *)(const void *)text->bytes;
    for (size_t i = 0; i < text->length / sizeof *all; i++)
        if (all[i].kind > 0 && all[i].kind <= STAR_WARNINGS &&
            !atomic_flag_test_and_set(&seen[all[i].kind - 1]))
            say(&all[i]);
}
