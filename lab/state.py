# SPDX-License-Identifier: BSD-3-Clause
"""What is up, recorded before it is made: a folder for each cluster in /run/startune-lab, and a lock, so that one
command at a time works on a cluster."""
import fcntl
import json
import os
import shutil
from dataclasses import asdict
from pathlib import Path

from network import Emulation
from refusal import Refusal
from topology import Host, Switch, Topology

FOLDER = Path("/run/startune-lab")


class State:
    def __init__(self, cluster):
        self.cluster, self.folder = cluster, FOLDER / cluster
        self.file, self.hosts, self.scratch = (self.folder / name for name in ("state.json", "hosts", "scratch"))
        self.lock_file, self.locked = FOLDER / f"{cluster}.lock", None

    def lock(self, purpose):
        """Held until the command ends, however it ends."""
        FOLDER.mkdir(mode=0o755, exist_ok=True)
        while self.locked is None or not self.is_locked():
            self.locked = open(self.lock_file, "a+", encoding="utf-8")
            try:
                fcntl.flock(self.locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self.locked.seek(0)
                raise Refusal(f"the cluster '{self.cluster}' is in use: {self.locked.read().strip()}; "
                              "--name NAME makes another one") from None
        self.locked.truncate(0)
        self.locked.write(f"{purpose}, process {os.getpid()}\n")
        self.locked.flush()

    def is_locked(self):
        """Whether the file is still the one that others would open: `down` removes it."""
        try:
            return self.lock_file.stat().st_ino == os.fstat(self.locked.fileno()).st_ino
        except FileNotFoundError:
            return False

    def write(self, file, topology, emulation, finished):
        self.folder.mkdir(mode=0o755, exist_ok=True)
        self.scratch.mkdir(mode=0o700, exist_ok=True)
        said = {"file": file, "finished": finished, "topology": asdict(topology), "emulation": asdict(emulation)}
        draft = self.folder / "draft"
        draft.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
        draft.replace(self.file)

    def read(self):
        """(file, topology, emulation) of a cluster that is up; None without one, or when `up` did not end."""
        try:
            said = json.loads(self.file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        if not said["finished"]:
            return None
        tree = said["topology"]
        topology = Topology([Switch(**switch) for switch in tree["switches"]], [Host(**host) for host in tree["hosts"]])
        return said["file"], topology, Emulation(**said["emulation"])

    def need(self):
        found = self.read()
        if found is None:
            raise Refusal(f"no cluster '{self.cluster}' is up: lab/cluster up TOPOLOGY")
        return found

    def empty_scratch(self):
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(mode=0o700)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.lock_file.unlink(missing_ok=True)
