#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs from Debian, natively and under startune: do they give the same results?

    tests/programs/run.py BUILD [PROGRAM…]

Each program runs natively, under `startune run` with its defaults, with --verify, and with what an earlier run has
learned. What it printed is compared after taking out times and memory, which differ from run to run; floating results,
where a reduction may have been reordered, within the tolerance named below. Programs that are not installed are skipped
and named; if all are, the exit status is 77."""
import glob
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/{}-tests"
PSEUDO = "/usr/share/espresso/pseudo"
CAVITY = "/usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity"
OPENFOAM = {"WM_PROJECT_DIR": "/usr/share/openfoam"}
WATER = "/usr/share/gromacs/top/spc216.gro"
MUMPS = "/usr/lib/mumps"
DOLFINX = "/usr/lib/petsc/lib/python3/dist-packages/dolfinx"


class Program:
    """What to run, what its results are, and how near they must be."""

    def __init__(self, mpi, ranks, words, results, tolerance, needs, prepare=None, seconds=300, fixed=False, on_hosts=(), **environment):
        self.mpi, self.ranks, self.words, self.results = mpi, ranks, words, results
        self.tolerance, self.needs, self.prepare, self.seconds = tolerance, needs, prepare, seconds
        self.fixed, self.environment = fixed, environment  # fixed: its input asks for this many ranks
        self.on_hosts = on_hosts  # words behind, where messages cross wires of 50 Mbit/s; None: it takes minutes there


def lines_with(*patterns):
    """The lines of the output that match, as lists of words."""
    def find(text, folder):
        return [line.split() for line in text.splitlines() if any(re.search(p, line) for p in patterns)]
    return find


def words_and_counts(rows):
    """Without floating numbers: times, rates, and residuals that the program has judged already."""
    return [[word for word in row if not re.fullmatch(r"[-+]?(\d+\.\d*|\.\d+)([eEdD][-+]?\d+)?", word)] for row in rows]


def lammps_thermo(text, folder):
    rows, inside = [], False
    for line in text.splitlines():
        if line.startswith("Loop time"):
            inside = False
        if inside:
            rows.append(line.split())
        if line.split()[:2] == ["Step", "Temp"]:
            inside = True
    return rows


def hpcc_results(text, folder):
    with open(os.path.join(folder, "hpccoutf.txt")) as file:
        output = file.read()
    return words_and_counts(line.replace("=", " ").split() for line in output.splitlines()
                            if re.search(r"PASSED|FAILED|_[Ee]rrors?=|Success=|_n=|maxErr", line)
                            and "Time" not in line)


def cavity(folder):
    """OpenFOAM's first tutorial, for four ranks."""
    shutil.copytree(CAVITY, folder, dirs_exist_ok=True)
    shutil.copy(os.path.join(HERE, "decomposeParDict"), os.path.join(folder, "system"))
    for word in ("blockMesh", "decomposePar"):
        subprocess.run([word], cwd=folder, env=dict(os.environ, **OPENFOAM), check=True, capture_output=True)


def cavity_fields(text, folder):
    """Velocity and pressure at the end, of all ranks; and it says that it traps."""
    rows = [[line] for line in text.splitlines() if line.startswith(("trapFpe:", "End", "Finalising"))]
    for path in sorted(glob.glob(os.path.join(folder, "processor*", "0.5", "[Up]"))):
        with open(path) as file:
            rows += [line.strip("()\n").split() for line in file if re.match(r"\(?-?\d", line)]
    return rows


def water(folder):
    """GROMACS: 864 molecules, four of its own cubes side by side."""
    copy_in(("{}/water.mdp", "water.mdp"), ("{}/water.top", "water.top"))(folder)
    for words in (["genconf", "-f", WATER, "-o", "water.gro", "-nbox", "2", "2", "1"],
                  ["grompp", "-f", "water.mdp", "-c", "water.gro", "-p", "water.top", "-o", "water.tpr"]):
        subprocess.run(["gmx", "-quiet", *words], cwd=folder, check=True, capture_output=True)


def water_energies(text, folder):
    """What its log has of energies, temperatures and pressures."""
    rows, left = [], 0
    with open(os.path.join(folder, "md.log")) as file:
        for line in file:
            left = 5 if line.strip() == "Energies (kJ/mol)" else max(left - 1, 0)
            if left:
                rows.append(line.split())
    return rows


