/* SPDX-License-Identifier: BSD-3-Clause
 * Sets that are joined, one of whose members leads each: LEADER names, for each, itself or one that is nearer
 * to its leader. */
#pragma once

static inline int star_leader_of(int *leader, int member)
{
    while (leader[member] != member)
        member = leader[member] = leader[leader[member]];
    return member;
}
