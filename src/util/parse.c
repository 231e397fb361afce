/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/parse.h"
#include "util/numerals.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool starts_number(const char *text)
{
    return isdigit((unsigned char)text[0]) || (text[0] == '-' && isdigit((unsigned char)text[1]));
}

bool star_parse_integer(const char *text, int64_t *value)
{
    if (!starts_number(text))
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno || *end)
        return false;
    *value = number;
    return true;
}

bool star_parse_number(const char *text, double *value)
{
    /* Decimal alone: strtod reads hexadecimal, infinities and more. */
    if (strspn(text, "0123456789.eE+-%") != strlen(text) || (!starts_number(text) && text[0] != '.'))
        return false;
    char *end;
    locale_t own = star_numerals_plain();
    double number = strtod(text, &end);
    star_numerals_restore(own);
    if (end == text || !isfinite(number))
        return false;
    if (*end == '%') {
        number /= 100;
        end++;
    }
    if (*end)
        return false;
    *value = number;
    return true;
}

bool star_parse_bytes(const char *text, int64_t *value)
{
    static const char units[] = "KMGT";
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno)
        return false;
    int shift = 0;
    if (*end) {
        const char *unit = strchr(units, toupper((unsigned char)*end));
        if (unit != NULL) {
            shift = 10 * (int)(unit - units + 1);
            end++;
        }
        if (toupper((unsigned char)*end) == 'B')
            end++;
    }
    if (*end || number > INT64_MAX >> shift)
        return false;
    *value = (int64_t)number << shift;
    return true;
}

int star_choice_index(const char *choices, const char *value)
{
    int index = 0;
    for (const char *c = choices; c; index++) {
        size_t length = strcspn(c, "|");
        if (strlen(value) == length && strncmp(c, value, length) == 0)
            return index;
        c = c[length] ? c + length + 1 : NULL;
    }
    return -1;
}

bool star_parse_switch(const char *text, bool *on)
{
    static const char *const words[][2] = {{"off", "on"}, {"no", "yes"}, {"false", "true"}, {"0", "1"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int value = 0; value <= 1; value++)
            if (strcasecmp(text, words[i][value]) == 0) {
                *on = value == 1;
                return true;
            }
    return false;
}

const char *star_format_bytes(int64_t bytes, char *buffer, size_t room)
{
    static const char *const units[] = {"", "K", "M", "G", "T"};
    int unit = 0;
    while (unit < 4 && bytes != 0 && bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    snprintf(buffer, room, "%lld%s", (long long)bytes, units[unit]);
    return buffer;
}

const struct star_time_unit *star_time_unit(double seconds)
{
    static const struct star_time_unit units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int i = 0;
    while (i < 3 && fabs(seconds) < 0.9995 * units[i].seconds)
        i++;
    return &units[i];
}

const char *star_format_seconds(double seconds, char *buffer, size_t room)
{
    const struct star_time_unit *unit = star_time_unit(seconds);
    double shown = seconds / unit->seconds;
    int decimals = fabs(shown) >= 99.95 ? 0 : fabs(shown) >= 9.995 ? 1 : 2;
    locale_t own = star_numerals_plain();
    snprintf(buffer, room, "%.*f %s", decimals, shown, unit->name);
    star_numerals_restore(own);
    return buffer;
}

void star_format_share(double share, char *buffer, size_t room)
{
    locale_t own = star_numerals_plain();
    snprintf(buffer, room, "%.10g%%", 100 * share);
    star_numerals_restore(own);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum { LONGEST = 63 }; /* of words of a command line */

static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* How many letters, of either case, must be inserted, left out, changed or swapped with their neighbour; MOST
 * or more where it is MOST at least. Counts what it does in *STEPS. */
static size_t distance(const char *a, const char *b, size_t most, size_t *steps)
{
    size_t d[3][LONGEST + 1], m = strlen(a), n = strlen(b); /* this row, and the two before it, in turns */
    if (m > LONGEST || n > LONGEST || (m > n ? m - n : n - m) >= most)
        return SIZE_MAX;
    size_t *row = d[0], *last = d[1], *before = d[2], closest = 0;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t *oldest = before, closest_before = closest;
        before = last;
        last = row;
        row = oldest;
        closest = row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(last[j - 1] + differ(a[i - 1], b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
            closest = least(closest, row[j]);
        }
        *steps += n;
        if (closest >= most && closest_before >= most) /* no row comes closer than the two before it */
            return SIZE_MAX;
    }
    return row[n];
}

/* A suggestion is not worth more than some hundredths of a second, which a million of switches would take. */
const char *star_nearest(const char *text, const char *const *words, size_t count)
{
    enum { STEPS_MOST = 1 << 24 };
    const char *best = NULL;
    size_t nearest = strlen(text) / 4 + 2; /* one letter may be wrong, and one more of every four */
    size_t steps = 0;
    for (size_t i = 0; i < count && nearest > 0 && steps < STEPS_MOST; i++) {
        size_t d = nearest > 1 ? distance(text, words[i], nearest, &steps) : strcasecmp(text, words[i]) != 0;
        if (d < nearest) {
            nearest = d;
            best = words[i];
        }
    }
    return best;
}

struct star_hint star_hint(const char *text, const char *const *words, size_t count)
{
    struct star_hint hint = {""};
    const char *nearest = star_nearest(text, words, count);
    if (nearest != NULL)
        snprintf(hint.text, sizeof hint.text, ": did you mean '%.80s'?", nearest);
    return hint;
}