def copy_in(*paths):
    def prepare(folder):
        for path, name in paths:
            shutil.copy(path.format(HERE), os.path.join(folder, name))
    return prepare


PETSC = "/usr/share/petsc/3.18/share/petsc/examples/src/ksp/ksp/tutorials/{}.c"


def petsc(name, *options):
    """A tutorial of PETSc's linear solvers; its results: how many iterations, and how near."""
    source = PETSC.format(name)

    def build(folder):
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "petsc"], check=True, capture_output=True, text=True).stdout
        subprocess.run(["mpicc.openmpi", "-O2", source, "-o", name, *flags.split(), "-lm"], cwd=folder, check=True, capture_output=True)
    return Program("openmpi", 4, [f"./{name}", "-ksp_monitor_short", *options], lines_with(r"KSP Residual norm", r"iterations"), 1e-3,
                   [source, "pkg-config"], build)


def scalapack(mpi, program, data):
    folder = SCALAPACK.format(mpi)
    find = lines_with(r"PASSED|FAILED|tests? completed|tests? passed")
    return Program(mpi, 4, [f"{folder}/{program}"], lambda text, at: words_and_counts(find(text, at)), 0,
                   [f"{folder}/{program}", f"{folder}/{data}"],
                   copy_in((f"{folder}/{data}", data)), fixed=True)


PROGRAMS = {
    # Molecular dynamics: chaotic, so reordered sums show after some hundred steps; 200 steps are safe.
    "lammps": Program("openmpi", 4, ["lmp", "-in", "in.melt", "-log", "none"], lammps_thermo, 1e-5, ["lmp"],
                      copy_in(("{}/in.melt", "in.melt")), on_hosts=("-var", "steps", "30")),
    "quantum-espresso": Program("openmpi", 4, ["pw.x", "-ndiag", "4", "-in", "si.in"],
                                lines_with(r"^!.*total energy", r"highest occupied", r"Total force", r"P="), 1e-5,
                                ["pw.x", f"{PSEUDO}/Si.pz-vbc.UPF"], copy_in(("{}/si.in", "si.in"))),
    "hpcc": Program("openmpi", 4, ["hpcc"], hpcc_results, 0, ["hpcc"],
                    copy_in(("{}/hpccinf.txt", "hpccinf.txt")), on_hosts=None),
    # It traps floating-point exceptions unless FOAM_SIGFPE says otherwise.
    "openfoam": Program("openmpi", 4, ["icoFoam", "-parallel"], cavity_fields, 1e-4, ["icoFoam", CAVITY], cavity, fixed=True, **OPENFOAM),
    "gromacs": Program("openmpi", 4, ["gmx_mpi", "-quiet", "mdrun", "-s", "water.tpr", "-ntomp", "1", "-dlb", "no", "-notunepme", "-pin",
                                      "off", "-reprod"], water_energies, 1e-3, ["gmx_mpi", "gmx", WATER], water),
    "cp2k": Program("openmpi", 4, ["cp2k.psmp", "-i", "water.inp"], lines_with(r"ENERGY\|"), 1e-9, ["cp2k.psmp"],
                    copy_in(("{}/water.inp", "water.inp"))),
    # Debian's python: others do not find its packages.
    "dolfinx": Program("openmpi", 4, ["/usr/bin/python3", "poisson.py"], lines_with(r"^square"), 1e-9, [DOLFINX],
                       copy_in(("{}/poisson.py", "poisson.py"))),
    "mumps": Program("openmpi", 4, ["sh", "-c", f"exec {MUMPS}/dsimpletest < input_simpletest_real"], lines_with(r"Solution is"), 1e-9,
                     [f"{MUMPS}/dsimpletest"], copy_in((f"{MUMPS}/input_simpletest_real", "input_simpletest_real"))),
    "petsc-cg": petsc("ex2", "-m", "300", "-n", "300", "-ksp_type", "cg", "-pc_type", "jacobi"),
    "petsc-pipecg": petsc("ex2", "-m", "300", "-n", "300", "-ksp_type", "pipecg", "-pc_type", "jacobi"),
    "petsc-gamg": petsc("ex2", "-m", "300", "-n", "300", "-pc_type", "gamg"),
    "petsc-mg": petsc("ex50", "-da_grid_x", "4", "-da_grid_y", "4", "-da_refine", "6", "-pc_type", "mg"),
    "scalapack-lu-openmpi": scalapack("openmpi", "xdlu", "LU.dat"),
    "scalapack-lu-mpich": scalapack("mpich", "xdlu", "LU.dat"),
    "scalapack-qr-mpich": scalapack("mpich", "xdqr", "QR.dat"),
    "scalapack-qr-openmpi": scalapack("openmpi", "xdqr", "QR.dat"),
}


