/* SPDX-License-Identifier: BSD-3-Clause
 * A small report of a run, as text. */
#pragma once

#define REPORT_CONTEXT(bytes, method, seconds, more)                                                         \
    "{\"operation\":\"allreduce\",\"bytes\":" bytes ",\"ranks\":4,\"in_place\":false,\"commutative\":true,"  \
    "\"caller\":\"app+0x40\",\"module\":\"/nowhere/"                                                         \
    "app\",\"calls\":10,\"timed_calls\":10,\"seconds\":" seconds ",\"method\":\"" method                     \
    "\",\"tuned\":true,\"native_seconds_per_call\":0.2,\"saved_seconds\":1,"                                 \
    "\"tuning_seconds\":0.5,\"tuning_calls\":4,\"pruned\":0," more                                           \
    "\"history\":[{\"call\":5,\"at_seconds\":0.5,\"method\":\"allreduce:ring\",\"stage\":\"monitor\","       \
    "\"reason\":\"selected\",\"delta\":2,\"mean_seconds\":null}],\"agreements\":1,\"methods\":["             \
    "{\"method\":\"allreduce:native\",\"calls\":4,\"mean_seconds\":0.2,\"estimate_seconds\":0.2,"            \
    "\"left_out\":false,\"samples\":[0.21,0.19,0.2,0.2],\"wrong\":false},"                                   \
    "{\"method\":\"allreduce:ring\",\"calls\":4,\"mean_seconds\":0.1,\"estimate_seconds\":0.1,"              \
    "\"left_out\":false,\"samples\":[0.1,0.11,0.09],\"wrong\":false}]}"
/* Two of its functions have one name. CHOSEN is the value of the chosen one's attribute. */
#define REPORT_REQUEST(chosen, saved, more)                                                                  \
    "{\"function_set\":\"mine\",\"ranks\":4,\"requests\":2,\"calls\":20,\"timed_calls\":20,"                 \
    "\"seconds\":2.5,\"function\":\"move\",\"attributes\":{\"by\":\"" chosen                                 \
    "\"},\"tuned\":true,\"timer\":false,\"saved_seconds\":" saved "," more                                   \
    "\"history\":[{\"call\":5,\"at_seconds\":0.5,\"function\":\"move\",\"stage\":\"monitor\","               \
    "\"reason\":\"selected\",\"delta\":2,\"mean_seconds\":null}],\"agreements\":1,\"functions\":["           \
    "{\"function\":\"move\",\"attributes\":{\"by\":\"rows\"},\"calls\":4,\"mean_seconds\":14,"               \
    "\"estimate_seconds\":14,\"left_out\":false,\"samples\":[13,14,15]},"                                    \
    "{\"function\":\"move\",\"attributes\":{\"by\":\"points\"},\"calls\":4,\"mean_seconds\":12,"             \
    "\"estimate_seconds\":12,\"left_out\":false,\"samples\":[11,12,13]},"                                    \
    "{\"function\":\"jump\",\"attributes\":{},\"calls\":0,\"mean_seconds\":null,"                            \
    "\"estimate_seconds\":null,\"left_out\":true,\"samples\":[]}]}"
#define REPORT_OF(contexts, requests)                                                                        \
    "{\"startune\":\"0.1.0\",\"mpi\":\"M\",\"machine\":\"m\",\"program\":\"./app\",\"date\":1000,"           \
    "\"seconds\":10,\"ranks\":4,\"saved_seconds\":1,\"settings\":{},\"contexts\":[" contexts                 \
    "],\"requests\":[" requests                                                                              \
    "],\"others\":[{\"operation\":\"bcast\",\"ranks\":4,\"calls\":7}],\"left_out\":0}"
#define REPORT(contexts) REPORT_OF(contexts, "")
