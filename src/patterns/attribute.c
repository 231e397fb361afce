/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/attribute.h"
#include "functions/object.h"
#include "patterns/refuse.h"
#include "util/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void star_name_copy(char to[STAR_MAX_NAME], const char *name, const char *word, int number)
{
    if (name != NULL)
        snprintf(to, STAR_MAX_NAME, "%s", name);
    else
        snprintf(to, STAR_MAX_NAME, "%s%d", word, number);
}

int star_attribute_place(const struct star_attribute *attribute, int value)
{
    for (int i = 0; i < attribute->count; i++)
        if (attribute->values[i] == value)
            return i;
    return -1;
}

static void destroy_attribute(struct star_object *object)
{
    struct star_attribute *attribute = (struct star_attribute *)object;
    free(attribute->values);
    free(attribute->value_names);
}

static struct star_attribute *make_attribute(int count, const int values[], char *const value_names[],
                                             const char *name)
{
    struct star_attribute *made = star_object_new(STAR_KIND_ATTRIBUTE, sizeof *made, destroy_attribute);
    if (made == NULL)
        return NULL;
    made->count = count;
    made->values = malloc((size_t)count * sizeof *made->values);
    made->value_names = malloc((size_t)count * sizeof *made->value_names);
    if (made->values == NULL || made->value_names == NULL) {
        star_object_release(made);
        return NULL;
    }
    memcpy(made->values, values, (size_t)count * sizeof *values);
    star_name_copy(made->name, name, "attribute", 0);
    for (int i = 0; i < count; i++)
        star_name_copy(made->value_names[i], value_names ? value_names[i] : NULL, "", values[i]);
    return made;
}

STAR_EXPORT int STAR_Attribute_create(int count, const int values[], char *const value_names[],
                                      const char *name, STAR_Attribute *attribute)
{
    if (count < 1)
        return star_refuse(STAR_ERR_ARG, __func__, "count is %d: an attribute has a value", count);
    if (values == NULL || attribute == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "%s is NULL", values ? "attribute" : "values");
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (values[i] == values[j])
                return star_refuse(STAR_ERR_ARG, __func__, "values[%d] and values[%d] are both %d", j, i,
                                   values[i]);
    struct star_attribute *made = make_attribute(count, values, value_names, name);
    return made ? star_object_publish(made, attribute, __func__) : star_refuse_memory(__func__);
}

STAR_EXPORT int STAR_Attribute_free(STAR_Attribute *attribute)
{
    return star_object_free(STAR_KIND_ATTRIBUTE, attribute, __func__, "attribute");
}

static void destroy_attrset(struct star_object *object)
{
    struct star_attrset *attrset = (struct star_attrset *)object;
    for (int i = 0; i < attrset->count; i++)
        star_object_release(attrset->attributes[i]);
    free(attrset->attributes);
}

/* Adds the attributes one by one, so that what is there can be released. */
static int fill(struct star_attrset *made, int count, const STAR_Attribute attributes[], const char *call)
{
    made->attributes = calloc((size_t)count, sizeof *made->attributes);
    if (made->attributes == NULL)
        return star_refuse_memory(call);
    for (int i = 0; i < count; i++) {
        char argument[40];
        snprintf(argument, sizeof argument, "attributes[%d]", i);
        struct star_attribute *attribute = star_object_of(STAR_KIND_ATTRIBUTE, attributes[i], call, argument);
        if (attribute == NULL)
            return STAR_ERR_ATTRIBUTE;
        star_object_keep(attribute);
        made->attributes[made->count++] = attribute;
    }
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Attrset_create(int count, const STAR_Attribute attributes[], STAR_Attrset *attrset)
{
    if (count < 1)
        return star_refuse(STAR_ERR_ARG, __func__, "count is %d: an attribute-set has an attribute", count);
    if (attributes == NULL || attrset == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "%s is NULL", attributes ? "attrset" : "attributes");
    struct star_attrset *made = star_object_new(STAR_KIND_ATTRSET, sizeof *made, destroy_attrset);
    if (made == NULL)
        return star_refuse_memory(__func__);
    int error = fill(made, count, attributes, __func__);
    if (error == STAR_SUCCESS)
        return star_object_publish(made, attrset, __func__);
    star_object_release(made);
    return error;
}

STAR_EXPORT int STAR_Attrset_free(STAR_Attrset *attrset)
{
    return star_object_free(STAR_KIND_ATTRSET, attrset, __func__, "attrset");
}
