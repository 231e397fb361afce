# SPDX-License-Identifier: BSD-3-Clause
"""The cluster to emulate: a tree of switches with hosts at them. `startune topo show --json` reads every kind of
topology file, so that there is one parser; a .json file of that shape is read as it is."""
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from refusal import WrongInput

HOSTS_MOST = 1000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")  # what a host's name and a namespace may be


@dataclass
class Switch:
    name: str
    parent: str  # "" for the root
    mbps: float  # of the link to the parent


@dataclass
class Host:
    name: str
    switch: str
    mbps: float
    slots: int


@dataclass
class Topology:
    switches: list
    hosts: list

    def root(self):
        return next(switch.name for switch in self.switches if not switch.parent)

    def trunks(self):
        return [switch for switch in self.switches if switch.parent]

    def hosts_of(self, switch):
        return [host for host in self.hosts if host.switch == switch]

    def hosts_below(self, switch):
        """All hosts that are reached through a switch, its own first."""
        below = self.hosts_of(switch)
        for child in self.switches:
            if child.parent == switch:
                below += self.hosts_below(child.name)
        return below

    def scale(self, mbps, trunk_mbps):
        """Gives the fastest host's link MBPS, keeping the ratios; None: as the file says. Then all trunks theirs."""
        factor = mbps / max(host.mbps for host in self.hosts) if mbps else 1
        for node in (*self.hosts, *self.trunks()):
            node.mbps *= factor
        if trunk_mbps:
            for trunk in self.trunks():
                trunk.mbps = trunk_mbps


def read(path, startune=None):
    """The topology of a file, with the command STARTUNE or the one that is found."""
    if not Path(path).is_file():
        raise WrongInput(f"{path}: there is no such file")
    text = Path(path).read_text() if path.endswith(".json") else shown_by(startune or find_startune(), path)
    try:
        return checked(from_json(json.loads(text)), path)
    except (ValueError, KeyError, TypeError) as wrong:
        raise WrongInput(f"{path}: this is no topology as startune topo show --json writes it: {wrong!r}") from wrong


def find_startune():
    """The last one that was built here, or else the one that is installed."""
    built = Path(__file__).resolve().parents[1].glob("build*/**/bin/startune")
    newest = max(built, key=lambda path: path.stat().st_mtime, default=None)
    found = newest or shutil.which("startune")
    if not found:
        raise WrongInput("startune, which reads topology files, is neither built here (./try builds it) nor installed; "
                      "--startune names it")
    return found


def shown_by(startune, path):
    try:
        shown = subprocess.run([startune, "topo", "show", "--json", path], capture_output=True, text=True, check=False)
    except OSError as wrong:
        raise WrongInput(f"{startune}: {wrong.strerror}") from wrong
    if shown.returncode:
        said = shown.stderr.strip().split("\n")[0].removeprefix("startune topo: error: ")
        raise WrongInput(said or f"{startune} topo show {path}: status {shown.returncode}")
    return shown.stdout


def from_json(tree):
    switches = [Switch(switch["name"], switch.get("parent") or "", float(switch.get("mbps") or 0))
                for switch in tree["switches"]]
    hosts = [Host(host["name"], host["switch"], float(host["mbps"]), int(host.get("slots", 1)))
             for host in tree["hosts"]]
    return Topology(sorted(switches, key=naturally), sorted(hosts, key=naturally))


def naturally(node):
    """n2 before n10: the order that ranks are placed in."""
    return [(not part.isdigit(), int(part) if part.isdigit() else part) for part in re.findall(r"\d+|\D+", node.name)]


def checked(topology, path):
    """Of what startune has not checked, or could not know."""
    if not 1 <= len(topology.hosts) <= HOSTS_MOST:
        raise WrongInput(f"{path}: a cluster has 1 to {HOSTS_MOST} hosts, and this one {len(topology.hosts)}")
    if sum(1 for switch in topology.switches if not switch.parent) != 1:
        raise WrongInput(f"{path}: a cluster has one switch that is the root")
    switches = {switch.name for switch in topology.switches}
    for node in (*topology.switches, *topology.hosts):
        if not NAME.fullmatch(node.name):
            raise WrongInput(f"{path}: '{node.name}' cannot be the name of a host or switch here: it has 63 letters, "
                             "digits, '.', '-' and '_' at most")
    for name in [host.switch for host in topology.hosts] + [switch.parent for switch in topology.trunks()]:
        if name not in switches:
            raise WrongInput(f"{path}: there is no switch '{name}'")
    return topology
