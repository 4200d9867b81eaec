# The size at which settings of headlines are varied: half of the steps, and short trainings of small networks.

OF_SUMS = ATTENTION["experiments"]["delayed_sum"]
SEARCHED = {
    "norms": {
        "architectures": {name: config["architectures"][name] for name in ATTENTION["architectures"]},
        "units": 32,
        "delay": 100,
        "sequences": 5,
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
