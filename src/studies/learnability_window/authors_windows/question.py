"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=40,
    tables=[
        ("published_code", name)
        for name in (
            *("windows", "windows_by_direction", "windows_by_option"),
            *("window_order", "floor", "null_control"),
        )
    ],
    figures={
        "figure_02": Figure("windows", ["window"], "adamw"),
        "figure_03": Figure("windows", ["sample_complexity"], "adamw"),
        "figure_07": Figure("windows", ["sample_complexity"], "adamw"),
        "sample_complexity_factors": Figure("windows", ["sample_complexity"], "adamw"),
        "threshold": Figure("windows", ["sample_complexity"], "adamw"),
        "off_task": Figure("windows", ["sample_complexities"], "adamw"),
        "null_control": Figure("windows", ["sign_flips", "permuted"], "adamw"),
        "echo_control": Figure("windows", ["window", "granted", "response"], "adamw"),
        "sensitivity": Figure("sensitivity", ["changes"], "adamw"),
        "overview": Figure("overview", ["window"], "adamw", "by_adamw"),
    },
    played=["window"],
)
