"""Groups of architectures in words, for a reader who has not seen the configuration."""

from collections.abc import Collection, Mapping
from typing import Any

from learnability.report.findings import listed

ROLES = ("const_gate", "shared_gate", "diag_gate")


def explain_groups(
    groups: Mapping[str, Mapping[str, str]],
    architectures: Mapping[str, Mapping[str, Any]],
    labels: Mapping[str, str],
    available: Collection[str],
) -> str:
    """Sentences that say which networks a group of the scorecard has; empty if there is one group alone.

    Args:
        groups: group → role → architecture. One that has the same three as a group before it is not judged again.
        architectures: settings by name.
        labels: names of architectures.
        available: architectures that have runs.

    Example:
        >>> gates = dict.fromkeys(ROLES, "gru"), dict.fromkeys(ROLES, "slow")
        >>> settings = {"gru": {"gate_init": 0.5}, "slow": {"gate_init": 0.05}}
        >>> text = explain_groups({"main": gates[0], "slow": gates[1]}, settings, {"gru": "GRU"}, settings)
        >>> text[text.index("Group main") : text.index(" A number")]
        'Group main is GRU (0.5). Group slow is slow (0.05).'
        >>> explain_groups({"main": gates[0], "five": gates[0]}, settings, {}, settings)
        ''
    """

    def named(architecture: str) -> str:
        settings = architectures[architecture]
        start = settings.get("gate_value", settings.get("gate_init"))
        label = labels.get(architecture, architecture)
        return label if start is None else f"{label} ({start:g})"

    members = {name: tuple(dict.fromkeys(roles[role] for role in ROLES)) for name, roles in groups.items()}
    names: dict[tuple[str, ...], str] = {}
    for name, triple in members.items():
        if set(triple) <= set(available):
            names.setdefault(triple, name)
    if len(names) < 2:
        return ""
    lists = " ".join(f"Group {name} is {listed(map(named, triple))}." for triple, name in names.items())
    return (
        "A group has one network for each of the paper's three gates (`architecture_groups` in the configuration). "
        f"{lists} A number in brackets says how far a gate is open to new input before training. A network whose gate "
        "is nearly closed forgets slowly."
    )
