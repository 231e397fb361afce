/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/fill.h"
#include "patterns/attribute.h"
#include "functions/object.h"

#include <stdlib.h>
#include <string.h>

struct star_function *star_predefined_function(struct star_fnctset *fnctset, const char *name,
                                               const int *values, bool overlaps)
{
    /* Never destroyed: nobody gives the first reference back. */
    struct star_function *made = star_object_new(STAR_KIND_FUNCTION, sizeof *made, NULL);
    size_t count = fnctset->attrset ? (size_t)fnctset->attrset->count : 0;
    struct star_function **room =
        realloc(fnctset->functions, ((size_t)fnctset->count + 1) * sizeof(struct star_function *));
    if (room != NULL)
        fnctset->functions = room;
    if (made != NULL)
        made->values = calloc(count + 1, sizeof *values);
    if (room == NULL || made == NULL || made->values == NULL) {
        free(made);
        return NULL;
    }
    star_name_copy(made->name, name, NULL, 0);
    if (count > 0)
        memcpy(made->values, values, count * sizeof *values);
    made->attrset = fnctset->attrset;
    made->overlaps = overlaps;
    return room[fnctset->count++] = made;
}

struct star_attrset *star_predefined_attrset(int count, STAR_Attribute attributes[])
{
    STAR_Attrset attrset;
    if (STAR_Attrset_create(count, attributes, &attrset) != STAR_SUCCESS)
        return NULL;
    for (int i = 0; i < count; i++)
        STAR_Attribute_free(&attributes[i]);
    return (struct star_attrset *)star_handle_drop((intptr_t)attrset);
}
