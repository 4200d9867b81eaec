"""What the miniature preset makes."""

ARCHITECTURES = ("const_gate", "diag_gate", "lstm")
RUNS = [f"{architecture}/{optimizer}/seed0" for optimizer in ("adamw", "sgd") for architecture in ARCHITECTURES]
ADAMW = RUNS[:3]
TRAINING_FIGURES = ["learning_curves", "learning_curves_sgd", "gate_statistics", "gate_statistics_sgd"]
RESPONSES = ["responses", "responses_sgd"]
CONTROLS = ["need_pieces", "threshold", "off_task", "null_control", "echo_control", "sensitivity"]
FIGURES = [*(f"figure_{number:02d}" for number in range(1, 10)), *TRAINING_FIGURES, *RESPONSES, "transport", *CONTROLS]
READINGS = ("recommended",)
TABLES = [
    "table_1",
    "learning_rates",
    "learned",
    "windows",
    "windows_by_direction",
    "echoes",
    "task_lags",
    "spread",
    "floor",
    "windows_by_option",
    "conclusions",
    "conditioning",
    "transport_by_lag",
    "scaling",
]
THEORY = {  # an appendix about laws and random networks: its tables
    "a": {"orders", "lags"},
    "b": {"jacobians"},
    "c": {"widths"},
    "d": {"divergence", "information"},
    "e": {"information", "by_error", "by_signal"},
    "f": {"random", "monotonicity"},
    "g": {"windows"},
}
DRAWN_ONCE = "acdeg"
