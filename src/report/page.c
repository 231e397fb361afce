/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

/* page.html, as it is. */
__asm__(".pushsection .rodata\n"
        "star_page_begin:\n"
        ".incbin \"" STARTUNE_PAGE "\"\n"
        "star_page_end:\n"
        ".popsection\n");
extern const char star_page_begin[], star_page_end[];

/* Where the report stands in the page. */
static const char mark[] = "{\"the report\": 0}";

/* In a script, only '<' could be taken for something else than JSON. */
static void add_report(struct star_text *text, const char *json)
{
    for (const char *c = json; *c; c++)
        if (*c == '<')
            star_text_add(text, "\\u003c");
        else
            star_text_append(text, c, 1);
}

void star_report_page(const json_t *report, struct star_text *text)
{
    size_t length = (size_t)(star_page_end - star_page_begin);
    const char *at = memmem(star_page_begin, length, mark, sizeof mark - 1), *after = at + sizeof mark - 1;
    char *json = json_dumps(report, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (json == NULL) {
        text->failed = true;
        return;
    }
    star_text_append(text, star_page_begin, (size_t)(at - star_page_begin));
    add_report(text, json);
    star_text_append(text, after, (size_t)(star_page_end - after));
    free(json);
}
