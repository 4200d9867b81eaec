"""Made-up tables of the study of attention: a world that agrees with the paper, and a contrary one."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from learnability.claims import judge_conditions, read_claims, score
from learnability.core.yaml_files import load_yaml
from studies.attention.games.paper import FRAMES, TESTED_ON
from studies.attention.judged import MEASURES, claims
from studies.attention.measures import BASE, OF_ALL_STEPS, OF_SHARES, ROLES
from studies.attention.paper import OF_DELAYS, paper_shares
from studies.attention.sizes.tables import AT_EACH
from studies.attention.trained_tables import QUARTERS, TABLES
from studies.questions import find_questions

ROOT = Path(__file__).parents[1]
CONFIG, STUDY = (load_yaml((ROOT / "config" / f"{name}.yaml").read_text()) for name in ("config", "attention/full"))
LABELS = CONFIG["figures"]["labels"] | STUDY["figures"]["labels"]
PAPER = read_claims(str(ROOT / "config" / "attention" / "claims.yaml"))
CLAIMS = claims(PAPER, LABELS)
GROUPS = {"main": {role: role for role in ROLES}}
SIZES = {"gradients_by_rho": "relevant", "gradients_by_nu": "short_term"}
"""Measures by size of the screened memory, with the setting that each varies."""
ANSWERS = ("pixels", "characters", "bits")
NETWORKS = ROLES[:-1]

Tables = dict[str, pd.DataFrame]


def draw_of(figure: str) -> Callable[..., Figure]:
    """Function that draws a figure, from the folder of its question."""
    (question,) = (name for name, entry in find_questions("attention").items() if figure in entry.figures)
    draw: Callable[..., Figure] = import_module(f"studies.attention.{question}.figures.{figure}").draw
    return draw


def verdicts(tables: Mapping[str, pd.DataFrame], statements: list[dict[str, Any]] | None = None) -> pd.DataFrame:
    """The scorecard of some claims, or of all."""
    selection = CLAIMS if statements is None else statements
    return score(selection, judge_conditions(selection, tables, GROUPS, MEASURES))


def spread(table: pd.DataFrame, seeds: int = 1) -> pd.DataFrame:
    """Median, range and number of seeds of what is `measured`, all alike."""
    finite = table["measured"].notna()
    return table.assign(low=table["measured"], high=table["measured"], seeds=np.where(finite, seeds, 0), core_hours=0.5)


def asked_of(measure: str, agrees: bool) -> dict[tuple[str, Any], float]:
    """Values by architecture and place, inside of the interval of a claim or beyond it."""
    values = {}
    for claim in CLAIMS:
        for condition in claim["conditions"]:
            if condition["measure"] == measure:
                (low, high), (least, most) = condition["met"], condition.get("near", condition["met"])
                inside = low if np.isinf(high) else (low + high) / 2
                beyond = most + 1 if measure in SIZES and np.isfinite(most) else least - 1 if least >= 1 else 0
                value = inside if agrees else beyond if measure in SIZES else least - 1
                values |= {(name, condition.get("at")): value for name in condition["of"]}
    return values


def cells(agrees: bool) -> Tables:
    """Tables of tasks beside copy and denoise, of what is kept and of what is attended to."""
    answers = {name: {who: value for (who, _), value in asked_of(name, agrees).items()} for name in ANSWERS}
    pixels = pd.DataFrame({"accuracy": answers["pixels"]}).assign(data="mnist.npz")
    characters = pd.DataFrame({"accuracy": answers["characters"], "bits": answers["bits"]}).assign(data="ptb.txt")
    rewards = asked_of("minigrid", agrees)
    if not agrees:  # and RelLSTM is behind
        rewards = {(name, at): value - (name == "rel_lstm") for (name, at), value in rewards.items()}
    games = [
        {"trained_on": small, "tested_on": large, "architecture": name, "frames": FRAMES, "seeds": 1}
        | {on: rewards.get((name, where)) for on, where in (("train", small), ("test", large))}
        for small, large in TESTED_ON.items()
        for name in ("mem_lstm", "rel_lstm")
    ]
    screening = [
        {"architecture": name, "trained_on": AT_EACH, "varied": setting, "size": at, "farthest": value}
        | {"steps": 120, "accuracy": 1.0}
        for measure, setting in SIZES.items()
        for (name, at), value in asked_of(measure, agrees).items()
    ]
    attention = [
        {"architecture": name, "experiment": at, "measured": value}
        for (name, at), value in asked_of("attended_states", agrees).items()
    ]
    return {
        "pixels": of_answers(pixels),
        "characters": of_answers(characters),
        "games": pd.DataFrame(games),
        "screening": pd.DataFrame(screening),
        "attended": spread(pd.DataFrame(attention)),
    }


def of_answers(table: pd.DataFrame) -> pd.DataFrame:
    """Answers of one seed, which is its own range."""
    ranges = {"lowest": "accuracy", "highest": "accuracy", "lowest_bits": "bits", "highest_bits": "bits"}
    columns = {name: table[of] for name, of in ranges.items() if of in table}
    return table.assign(seeds=1, **columns).rename_axis("architecture").reset_index()


def shares(agrees: bool) -> Tables:
    """Tables 1, 2 and 5: as printed, or far from that."""
    tables = {}
    for name in OF_DELAYS:
        table = paper_shares(name)
        names = table["architecture"]
        rel_rnn, attends = names == "rel_rnn", names.isin(["mem_rnn", "sab", "rel_lstm"])
        low = np.where(rel_rnn, 0.0, 0.3)
        if name == "copy_transfer":  # what attends loses recall at longer delays, and RelRNN has least
            is_first = table["delay"] == table["delay"].min()
            low = np.where(rel_rnn | attends, np.where(is_first, 0.5, 0.2) - 0.2 * rel_rnn, low)
        far = pd.Series(np.where(table["paper"] < 0.5, 1.0, low)).where(table["paper"].notna())
        tables[name] = spread(table.assign(measured=table["paper"] if agrees else far))
        facts = {"experiment": experiments_of(name, table["delay"]), "updates": 4000.0}
        facts |= {"conclusive": True, "finite": 1.0}
        tables[name] = tables[name].assign(**facts)
        if name == "copy_transfer":  # by both counts of right answers alike
            columns = dict(zip(OF_ALL_STEPS, OF_SHARES, strict=True))
            tables[name] = tables[name].assign(**{column: tables[name][source] for column, source in columns.items()})
    return tables


def experiments_of(name: str, delays: "pd.Series[int]") -> list[str]:
    """Experiments of the networks in the cells of a table: trained at their delay, or at the first."""
    task, is_transfer = TABLES[name]
    return [f"{task}_{delays.min() if is_transfer else delay}" for delay in delays]


def speeds(agrees: bool) -> pd.DataFrame:
    """Updates until learned: RelRNN's fewest, or more than others need."""
    rows = [
        {
            "experiment": f"{task}_{delay}",
            "architecture": name,
            "updates": (100.0 if agrees else 900.0) if name == "rel_rnn" else 500.0,
            "all_updates": 4000.0,
            "late_gain": 0.0,
            "accuracy": 1.0,
            "diverged": 0,
            "seeds": 1,
        }
        for task in ("copy", "denoise")
        for delay in (100, 200, 300, 500, 1000, 2000)
        for name in NETWORKS
    ]
    return pd.DataFrame(rows)


