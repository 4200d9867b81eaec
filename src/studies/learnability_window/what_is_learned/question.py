"""Tables that answer the question, and figures that it draws."""

from studies.learnability_window.questions import Figure, Question

OPTIMIZERS = {"": "adamw", "_sgd": "sgd", "_sgd_momentum": "sgd_momentum"}
OF = {"learning_curves": ["curve"], "gate_statistics": ["gates"], "responses": ["response", "loss"]}
QUESTION = Question(
    place=10,
    tables=[("", "learned"), ("", "through_training"), ("gradient_step", "learning_rates")],
    figures={
        f"{name}{suffix}": Figure("networks", views, optimizer, like=name if suffix else "")
        for name, views in OF.items()
        for suffix, optimizer in OPTIMIZERS.items()
    },
)
