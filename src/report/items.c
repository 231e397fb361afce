/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/items.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double star_item_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

const char *star_item_word(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

const json_t *star_item_list(const struct star_item *item)
{
    return json_object_get(item->json, item->request ? "functions" : "methods");
}

double star_item_first(const struct star_item *item)
{
    return star_item_number(item->json, item->request ? "first_seconds_per_call" : "native_seconds_per_call");
}

void star_item_attributes(const json_t *one, struct star_text *text)
{
    const char *name, *between = "";
    json_t *value;
    json_object_foreach(json_object_get(one, "attributes"), name, value)
    {
        star_text_add(text, "%s%s %s", between, name, json_string_value(value));
        between = ", ";
    }
}

char *star_item_method(const struct star_item *item, const json_t *one)
{
    const char *key = item->request ? "function" : "method", *name = star_item_word(one, key);
    const json_t *list = star_item_list(item);
    struct star_text text = {0};
    int same = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        same += strcmp(star_item_word(json_array_get(list, i), key), name) == 0;
    star_text_add(&text, "%s", name);
    if (same > 1 && json_object_get(one, "attributes") != NULL) {
        star_text_add(&text, " (");
        star_item_attributes(one, &text);
        star_text_add(&text, ")");
    }
    return text.bytes;
}

static char *name_of(const struct star_item *item)
{
    const json_t *bytes = json_object_get(item->json, "bytes");
    struct star_text text = {0};
    char size[32];
    star_text_add(&text, "%s", star_item_word(item->json, item->request ? "function_set" : "operation"));
    if (bytes != NULL)
        star_text_add(&text, ", %s bytes", star_format_bytes(json_integer_value(bytes), size, sizeof size));
    else if (!item->request)
        star_text_add(&text, ", sizes vary");
    star_text_add(&text, ", %.0f ranks%s", star_item_number(item->json, "ranks"),
                  json_is_true(json_object_get(item->json, "in_place")) ? ", in place" : "");
    return text.bytes;
}

static int by_seconds(const void *a, const void *b)
{
    double x = star_item_number(((const struct star_item *)a)->json, "seconds"),
           y = star_item_number(((const struct star_item *)b)->json, "seconds");
    return (x < y) - (x > y);
}

bool star_items_of(const json_t *report, struct star_items *items)
{
    const json_t *lists[] = {json_object_get(report, "contexts"), json_object_get(report, "requests")};
    size_t count = json_array_size(lists[0]) + json_array_size(lists[1]);
    bool whole = true;
    *items = (struct star_items){.item = calloc(count + 1, sizeof *items->item)};
    for (int l = 0; items->item && l < 2; l++)
        for (size_t i = 0; i < json_array_size(lists[l]); i++) {
            struct star_item *item = &items->item[items->count++];
            *item =
                (struct star_item){.json = json_array_get(lists[l], i), .request = l == 1, .index = (int)i};
            item->name = name_of(item);
            item->method = star_item_method(item, item->json);
            whole = whole && item->name && item->method;
        }
    if (items->item == NULL || !whole) {
        star_items_free(items);
        return false;
    }
    qsort(items->item, count, sizeof *items->item, by_seconds);
    return true;
}

void star_items_free(struct star_items *items)
{
    for (int i = 0; i < items->count; i++) {
        free(items->item[i].name);
        free(items->item[i].method);
    }
    free(items->item);
    *items = (struct star_items){0};
}
