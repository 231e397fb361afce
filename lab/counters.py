# SPDX-License-Identifier: BSD-3-Clause
"""What went over each link, as the kernel counted it where the link is shaped, and how busy the machine was."""
import json
from dataclasses import asdict, dataclass

import namespaces
from network import port, trunk


@dataclass
class Flow:
    """One direction of a link. Bytes are of Ethernet frames without check sequence; drops are packets."""
    bytes: int = 0
    packets: int = 0
    drops: int = 0

    def __sub__(self, earlier):
        return Flow(self.bytes - earlier.bytes, self.packets - earlier.packets, self.drops - earlier.drops)

    def __add__(self, other):
        return Flow(self.bytes + other.bytes, self.packets + other.packets, self.drops + other.drops)


@dataclass
class Link:
    kind: str  # "host" or "trunk"
    name: str  # of the host or switch below it
    to: str    # the switch above it
    mbps: float
    up: Flow
    down: Flow

    def __sub__(self, earlier):
        return Link(self.kind, self.name, self.to, self.mbps, self.up - earlier.up, self.down - earlier.down)


def shaped(namespace):
    """The flow of each shaped interface in a namespace."""
    listed = json.loads(namespaces.execute(["tc", "-netns", namespace, "-statistics", "-json", "qdisc", "show"]))
    return {qdisc["dev"]: Flow(qdisc["bytes"], qdisc["packets"], qdisc["drops"])
            for qdisc in listed if qdisc["kind"] == "tbf"}


def links(cluster, topology):
    switches = {switch.name: shaped(namespaces.switch(cluster, switch.name)) for switch in topology.switches}
    found = []
    for index, switch in enumerate(topology.switches):
        if switch.parent:
            found.append(Link("trunk", switch.name, switch.parent, switch.mbps, switches[switch.name]["uplink"],
                              switches[switch.parent][trunk(index)]))
    for index, host in enumerate(topology.hosts):
        found.append(Link("host", host.name, host.switch, host.mbps,
                          shaped(namespaces.host(cluster, host.name))["eth0"], switches[host.switch][port(index)]))
    return found


def sums(found):
    """By kind of link and direction."""
    totals = {}
    for link in found:
        for direction in ("up", "down"):
            name = f"{link.kind} {direction}"
            totals[name] = totals.get(name, Flow()) + getattr(link, direction)
    return totals


def table(found):
    yield f"{'link':<24} {'Mbit/s':>8} {'bytes up':>14} {'bytes down':>14} {'drops up':>9} {'drops down':>10}"
    for link in found:
        yield (f"{link.name + ' - ' + link.to:<24} {link.mbps:>8g} {link.up.bytes:>14} {link.down.bytes:>14} "
               f"{link.up.drops:>9} {link.down.drops:>10}")


def as_json(found):
    return [asdict(link) for link in found]


class Processors:
    """The share of time in which the machine's processors were idle, since this was made."""

    def __init__(self):
        self.before = self.now()

    @staticmethod
    def now():
        with open("/proc/stat", encoding="ascii") as stat:
            times = [int(word) for word in stat.readline().split()[1:9]]
        return times[3] + times[4], sum(times)

    def idle(self):
        (idle, total), (idle_before, total_before) = self.now(), self.before
        return (idle - idle_before) / max(total - total_before, 1)
