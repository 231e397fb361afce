# SPDX-License-Identifier: BSD-3-Clause
"""What the benches on emulated clusters (lab/) share: a cluster that is up while it is measured on, quartiles, pictures."""
import contextlib
import os
import pathlib
import statistics
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LAB = SOURCE / "lab" / "cluster"
TOPOLOGIES = SOURCE / "lab" / "topologies"


def environment(name):
    """NAME is the cluster's, unless LAB_CLUSTER says otherwise."""
    return {"LAB_CLUSTER": name} | os.environ


def lab(name, *words, **more):
    return subprocess.run([str(word) for word in (LAB, *words)], check=True, text=True, env=environment(name), **more)


@contextlib.contextmanager
def cluster(name, topology, build, mbps, buffer="128K"):
    """Up within, and down behind, whatever happens."""
    lab(name, "up", topology, "--mbps", mbps, "--gso", "on", "--burst", 10000, "--buffer", buffer, "--startune",
        f"{build}/bin/startune", stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        lab(name, "down", stdout=subprocess.DEVNULL)


def quartiles(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 4], statistics.median(ordered), ordered[(3 * len(ordered)) // 4]


def plot(script, output):
    """gnuplot writes what SCRIPT draws to {output}; the file OUTPUT is written whole or not at all."""
    beside = f"{output}.part"
    try:
        subprocess.run(["gnuplot"], input=script.replace("{output}", beside), text=True, check=True)
        os.replace(beside, output)
    finally:
        pathlib.Path(beside).unlink(missing_ok=True)
