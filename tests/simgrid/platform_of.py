#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a SimGrid platform and a host file from a topology file that `startune topo` reads:
platform_of.py TOPOLOGY PLATFORM.xml HOSTS [--map block|cyclic|random[:SEED]] [--ranks N] [--startune COMMAND]"""
import argparse
import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
import placement  # noqa: E402
import topology as topologies  # noqa: E402
from refusal import Refusal  # noqa: E402

LATENCY = "10us"  # of each link, which is what a switch of Gigabit Ethernet takes with its cables
HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="cluster" routing="Floyd">
"""
TAIL = "</zone>\n</platform>\n"


def link(wire, bandwidth, latency, policy):
    return f'<link id={quoteattr(wire)} bandwidth="{bandwidth}" latency="{latency}" sharing_policy="{policy}"/>\n'


def route(begin, end, wire, words="", direction=""):
    return (f"<route src={quoteattr(begin)} dst={quoteattr(end)}{words}><link_ctn id={quoteattr(wire)}{direction}/>"
            "</route>\n")


def platform(topology):
    """The XML: hosts in the file's order, all of one speed. Links are full duplex: what goes up takes nothing from what
    goes down. Ranks of one host have a link of their own."""
    above = [(host, host.switch) for host in topology.hosts] + [(switch, switch.parent) for switch in topology.trunks()]
    nodes = [f'<host id={quoteattr(host.name)} speed="1Gf"/>\n' for host in topology.hosts]
    nodes += [f"<router id={quoteattr(switch.name)}/>\n" for switch in topology.switches]
    links = [link(f"{node.name}-{up}", f"{node.mbps:g}Mbps", LATENCY, "SPLITDUPLEX") for node, up in above]
    links += [link(f"{host.name}-inside", "10GBps", "1us", "FATPIPE") for host in topology.hosts]
    routes = [route(node.name, up, f"{node.name}-{up}", direction=' direction="UP"') for node, up in above]
    routes += [route(host.name, host.name, f"{host.name}-inside", ' symmetrical="NO"') for host in topology.hosts]
    return HEAD + "".join(nodes + links + routes) + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("topology")
    parser.add_argument("platform", type=Path)
    parser.add_argument("hosts", type=Path)
    parser.add_argument("--map", default="block", metavar="block|cyclic|random[:SEED]")
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--startune", metavar="COMMAND")
    asked = parser.parse_args()
    try:
        topology = topologies.read(asked.topology, asked.startune)
        places = placement.place(topology, asked.map, asked.ranks)
        asked.platform.write_text(platform(topology))
        asked.hosts.write_text("".join(place + "\n" for place in places))
    except (Refusal, OSError) as error:
        sys.exit(f"platform_of.py: error: {error}")


if __name__ == "__main__":
    main()
