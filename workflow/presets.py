"""Files of settings: their study and preset, and checks of the files that a user gives."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from learnability.core.errors import InputError
from learnability.core.yaml_files import SafeLoader

FIRST = "learnability_window"
"""The study of files that name none."""
Preset = tuple[str, str]
"""A study and the name of one of its presets."""


def base_file(root: Path, folder: Path | None) -> str:
    """The configuration that all others change: of the working `folder`, or else of the project in `root`.

    Args:
        folder: None for a module, whose outer workflow may have a file of that name.

    Raises:
        InputError: if it is damaged.
    """
    place = Path("config") / "config.yaml"
    base = str(place if folder and (folder / place).is_file() else root / place)
    check_file(base)
    return base


def shipped_presets(root: Path) -> dict[Preset, Path]:
    """Presets of the project in `root`, and their files, which are named after them.

    `{study}/full.yaml` is `full`, whatever it says. Files of other names are somebody's, for `--configfile` alone.
    """
    presets = {}
    for path in sorted([*root.glob("config/[!.]*.yaml"), *root.glob("config/[!.]*/[!.]*.yaml")]):
        if path.parent.name != "config" and path.stem == "full":
            presets[path.parent.name, "full"] = path
        elif (preset := preset_of(path)) is not None and path.relative_to(root / "config") in _files_of(*preset):
            presets[preset] = path
    return presets


def _files_of(study: str, preset: str) -> list[Path]:
    """Places below config/ where the file of a preset may be."""
    name = "reference" if preset == "reproduced" else preset
    if preset == "full":
        return [Path("config.yaml" if study == FIRST else f"{study}.yaml")]
    return [Path(f"{name}.yaml") if study == FIRST else Path(study) / f"{name}.yaml"]


def preset_of(path: Path) -> Preset | None:
    """The study and preset that a file names; None where it names no preset, or cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):  # `check_file` refuses it where a user gives it
        return None
    study, preset = (re.search(rf"^{key}: *(\w+)", text, re.MULTILINE) for key in ("study", "preset"))
    return (study[1] if study else FIRST, preset[1]) if preset else None


def files_below(root: Path, config: Mapping[str, Any], own_files: Iterable[str | Path]) -> list[str]:
    """Files of the study and of the preset that `config` names, below `own_files`, which a user gives.

    The study's own scale, `full`, comes first. A preset that the project does not have is a name for results alone, and
    so is that of the base file, config/config.yaml, which says all itself.

    Raises:
        InputError: if the study has no preset of a name that another study has, or if one of `own_files` is of another
            study or of another preset than the one that is named.
    """
    study, preset = config.get("study", FIRST), config.get("preset")
    by_hand = {Path(path).resolve() for path in own_files}
    presets = shipped_presets(root)
    names = [name for of, name in presets if of == study]
    # A user's file beside the project's that only names the results of this study.
    own_preset = next((of for of, path in presets.items() if path.resolve() in by_hand and of == (FIRST, preset)), None)
    if own_preset is not None and preset not in names:
        del presets[own_preset]
    elsewhere = {name for _, name in presets} - set(names)
    if names and preset in elsewhere:
        requirement = f"one of the study's ({', '.join(names)}), or a name that no preset of another study has"
        raise InputError(f"'preset' must be {requirement}. Got {preset!r} in the study {study!r}.")
    own_presets = {of: path for of, path in presets.items() if path.resolve() in by_hand}
    base = root / "config" / "config.yaml"
    if names:
        _check_own_presets(own_presets, base, study, preset if preset in names else None)
    layers = [(study, "full"), *([(study, preset)] if preset_of(base) != (study, preset) else [])]
    paths = [presets[of] for of in dict.fromkeys(layers) if of in presets]
    return [str(path) for path in paths if path != base and path.resolve() not in by_hand]


def _check_own_presets(own_presets: Mapping[Preset, Path], base: Path, study: str, preset: str | None) -> None:
    """Raise `InputError` for a file of another study; and of another preset, unless that one's file is given too."""
    for (of_study, of_preset), path in own_presets.items():
        place = f"'{path.parent.name}/{path.name}'"
        if of_study != study and path != base:
            raise InputError(f"'study' must be '{of_study}' with the file {place}. Got {study!r}.")
        if preset is not None and of_preset != preset and (study, preset) not in own_presets:
            requirement = f"'{of_preset}' with the file {place}, or a name of your own"
            raise InputError(f"'preset' must be {requirement}. Got {preset!r}.")


class _Strict(SafeLoader):
    """YAML whose mappings have each key once."""


def _construct_mapping(loader: Any, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise InputError(f"'{twice}' must be given once in a mapping. Got it twice in '{node.start_mark.name}'.")
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_Strict.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)


def check_files(paths: Iterable[str | Path]) -> None:
    """Raise `InputError` unless each file is as `check_file` has it."""
    for path in paths:
        check_file(path)


def check_file(path: str | Path) -> None:
    """Raise `InputError` unless a file is a mapping in YAML or JSON, with each key once.

    Snakemake takes the last of equal keys without a word.
    """
    try:
        with open(path, encoding="utf-8") as file:
            content = yaml.load(file, _Strict)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"'{path}' must be a file of settings, in YAML or JSON. Got {reason}.") from error
    if not isinstance(content, dict):
        raise InputError(f"'{path}' must be a file of settings by their keys. Got {content!r:.60}.")