def arriving(slopes: Mapping[str, float]) -> pd.DataFrame:
    """log₁₀ norms that go with a slope from quarter to quarter."""
    quarters = {f"back_{10 * k + 1}_{10 * k + 10}": k + 1 for k in range(4)}
    rows = [
        {"architecture": name, "last_step": -1.0, **{key: slope * k for key, k in quarters.items()}, "first": 0.0}
        for name, slope in slopes.items()
    ]
    return pd.DataFrame(rows)


def arriving_trained(slopes: Mapping[str, float]) -> pd.DataFrame:
    """The same after training, at two delays, of which the shorter, farther from the paper's, has no slope."""
    quarters = dict(zip(QUARTERS, range(1, 5), strict=True))
    rows = [
        {"architecture": name, "delay": delay, "steps": delay + 20, **{key: by * k for key, k in quarters.items()}}
        | {"recipe": "printed"}
        for name, slope in slopes.items()
        for delay, by in ((100, 0.0), (300, slope))
    ]
    return pd.DataFrame(rows)


def networks(agrees: bool) -> Tables:
    """Gradients and costs."""
    stable = dict.fromkeys(BASE, 0.0)
    after, before = stable | {"lstm": -2.0, "rnn": 2.0}, stable | {"lstm": -2.0, "rnn": -2.0}
    if not agrees:
        after = dict.fromkeys(BASE, -2.0) | {"lstm": 2.0, "rnn": -2.0, "rel_lstm": -4.0, "mem_rnn": 2.0}
        before = dict.fromkeys(BASE, -4.0) | {"lstm": 2.0, "rnn": 2.0}
    steps = np.array([220, 420, 820])
    square, line = 12 * 1024 / 1500**2 * steps**2, 0.4 * steps
    if agrees:
        memory = {"mem_rnn": square, "mem_lstm": square, "sab": square / 2, "rel_rnn": line, "rel_lstm": line}
        memory |= {"rnn": line / 50, "lstm": line / 50}
    else:
        memory = {"mem_rnn": 10 * line, "mem_lstm": 10 * line, "sab": 20 * line, "rnn": 2 * square, "lstm": 2 * square}
        memory |= {"rel_rnn": 9 * square, "rel_lstm": 19 * square}
    power = {name: float(np.log(values[-1] / values[-2]) / np.log(820 / 420)) for name, values in memory.items()}
    costs = [pd.DataFrame({"architecture": name, "steps": steps, "kept_mib": memory[name]}) for name in memory]
    gradients = arriving_trained(after)
    if not agrees:  # bent, so that no line fits
        bent = gradients["architecture"].isin(["lstm", "rnn"])
        gradients.loc[bent, QUARTERS[1]] *= -20
    return {
        "trained_gradients": gradients,
        "gradient_norms": arriving(before),
        "backward_costs": pd.concat(costs).assign(batch_size=1 if agrees else 1000),
        "backward_growth": pd.DataFrame({"architecture": list(power), "exponent_kept": list(power.values())}),
    }


