# SPDX-License-Identifier: BSD-3-Clause
"""Runs an MPI program on a cluster: the launcher of either MPI library in the head's namespace, daemons and ranks on
the hosts. All of them are in one process namespace, so that the end of its first process ends them all."""
import os
import select
import shutil
import subprocess
from pathlib import Path

import namespaces
from network import HEAD, HEAD_NAME
from refusal import CannotRun, TimedOut

HERE = Path(__file__).resolve().parent
AGENT = HERE / "agent"
GRACE = 1  # seconds that launchers have to end their ranks

# Messages go through the hosts' interface, between ranks of one host too.
OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_tcp_if_include": "eth0",
    "OMPI_MCA_btl": "tcp,self",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_opal_event_include": "epoll",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}
# What its launcher is told: ORTE up to Open MPI 4, PRRTE from 5 on.
ORTE = {
    "OMPI_MCA_plm": "rsh",
    "OMPI_MCA_plm_rsh_agent": str(AGENT),
    "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
    "OMPI_MCA_routed": "direct",
    "OMPI_MCA_oob_tcp_if_include": "eth0",
    "OMPI_MCA_orte_keep_fqdn_hostnames": "1",
}
PRRTE = {
    "PRTE_MCA_plm": "ssh",
    "PRTE_MCA_plm_ssh_agent": str(AGENT),
    "PRTE_MCA_plm_ssh_no_tree_spawn": "1",
    "PRTE_MCA_prte_if_include": "eth0",
    "PRTE_MCA_prte_keep_fqdn_hostnames": "1",
}
# Rank i on the host of line i; each host would bind its first rank to core 0.
OPENMPI_PLACES = ["--map-by", "seq", "--bind-to", "none"]
MPICH = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "UCX_LOG_LEVEL": "error", "UCX_WARN_UNUSED_ENV_VARS": "n"}
LIBRARIES = ("openmpi", "mpich")


def launcher(mpi):
    return shutil.which(f"mpirun.{mpi}")


def launcher_of_openmpi(folder):
    """The environment of the launcher that is there, with temporary files in FOLDER."""
    said = namespaces.execute([launcher("openmpi"), "--version"])
    if "OpenRTE" in said:
        return ORTE | {"OMPI_MCA_orte_tmpdir_base": str(folder)}
    return PRRTE | {"PRTE_MCA_prte_tmpdir_base": str(folder)}


def choose(mpi):
    """The MPI library that is asked for, or the first that is there."""
    for name in [mpi] if mpi else LIBRARIES:
        if launcher(name):
            return name
    raise CannotRun(f"mpirun.{mpi or ' and mpirun.'.join(LIBRARIES)} is not installed")


def compiled(name):
    """The shared library of lab/NAME.c, made when it is missing or old."""
    source, built = HERE / f"{name}.c", HERE.parent / "build-lab" / f"{name}.so"
    if built.exists() and built.stat().st_mtime >= source.stat().st_mtime:
        return str(built)
    if not shutil.which("cc"):
        raise CannotRun(f"there is no C compiler cc, which {source} needs")
    built.parent.mkdir(exist_ok=True)
    draft = built.with_suffix(f".{os.getpid()}")
    namespaces.execute(["cc", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", str(draft), str(source), "-ldl"])
    draft.replace(built)
    return str(built)


def preloads(mpi, polling):
    """LD_PRELOAD of the ranks: not of the launchers and their daemons, for which it is not meant."""
    ours = [] if polling else [compiled("blockpoll")]
    if mpi == "mpich":
        ours.append(compiled("lastwait"))
    return ":".join(ours + [word for word in [os.environ.get("LD_PRELOAD")] if word])


def command(mpi, places, state, preload, program):
    """(words, environment) that start PROGRAM with rank i on host PLACES[i]."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    environment["LAB_CLUSTER"] = state.cluster
    if mpi == "openmpi":
        listed = state.scratch / "ranks"
        listed.write_text("".join(f"{host}\n" for host in places), encoding="utf-8")
        words = [launcher(mpi), "--hostfile", str(listed), *OPENMPI_PLACES, "-n", str(len(places))]
        if preload:
            words += ["-x", f"LD_PRELOAD={preload}"]
        return words + program, environment | OPENMPI | launcher_of_openmpi(state.scratch)
    words = [launcher(mpi), "-launcher", "rsh", "-launcher-exec", str(AGENT), "-localhost", str(HEAD),
             "-hosts", ",".join(places), "-n", str(len(places))]
    if preload:
        words += ["-genv", "LD_PRELOAD", preload]
    return words + program, MPICH | environment | {name: MPICH[name] for name in ("UCX_TLS", "UCX_NET_DEVICES")}


def run(state, words, environment, timeout):
    """Runs the launcher in the head's namespace; its exit status."""
    head = namespaces.head(state.cluster)
    inside = f'mount --bind {state.hosts} /etc/hosts; hostname {HEAD_NAME}; "$@"; exit $?'
    words = ["setpriv", "--pdeathsig", "KILL", "ip", "netns", "exec", head,
             "unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", inside, "sh", *words]
    with subprocess.Popen(words, env=environment) as launched:
        try:
            if not ends_within(launched, timeout):
                kill(launched)
                raise TimedOut(f"the program did not end in {timeout:g} s")
            status = launched.wait()
        finally:
            namespaces.undisturbed()
            end(launched)
            state.empty_scratch()
    return status if status >= 0 else 128 - status


def ends_within(launched, seconds):
    """At once when it ends: Popen.wait with a timeout looks every 50 ms, and short programs are timed from outside."""
    process = os.pidfd_open(launched.pid)
    try:
        return bool(select.select([process], [], [], seconds)[0])
    finally:
        os.close(process)


def end(launched):
    """After Ctrl-C, which launchers get too, they have a little time to end their ranks."""
    try:
        launched.wait(GRACE)
    except subprocess.TimeoutExpired:
        kill(launched)
        launched.wait()


def kill(launched):
    """Also waits for the first process of the process namespace, which ends after all the others."""
    children = Path(f"/proc/{launched.pid}/task/{launched.pid}/children").read_text(encoding="ascii").split()
    try:
        first = [os.pidfd_open(int(child)) for child in children]
    except ProcessLookupError:
        first = []
    launched.kill()
    select.select(first, [], [], GRACE)
