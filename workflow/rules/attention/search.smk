# The size at which settings of headlines are varied: statements of the appendix at shorter lags, and short trainings of
# small networks over few steps.

OF_SUMS = ATTENTION["experiments"]["delayed_sum"]
OF_SYMBOLS = {"symbols": 3, "alphabet": 4, "training_sequences": 200, "validation_sequences": 100}
FRESH = {**config["training"], "batch_size": 10, "fresh": True}
AVERAGED = {"mix": "mean"}


def of_network(part, name):
    """Cell and optimiser of a network as an experiment, or a recipe for it, has them."""
    network = part["networks"][name]
    cell_settings = {key: value for key, value in network.items() if key not in NOT_OF_CELLS}
    return {
        "architecture": config["architectures"][name] | cell_settings,
        "optimizer": config["optimizers"][network["optimizer"]],
    }


def of_denoise(experiments):
    return {name: {"task": "denoise", **of_network(experiments["denoise"], name)} for name in ("orth_rnn", "rel_rnn")}


SEARCHED = {
    "paths": {"first": 3, "lags": 5, "units": 3, "inputs": 2},
    "uniform": {"largest_lag": 20_000, "t": 2, "radii": [0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9], "angles": 9},
    "proof": {"largest": 8, "terms": 400, "eigenvalue": -0.4},
    "sparse": {"lengths": [16, 32, 64, 128, 256, 512], "eigenvalue": 0.4, "draws": 200},
    "lemmas": {
        "enumeration": {"firsts": [1, 2, 5], "lags": 8, "degree": 7},
        "network": {"time": 8, "units": 4, "inputs": 2},
    },
    "norms": {
        "architectures": {name: config["architectures"][name] for name in ATTENTION["architectures"]},
        "units": 32,
        "delay": 100,
        "sequences": 5,
    },
    "costs": {
        "full": {name: config["architectures"][name] for name in ("mem_rnn", "mem_lstm")},
        "others": {name: config["architectures"][name] for name in ("rnn", "lstm", "rel_rnn", "rel_lstm")},
        "units": 32,
        "delay": 200,
        "batch_size": 2,
    },
    "copy": {
        "task": {**OF_SYMBOLS, "name": "copy", "delay": 20},
        "network": {"hidden_size": 24, "readout_bias": True},
        "architectures": {
            name: config["architectures"][name] | options
            for name, options in {
                **dict.fromkeys(("orth_rnn", "exp_rnn", "lstm"), {}),
                "mem_rnn": AVERAGED,
                "rel_rnn": {**AVERAGED, "relevant": 5, "short_term": 3},
                "rel_lstm": {**AVERAGED, "relevant": 5, "short_term": 3},
                "buffer_rnn": {**AVERAGED, "short_term": 3},
            }.items()
        },
        "optimizer": {"method": "adam", "learning_rate": 0.003},
        "training": {**FRESH, "epochs": 120},
        "sequences": 100,
    },
    "screening": {
        "sizes": [3, 18],
        "other": 10,
        "norms": {
            "architectures": {name: config["architectures"][name] for name in ("rel_rnn", "rel_lstm")},
            "units": 32,
            "delay": 200,
            "sequences": 5,
        },
    },
    "pixels": {
        "task": {"name": "pixels", "duration": 64, "training_sequences": 640, "validation_sequences": 100},
        "network": {"hidden_size": 32, "readout_bias": True},
        "training": {**config["training"], "epochs": 30, "batch_size": 64},
        "test_sequences": 250,
        "networks": {
            name: of_network(ATTENTION["experiments"]["pixels"], name) for name in ("rnn", "exp_rnn", "lstm", "sab")
        },
    },
    "characters": {
        "task": {"name": "characters", "duration": 300, "training_sequences": 64, "validation_sequences": 10},
        "network": {"hidden_size": 32, "readout_bias": True},
        "training": {**config["training"], "epochs": 6, "batch_size": 16, "truncation": 50},
        "test_sequences": 10,
        "networks": {
            name: of_network(ATTENTION["experiments"]["characters"], name) for name in ("rnn", "exp_rnn", "sab")
        },
    },
    "recipes": {
        "network": {"hidden_size": 32, "readout_bias": True},
        "training": {**FRESH, "epochs": 150, "keep_diverged": True},
        "tasks": {"denoise": {**OF_SYMBOLS, "name": "denoise", "delay": 20, "unused": 1}},
        "authors_code": of_denoise(ATTENTION["recipes"]["authors_code"]),
        "printed": of_denoise(ATTENTION["experiments"]),
    },
    "delayed_sum": {
        "task": {
            **{key: OF_SUMS["task"][key] for key in ("name", "input_size", "noise_sd")},
            "duration": 64,
            "lags": [3, 7, 13, 23],
            "coefficients": [0.4, 0.4, 0.4, 0.4],
            "training_sequences": 200,
            "validation_sequences": 100,
        },
        "network": {**OF_SUMS["network"], "hidden_size": 16},
        "architectures": {
            run["architecture"]: run["architecture_settings"] for run in NETWORKS if run["experiment"] == "delayed_sum"
        },
        "optimizer": config["optimizers"]["adamw"],
        "learning_rates": [0.001, 0.003, 0.01],
        "training": {**config["training"], "epochs": 40, "batch_size": 16},
    },
    "windows": {
        "networks": ["rnn", "rel_rnn"],
        "sequences": 40,
        "reading": config["readings"][config["through_training"]["reading"]],
        "window": {**config["window"], "draws": 100},
    },
}
MEMORY_OF_SEARCH = memory.for_backward(config["architectures"]["mem_rnn"], config["network"], ATTENTION)


include: "../search.smk"
