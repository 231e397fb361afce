# SPDX-License-Identifier: BSD-3-Clause
"""No global variable that changes but those named here: test_globals.py SOURCES BUILD NM

By the sections of the objects' symbols: what stands in .data, .bss and their like of threads can be written. Fails, too,
where a variable named here is no more."""
import os
import re
import subprocess
import sys

from test_rooms import BUILD, NM, objects

WRITTEN = re.compile(r"\.(t?data|t?bss)(\.(?!rel\.ro)|$)|\*COM\*")

# Why → which, one file a line. A lock beside what it locks needs no reason of its own.
ALLOWED = {
    "the run's one handle, and what is read of it at every call": """
        src/runtime/session.c star_runtime star_active star_active_by_name star_before_end
        src/runtime/sessions.c lock
        src/runtime/start.c lock once""",
    "functions and facts of the MPI library, found once and the same for whoever finds them": """
        src/exec/native.c star_native
        src/exec/own.c star_own_leave_out
        src/exec/library.c known
        src/exec/execute.c star_execute_fetched
        src/exec/general.c general star_general_held
        src/exec/look.c asked
        src/interpose/tool.c star_tool
        src/interpose/opened.c behind counts
        src/interpose/rebound.c known
        src/runtime/device.c known lock looked""",
    "of a thread, or looked at by all threads at every call": """
        src/runtime/brief.c briefs suited
        src/runtime/communicator.c star_generation star_seen_lately
        src/runtime/freeing.c count freeing lock
        src/runtime/idup.c some
        src/runtime/operators.c last
        src/runtime/pause.c paused
        src/runtime/watch.c watched
        src/runtime/samples.c sample star_samples_open
        src/runtime/site.c known lately lock turn""",
    "where there is no memory left": """
        src/runtime/aside.c count first lock
        src/runtime/backlog.c spare_background_objects spare_background_taken spare_context_objects spare_context_taken
        src/runtime/communicator.c spare_objects spare_taken
        src/runtime/errand.c spare_objects spare_taken
        src/runtime/making.c stubs_objects stubs_taken
        src/runtime/notice.c spare_objects spare_taken
        src/runtime/talk.c spare_objects spare_taken""",
    "of the library that counts who talks to whom, which has no session": """
        src/matrix/count.c aside begun matrix native once tool
        src/matrix/peers.c known lately
        src/matrix/started.c lists""",
    "lists of what lives: communicators, requests, handles that programs hold; and how much of it": """
        src/exec/nameless.c mapped
        src/runtime/backlog.c all moves star_backlog_held
        src/runtime/ids.c lock most next taken
        src/runtime/lent.c all lock
        src/runtime/notice.c lock opened outstanding polls unused
        src/runtime/persistent.c all lock star_persistents
        src/runtime/opened.c opened opened_lock
        src/runtime/staging.c lock
        src/patterns/predefined.c lock sets
        src/patterns/sharing.c choices choices_lock made measures
        src/functions/object.c chunks table""",
    "what rank 0 has read or found out for all, until the end": """
        src/runtime/leave.c leave
        src/runtime/machine.c known
        src/runtime/maps.c map
        src/runtime/nodes.c apart hosts world_node
        src/runtime/places.c by_address topology world_machine
        src/runtime/surroundings.c texts
        src/runtime/wisdom.c wisdom""",
    "what is told at the end, gathered until then": """
        src/runtime/info.c gone lock
        src/runtime/lasting.c count rows
        src/runtime/ledger.c few full full_requests ledger lock
        src/runtime/remember.c remember
        src/runtime/warn.c kept seen""",
    "a message is said once": """
        src/interpose/opened.c said
        src/patterns/refuse.c said
        src/runtime/warn.c said""",
    "begins before MPI does, when there is no session": """
        src/runtime/presence.c begins locked name roll""",
    "the C library's": """
        src/util/numerals.c once plain
        src/util/voice.c line voice""",
}

# The command is a process of its own: all of it ends with one call.
COMMAND = {
    "what options say: the tables of options have its address": """
        cli/commands/check.c ask found
        cli/commands/export/export.c ask
        cli/commands/list/list.c as_json as_markdown
        cli/commands/map/ask.c cli_map_ask
        cli/commands/place/place.c ask
        cli/commands/plan/plan.c ask
        cli/commands/replay/replay.c replay
        cli/commands/report/runs.c cli_report_ask
        cli/commands/settings.c as_json doubts strictly
        cli/commands/topo/ask.c cli_topo_ask
        cli/commands/topo/bound.c of
        cli/commands/wisdom/ask.c cli_wisdom_ask
        cli/common/bench_question.c bench_question
        cli/common/options.c given givens
        cli/common/settings.c cli_settings_check cli_settings_doubt cli_settings_now cli_settings_origins file_is_missing file_is_option reading
        cli/common/tune_question.c tune_question
        cli/completion.c typed
        cli/helpers/discover/main.c ask
        cli/helpers/wisdom/main.c asked
        cli/start/main.c words""",
    "signal handlers are given nothing": """
        cli/helpers/bench/main.c interrupted stopped
        cli/helpers/tune/main.c interrupted""",
    "who speaks, and when it did": """
        cli/common/messages.c speaker
        cli/common/progress.c said
        cli/helpers/tune/say.c begin""",
    "what is measured, and too large for the stack": """
        cli/commands/map/encode.c bytes ranks
        cli/helpers/bench/main.c done ground printed
        cli/helpers/bench/record.c here trace traces wanted
        cli/helpers/calibrate/main.c ranks
        cli/helpers/discover/streams.c block
        cli/helpers/tune/orders.c compared""",
}


def variables(found):
    """(file, name) of all that can be written; of a function's own, name.7, the name. And the files of which it is known: what
    the compiler has left to the linker has no sections."""
    source = {path: name for name, path in found.items()}
    paths, written, known = sorted(source), set(), set()
    for first in range(0, len(paths), 200):
        said = subprocess.run([NM, "-f", "sysv", *paths[first:first + 200]], capture_output=True, text=True, check=True).stdout
        for line in said.splitlines():
            begins = re.match(r"Symbols from (.*):$", line)
            if begins:
                name = source[begins[1]]
            fields = [field.strip() for field in line.split("|")]
            if len(fields) == 7 and fields[6].startswith("."):
                known.add(name)
            if len(fields) == 7 and WRITTEN.match(fields[6]):
                written.add((name, re.sub(r"\.\d+$", "", fields[0])))
    return written, known


def main():
    allowed = set()
    for table in (ALLOWED, COMMAND):
        for lines in table.values():
            for line in lines.split("\n"):
                file, *names = line.split() or [""]
                allowed |= {(file, name) for name in names}
    # As all link them where there are several; the build for SMPI is one for tests.
    written, known = variables(objects(r"/startune(?!-smpi\.)") | objects(r"/startune-(core|runtime-\w+)\.dir/"))
    allowed = {(file, name) for file, name in allowed if file in known}
    for file, name in sorted(written - allowed):
        print(f"{file}: {name} can be written: give it to whoever needs it, or name it in {os.path.basename(__file__)}, "
              "with a reason", file=sys.stderr)
    for file, name in sorted(allowed - written):
        print(f"{file}: {name} is not there, or constant: take it off the list", file=sys.stderr)
    return 1 if written != allowed else 0


sys.exit(main())
