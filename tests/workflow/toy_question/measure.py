"""Section 12: in how many steps a leaky unit loses half of its state, h_t = (1 - a) h_{t-1}."""

import math

import pandas as pd

from studies.gated.exhibit import Exhibit, ExhibitRequest, statements
from studies.gated.leak.question import QUESTION


def make(request: ExhibitRequest) -> Exhibit:
    """Table `leak_steps`: the half-life, `steps`, of each leak rate a."""
    (name,) = QUESTION.tables
    leaks = request.settings["leaks"]
    steps = [-math.log(2) / math.log1p(-leak) for leak in leaks]
    ratio = steps[0] / steps[-1]
    table = pd.DataFrame({"leak": leaks, "steps": steps})
    return Exhibit({name: table}, statements(("least_over_largest_leak", seed, ratio) for seed in request.seeds))
