# SPDX-License-Identifier: BSD-3-Clause
"""Programs with datatypes of their own, natively and under startune: datatypes.py BUILD MPI SCENARIO."""
import itertools
import json
import os
import re
import subprocess

from jobs import Run, build, expect, fail, main, methods, mpi, program, report, some, startune, tuned

every = ["--strategy", "exhaustive", "--iter", "1", "--warmup", "0", "--tune-after", "0"]
ways = [[], every, ["--reproducible", "order", *every], ["--verify", *every]]
layouts = ("columns", "columns-before", "columns-elsewhere", "columns-of-blocks", "struct", "huge", "still", "columns+dense")


def right(run, warnings=0):
    """All numbers are, and there are some."""
    lines = run.out.splitlines()
    if expect(run, warnings=warnings) and (not lines or any(not line.endswith(": 0 wrong") for line in lines)):
        fail(f"{run.words}: numbers are wrong", run.out)


def interleaved():
    """Reductions of elements that lie one in the other, far apart, in one place; other layouts on other ranks."""
    words = {layout: [program("woven"), layout, 60] for layout in layouts}
    for ranks, layout in some(itertools.product((4, 2), layouts), 3):
        right(Run(ranks, words[layout]))
    # Each layout in one way in turn.
    for ranks, layout, options in some(itertools.product((4, 2), layouts, ways), 5):
        run = Run(ranks, tuned(options, words[layout]))
        right(run, warnings=int(layout == "huge" and "--verify" in options)) # copies would take too much


def turns(in_order):
    """Every algorithm that serves any four ranks, on whatever caches they run, one of each reduction at a time."""
    rows = json.loads(subprocess.run([startune, "list", "--json"], capture_output=True, text=True, check=True).stdout)
    by_operation = {}
    for row in rows:
        reduces = re.match(".*(reduce|scan)", row["operation"])
        if reduces and row["name"] not in ("native", "shared_levels") and not (row["mockup"] or row["nodes"] or row["network"] or
                                                        (in_order and row["commutative_only"])):
            by_operation.setdefault(row["operation"], []).append(f"{row['operation']}:{row['name']}")
    for i in range(max(map(len, by_operation.values()))):
        yield " ".join(names[i % len(names)] for names in by_operation.values())


def by_each_method():
    """What the MPI libraries cannot do: blocks that overlap where they are sent, and operators that copy whole structs
    with more in front and behind than others have room for."""
    for layout in ("padded", "columns-of-blocks", "still"):
        for in_order in (False, True):
            for forced in some(turns(in_order), 3):
                words = [program("woven"), layout, 6, "all" if in_order else "commutative"]
                right(Run(4, tuned(["--tune-after", "0", "--force", forced], words)))


def idioms():
    """What programs do, and what the MPI library says of it."""
    aliased = ("allreduce", "reduce", "scan", "allgather", "gather", "reduce_scatter_block")
    for what in (["columns", 40], ["empties", 60], ["insignificant", 60], *(["alias", 60, name] for name in aliased)):
        words = [program("idioms"), *what]
        native = Run(4, words)
        refused_at_root = ", 0 refused" not in native.out and what[-1] in ("reduce", "gather")
        if expect(native):
            for options in ([],) if refused_at_root else ([], every):
                expect(Run(4, tuned(options, words)), out=native.out, warnings=0)


def constants():
    """What is broadcast lies in memory that cannot be written: no method writes the root's buffer."""
    words = [program("idioms"), "constants", 60]
    native = Run(4, words)
    expect(native)
    for name in sorted({spelling.split(",")[0] for spelling in methods() if spelling.startswith("bcast:")}):
        expect(Run(4, tuned(["--force", name], words)), out=native.out)


def passing():
    """Types made for one call: what is remembered of a handle is not what the next one of that handle is."""
    words = [program("passing"), 700]
    right(Run(4, words))
    native = ["--sample", "100000", "--methods", "bcast:native allgather:native alltoall:native scatter:native gather:native"]
    for ranks, options in ((4, []), (4, every), (2, native), (3, [*native, "--sizes", "1"]), (3, ["--sizes", "1", *every])):
        right(Run(ranks, tuned(options, words)))
    for forced in ("bcast:binomial allgather:ring alltoall:ring scatter:linear gather:linear",
                   "bcast:linear allgather:mesh2d alltoall:bruck scatter:knomial gather:knomial"):
        right(Run(4, tuned(["--tune-after", "0", "--force", forced], words)))


def verified():
    """--verify compares results of the program's operators, too, and says at the end what it has compared."""
    for layout in ("columns", "struct", "dense"):
        run, found = report(4, ["--verify", *every], [program("woven"), layout, 60])
        right(run)
        told = re.search(r"startune: verified: (\d+) methods in (\d+) first uses: all equal$", run.err, re.M)
        if not told or not found:
            fail(f"{run.words}: does not say what was verified", run.err)
            continue
        compared, uses = map(int, told.groups())
        rows = found["verified"]
        if compared < 20 or uses < compared or len(rows) != compared or sum(row["first_uses"] for row in rows) != uses:
            fail(f"{run.words}: {compared} methods, {uses} uses", json.dumps(rows)[:2000])
        if any(row[what] for row in rows for what in ("wrong", "within_rounding", "result_not_compared", "not_verified")):
            fail(f"{run.words}: not all are equal", json.dumps(rows)[:2000])
    run, found = report(4, ["--verify", *every], [program("bits")])
    if expect(run) and not re.search(r"startune: verified: .*: all equal; \d+ within rounding$", run.err, re.M):
        fail(f"{run.words}: does not say what was compared within rounding", run.err)
    run, found = report(4, [], [program("bits")])
    if expect(run) and ("verified" in run.err or "verified" in found):
        fail(f"{run.words}: says that it has verified", run.err)


def fortran():
    """Types of selectable precision."""
    words = [os.path.join(build, "tests", "fortran", mpi, "kinds")]
    native = Run(4, words)
    if expect(native, out="kinds: 0 wrong\n"):
        for options in ways:
            expect(Run(4, tuned(options, words)), out=native.out, warnings=0)


main(globals())
