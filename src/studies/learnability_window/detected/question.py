"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

QUESTION = Question(
    place=60,
    tables=[
        ("", "detection_order"),
        ("", "through_training"),
        ("", "detected_before_learned"),
        ("gradient_step", "windows_by_direction"),
    ],
    figures={
        "detection_order": Figure("networks", ["training_windows", "training_responses"], "adamw"),
        "through_training": Figure(
            "networks", ["training_windows", "training_responses", "curve"], "adamw", "each_by_adamw"
        ),
    },
)
