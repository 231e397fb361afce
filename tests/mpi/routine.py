# SPDX-License-Identifier: BSD-3-Clause
"""Customised routines, compiled as a user would, without startune: routine.py BUILD MPI SCENARIO."""
import json
import os
import subprocess

from jobs import Run, build, expect, fail, here, main, mpi, scratch, some, startune

compiler = os.environ["STARTUNE_CC"]
FUNCTIONS = {name.lower(): name for name in (
    "Alltoall Alltoallv Alltoallw Allgather Allgatherv Allreduce Bcast Reduce Reduce_scatter_block Reduce_scatter Gather "
    "Gatherv Scatter Scatterv Scan Exscan Barrier").split()}
RANKS = 9
TOPOLOGY = "switch a\nswitch b\nlink a b 1000\n" + "".join(
    f"host n{i} {'ab'[i % 2]} 1000\n" for i in range((RANKS + 1) // 2))


def path(name):
    return os.path.join(scratch.name, name)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode or "warning" in done.stderr:
        fail(" ".join(str(word) for word in words), done.stderr)
    return done


def algorithms():
    """Of each operation, its algorithms but the MPI library's own and mock-ups, each with other values of its knobs."""
    of = {name: [] for name in FUNCTIONS}
    for row in json.loads(run(startune, "list", "--json").stdout):
        if row["name"] != "native" and not row["mockup"]:
            turn = len(of[row["operation"]])
            knobs = [f",{knob['name']}={knob['values'][turn % len(knob['values'])]}" for knob in row["knobs"]]
            of[row["operation"]].append(f"{row['operation']}:{row['name']}{''.join(knobs)}")
    return of


def map_of(methods):
    """A map that says one method each for everything."""
    points = "".join(f"operation {method.split(':')[0]}\npoint 4 1024 grid\nwinner {method} 1e-05 3\n" for method in methods)
    return f"startune map 1\n{points}end {len(methods)}\n"


def export(name, methods, pattern):
    code = path(f"{name}.c")
    done = run(startune, "export", "--format", "routine", "--topology", write("net.topo", TOPOLOGY), "--name", pattern,
               write(f"{name}.map", map_of(methods)), "-o", code)
    if done.stderr:
        fail(f"{methods}: something is left out", done.stderr)
    return code


def compile_to(output, *words):
    run(compiler, "-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", f"-I{here}", *words, "-o", output)
    return output


def every_algorithm():
    """All in one program, which none of them disturbs."""
    of, objects, silent = algorithms(), [], []
    for turn in range(max(len(methods) for methods in of.values())):
        here_too = {name: methods[turn] for name, methods in of.items() if turn < len(methods)}
        code = export(f"turn{turn}", here_too.values(), f"T{turn}_*")
        with open(code, "a") as file:
            fields = "".join(f"    .{FUNCTIONS[name]} = T{turn}_{FUNCTIONS[name]},\n" for name in here_too)
            file.write(f'#include "each.h"\nextern const struct each_functions turn_{turn};\n'
                       f"const struct each_functions turn_{turn} = {{\n{fields}}};\n")
        objects.append(compile_to(path(f"turn{turn}.o"), "-c", "-Dgethostname=pretended_host", "-DPMPI_Isend=counted_isend", code))
        # Where all ranks are on one node; else native stands in for it.
        silent.append(" | ".join([f"1ul << EACH_{FUNCTIONS[name]}" for name in here_too if ":shared" in here_too[name]] or ["0"]))
    names = [f"turn_{turn}" for turn in range(len(objects))]
    write("turns.c", '#include "each.h"\n' + "".join(f"extern const struct each_functions {name};\n" for name in names) +
          "extern const struct each_functions *const turns[];\nextern const int turn_count;\n"
          f"const struct each_functions *const turns[] = {{{', '.join('&' + name for name in names)}}};\n"
          f"extern const unsigned long silent[];\nconst unsigned long silent[] = {{{', '.join(silent)}}};\n"
          f"const int turn_count = {len(names)};\n")
    program = compile_to(path("routine"), path("turns.c"), *(os.path.join(here, name) for name in ("routine.c", "each.c")), *objects)
    expect(Run(RANKS, [program], 300))


def in_place_of_mpi():
    """Functions named MPI_X come before the MPI library's in programs that are linked with them."""
    of = algorithms()
    code = export("all", [methods[min(1, len(methods) - 1)] for methods in of.values()], "MPI_*")
    sources = [os.path.join(here, name) for name in ("semantics.c", "each.c")]
    plain = compile_to(path("plain"), *sources, "-pthread")
    customised = compile_to(path("customised"), "-O0", *sources, code, "-pthread")  # what is not called is left out there, too
    compile_to(path("optimised.o"), "-O3", "-c", code)  # without a warning
    for section in some(("every", "insignificant", "inter", "few", "nothing", "empty", "churn", "nonblocking", "threads", "lived", "halves"), 2):
        native = Run(4, [plain, section, 3])
        if native.status != 77 and expect(native):
            expect(Run(4, [customised, section, 3]), out=native.out)


main({"every_algorithm": every_algorithm, "in_place_of_mpi": in_place_of_mpi})
