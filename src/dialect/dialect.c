/* SPDX-License-Identifier: BSD-3-Clause */
#include "dialect/dialect.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS(name) &(name),
static const struct star_dialect *const dialects[] = {STAR_DIALECTS(ADDRESS) ADDRESS(star_standard)};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

const struct star_dialect *star_dialect_at(size_t n)
{
    return n < DIALECTS ? dialects[n] : NULL;
}

/* Behind the dialect's sign; NULL: VERSION does not have it. */
static const char *past_sign(const struct star_dialect *dialect, const char *version)
{
    const char *sign = dialect->sign ? strstr(version, dialect->sign) : NULL;
    return sign ? sign + strlen(dialect->sign) : NULL;
}

const struct star_dialect *star_dialect_of(const char *version)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (past_sign(dialects[i], version) != NULL)
            return dialects[i];
    return NULL;
}

const struct star_dialect *star_dialect_of_build(const char *build)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (strcmp(dialects[i]->build, build) == 0)
            return dialects[i];
    return &star_standard;
}

void star_dialect_title(const char *version, char *title, size_t room)
{
    const struct star_dialect *dialect = star_dialect_of(version);
    const char *number = dialect ? past_sign(dialect, version) : NULL;
    if (dialect == NULL) {
        snprintf(title, room, "%.*s", (int)strcspn(version, "\n"), version);
        return;
    }
    number += strspn(number, " \t:");
    snprintf(title, room, "%s %.*s", dialect->name, (int)strcspn(number, ", \t\n"), number);
}

static bool begins(const char *file, const char *const *names)
{
    while (*names != NULL && strncmp(file, *names, strlen(*names)) != 0)
        names++;
    return *names != NULL;
}

const struct star_dialect *star_dialect_linked(const char *file)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (begins(file, dialects[i]->linked))
            return dialects[i];
    return NULL;
}

bool star_dialect_is_inner(const char *file)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (begins(file, dialects[i]->inner))
            return true;
    return false;
}