def theory(agrees: bool) -> Tables:
    """Statements that hold as they are printed, or do not."""
    error, wrong = (0.0, 0) if agrees else (0.5, 10)
    depths = np.arange(9)
    statements = sorted(
        condition["at"]
        for claim in CLAIMS
        for condition in claim["conditions"]
        if condition["measure"] == "failing_share"
    )
    real = np.array([-0.5, 0.0, 0.4])
    exponents = np.maximum(-1, real - 1) if agrees else np.array([-3.0, -1, 0.4])
    lengths = np.array([16, 128, 512])
    decay = lengths ** (-1.0) if agrees else np.exp(-lengths / 50)
    chains = pd.DataFrame(
        [(real, kappa, d) for real in (0.3, 0.8) for kappa in (1, 2, 4) for d in range(4)],
        columns=["real", "sparsity", "depth"],
    ).assign(layout="held", imaginary=0.0, printed=lambda rows: rows["sparsity"] ** -rows["depth"].astype(float))
    chains["size"] = chains["printed"] * np.exp(-chains["depth"]) * 5.0**3 / chains["sparsity"]
    if not agrees:
        bent = (1 + 5 * (chains["depth"] % 2)) * np.where(chains["sparsity"] == 2, 1e-6, 1)
        chains["size"] = 0.01 * chains["printed"] * bent
    lags = [10_000, 100_000]
    gaps = [
        {"degree": s, "lag": lag, "bounds": 0.0 if agrees else 1.0 + s, "rest": 2.0 if agrees else float(lag)}
        for s in range(4)
        for lag in lags
    ]
    truncations = [
        {"eigenvalue": -0.5, "degree": degree, "size": 0.5**degree, "lag": lag, "truncated": value}
        for degree, value in ((5, 9.0), (20, 1.0 if agrees else 9.0), (120, 1.0))
        for lag in lags
    ]
    sizes = {"held, κ = 3": 1.0, "cancelling, κ = 2, d = 0": 1.0}
    bounds = [
        {"attention": name, "eigenvalue": 0.4, "length": length, "size": value if agrees else value / length}
        for name, value in sizes.items()
        for length in lengths
    ]
    uniform = [
        {"attention": "uniform", "eigenvalue": 0.4, "length": length, "size": value}
        for length, value in zip(lengths, decay, strict=True)
    ]
    return {
        "paths": pd.DataFrame(
            {"network": "x", "lag": 8, "depth": depths, "norm": np.exp(-depths if agrees else depths)}
        ).assign(total=2.0, by_paths=error, by_recursion=error, by_closed_form=error),
        "exact": pd.DataFrame({"statement": statements, "cases": 10, "fail": wrong}),
        "parameters": pd.DataFrame({"lemma": [7, 8], "error_as_printed": error}),
        "exponents": pd.DataFrame({"mix": "sum", "real": real, "imaginary": 0.0, "fitted": exponents}),
        "spectra": pd.DataFrame(
            {"mix": "sum", "spectrum": ["a", "b"], "fitted": [-0.5, -0.9 if agrees else -2], "by_paper": [-0.5, -0.9]}
        ).assign(fitted_least=-0.95 if agrees else -2.0),
        "lengths": pd.DataFrame(bounds + uniform),
        "gaps": pd.DataFrame(gaps),
        "coefficients": pd.DataFrame({"coefficient": [1.0, 1.0 if agrees else 9.0], "as_printed": 1.0}),
        "truncations": pd.DataFrame(truncations),
        "chains": chains,
    }


def world(agrees: bool) -> Tables:
    """Tables of all kinds."""
    return {**cells(agrees), **shares(agrees), "learning_speed": speeds(agrees), **networks(agrees), **theory(agrees)}
