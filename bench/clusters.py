# SPDX-License-Identifier: BSD-3-Clause
"""What the benches on emulated clusters (lab/) share: how they begin and end, a cluster that is up while it is measured on,
arguments, progress, quartiles, and files and pictures that are written whole."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LAB = SOURCE / "lab" / "cluster"
TOPOLOGIES = SOURCE / "lab" / "topologies"
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt(number, frame):
    """As Ctrl-C does, but what is left to do then, taking a cluster down, is not disturbed."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt


def run_bench(main):
    """The program ends with what MAIN returns. SIGTERM and SIGHUP end it as Ctrl-C does."""
    for ending in ENDINGS:
        if signal.getsignal(ending) != signal.SIG_IGN:  # as nohup wants it
            signal.signal(ending, interrupt)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)


def environment(name):
    """NAME is the cluster's, unless LAB_CLUSTER says otherwise. Runs keep no reports: they would drive the user's out."""
    return {"LAB_CLUSTER": name} | os.environ | {"STARTUNE_REPORTS": "0"}


def lab(name, *words, check=True, settings=None, **more):
    """What lab/cluster did. When this is ended that is, too, and waited for: else the cluster were in use, and stayed."""
    with subprocess.Popen([str(word) for word in (LAB, *words)], text=True, env=environment(name) | (settings or {}), **more) as job:
        try:
            said = job.communicate()
        except KeyboardInterrupt:
            job.terminate()
            job.wait()
            raise
    ran = subprocess.CompletedProcess(job.args, job.returncode, *said)
    if check:
        ran.check_returncode()
    return ran


@contextlib.contextmanager
def cluster(name, topology, build, mbps, buffer="128K"):
    """Up within, and down behind, whatever happens."""
    def down():
        """Undisturbed: else it would stay up."""
        before = {ending: signal.signal(ending, signal.SIG_IGN) for ending in ENDINGS}
        try:
            lab(name, "down", stdout=subprocess.DEVNULL)
        finally:
            for ending, handler in before.items():
                signal.signal(ending, handler)

    try:
        lab(name, "up", topology, "--mbps", mbps, "--gso", "on", "--burst", 10000, "--buffer", buffer, "--startune",
            f"{build}/bin/startune", stdout=subprocess.DEVNULL)
    except KeyboardInterrupt:  # which perhaps was too late for it
        down()
        raise
    try:
        yield
    finally:
        down()


def hosts_of(build, topology):
    shown = subprocess.run([f"{build}/bin/startune", "topo", "show", "--json", topology], check=True, text=True, capture_output=True)
    return json.loads(shown.stdout)["hosts"]


def scaled(build, topology, mbps, path):
    """PATH, where the same tree is written with all links at MBPS."""
    shown = subprocess.run([f"{build}/bin/startune", "topo", "show", topology], check=True, text=True, capture_output=True)
    path.write_text("".join(re.sub(r"^((?:link|host) \S+ \S+) \S+", rf"\1 {mbps:g}", line) + "\n"
                            for line in shown.stdout.splitlines()), encoding="utf-8")
    return path


def quartiles(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 4], statistics.median(ordered), ordered[(3 * len(ordered)) // 4]


def listed(known):
    """Reads words of KNOWN, with commas between them; they become what KNOWN has."""
    by_word = {str(word): word for word in known}

    def read(text):
        if wrong := [word for word in text.split(",") if word not in by_word]:
            raise argparse.ArgumentTypeError(f"'{wrong[0]}' is none of {', '.join(by_word)}")
        return [by_word[word] for word in text.split(",")]
    return read


def count(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def minutes(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


class Progress:
    """One line on a terminal, which is written anew, and one in the end. RUNS: how many there will be, where that is known."""

    def __init__(self, runs=0):
        self.began, self.runs, self.done, self.shown = time.monotonic(), runs, 0, sys.stderr.isatty()

    def step(self, what, left=None):
        self.done += 1
        left = max(self.runs - self.done, 0) if left is None else left
        if self.shown:
            rest = (time.monotonic() - self.began) / self.done * left
            print(f"\r{self.done} of {self.done + left} runs, {minutes(rest)} left: {what:50}", end="", file=sys.stderr, flush=True)

    def end(self, what=""):
        print(f"\r{what}{self.done} runs in {minutes(time.monotonic() - self.began)}{' ' * 60 * self.shown}", file=sys.stderr)


@contextlib.contextmanager
def beside(path):
    """A file to write, which then is what stands at PATH: whole or not at all."""
    part = pathlib.Path(f"{path}.part")
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write(path, text):
    with beside(path) as part:
        part.write_text(text, encoding="utf-8")


def plot(script, output):
    """gnuplot writes what SCRIPT draws to {output}."""
    with beside(output) as part:
        subprocess.run(["gnuplot"], input=script.replace("{output}", str(part)), text=True, check=True)
