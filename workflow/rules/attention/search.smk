# The size at which settings of headlines are varied: half of the steps, and short trainings of small networks.

OF_SUMS = ATTENTION["experiments"]["delayed_sum"]
SEARCHED = {
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
        "task": {
            "name": "copy",
            "delay": 20,
            "symbols": 3,
            "alphabet": 4,
            "training_sequences": 200,
            "validation_sequences": 100,
        },
        "network": {"hidden_size": 24, "readout_bias": True},
        "architectures": {
            name: config["architectures"][name] | own
            for name, own in {
                **dict.fromkeys(("orth_rnn", "exp_rnn", "lstm"), {}),
                "mem_rnn": {"mix": "mean"},
                "rel_rnn": {"mix": "mean", "relevant": 5, "short_term": 3},
                "rel_lstm": {"mix": "mean", "relevant": 5, "short_term": 3},
                "buffer_rnn": {"mix": "mean", "short_term": 3},
            }.items()
        },
        "optimizer": {"method": "adam", "learning_rate": 0.003},
        "training": {**config["training"], "epochs": 120, "batch_size": 10, "fresh": True},
        "sequences": 100,
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
}
MEMORY_OF_SEARCH = memory.for_backward(config["architectures"]["mem_rnn"], config["network"], ATTENTION)


include: "../search.smk"
