/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/generate.h"

#include <stdio.h>

static const struct {
    const char *type;
    int64_t most;
} types[] = {{"unsigned char", 255}, {"unsigned short", 65535}, {"int", INT32_MAX}, {"long long", INT64_MAX}};

static int type_of(const int64_t *values, int count)
{
    int type = 0;
    for (int i = 0; i < count; i++)
        while (values[i] > types[type].most || (values[i] < 0 && type < 2))
            type++;
    return type;
}

void star_generate_array(struct star_text *text, const char *prefix, const char *name, const int64_t *values,
                         int count)
{
    enum { WIDEST = 100 };
    int column = WIDEST;
    star_text_add(text, "static const %s %s_%s[%d] = {", types[type_of(values, count)].type, prefix, name,
                  count);
    for (int i = 0; i < count; i++) {
        char number[32];
        int length = snprintf(number, sizeof number, "%lld,", (long long)values[i]);
        if (column + 1 + length > WIDEST) {
            star_text_add(text, "\n    %s", number);
            column = 4 + length;
        } else {
            star_text_add(text, " %s", number);
            column += 1 + length;
        }
    }
    star_text_add(text, "\n};\n");
}

int star_generate_lines(const struct star_text *text)
{
    int lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}
