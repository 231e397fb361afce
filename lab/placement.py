# SPDX-License-Identifier: BSD-3-Clause
"""Which rank runs on which host: block fills host by host; cyclic takes the switches in turn, as Faraj and Yuan's
papers place ranks; random shuffles. Each host takes as many ranks as it has slots, and multiples of that where there
are more ranks than slots. Else HOW is a file with a host a line, which startune place writes."""
import random
from pathlib import Path

from refusal import WrongInput


def place(topology, how, ranks=None):
    """The host's name of each rank; RANKS None: one for each slot."""
    if Path(how).is_file():
        return listed(topology, how, ranks)
    slots = sum(host.slots for host in topology.hosts)
    ranks = ranks or slots
    times = -(-ranks // slots)
    word, _, seed = how.partition(":")
    if word not in PLACES or seed and (word != "random" or not seed.isdigit()):
        raise WrongInput(f"--map {how}: it is block, cyclic, random, random:SEED or a file")
    return PLACES[word](topology, times, int(seed or 1))[:ranks]


def listed(topology, path, ranks):
    hosts = Path(path).read_text(encoding="utf-8").split()
    known = {host.name for host in topology.hosts}
    unknown = [host for host in hosts if host not in known]
    if unknown:
        raise WrongInput(f"--map {path}: the cluster has no host {unknown[0]}")
    if not hosts or len(hosts) < (ranks or 0):
        raise WrongInput(f"--map {path}: {len(hosts)} ranks have a host there")
    return hosts[:ranks]


def block(topology, times, _seed=None):
    return [host.name for host in topology.hosts for _ in range(host.slots * times)]


def cyclic(topology, times, _seed=None):
    """One from each switch in turn; at a switch, each host once before any twice."""
    queues = []
    for switch in topology.switches:
        hosts = topology.hosts_of(switch.name)
        most = max((host.slots for host in hosts), default=0) * times
        queues.append([host.name for turn in range(most) for host in hosts if turn < host.slots * times])
    places = []
    while any(queues):
        places += [queue.pop(0) for queue in queues if queue]
    return places


def shuffled(topology, times, seed):
    places = block(topology, times)
    random.Random(seed).shuffle(places)
    return places


PLACES = {"block": block, "cyclic": cyclic, "random": shuffled}
