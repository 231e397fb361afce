# SPDX-License-Identifier: BSD-3-Clause
"""What the tests on simulated networks share: runs of calls.c on SMPI, whose times are exact and always the same."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass, field
from pathlib import Path

from platform_of import platform, placement, topologies

SOURCE = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("STARTUNE_BUILD", SOURCE / "build"))
CALLS, CONTENDED, STARTUNE = BUILD / "tests/simgrid/calls", BUILD / "tests/simgrid/contended.so", BUILD / "bin/startune"
TOPOLOGIES, OWN_TOPOLOGIES = SOURCE / "lab/topologies", Path(__file__).parent
SMPIRUN = os.environ.get("STARTUNE_SMPIRUN", "smpirun")

# SMPI's presets are measurements of one cluster. These are a plain network: Ethernet's and TCP's framing, 5 us of a
# processor for a message sent or received, and an eager limit; what programs compute costs nothing.
EAGER = 65536
MODEL = {"smpi/simulate-computation": "no", "network/crosstraffic": "0",
         "smpi/bw-factor": "0:0.9407", "smpi/lat-factor": "0:1",
         "smpi/os": "0:5e-6:0", "smpi/or": "0:5e-6:0", "smpi/ois": "0:5e-6:0",
         "smpi/coll-selector": "mpich", "smpi/barrier": "mpich",
         "smpi/test": "1e-6", "smpi/grow-injected-times": "no"}


@dataclass
class Simulation:
    """A run: LATE, ms of a call lately by (operation, bytes); REPORT, startune's, or None without it."""
    late: dict
    report: dict
    output: str
    chosen: dict = field(init=False)

    def __post_init__(self):
        contexts = self.report["contexts"] if self.report else []
        self.chosen = {(context["operation"], context["bytes"]): context["method"] for context in contexts}


def simulate(network, place, calls, eager=EAGER, timeout=300, contention=None, **settings):
    """CALLS: OPERATION:BYTES:TIMES…, by ranks that are placed on the topology file NETWORK as PLACE says; SETTINGS are
    startune's; on="off": without it. CONTENTION: what each further flow on a link costs of its rate. The tuner knows the topology unless a setting tells it another. Messages shorter
    than EAGER bytes are sent at once: see docs/how-to/simulate.md on sizes that mix both kinds."""
    tree = topologies.read(str(network), STARTUNE)
    with tempfile.TemporaryDirectory(prefix="startune-simgrid-") as folder:
        xml, hosts, report = (Path(folder, name) for name in ("platform.xml", "hosts", "report.json"))
        xml.write_text(platform(tree))
        hosts.write_text("".join(host + "\n" for host in placement.place(tree, place)))
        # The report names itself: by a relative name it is the same in all runs.
        told = {"on": "on", "topology": network, "summary": "off", "wisdom": "off", "report": report.name} | settings
        model = MODEL | {"smpi/async-small-thresh": eager, "smpi/send-is-detached-thresh": eager}
        environ = environment(told)
        if contention is not None:
            environ |= {"PLATFORM_XML": str(xml), "CONTENTION": str(contention)}
        words = ["timeout", timeout, SMPIRUN, "-platform", xml if contention is None else CONTENDED, "-hostfile", hosts, "--log=root.thres:warning",
                 *(f"--cfg={name}:{value}" for name, value in model.items()), CALLS, *calls]
        run = subprocess.run([str(word) for word in words], env=environ, cwd=folder, capture_output=True,
                             text=True, check=False)
        if run.returncode:
            raise AssertionError(f"{' '.join(map(str, words))}: status {run.returncode}\n{run.stdout}\n{run.stderr}")
        found = json.loads(report.read_text()) if report.exists() else None
    said = re.findall(r"^(\w+) (\d+) (\S+) ms$", run.stdout, re.M)
    late = {(operation, int(size)): float(ms) for operation, size, ms in said}
    return Simulation(late, found, run.stdout + run.stderr)


def environment(settings):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("STARTUNE")}
    if settings["on"] == "on":
        names = {name: "STARTUNE" + ("" if name == "on" else "_" + name.upper().replace("-", "_")) for name in settings}
        clean |= {names[name]: str(value) for name, value in settings.items()}
    return clean


def main():
    if not CALLS.exists():
        print("skipped: SimGrid (Debian: libsimgrid-dev) was not there when startune was built")
        sys.exit(77)
    unittest.main()
