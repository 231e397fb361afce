# SPDX-License-Identifier: BSD-3-Clause
"""What must end as natively, whatever happens to startune: natively.py BUILD MPI SCENARIO."""
import itertools
import os
import signal
import stat
import subprocess
import sys
import time

from jobs import Run, at_once, build, expect, fail, main, mpi, mpirun, program, programs, report, scratch, some, startune, tuned

library = os.path.join(build, "lib", f"libstartune-{mpi}.so")


def script(name, text):
    path = os.path.join(scratch.name, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write("#!/bin/sh\n" + text)
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path


def waited_for():
    """Does process 1 wait for processes whose parents have ended? In containers it often does not."""
    with open("/proc/1/status", encoding="ascii") as file:
        signals = [int(line.split()[1], 16) for line in file if line.startswith(("SigBlk", "SigIgn", "SigCgt"))]
    return os.stat("/proc/self/ns/pid").st_ino == 0xeffffffc or any(each >> signal.SIGCHLD - 1 & 1 for each in signals)


def scripts():
    """A script is the process that the launcher started, leads its group, and gets each signal once."""
    named = ["--mpi", "abi"] if mpi == "abi" else []
    leading = script("leading", "sleep 500 &\n\"$@\" || exit\ntrap '' TERM\n"
                     "kill -s TERM -- -$$\nwait\necho \"no other is left\"\n")
    signalled = script("signalled", "trap 'echo signalled' USR1\n\"$@\" || exit\nkill -s USR1 0\nsleep 1\n"
                       "echo \"own children: $(ps -o pid= --ppid $$ | wc -l)\"\n")
    killed = script("killed", "\"$@\" || exit\nkill -s SEGV $$\n")
    for each in (leading, signalled, killed):
        words = [each, program("preloaded"), 20]
        native, run = at_once(lambda *words: Run(2, words, 60), words, tuned(named, words))
        if native.status is None:
            continue
        if sorted(run.out.splitlines()) != sorted(native.out.splitlines()) and each != killed or run.status != native.status:
            fail(f"{each}: natively {native.status} {native.out}, and tuned", run.status, run.out, run.err)
    short = script("short", "ulimit -f 0\nexport OMPI_MCA_btl=tcp,self\n\"$@\"\n")  # without shared memory of the MPI library's
    full = script("full", "mount -t tmpfs -o size=4k none /dev/shm && head -c 9999 /dev/zero > /dev/shm/full\n"
                  "exec \"$@\"\n")
    for before, inside in (([], short), (["unshare", "--mount", full], script("tcp", "export OMPI_MCA_btl=tcp,self\n\"$@\"\n"))):
        words = [inside, program("preloaded"), "20"]
        native, run = (subprocess.run([*before, mpirun, build, mpi, "2", *each], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True, check=False) for each in (words, tuned(named, words)))
        if native.returncode == 0 and (run.returncode != 0 or run.stdout != native.stdout or "ran untuned" in run.stderr):
            fail(f"{before} {inside}: natively {native.stdout}, and tuned", run.returncode, run.stdout, run.stderr)
    container = ["unshare", "--pid", "--fork", "--mount-proc"]
    if subprocess.run([*container, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        count = ("import os, subprocess, sys; subprocess.run(sys.argv[1:]); "
                 "print(sum(') Z ' in open(f'/proc/{p}/stat').read() for p in os.listdir('/proc') if p.isdigit()), 'zombies')")
        words = [mpirun, build, mpi, "2", *tuned(named, [script("plain", "exec \"$@\"\n"), program("preloaded"), "20"])]
        job = subprocess.run([*container, sys.executable, "-c", count, *words], stdout=subprocess.PIPE, text=True, check=False)
        if "0 zombies\n" not in job.stdout:
            fail("a container whose first process waits for none but its own", job.stdout)


def wrappers():
    """A tool by LD_PRELOAD for one rank or for all, which takes startune's place; startune before one program of two."""
    tool = os.path.join(programs, "libscarce.so")
    one = script("one", 'if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ]; then export LD_PRELOAD=' + tool + '; fi\nexec "$@"\n')
    every = script("every", f"export LD_PRELOAD={tool}\n$*\n")
    native = Run(3, [program("preloaded"), 20])
    expect(native)
    named = ["--mpi", "abi"] if mpi == "abi" else []  # of a script the launcher tells which library is meant
    if named:
        run = Run(3, tuned([], [script("plain", "exec \"$@\"\n"), program("preloaded"), 20]), 60)
        if run.status in (0, None) or "use the mpirun of a library that has it, with startune run --mpi abi\n" not in run.err:
            fail("a script that runs a program of the standard ABI is not refused", run.out, run.err)
    plain = [program("preloaded"), "20"]
    wrapped = lambda wrapper: Run(3, tuned(named, [wrapper, *plain]), 60)
    mix = lambda words: Run(1, [*words, ":", "-n", "2", *plain], 60)  # one program of two by these words
    *runs, both, mixed = at_once(lambda run, of: run(of), (wrapped, one), (wrapped, every), (mix, plain), (mix, tuned([], plain)))
    for wrapper, run, said in zip((one, every), runs, ("1 of 3 ranks on this node run without startune", "the program ran untuned")):
        expect(run, out=native.out)
        lines = [line for line in run.err.splitlines() if said in line]
        if len(lines) != (1 if wrapper == one or waited_for() else 0):
            fail(f"{wrapper}: {said!r} is said {len(lines)} times", run.err)
    if both.status != 0:
        return  # Debian 13's mpirun of Open MPI does not survive two programs
    expect(mixed, out=native.out)
    if "2 of 3 ranks on this node run without startune" not in mixed.err:
        fail("startune before one program of two says nothing", mixed.err)


def differ_in_length(calls, operations):
    """Ranks give different lengths after so many right calls: each is told what the MPI library tells it, and nobody hangs. Natively
    some hang, and are left out: all are waited for at once, as long as they take one after the other, and five seconds more."""
    cases = [[program("lengths"), operation, calls, which] for operation in operations for which in (0, 1)]
    begin = time.monotonic()
    expect(Run(3, [program("preloaded"), 20]))
    seconds = 5 + len(cases) * (time.monotonic() - begin)
    natives = at_once(lambda *words: Run(3, words, seconds), *cases)
    survived = [(words, native) for words, native in zip(cases, natives) if native.status == 0]
    if not survived:
        fail("natively none survives it", *(f"{native.words}: {native.status} {native.err}" for native in natives))
    for words, native in survived:
        run = Run(3, tuned([], words), 60)
        if sorted(run.out.splitlines()) != sorted(native.out.splitlines()) or run.status != 0:
            fail(f"{native.words}: natively {native.out}, and tuned", run.status, run.out, run.err)


def lengths():
    """At the first call."""
    differ_in_length(0, ("bcast", "gather", "scatter", "reduce", "allreduce", "allgather", "alltoall"))


def longer():
    """Receivers leave more room than is sent to them, which MPI libraries let pass: ranks begin to tune together all the same."""
    words = [program("longer"), "scatter"]
    native = Run(3, words, 20)
    if native.status == 0:
        run = Run(3, tuned([], words), 60)
        if sorted(run.out.splitlines()) != sorted(native.out.splitlines()) or run.status != 0:
            fail(f"natively {native.out}, and tuned", run.status, run.out, run.err)


def ordinary():
    """An ordinary program, and one of a mistake after many right calls."""
    for calls in (40, 400):
        native = Run(3, [program("preloaded"), calls])
        expect(native)
        expect(Run(3, tuned([], [program("preloaded"), calls])), out=native.out)
    differ_in_length(200, ("bcast", "allreduce", "alltoall"))


def scarce(ranks, native, words, at, rank=1, on=0, what="memory", **settings):
    """On one rank something of startune's fails for the AT-th time; ON: and ever after. The program goes on."""
    # As tests/support/mpirun does, MPICH's ranks give away the processor while they wait.
    preload = ":".join([os.path.join(build, "tests/yield.so"), os.path.join(programs, "libscarce.so"), library])
    run = Run(ranks, ["env", f"LD_PRELOAD={preload}", "STARTUNE=on", "STARTUNE_SUMMARY=off", f"SCARCE_WHAT={what}",
                      f"SCARCE_AT={at}", f"SCARCE_RANK={rank}", f"SCARCE_ON={on}", *(f"{k}={v}" for k, v in settings.items()),
                      *words], 60)
    if run.status != 0 or run.out != native:
        fail(f"{words[0]}: {what} {at} of rank {rank}, on {on}: {run.status}", run.out, run.err)


def allocations():
    """One allocation of startune's fails on one rank; or, from there on, all."""
    words = [program("preloaded"), 6]
    native = Run(3, words)
    expect(native)
    for at in some([*range(1, 60, 4), *range(60, 200, 12)], 2):
        for on in (0, 1):
            scarce(3, native.out, words, at, on=on)
    words = [program("mixture"), 3, 100]
    native = Run(2, words)
    expect(native)
    for at in some(range(3, 60, 3), 3):
        for on in (0, 1):
            scarce(2, native.out, words, at, rank=0, on=on, STARTUNE_NONBLOCKING="shared")


def reordering():
    """The same while ranks are reordered, on the rank that decides and on another; without anything to read at the beginning,
    the fourth allocation was for nothing."""
    words = [program("reordered"), 1, 5, "any"]
    for at in [4, *some(range(6, 100, 6), 2)]:
        for rank in (0, 1):
            scarce(4, "", words, at, rank, STARTUNE_NODES="cyclic:2", OMPI_MCA_topo="basic")
    scarce(4, "", words, 3, what="PMPI_Group_translate_ranks", STARTUNE_NODES="cyclic:2", OMPI_MCA_topo="basic")


def handles():
    """The same of what the MPI library makes for startune."""
    words = [program("preloaded"), 6]
    native = Run(3, words)
    expect(native)
    for what, times in (("PMPI_Comm_set_attr", (1, 2, 9, 30)), ("PMPI_Comm_set_errhandler", (1, 2, 3)), ("PMPI_Comm_group", (1, 4)),
                        ("PMPI_Group_translate_ranks", (1, 4)), ("PMPI_Type_contiguous", (1,)), ("PMPI_Type_commit", (1,))):
        for at in times:
            scarce(3, native.out, words, at, what=what)
    scarce(3, native.out, words, 1, on=1, what="PMPI_Comm_set_attr")


def alone():
    """One rank of a node cannot share memory with the others; at the beginning, where they wait for it, or later."""
    words = [program("preloaded"), 6]
    native = Run(3, words)
    expect(native)
    at_once(lambda at, on: scarce(3, native.out, words, at, on=on, what="maps"), *itertools.product((1, 2, 3, 5), (0, 1)))


def huge():
    """Elements of so huge an extent that there are no addresses for temporaries of them, once each element lies at its place."""
    for methods in ("rdb linear chain", "reduce_bcast binomial linear", "multiplying in_order_binary recursive_doubling", "shared shared binomial",
                    "linear linear chain"):
        allreduce, reduce, scan = methods.split()
        force = f"allreduce:{allreduce} reduce:{reduce} scan:{scan}"
        expect(Run(4, tuned(["--force", force], [program("huge"), 2, 4]), 60), out="0 wrong\n")
    if Run(4, [program("huge"), 1, 4], 60).out == "0 wrong\n":  # of one, some libraries look at what it holds
        expect(Run(4, tuned([], [program("huge"), 1, 200]), 100), out="0 wrong\n")


def limited():
    """Short files, few addresses, and all memory locked: what startune shares leaves the program what it needs."""
    for what in ("files", "addresses", "locked"):
        words = [program("limited"), what]
        expect(Run(3, words))
        for options in ([], ["--force", "alltoall:shared"]):
            expect(Run(3, tuned(options, words)))


def namesakes():
    """A program that has functions by names of the C library's: startune calls none of them."""
    words = [program("namesakes")]
    native = Run(3, words)
    expect(native)
    for options in ([], ["--nonblocking", "shared"], ["--force", "alltoall:shared"], ["--wisdom", os.path.join(scratch.name, "wisdom")],
                    ["--log", "decisions"], ["--strategy", "hypothesis"], ["--matrix"]):
        expect(Run(3, tuned(options, words)), out=native.out)
    report(3, [], words)


def watched():
    """Who waits for another rank says so, once, and goes on when it comes."""
    waited, *others = at_once(lambda seconds, late: Run(2, tuned(["--watchdog", seconds], [program("late"), late]), 60), (1, 3), (0, 2), (30, 2))
    lines = [line for line in waited.err.splitlines() if "has waited 1 s in MPI_Allreduce on MPI_COMM_WORLD (2 ranks)" in line]
    if expect(waited, out="2\n") and len(lines) != 1:
        fail("the watchdog is silent, or says it again", waited.err)
    for run in others:
        if expect(run, out="2\n") and "has waited" in run.err:
            fail(f"{run.words}: a warning", run.err)


main(globals())
