# Jobs that need no networks, or only their weights: estimators on known laws, a simulation with known truth, the appendices.

JOBS["check_estimators"] = {
    "by": "studies.learnability_window.jobs.check_estimators",
    "environment": "statistics",
    "output": {
        **{name: OF_LAWS[name] for name in ("recovery", "references")},
        "pages": [f"{THEORY}/recovery.md", f"{THEORY}/references.md"],
    },
    "params": {
        "draws": config["task"]["diagnostic_sequences"],
        "repetitions": 100,
        "reference_draws": 20_000,
        "test_repetitions": 39,
        "root_seed": config["root_seed"],
    },
    "message": "Estimators: known laws",
}
JOBS["check_simulation"] = {
    "by": "studies.learnability_window.jobs.check_simulation",
    "environment": "statistics",
    "output": {
        **{name: OF_LAWS[name] for name in ("coverage", "examples")},
        "page": f"{THEORY}/simulation_coverage.md",
    },
    "params": {
        "replicates": config["simulation"]["replicates"],
        "sequences": [200, 800],
        "draws": 200,
        "root_seed": config["root_seed"],
    },
    "message": "Simulation with known truth",
}
JOBS["compute_appendices"] = {
    "by": "studies.learnability_window.jobs.compute_appendices",
    "loaded": [f"studies.learnability_window.theory.{module}" for module, _ in APPENDICES.values()],
    "environment": "networks",
    "output": {
        **{kind: file for kind, file in OF_LAWS.items() if kind.startswith("appendix_")},
        "page": f"{THEORY}/appendix_b.md",
    },
    "params": {
        "modules": {letter: module for letter, (module, _) in APPENDICES.items()},
        "page": "appendix_b_jacobians",
        "root_seed": config["root_seed"],
    },
    "message": "Appendices: laws and random networks",
}
JOBS["check_monotonicity"] = {
    "by": "studies.learnability_window.jobs.check_monotonicity",
    "environment": "networks",
    "input": {
        kind: [f"{MODELS}/{run}/{kind}.safetensors" for run in runs_of("adamw")] for kind in ("weights", "snapshots")
    },
    "output": {"table": OF_LAWS["monotonicity"]},
    "params": {
        "runs": [
            {
                **{name: network[name] for name in ("architecture", "optimizer", "seed")},
                "architecture_settings": config["architectures"][network["architecture"]],
            }
            for network in NETWORKS
            if network["optimizer"] == "adamw"
        ],
        "network": config["network"],
        "input_size": config["task"]["input_size"],
        "root_seed": config["root_seed"],
    },
    "message": "Appendix F: monotonicity of trained networks",
}
