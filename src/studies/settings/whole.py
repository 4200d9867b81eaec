"""All settings of a configuration."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from studies.settings.figures import ArchitectureGroup, Figures
from studies.settings.measurement import Measurement, Simulation, ThroughTraining, Window
from studies.settings.networks import Architecture, Network, Optimizer
from studies.settings.readings import Reading
from studies.settings.sections import (
    NOT_GIVEN,
    Count,
    Distinct,
    DottedName,
    FolderOrNone,
    Name,
    NameOrNone,
    Section,
    SomeDistinct,
    Whole,
)
from studies.settings.tasks import Task
from studies.settings.training import Training


class Configuration(Section):
    """Every key of `config/config.yaml`.

    Unknown keys are errors. `config/quick.yaml` overrides sizes, and the slow start, which scales with T.
    """

    study: Name
    """Name of the study: its rules are in `workflow/rules/{study}/`, its code in `src/studies/{study}/`."""
    preset: Name
    """Name of the results folder, `results/{study}/{preset}/`."""
    weights: Literal["trained", "reference"]
    """Networks: `trained` here, or `reference`, stored in `results/reference/{study}/`, so that everything after
    training is redone in minutes."""
    variant: NameOrNone
    """Folder below `results/reference/{study}/` with the stored networks of a variant of the task; none for the study
    itself."""
    compared_with: FolderOrNone
    """Folder of a finished run below `results/`, of the same architectures on another task, with which networks are
    compared at equal epochs (`common_divisor`); none if empty. Its networks must be there: run it first."""
    sentences: bool
    """Let pages answer in the sentences that were written about the stored results, which must be true of the
    tables at hand: one that is not stops the page, and is named. Without them a page has questions, figures, tables and
    verdicts."""
    root_seed: Whole
    """Root of all random streams; another number is an independent replication of everything."""
    seeds: SomeDistinct[Annotated[int, Field(ge=0, le=2147483647)]]
    """Seeds, for each of which there is a network of each run; a seed fixes u, data, initialisation and data order. The
    paper shows one."""
    fewer_seeds: dict[str, Count]
    """Optimiser or architecture id → of how many of `seeds`, from the first on, its networks are trained, where not of
    all."""
    compiler_optimization: Literal["O1", "O3"] = NOT_GIVEN
    """How far the compiler optimises C++ code: `O1`, where the code runs for less time than `O3` takes to compile it.
    `O3` where it is not given; flags in the variable `LEARNABILITY_CXXFLAGS` replace it."""
    task: Task
    """The task (Eq. 44, Sec. 6.1). Another task takes its own fields; settings of `delayed_sum` may stay."""
    network: Network
    """Sizes shared by all architectures."""
    architectures: Annotated[dict[DottedName, Architecture], Field(min_length=1)]
    """Architecture id → a cell and its settings; a variant is a new entry."""
    optimizers: Annotated[dict[DottedName, Optimizer], Field(min_length=1)]
    """Optimiser id → method and settings."""
    runs: Annotated[dict[str, Distinct[str]], Field(min_length=1)]
    """Optimiser id → the architectures trained with it, for every seed; an empty list leaves an optimiser out."""
    training: Training
    """Training of networks (Sec. 6.1)."""
    measurement: Measurement
    """Measurements on the frozen networks."""
    readings: Annotated[dict[Name, Reading], Field(min_length=1)]
    """Reading id → how the paper's quantities are read where it leaves them open. `paper` is the text, `published_code`
    the author's code (docs/science.md)."""
    report: SomeDistinct[str]
    """Readings to compute."""
    through_training: ThroughTraining
    """Measurements on the weights of every stored epoch."""
    window: Window
    """Detection levels and the grid of N, where a reading does not say its own."""
    simulation: Simulation
    """Data sets of a known truth, to see whether the intervals of sample complexities and windows cover it."""
    architecture_groups: dict[DottedName, ArchitectureGroup]
    """Group id → which architecture takes each of the paper's three roles. Figures and scorecard exist for each group;
    `main` is the paper's."""
    sensitivity: Distinct[str]
    """Architecture groups whose windows are also computed under every other option of a reading, with AdamW and the
    first seed; expensive."""
    figures: Figures
    """Appearance of figures; a change redraws figures and nothing else."""


STUDIES = tuple(sorted(file.parent.name for file in Path(__file__).parents[1].glob("*/settings.py")))
"""Studies that have a section of their own."""


def section_of(study: str) -> type[Section]:
    """Model of a study's section: of its `section.py`, where it has one that adds to `settings.py`."""
    module = "section" if find_spec(f"studies.{study}.section") else "settings"
    model: type[Section] = import_module(f"studies.{study}.{module}").Settings
    return model


@cache
def whole_configuration(*studies: str) -> type[Configuration]:
    """The configuration with the sections of studies; they are imported only if asked for, which takes time."""
    fields: dict[str, Any] = {}
    for study in studies:
        model = section_of(study)
        fields[study] = model, Field(default=None, description=model.__doc__)
    return create_model("Configuration", __base__=Configuration, __doc__=Configuration.__doc__, **fields)


@cache
def part_of(*names: str) -> type[Section]:
    """Some sections of the configuration, each of which must be given."""
    sections = whole_configuration(*(name for name in names if name in STUDIES)).model_fields
    fields: dict[str, Any] = {name: (sections[name].rebuild_annotation(), ...) for name in names}
    return create_model("Part", __base__=Section, **fields)


@cache
def schema_of(model: type[Section]) -> dict[str, Any]:
    """JSON schema of a model, with the schema of each part in its place."""
    schema = model.model_json_schema()
    flat_schema: dict[str, Any] = _inline(schema, schema.get("$defs", {}))
    return flat_schema


def _inline(entry: Any, parts: dict[str, Any]) -> Any:
    if isinstance(entry, list):
        return [_inline(item, parts) for item in entry]
    if not isinstance(entry, dict):
        return entry
    if "$ref" in entry:
        siblings = {key: value for key, value in entry.items() if key != "$ref"}
        return _inline({**parts[entry["$ref"].rpartition("/")[2]], **siblings}, parts)
    fields = {key: _inline(value, parts) for key, value in entry.items() if key not in ("$defs", "default", "title")}
    if isinstance(fields.get("description"), str):
        fields["description"] = " ".join(fields["description"].split())
    if "patternProperties" in fields:  # names of a pattern; all others are errors
        ((pattern, schema),) = fields.pop("patternProperties").items()
        fields |= {"additionalProperties": schema, "propertyNames": {"pattern": pattern}}
    return fields
