# SPDX-License-Identifier: BSD-3-Clause
"""Brings a topology up. A host is a namespace with an interface eth0; a switch is a namespace that forwards packets;
a link is a pair of interfaces, each shaped to the link's rate. Routes and neighbours are static, so that nothing but
the programs' packets is on the links; a host has one route, to its switch."""
import ipaddress
from dataclasses import dataclass, field

import namespaces
from refusal import CannotRun, Refusal

NETWORK = ipaddress.ip_network("10.77.0.0/16")
GATEWAY, HEAD = NETWORK[-2], NETWORK[-3]  # the gateway is nobody's address: it stands for the host's switch
HEAD_NAME = "lab-head"
FRAMING = 24  # bytes a packet takes on the wire beside what the kernel counts: preamble, check sequence and gap
HOST_QUEUE = 1000000  # bytes; a host's own queue does not drop

# Reno and buffers as Linux 2.6 had them, and no memory of earlier connections.
SYSCTLS = {
    "ipv6/conf/all/disable_ipv6": "1",
    "ipv6/conf/default/disable_ipv6": "1",
    "ipv4/tcp_congestion_control": "reno",
    "ipv4/tcp_no_metrics_save": "1",
    "ipv4/tcp_wmem": "4096 16384 131072",
    "ipv4/tcp_rmem": "4096 87380 174760",
    "ipv4/ip_local_port_range": "10000 65000",
    "ipv4/conf/all/rp_filter": "0",
    "ipv4/conf/default/rp_filter": "0",
    "ipv4/conf/all/send_redirects": "0",
    "ipv4/conf/default/send_redirects": "0",
}


@dataclass
class Emulation:
    """How links are emulated."""
    buffer: int = 65536  # bytes of each port of a switch
    gso: bool = False    # segments are cut by the sender's interface (cheaper), not by its TCP
    burst: int = 3200    # bytes that a link may send at once
    rto_min: int = 0     # milliseconds; 0: the kernel's 200


@dataclass
class Node:
    """What a namespace is given: lines for ip and tc, and its interfaces."""
    ip: list = field(default_factory=lambda: ["link set lo up"])  # without it the kernel takes no gateways
    tc: list = field(default_factory=list)
    interfaces: list = field(default_factory=list)
    forwards: bool = False


def address(index):
    return NETWORK[index + 1]


def mac(kind, index):
    return f"02:1a:b{kind}:00:{index >> 8:02x}:{index & 255:02x}"


def port(index):
    """The switch's interface to a host."""
    return f"p{index}"


def trunk(index):
    """The parent's interface to a switch; the switch's own to its parent is `uplink`."""
    return f"t{index}"