def is_there(need):
    return os.path.exists(need) if "/" in need else shutil.which(need)


def run(build, program, prefix):
    """Returns results, seconds, and what startune said."""
    with tempfile.TemporaryDirectory() as folder:
        if program.prepare:
            program.prepare(folder)
        words = [os.path.join(os.path.dirname(HERE), "support", "mpirun"), build, program.mpi, str(program.ranks)]
        environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", **program.environment)
        begin = time.monotonic()
        done = subprocess.run(words + prefix + program.words, cwd=folder, env=environment, capture_output=True,
                              text=True, errors="replace", timeout=program.seconds)
        seconds = time.monotonic() - begin
        said = [line for line in done.stderr.splitlines() if line.startswith("startune: ")]
        if done.returncode != 0:
            tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
            raise RuntimeError(f"exit status {done.returncode}:\n{tail}")
        return program.results(done.stdout, folder), seconds, said


def same(native, tuned, tolerance):
    """None, or what differs."""
    if not native:
        return "no results were found in the native output"
    if len(native) != len(tuned):
        return f"{len(native)} lines of results natively, {len(tuned)} under startune"
    for a, b in zip(native, tuned):
        for x, y in zip(a, b):
            if x == y:
                continue
            try:
                near = math.isclose(float(x), float(y), rel_tol=tolerance, abs_tol=tolerance)
            except ValueError:
                near = False
            if not near:
                return f"natively '{' '.join(a)}', under startune '{' '.join(b)}'"
        if len(a) != len(b):
            return f"natively '{' '.join(a)}', under startune '{' '.join(b)}'"
    return None


def ways_of(name):
    """Options of `startune run`: what the last one's run begins with, the one before it has learned."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, name)
        yield from (["--wisdom", "off"], ["--wisdom", "off", "--verify"], ["--wisdom", store], ["--wisdom", store])


def operations_of(said):
    """The operations that were tuned, and how many calls of each."""
    calls = {}
    for line in said:
        found = re.match(r"startune: ([a-z_]+) +(?:[0-9]+[KMG]?|varies|others) +\d+(?: x\d+)? +(\d+) ", line)
        if found:
            calls[found.group(1)] = calls.get(found.group(1), 0) + int(found.group(2))
    return calls


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build, asked = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(PROGRAMS)
    startune, wrong, ran = os.path.join(build, "bin", "startune"), 0, False
    for name in asked:
        program = PROGRAMS.get(name)
        if program is None:
            sys.exit(f"unknown program '{name}'; known: {', '.join(PROGRAMS)}")
        missing = [need for need in program.needs if not is_there(need)]
        if missing:
            print(f"{name}: skipped, {missing[0]} is not installed")
            continue
        ran = True
        try:
            native, native_seconds, _ = run(build, program, [])
            for way in ways_of(name):
                tuned, seconds, said = run(build, program, [startune, "run", "--summary", "full"] + way)
                differs = same(native, tuned, program.tolerance)
                faults = [line for line in said if "wrong" in line]
                wrong += differs is not None or bool(faults)
                calls = operations_of(said)
                print(f"{name} {' '.join(way)}: {len(native)} results "
                      f"{'the same' if differs is None else 'DIFFER: ' + differs}; {native_seconds:.1f} s natively, "
                      f"{seconds:.1f} s; calls in contexts: "
                      f"{', '.join(f'{o} {c}' for o, c in sorted(calls.items())) or 'none'}")
                for line in faults:
                    print(f"{name}: {line}")
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            wrong += 1
            print(f"{name}: FAILED: {error}")
        sys.stdout.flush()
    sys.exit(wrong != 0 if ran else 77)


if __name__ == "__main__":
    main()
