/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/lasting.h"
#include "algorithms/operations.h"
#include "exec/board.h"
#include "runtime/begun.h"
#include "util/fpenv.h"

#include <stdio.h>

/* Requests whose ranks show up to so many bytes are alike. */
enum { CLASSES = 3, ROWS_MOST = 256 };
static const int64_t most_of[CLASSES] = {48, 256, STAR_BOARD_MOST};

/* Times are weighted by the calls of their requests. */
struct row {
    enum star_operation operation;
    int ranks, class;
    int64_t calls, shared;
    double seconds[2], weight[2]; /* natively, and by the board */
};
static struct row rows[ROWS_MOST];
static int count;

/* NULL: there are too many. */
static struct row *row_of(const struct star_notice *notice)
{
    int class = 0, i = 0;
    while (class + 1 < CLASSES && notice->most > most_of[class])
        class ++;
    while (i < count && (rows[i].operation != notice->operation || rows[i].ranks != notice->of->size ||
                         rows[i].class != class))
        i++;
    if (i == ROWS_MOST)
        return NULL;
    if (i == count)
        rows[count++] =
            (struct row){.operation = notice->operation, .ranks = notice->of->size, .class = class};
    return &rows[i];
}

struct star_balance star_lasting_add(const struct star_notice *notice, const struct star_sampled *sampled)
{
    STAR_FPENV_DEFAULT;
    struct star_balance balance = {.saved = 0};
    if (sampled->calls == 0)
        return balance;
    star_begun_weigh(&balance, sampled, false);
    struct row *row = notice->of->rank == 0 ? row_of(notice) : NULL;
    if (row == NULL)
        return balance;
    row->calls += sampled->calls;
    row->shared += sampled->shared;
    for (int shared = 0; shared < 2; shared++) {
        uint64_t sum = star_board_sum(notice->of->board, 0, shared);
        row->seconds[shared] += (double)sum * 1e-9 / notice->of->size * sampled->calls;
        row->weight[shared] += sum > 0 ? sampled->calls : 0;
    }
    return balance;
}

void star_lasting_tell(struct star_text *text)
{
    static const char *const names[] = {"native_seconds_per_call", "shared_seconds_per_call"};
    STAR_FPENV_DEFAULT;
    for (int i = 0; i < count; i++) {
        char name[40];
        snprintf(name, sizeof name, "%s_init", star_operations[rows[i].operation].name);
        star_text_add(text, ",\n");
        star_json_add(text, "{operation: %s, ranks: %d, bytes_most: %jd, calls: %jd, shared_calls: %jd", name,
                      rows[i].ranks, most_of[rows[i].class], rows[i].calls, rows[i].shared);
        for (int shared = 0; shared < 2; shared++)
            if (rows[i].weight[shared] > 0)
                star_json_number(text, names[shared], rows[i].seconds[shared] / rows[i].weight[shared]);
        star_json_close(text, '}');
    }
    count = 0;
}
