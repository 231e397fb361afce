/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/course.h"

enum {
    EARLY = 4,
    SLACK = 4,   /* calls that go natively while plans are agreed on */
    BLOCK = 5,   /* calls one way; the first one waits for the last of another way */
    SOON = 256,  /* the calls from the second trial to the third one, */
    ROUND = 4096 /* and between later ones */
};
enum { NATIVE = 1 };

struct star_course star_course_new(int ways, bool forced)
{
    return (struct star_course){.phase = forced ? STAR_COURSE_MAKING : STAR_COURSE_EARLY,
                                .forced = forced,
                                .awaits = forced,
                                .ways = ways,
                                .left = forced ? 0 : EARLY};
}

bool star_course_waits(const struct star_course *course)
{
    return course->awaits && (course->phase != STAR_COURSE_MAKING || course->left == 0);
}

/* The first way from WAY on that is tried; WAYS: there is none. */
static int tried_from(const struct star_course *course, int way)
{
    while (way < course->ways && (course->trying >> way & 1) == 0)
        way++;
    return way;
}

static int block_of(const struct star_course *course)
{
    return course->trials == 0 ? BLOCK : 2 * BLOCK;
}

static struct star_course_step next_of_trial(struct star_course *course)
{
    struct star_course_step step = {.way = course->way, .timed = course->turn > 0};
    if (++course->turn < block_of(course))
        return step;
    course->turn = 0;
    course->way = tried_from(course, course->way + 1);
    step.agrees = course->awaits = course->way == course->ways;
    return step;
}

static void begin_trial(struct star_course *course)
{
    course->phase = STAR_COURSE_TRIAL;
    course->turn = 0;
    course->way = tried_from(course, 0);
}

static void be_steady(struct star_course *course)
{
    course->phase = STAR_COURSE_STEADY;
    course->left = course->trials <= 2 ? SOON : ROUND;
}

/* Is there anything to compare? */
static bool has_choice(const struct star_course *course)
{
    return (course->trying & (course->trying - 1)) != 0;
}

/* Where a phase is over, the next one begins. */
static void go_on(struct star_course *course)
{
    bool again = course->phase == STAR_COURSE_STEADY || course->trials == 1;
    if (course->left > 0 || course->phase == STAR_COURSE_TRIAL)
        return;
    bool tries = course->able != 0 && !course->native;
    if (tries && (course->phase == STAR_COURSE_MAKING || (again && has_choice(course))))
        begin_trial(course);
    else
        be_steady(course);
}

struct star_course_step star_course_next(struct star_course *course)
{
    struct star_course_step step = {.way = 0};
    go_on(course);
    if (course->phase == STAR_COURSE_TRIAL)
        return next_of_trial(course);
    course->left--;
    if (course->phase == STAR_COURSE_SETTLING)
        step.way = course->plan;
    else if (course->phase == STAR_COURSE_STEADY)
        step.way = course->best;
    if (course->phase == STAR_COURSE_EARLY && course->left == 0) {
        course->phase = STAR_COURSE_MAKING;
        course->left = SLACK;
        step.agrees = course->awaits = true;
    }
    return step;
}

/* The fastest from WAY on; 0: none is known. */
static int fastest(const struct star_course *course, const int64_t *nanoseconds, int way)
{
    int best = 0;
    for (; way < course->ways; way++)
        if ((course->able >> way & 1) != 0 && nanoseconds[way] > 0 &&
            (nanoseconds[best] == 0 || best == 0 || nanoseconds[way] < nanoseconds[best]))
            best = way;
    return best;
}

static void find_able(struct star_course *course, const struct star_course_figures *sums, int ranks)
{
    for (int way = 1; way < course->ways; way++)
        if (sums->able[way] == ranks)
            course->able |= 1U << way;
    if (course->able == 0)
        return;
    course->trying = course->able | (course->forced ? 0 : NATIVE);
    course->plan = tried_from(course, 1);
}

int star_course_depth(int64_t open)
{
    static const int64_t most[] = {1, 4, 16, 64};
    int depth = 0;
    while (depth < STAR_DEPTHS - 1 && open > most[depth])
        depth++;
    return depth;
}

int64_t star_course_settles(int depth)
{
    static const int64_t settles[STAR_DEPTHS] = {64, 64, 192, 768, 4096};
    return settles[depth];
}

static int deepest(const struct star_course_figures *sums)
{
    int depth = STAR_DEPTHS - 1;
    while (depth > 0 && sums->depths[depth] == 0)
        depth--;
    return depth;
}

/* Three percent are no difference. */
static bool is_faster(int64_t nanoseconds, int64_t than)
{
    return nanoseconds + nanoseconds / 32 < than;
}

/* What took half as long again need not be tried again. */
static void choose(struct star_course *course, const struct star_course_figures *sums)
{
    const int64_t *took = sums->nanoseconds;
    int depth = deepest(sums), fast = fastest(course, took, 1);
    course->plan = fast != 0 ? fast : course->plan;
    course->best = course->plan;
    if (!course->forced && took[0] > 0 &&
        (took[course->plan] == 0 || !is_faster(took[course->plan], took[0])))
        course->best = 0;
    /* Calls that are open together hide what each of them costs. */
    course->native = !course->forced && depth > 0;
    if (course->native)
        course->best = 0;
    int64_t least = took[course->best];
    course->trying = (course->forced ? 0 : NATIVE) | 1U << course->plan;
    for (int way = 1; way < course->ways; way++)
        if ((course->able >> way & 1) != 0 && (took[way] == 0 || took[way] <= least + least / 2))
            course->trying |= 1U << way;
    course->phase = STAR_COURSE_SETTLING;
    course->left = course->forced ? 0 : star_course_settles(depth);
}

void star_course_agreed(struct star_course *course, const struct star_course_figures *sums, int ranks)
{
    course->awaits = false;
    if (course->phase == STAR_COURSE_MAKING) {
        find_able(course, sums, ranks);
        return;
    }
    course->trials++;
    choose(course, sums);
}
