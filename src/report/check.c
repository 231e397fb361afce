/* SPDX-License-Identifier: BSD-3-Clause
 * The published schemas say what a file must hold; then those that use it need not look twice. Of JSON Schema
 * what these use is understood. */
#include "report/check.h"

#include <string.h>

/* The files as they are. */
#define EMBED(name)                                                                                          \
    __asm__(".pushsection .rodata\n"                                                                         \
            "star_schema_" #name ":\n"                                                                       \
            ".incbin \"" STARTUNE_SCHEMAS "/" #name ".json\"\n"                                              \
            "star_schema_" #name "_end:\n"                                                                   \
            ".popsection\n");                                                                                \
    extern const char star_schema_##name[], star_schema_##name##_end[]
EMBED(report);
EMBED(wisdom);

static const char *words_of(const char *type)
{
    static const char *const words[][2] = {{"string", "a text"},
                                           {"number", "a number"},
                                           {"boolean", "a truth"},
                                           {"array", "a list"},
                                           {"object", "an object"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], type) == 0)
            return words[i][1];
    return "a whole number, 0 or more";
}

static bool is_of_type(const json_t *value, const char *type)
{
    return strcmp(type, "string") == 0    ? json_is_string(value)
           : strcmp(type, "number") == 0  ? json_is_number(value)
           : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
           : strcmp(type, "array") == 0   ? json_is_array(value)
           : strcmp(type, "object") == 0  ? json_is_object(value)
           : strcmp(type, "null") == 0    ? json_is_null(value)
                                          : json_is_integer(value);
}

/* The type may be a list of some. */
static bool fits(const json_t *schema, const json_t *value)
{
    const json_t *type = json_object_get(schema, "type"), *least = json_object_get(schema, "minimum"),
                 *words = json_object_get(schema, "enum");
    const json_t *constant = json_object_get(schema, "const");
    bool is_so = constant ? json_equal(constant, value)
                          : json_is_string(type) && is_of_type(value, json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++)
        is_so = is_so || is_of_type(value, json_string_value(json_array_get(type, i)));
    for (size_t i = 0; words && !is_so && i < json_array_size(words); i++)
        is_so = json_equal(json_array_get(words, i), value);
    return is_so && !(least && json_is_number(value) && json_number_value(value) < json_number_value(least));
}

/* Of several types the first. */
static const char *type_words(const json_t *schema)
{
    const json_t *type = json_object_get(schema, "type"), *first = json_array_get(type, 0);
    const char *word = json_string_value(first ? first : type);
    return words_of(word ? word : "string");
}

static int refuse(const json_t *schema, const char *key, const json_t *value, struct star_why *why)
{
    return star_because(why, STAR_EINPUT, "'%.100s' is %s: %s%s is good", key,
                        value ? "of another kind" : "missing", type_words(schema),
                        json_is_array(json_object_get(schema, "type")) ? " or null" : "");
}

static int check_members(const json_t *schema, const json_t *object, struct star_why *why);

/* The elements of the list KEY. */
static int check_elements(const json_t *schema, const char *key, const json_t *list, struct star_why *why)
{
    struct star_why wrong;
    for (size_t i = 0; schema && i < json_array_size(list); i++) {
        const json_t *element = json_array_get(list, i);
        if (!fits(schema, element))
            return star_because(why, STAR_EINPUT, "%s %zu: not %s", key, i + 1, type_words(schema));
        int error = check_members(schema, element, &wrong);
        if (error)
            return star_because(why, error, "%s %zu: %.250s", key, i + 1, wrong.text);
    }
    return 0;
}

static int check_member(const json_t *schema, const char *key, const json_t *value, struct star_why *why)
{
    if (!fits(schema, value))
        return refuse(schema, key, value, why);
    struct star_why wrong;
    int error = check_members(schema, value, &wrong);
    if (error)
        return star_because(why, error, "'%.100s': %.250s", key, wrong.text);
    return check_elements(json_object_get(schema, "items"), key, value, why);
}

static int check_members(const json_t *schema, const json_t *object, struct star_why *why)
{
    json_t *members = json_object_get(schema, "properties"),
           *other = json_object_get(schema, "additionalProperties"), *of;
    const json_t *needed = json_object_get(schema, "required");
    const char *key;
    int error = 0;
    for (size_t i = 0; i < json_array_size(needed); i++) {
        key = json_string_value(json_array_get(needed, i));
        if (json_object_get(object, key) == NULL)
            return refuse(json_object_get(members, key), key, NULL, why);
    }
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        of = json_object_get(members, key);
        of = of ? of : other;
        if (json_is_object(of))
            error = check_member(of, key, value, why);
        if (error)
            return error;
    }
    return 0;
}

int star_schema_check(enum star_schema of, const json_t *document, const char *name, struct star_why *why)
{
    static const struct {
        const char *begin, *end, *what;
    } schemas[] = {{star_schema_report, star_schema_report_end, "report of a run"},
                   {star_schema_wisdom, star_schema_wisdom_end, "facts of wisdom"}};
    struct star_why wrong = {"out of memory"};
    json_t *schema = json_loadb(schemas[of].begin, (size_t)(schemas[of].end - schemas[of].begin), 0, NULL);
    int error = schema ? 0 : STAR_EMEMORY;
    if (!error && !fits(schema, document))
        error = star_because(&wrong, STAR_EINPUT, "not an object");
    if (!error)
        error = check_members(schema, document, &wrong);
    json_decref(schema);
    return error ? star_because(why, error, "%.100s: no %s: %.250s", name, schemas[of].what, wrong.text) : 0;
}
