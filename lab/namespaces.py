# SPDX-License-Identifier: BSD-3-Clause
"""Network namespaces that carry our mark: the prefix startune-CLUSTER-. Only those are ever made, entered or removed,
and with them go their interfaces: none is made outside."""
import os
import signal
import subprocess
import time
from pathlib import Path

from refusal import CannotRun, Refusal

FOLDER = Path("/run/netns")


def prefix(cluster):
    return f"startune-{cluster}-"


def host(cluster, name):
    return f"{prefix(cluster)}host-{name}"


def switch(cluster, name):
    return f"{prefix(cluster)}switch-{name}"


def head(cluster):
    """Where launchers run: a host without ranks."""
    return f"{prefix(cluster)}head"


def existing(cluster):
    found = os.listdir(FOLDER) if FOLDER.is_dir() else []
    return sorted(name for name in found if name.startswith(prefix(cluster)))


def execute(words, text=None):
    """Runs a command of the system; what it says when it fails becomes the refusal."""
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "; ".join(done.stderr.split("\n")[:2]) if done.stderr else f"status {done.returncode}"
        raise Refusal(f"{' '.join(words[:6])}: {said}")
    return done.stdout


def root_is_mounted():
    """Whether / is a mount point. In a chroot it often is none, and ip netns exec, which makes it private, fails."""
    mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8")
    return any(line.split()[4] == "/" for line in mounts.splitlines())


def add(names):
    try:
        execute(["ip", "-batch", "-"], "".join(f"netns add {name}\n" for name in names))
    except Refusal as wrong:
        raise CannotRun(f"the kernel gives no network namespaces: {wrong}") from wrong


def script(name, text):
    """Runs a shell script inside a namespace."""
    execute(["ip", "netns", "exec", name, "sh", "-e"], text)


def processes(names):
    """Ids of the processes inside any of the namespaces."""
    inodes = {f"net:[{(FOLDER / name).stat().st_ino}]" for name in names}
    inside = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and os.readlink(f"/proc/{entry}/ns/net") in inodes:
                inside.append(int(entry))
        except OSError:
            pass  # it has ended
    return inside


def kill(names):
    for _ in range(20):
        inside = processes(names)
        if not inside:
            return
        for process in inside:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def undisturbed():
    """From here on Ctrl-C does not disturb: what is left to do is to clean up."""
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)


def remove(cluster):
    """Everything of a cluster, recorded or not."""
    names = existing(cluster)
    kill(names)
    if names:
        execute(["ip", "-force", "-batch", "-"], "".join(f"netns delete {name}\n" for name in names))