class Plan:
    """All that is to be made, before anything is."""

    def __init__(self, cluster, topology, emulation):
        self.cluster, self.topology, self.emulation = cluster, topology, emulation
        self.nodes = {namespaces.head(cluster): Node()}
        self.links = []
        for switch in topology.switches:
            self.nodes[namespaces.switch(cluster, switch.name)] = Node(forwards=True)
        self.index = {host.name: index for index, host in enumerate(topology.hosts)}
        for index, host in enumerate(topology.hosts):
            self.nodes[namespaces.host(cluster, host.name)] = Node()
            self.add_host(namespaces.host(cluster, host.name), index, host)
        self.add_head()
        for index, switch in enumerate(topology.switches):
            if switch.parent:
                self.add_trunk(index, switch)

    def switch(self, name):
        return namespaces.switch(self.cluster, name)

    def link(self, one, other):
        """A pair of interfaces, each (namespace, name, MAC address)."""
        (space, name, hardware), (peer_space, peer_name, peer_hardware) = one, other
        self.links.append(f"link add {name} netns {space} address {hardware} mtu 1500 type veth "
                          f"peer name {peer_name} netns {peer_space} address {peer_hardware} mtu 1500")
        for space, name in ((space, name), (peer_space, peer_name)):
            self.nodes[space].interfaces.append(name)
            self.nodes[space].ip.append(f"link set {name} txqueuelen 1000 up")

    def shape(self, space, name, mbps, limit):
        self.nodes[space].tc.append(f"qdisc replace dev {name} root tbf rate {round(mbps * 1e6)}bit "
                                    f"burst {self.emulation.burst} limit {limit} overhead {FRAMING}")

    def add_station(self, space, at, own, hardware, name, port_hardware):
        """A host or the head: its link and its one route."""
        self.link((space, "eth0", hardware), (at, name, port_hardware))
        patience = f" rto_min {self.emulation.rto_min}ms" if self.emulation.rto_min else ""
        self.nodes[space].ip += [
            f"address add {own}/{NETWORK.prefixlen} dev eth0 noprefixroute",
            f"neighbour replace {GATEWAY} lladdr {port_hardware} dev eth0 nud permanent",
            f"route add {NETWORK} via {GATEWAY} dev eth0 onlink{patience}",
        ]
        self.nodes[at].ip += [f"route add {own}/32 dev {name}",
                              f"neighbour replace {own} lladdr {hardware} dev {name} nud permanent"]

    def add_host(self, space, index, host):
        at = self.switch(host.switch)
        self.add_station(space, at, address(index), mac(0, index), port(index), mac(1, index))
        self.shape(space, "eth0", host.mbps, HOST_QUEUE)
        self.shape(at, port(index), host.mbps, self.emulation.buffer)

    def add_head(self):
        """Its link is not limited: what launchers say must not take long."""
        self.add_station(namespaces.head(self.cluster), self.switch(self.topology.root()), HEAD, mac(4, 0), "head",
                         mac(4, 1))

    def add_trunk(self, index, switch):
        """Down go the hosts below the switch, up all others. The ends have no addresses: those that routes name stand
        for a neighbour only."""
        child, parent = self.switch(switch.name), self.switch(switch.parent)
        self.link((child, "uplink", mac(2, index)), (parent, trunk(index), mac(3, index)))
        above, below = GATEWAY, ipaddress.ip_address("10.78.0.1") + index
        self.nodes[child].ip += [f"neighbour replace {above} lladdr {mac(3, index)} dev uplink nud permanent",
                                 f"route add {NETWORK} via {above} dev uplink onlink"]
        port_down = trunk(index)
        self.nodes[parent].ip.append(f"neighbour replace {below} lladdr {mac(2, index)} dev {port_down} nud permanent")
        self.nodes[parent].ip += [f"route add {address(self.index[host.name])}/32 via {below} dev {port_down} onlink"
                                  for host in self.topology.hosts_below(switch.name)]
        self.shape(child, "uplink", switch.mbps, self.emulation.buffer)
        self.shape(parent, port_down, switch.mbps, self.emulation.buffer)

    def sysctls(self):
        """Of every namespace, before it has interfaces, which inherit some. Not every kernel has IPv6."""
        return "".join(f"[ ! -w /proc/sys/net/{name} ] || echo '{value}' >/proc/sys/net/{name}\n"
                       for name, value in SYSCTLS.items())

    def script(self, node):
        """What a namespace runs once its interfaces are there."""
        lines = [] if self.emulation.gso else [f"ethtool -K {name} tso off gso off gro off >/dev/null"
                                               for name in node.interfaces]
        lines += ["ip -batch - <<END", *node.ip, "END", "tc -batch - <<END", *node.tc, "END"]
        if node.forwards:
            lines.append("echo 1 >/proc/sys/net/ipv4/ip_forward")
        return "\n".join(lines) + "\n"

    def hosts_file(self):
        """/etc/hosts of all hosts."""
        known = [("127.0.0.1", "localhost"), (HEAD, HEAD_NAME)]
        known += [(address(index), name) for name, index in self.index.items()]
        return "".join(f"{where} {name}\n" for where, name in known)


def make(plan):
    namespaces.add(plan.nodes)
    for name in plan.nodes:
        namespaces.script(name, plan.sysctls())
    control = namespaces.execute(["ip", "netns", "exec", namespaces.head(plan.cluster), "cat",
                                  "/proc/sys/net/ipv4/tcp_congestion_control"]).strip()
    if control != "reno":
        raise CannotRun(f"the kernel does not let namespaces use TCP reno: it is {control}")
    try:
        namespaces.execute(["ip", "-batch", "-"], "\n".join(plan.links) + "\n")
        for name, node in plan.nodes.items():
            namespaces.script(name, plan.script(node))
    except Refusal as wrong:
        raise CannotRun(f"the kernel refuses a part of the network: {wrong}") from wrong
