# Paths, runs and digests that the other rule files share. Configuration errors end here, in one line.

import hashlib
import json
import re
import sys
from pathlib import Path

import yaml
from snakemake.io import is_flagged

WORKFLOW = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent
sys.path[:0] = [str(WORKFLOW), str(WORKFLOW.parent / "src")]

from configuration import all_runs, check, check_reference, check_results_folder, in_order_of
from imports import library_digest
from learnability.core.errors import InputError

try:
    check(config)
    check_reference(config, Path("results/reference"))
    check_results_folder(Path("results"))
except InputError as error:
    sys.exit(f"Configuration: {error}")

ordered = in_order_of(yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8")), config)
config.clear()
config.update(ordered)

PRESET = config["preset"]
RESULTS = f"results/{PRESET}"
REFERENCE = "results/reference"
MODELS = f"{REFERENCE}/models" if config["weights"] == "reference" else f"{RESULTS}/models"
LOGS = f"logs/{PRESET}"
NETWORKS = all_runs(config)
READINGS = config["report"]
SETS = config["architecture_sets"]
# The paper's own set of architectures goes without a suffix: figure_01.pdf, figure_01_slow.pdf.
SUFFIX = {name: "" if name == "main" else f"_{name}" for name in SETS}
TRANSPORTS = ["first_order", "exact"]
GRU_RATES = ["strict", "eq26"]  # other cells have one kind of rates, under both names
RUN = "{architecture}/{optimizer}/seed{seed}"
DEVICE = config["training"]["device"]
SIDE_BY_SIDE = DEVICE != "cpu"
# Training data of one job: it goes when the job ends.
DATA = "{architecture}/seed{seed}" if SIDE_BY_SIDE else RUN


wildcard_constraints:
    architecture="|".join(config["architectures"]),
    optimizer="|".join(map(re.escape, config["optimizers"])),
    seed=r"\d+",
    reading="|".join(config["readings"]),


def library(script, *loaded):
    """Digest of the library modules that a script imports or loads by name."""
    return library_digest(WORKFLOW / "scripts" / script, *loaded)


def architecture_settings(wildcards):
    return config["architectures"][wildcards.architecture]


def optimizer_settings(wildcards):
    return config["optimizers"][wildcards.optimizer]


def runs_of(optimizer, members=None):
    """Run folders `architecture/optimizer/seedN` of an optimizer, for `members` or all its architectures."""
    return [
        RUN.format(**network)
        for network in NETWORKS
        if network["optimizer"] == optimizer and (members is None or network["architecture"] in members)
    ]


def first_seed(runs):
    """Of each architecture and optimizer one run: what is expensive and shown for one network."""
    return [run for run in runs if run.endswith(f"seed{config['seeds'][0]}")]


def runs_shown(table, optimizer, members):
    runs = runs_of(optimizer, members)
    return first_seed(runs) if table == "changes" else runs


ALL_RUNS = [RUN.format(**network) for network in NETWORKS]


def has_runs(optimizer, members):
    return set(members) <= set(config["runs"].get(optimizer, []))


def members_shown(tables, optimizer):
    """Suffix → architectures, of the sets for which a figure is drawn."""
    return {
        SUFFIX[name]: list(dict.fromkeys(members.values()))
        for name, members in SETS.items()
        if has_runs(optimizer, members.values()) and ("changes" not in tables or name in config["sensitivity"])
    }


def run_tables(kind, runs, reading=None):
    """Files of one kind of table for some runs; `reading` where the kind depends on it.

    `envelope`, `fits` and `spectrum` are of the reading's rates; `noise`, `need`, `window` and `granted` of its transport,
    `windows`, `needs`, `null` and `shifted` of both.
    """
    options = config["readings"][reading]["statistic"] if reading else {}
    rates, transport = options.get("gru_rates"), options.get("transport")
    patterns = {
        "curve": f"{MODELS}/{{run}}/learning_curve.csv",
        "gates": f"{MODELS}/{{run}}/gate_statistics.csv",
        "envelope": f"{RESULTS}/rates/{{run}}.{rates}.envelope.csv",
        "fits": f"{RESULTS}/rates/{{run}}.{rates}.fits.csv",
        "spectrum": f"{RESULTS}/rates/{{run}}.{rates}.spectrum.csv",
        "conditioning": f"{RESULTS}/rates/{{run}}.conditioning.csv",
        "transport": f"{RESULTS}/rates/{{run}}.transport.csv",
        "response": f"{RESULTS}/responses/{{run}}.csv",
        "loss": f"{RESULTS}/responses/{{run}}.loss.csv",
        "noise": f"{RESULTS}/{reading}/stable/{{run}}.{transport}.csv",
        "need": f"{RESULTS}/{reading}/need/{{run}}.{transport}.csv",
        "window": f"{RESULTS}/{reading}/window/{{run}}.{transport}.csv",
        "windows": f"{RESULTS}/{reading}/window/{{run}}.{{transport}}.csv",
        "changes": f"{RESULTS}/{reading}/sensitivity/{{run}}.changes.csv",
        "crossed": f"{RESULTS}/{reading}/sensitivity/{{run}}.crossed.csv",
        "references": f"{RESULTS}/estimators/references.csv",
        "needs": f"{RESULTS}/{reading}/need/{{run}}.{{transport}}.csv",
        "null": f"{RESULTS}/{reading}/null/{{run}}.{{transport}}.csv",
        "shifted": f"{RESULTS}/{reading}/shifted/{{run}}.{{transport}}.csv",
        "granted": f"{RESULTS}/{reading}/granted/{{run}}.{transport}.csv",
    }
    return expand(patterns[kind], run=runs, transport=TRANSPORTS)


def tables_of(kinds, transports):
    """Named outputs `{kind}_{reading}_{transport}` of a network."""
    return {
        f"{kind}_{reading}_{transport}": f"{RESULTS}/{reading}/{folder}/{RUN}.{transport}.csv"
        for kind, folder in kinds.items()
        for reading in READINGS
        for transport in transports(reading)
    }


def jobs_behind(target):
    """Each job behind a rule's only job that keeps files: these, its rule, digests of its settings and of its library."""
    last = next(job for job in workflow.dag.jobs if job.rule.name == target)
    jobs = [job_facts(job) for job in workflow.dag.bfs(workflow.dag.dependencies, last) if job is not last]
    return sorted((facts for facts in jobs if facts["files"]), key=lambda facts: facts["log"])


def job_facts(job):
    settings = {name: value for name, value in job.params.items() if name != "library"}
    return {
        "files": [str(file) for file in job.output if not is_flagged(file, "temp")],
        "rule": job.rule.name,
        "settings": hashlib.sha256(json.dumps(settings, sort_keys=True, default=list).encode()).hexdigest()[:16],
        "library": job.params.library,
        "device": "cuda" if job.resources.get("gpu") else "cpu",
        "log": str(job.log[0]),
    }


def shown(section, name, file, reading="", variant=""):
    """What a page shows: its heading, its caption and file, and what tells it from others of that caption."""
    return {"section": section, "name": name, "reading": reading, "variant": variant, "file": file}


def captions_of(entries):
    return sorted({str(WORKFLOW / "report" / f"{each['name']}.rst") for each in entries})
