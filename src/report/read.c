/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/read.h"
#include "report/check.h"
#include "util/file.h"

int star_report_parse(const char *bytes, size_t length, const char *name, json_t **report,
                      struct star_why *why)
{
    json_error_t wrong;
    *report = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &wrong);
    if (*report == NULL)
        return star_because(why, STAR_EINPUT, "%.150s:%d: %.150s", name, wrong.line, wrong.text);
    int error = star_schema_check(STAR_SCHEMA_REPORT, *report, name, why);
    if (error) {
        json_decref(*report);
        *report = NULL;
    }
    return error;
}

int star_report_read(const char *path, json_t **report, struct star_why *why)
{
    struct star_text text = {0};
    *report = NULL;
    int error = star_file_read(path, &text, why);
    if (!error)
        error =
            star_report_parse(text.bytes ? text.bytes : "", text.length, star_file_name(path), report, why);
    star_text_free(&text);
    return error;
}
