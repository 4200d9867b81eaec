"""Settings of the study: trained networks, reservoirs, and of each question its own."""

from typing import Annotated, Any

from pydantic import Field, create_model

from studies.gated.questions import find_settings
from studies.questions import find_questions
from studies.settings.experiments import Experiment
from studies.settings.sections import Count, Name, NotNegative, Section, Share, SomeDistinct, Whole


class Reservoir(Section):
    """Settings by which a reservoir is drawn."""

    units: Count
    """H."""
    spectral_radius: NotNegative
    """ρ(W)."""
    density: Share
    """Share of recurrent weights that are not 0."""
    input_scale: NotNegative
    """Factor of the input weights, which are uniform between -1 and 1."""
    leak: Share
    """a, the leak rate."""


class Reservoirs(Section):
    """Drawn and not trained; their readouts are fitted to the training sequences of an experiment."""

    experiment: str
    """Experiment id."""
    washout: Whole
    """Steps at the start of a sequence that do not count."""
    penalties: SomeDistinct[NotNegative]
    """λ of ridge regression, of which the one counts that predicts the validation sequences best."""
    networks: Annotated[dict[Name, Reservoir], Field(min_length=1)]
    """Reservoir id → how it is drawn."""


def _of_questions() -> type[Section]:
    """A setting for each question that has a model of them, named after it."""
    fields: dict[str, Any] = {}
    for name in find_questions("gated"):
        if model := find_settings(name):
            is_needed = any(field.is_required() for field in model.model_fields.values())
            fields[name] = model, Field(default=... if is_needed else None, description=model.__doc__)
    return create_model("Exhibits", __base__=Section, **fields)


Exhibits = _of_questions()


class Settings(Section):
    """The study `gated`: networks that are trained, reservoirs whose readouts are fitted, and exhibits."""

    experiments: Annotated[dict[Name, Experiment], Field(min_length=1)]
    """Experiment id → a task, and the networks that are trained on it."""
    reservoirs: Reservoirs
    """Drawn and not trained; their readouts are fitted to the training sequences of an experiment."""
    exhibits: Exhibits  # type: ignore[valid-type]
    """Sizes of each exhibit."""
