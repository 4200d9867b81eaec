"""Files of a run of the miniature preset."""

ARCHITECTURES = ("const_gate", "diag_gate", "lstm")
RUNS = [f"{architecture}/{optimizer}/seed0" for optimizer in ("adamw", "sgd") for architecture in ARCHITECTURES]
ADAMW = RUNS[:3]
READINGS = ("gradient_step",)
CONTROLS = ["sample_complexity_factors", "threshold", "off_task", "null_control", "echo_control", "sensitivity"]
FIGURES = [
    *(f"figure_{number:02d}" for number in range(1, 10)),
    *("transport", "time_constants", *CONTROLS),
    *("appendix_f", "appendix_h", "appendix_i"),
]
OF_NO_READING = [
    *("learning_curves", "gate_statistics", "responses"),
    *(f"appendix_{letter}" for letter in "acdeg"),
    *("simulation", "overview", "resonances", "detection_order", "detected_before_learned"),
    *(f"through_training_{architecture}" for architecture in ARCHITECTURES),
]
VARIANTS = {"learning_curves_sgd", "gate_statistics_sgd", "responses_sgd"}
"""Figures that are drawn only if they are asked for."""
TABLES = [
    *(
        "table_1",
        "learning_rates",
        "windows",
        "windows_by_direction",
        "window_order",
        "echoes",
        "task_lags",
        "spread",
        "floor",
    ),
    *("null_control", "complexity_and_share"),
    *("windows_by_option", "conclusions", "scaling", "appendix_f", "appendix_h", "appendix_i"),
]
TABLES_OF_NO_READING = [
    *("learned", "conditioning", "transport_by_lag", "transport_check", "through_training", "detected_before_learned"),
    *("resonances", "harmonics_and_loss", "distance_from_comb", "detection_order"),
]
THEORY = [
    *("appendix_a.orders", "appendix_a.lags", "appendix_b.jacobians", "appendix_c.widths", "appendix_d.divergence"),
    *("appendix_d.information", "appendix_e.information", "appendix_e.by_error", "appendix_e.by_signal"),
    *("appendix_f.random", "appendix_g.windows", "monotonicity", "recovery", "references", "coverage", "examples"),
]
PAGES_OF_THEORY = ["appendix_b", "recovery", "references", "simulation_coverage"]
