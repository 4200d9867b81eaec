"""Slurm on this machine: a controller and one node, as long as a test session lasts."""

import fcntl
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

FOLDER = Path("/etc/slurm")  # clients inside a job look nowhere else: the executor removes SLURM_CONF
MARK = "# Slurm of tests/slurm, written anew by each run of them\n"
PACKAGES = ("slurm-wlm", "slurmctld", "slurmd", "slurm-client", "munge")
COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "scontrol")
CONFIG = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
# memory is looked at each second, and what is over its limit is killed
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MinJobAge=300
KillWait=10
GresTypes=gpu
# more memory than there may be: what jobs ask for is for larger sizes than those of the tests
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=1000000 Gres=gpu:1 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def free_port() -> int:
    with socket.socket() as connection:
        connection.bind(("127.0.0.1", 0))
        return connection.getsockname()[1]


@contextmanager
def configuration(folder: Path) -> Iterator[None]:
    """Slurm's configuration while the tests run; one that is not theirs is left alone, and an error."""
    FOLDER.mkdir(exist_ok=True)
    path, gpu, host = FOLDER / "slurm.conf", FOLDER / "gres.conf", socket.gethostname().split(".")[0]
    for settings in (path, gpu):
        ours = not settings.exists() or settings.read_text().startswith(MARK)
        assert ours, f"{settings} is of another Slurm: these tests need a machine without one."
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AssertionError(f"{path} is in use by another run of these tests.") from None
        ports = {"controller_port": free_port(), "node_port": free_port()}
        path.write_text(MARK + CONFIG.format(host=host, folder=folder, cpus=os.cpu_count(), **ports))
        gpu.write_text(f"{MARK}NodeName={host} Name=gpu File=/dev/null\n")  # a GPU to ask for, not to use
        try:
            yield
        finally:
            gpu.unlink()
            path.unlink()


@contextmanager
def daemon(*command: str, log: IO[str]) -> Iterator[None]:
    """A process in the foreground of its own session, ended with the context."""
    process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


@contextmanager
def slurm(folder: Path) -> Iterator[None]:
    """A cluster of this machine, its files in `folder`.

    Raises:
        AssertionError: where Slurm is missing, another Slurm is configured, or a daemon does not come up.
    """
    absent = [command for command in COMMANDS if shutil.which(command) is None]
    assert not absent, f"Slurm must be installed: no {', '.join(absent)}. apt-get install {' '.join(PACKAGES)}"
    assert os.geteuid() == 0, f"These tests start Slurm's daemons and write {FOLDER}: they must run as root."
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    munge = ("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket")
    munge += tuple(f"--{kind}-file={folder}/munge.{kind}" for kind in ("pid", "log", "seed"))
    with ExitStack() as stack:  # taken down from the last to the first
        log = stack.enter_context((folder / "daemons.log").open("w"))
        stack.enter_context(configuration(folder))
        for command in (munge, ("slurmctld", "-D"), ("slurmd", "-D")):
            stack.enter_context(daemon(*command, log=log))
        wait_until_idle(folder)
        yield


def wait_until_idle(folder: Path, seconds: float = 60) -> None:
    """Until the node takes jobs."""
    began, state = time.monotonic(), ""
    while state != "idle":
        if time.monotonic() - began > seconds:
            logs = "\n".join(path.read_text(errors="replace")[-3000:] for path in sorted(folder.glob("*.log")))
            raise AssertionError(f"The node is {state or 'not there'}, not idle.\n{logs}")
        time.sleep(0.2)
        result = subprocess.run(["sinfo", "-h", "-o", "%T"], capture_output=True, text=True, check=False)
        state = result.stdout.strip()
